"""Solves games by the extensive form: sequences, regret minimisation, plans made beforehand.

Each function turns a `Problem` into a solution or raises UnsupportedGameError. The functions are
rows of `methods.METHODS`.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.active_constraints import exact_candidates
from gamedsl.solvers.equilibria.best_response import (
    best_response_gains,
    best_response_value,
    expected_payoffs,
    first_equilibrium,
    verified_value,
)
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.external_sampling import (
    MOST_SAMPLES,
    ExternalSampling,
    usual_samples,
)
from gamedsl.solvers.equilibria.families import families
from gamedsl.solvers.equilibria.learning_curve import learning_curve
from gamedsl.solvers.equilibria.regret_minimisation import (
    FEWEST_ROUNDS,
    MOST_ROUNDS,
    Learner,
    Learning,
    RegretRule,
    nearly_optimal_behaviour,
    simplified,
    usual_rounds,
)
from gamedsl.solvers.equilibria.sequence_form import Behaviour, optimal_behaviour
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.form_solutions import (
    solution_from_form,
    solution_from_response,
    unsettled_from_form,
    with_equilibria,
)
from gamedsl.solvers.graphs.graph import OutOfTimeError, Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.behaviour import as_behaviour
from gamedsl.solvers.normal_form.quantal_response import quantal_response
from gamedsl.solvers.normal_form.reduced import behaviour_of
from gamedsl.solvers.normal_form.refinements import Refinements
from gamedsl.solvers.normal_form.solve import Equilibria, equilibria_of
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import count_instead
from gamedsl.solvers.solution import Others, Solution, Status, with_evidence
from gamedsl.solvers.verdicts import Answer
from gamedsl.source.plurals import count

EARLY = 300
"""Rounds of learning before a first test whether nearby simple fractions form an equilibrium."""
TO_LEARN = 1 / 2
"""Share of the remaining time for a step of learning; in the rest its strategies are verified."""


def by_sequence_form(problem: Problem) -> Solution:
    """Solves two-player games with opposed interests and imperfect information by linear
    programming.

    Large games are first solved by the equations of the optimum, as far as regret minimisation
    finds the binding constraints. If the time is up before, learned strategies give bounds.
    """
    form = _opposed_form(problem)
    is_small = problem.form_analysis.has_few_sequences
    tick = problem.form_tick(1.0 if is_small else TO_LEARN)
    equilibrium: tuple[tuple[Behaviour, ...], Vector] | None = None
    near: tuple[Behaviour, ...] | None = None
    try:
        if not is_small:
            near = nearly_optimal_behaviour(form, usual_rounds(form), tick)
            equilibrium = first_equilibrium(form, exact_candidates(form, near, tick))
        if equilibrium is None:
            optimal = optimal_behaviour(form, tick)
            equilibrium = optimal, verified_value(form, optimal)
    except OutOfTimeError:
        near = near or nearly_optimal_behaviour(form, FEWEST_ROUNDS)
        return replace(_nearly(problem, near), solver=SolverName.SEQUENCE_FORM)
    profile, value = equilibrium
    solution = solution_from_form(form, profile, value)
    solution = with_evidence(solution, families=families(form, profile, value))
    return replace(solution, answer=(Answer.SEQUENCES,), solver=SolverName.SEQUENCE_FORM)


def by_regret_minimisation(problem: Problem) -> Solution:
    """Solves games by regret minimisation where a linear program would take too long.

    With two players and opposed interests, the value is exact if learning shows the binding
    constraints, and proven bounds are given otherwise. With three or more players, or without
    opposed interests, the learned strategies are given with the greatest gain by a deviation.
    """
    form, is_opposed = _form_to_learn(problem), problem.form_analysis.has_opposed_form
    rounds = _rounds(problem, SolverName.REGRETS) or usual_rounds(form)
    learning = Learning(form, RegretRule.CFR_PLUS, rounds)
    equilibrium = None
    if is_opposed:
        learning.go_on_until(EARLY, problem.form_tick(TO_LEARN))
        equilibrium = first_equilibrium(form, [tuple(map(simplified, learning.behaviour()))])
    if equilibrium is None:
        learning.go_on_until(learning.most_rounds, problem.form_tick(TO_LEARN))
        profile = learning.behaviour()
        simple = [tuple(map(simplified, profile))]
        with suppress(OutOfTimeError):
            exact = (
                exact_candidates(form, profile, problem.form_tick(TO_LEARN)) if is_opposed else ()
            )
            equilibrium = first_equilibrium(form, chain(simple, exact))
    if equilibrium is None:
        return replace(_nearly(problem, profile), solver=SolverName.REGRETS)
    solution = replace(solution_from_form(form, *equilibrium), solver=SolverName.REGRETS)
    if is_opposed:
        return replace(solution, answer=(Answer.SEQUENCES,))
    return replace(solution, answer=(Answer.LEARNED,), others=Others.POSSIBLE)


def by_learning(problem: Problem) -> Solution:
    """The strategies learned by the named rule of regret minimisation, with the distance from
    equilibrium by number of rounds."""
    rule = problem.options.solver
    assert rule is not None, "rules of learning are chosen by name"
    form, rounds = _form_to_learn(problem), _rounds(problem, rule)
    learner: Learner
    seed = None
    if rule is SolverName.EXTERNAL_SAMPLING:
        seed = problem.options.seed or 0
        learner = ExternalSampling(form, seed, rounds or usual_samples(form))
    else:
        learner = Learning(form, RegretRule(rule), rounds or usual_rounds(form))
    curve = learning_curve(form, learner, problem.form_tick(TO_LEARN), seed)
    solution = _nearly(problem, learner.behaviour())
    assert isinstance(solution.answer, tuple), "the answer is not read from a file"
    answer = solution.answer if seed is None else (Answer.SAMPLED, *solution.answer)
    return with_evidence(replace(solution, answer=answer, solver=rule), learning=curve)


def most_rounds(rule: SolverName) -> int:
    """Greatest number of rounds that the rule can count."""
    return MOST_SAMPLES if rule is SolverName.EXTERNAL_SAMPLING else MOST_ROUNDS


def _rounds(problem: Problem, rule: SolverName) -> int | None:
    """Number of rounds requested; None where no number was requested."""
    rounds, most = problem.options.rounds, most_rounds(rule)
    if rounds is not None and rounds > most:
        raise ValueError(f"{rule} counts at most {count(most, 'round')}, not {rounds:,}")
    return rounds


def _form_to_learn(problem: Problem) -> ExtensiveForm:
    if problem.form_analysis.has_opposed_form:
        return _opposed_form(problem)
    refuse_unless_initial(problem, "players know")
    return problem.form_analysis.form


def _nearly(problem: Problem, profile: tuple[Behaviour, ...]) -> Solution:
    """Solution from learned strategies: two bounds for two players with opposed interests, else the
    greatest gain by a deviation."""
    form = problem.form_analysis.form
    if not problem.form_analysis.has_opposed_form:
        gain = max(best_response_gains(form, profile))
        if not gain:
            solution = solution_from_form(form, profile, expected_payoffs(form, profile))
            return replace(solution, answer=(Answer.LEARNED,), others=Others.POSSIBLE)
        solution = unsettled_from_form(form, profile, expected_payoffs(form, profile))
        return replace(solution, answer=(Answer.NEARLY_LEARNED,), gain=gain)
    total = constant_sum(form.outcomes, range(len(form.sets)))
    assert total is not None, "interests are opposed"
    most, most_of_second = (best_response_value(form, profile, player) for player in (0, 1))
    middle, error = (most + total - most_of_second) / 2, (most - total + most_of_second) / 2
    is_near = error <= problem.options.tolerance
    return replace(
        solution_from_form(form, profile, (middle, total - middle), error),
        answer=(Answer.NEARLY_SEQUENCES if error else Answer.SEQUENCES,),
        status=Status.WEAK if is_near else Status.OPEN,
    )


def _opposed_form(problem: Problem) -> ExtensiveForm:
    """The extensive form of two players with opposed interests; raises UnsupportedGameError for all
    other games."""
    game = problem.game
    refuse_unless_initial(problem, "players know")
    if len(game.players) != 2:
        raise UnsupportedGameError(
            f"{game.name} has {count(len(game.players), 'player')}, and where they do not see the "
            "whole position equilibria are looked for between two alone",
            count_instead(game),
        )
    if not problem.form_analysis.has_opposed_form:
        raise UnsupportedGameError(
            f"players of {game.name} do not see the whole position, and what one wins the other "
            "need not lose, so that no value is agreed on",
            count_instead(game),
        )
    return problem.form_analysis.form


def by_normal_form(problem: Problem) -> Solution:
    """Solves games of any number of players and any interests by plans made beforehand."""
    refuse_unless_initial(problem, "players know")
    reduced = problem.form_analysis.reduced
    if isinstance(reduced, UnsupportedGameError):
        raise reduced
    plain = equilibria_of(reduced.normal, problem.form_tick())
    refine = (
        Refinements(problem.form_analysis.form)
        if Refinements.can_judge(problem.form_analysis.form)
        else None
    )
    equilibria = replace(plain, equilibria=as_behaviour(reduced, plain.equilibria, refine))
    first = equilibria.equilibria[0]
    profile = tuple(
        behaviour_of(reduced, player, mixture) for player, mixture in enumerate(first.mixtures)
    )
    if first.error:
        gain = max(best_response_gains(problem.form_analysis.form, profile))
        solution = unsettled_from_form(
            problem.form_analysis.form,
            profile,
            expected_payoffs(problem.form_analysis.form, profile),
        )
        solution = with_equilibria(solution, equilibria)
        return replace(
            solution, answer=(Answer.IRRATIONAL,), gain=gain, solver=SolverName.NORMAL_FORM
        )
    value = verified_value(problem.form_analysis.form, profile)
    solution = with_equilibria(
        solution_from_form(problem.form_analysis.form, profile, value), equilibria
    )
    answer = (answer_of_equilibria(equilibria),)
    return replace(solution, answer=answer, solver=SolverName.NORMAL_FORM)


def by_quantal_response(problem: Problem) -> Solution:
    """A model of human behaviour instead of best play, for any number of players and any
    interests."""
    refuse_unless_initial(problem, "players know")
    form, rationality = problem.form_analysis.form, problem.options.rationality
    response = quantal_response(
        form, Fraction(1) if rationality is None else rationality, problem.form_tick()
    )
    solution = solution_from_response(form, response)
    return replace(solution, answer=(Answer.QUANTAL_RESPONSE,), solver=SolverName.QUANTAL_RESPONSE)


def answer_of_equilibria(equilibria: Equilibria) -> Answer:
    """The kind of answer given by listed equilibria: all equilibria, corners of their sets, or some
    equilibria."""
    if equilibria.why_more is not None:
        return Answer.SOME_EQUILIBRIA
    return Answer.ENDS_OF_EQUILIBRIA if equilibria.has_sets else Answer.ALL_EQUILIBRIA


def refuse_unless_initial(problem: Problem, who_knows: str) -> None:
    """Raises UnsupportedGameError for a later position, whose information depends on earlier
    play."""
    if problem.root != problem.game.initial_state():
        raise UnsupportedGameError(
            f"what {who_knows} in a position of {problem.game.name} depends on the play that led "
            "there, which the position does not hold",
            "solve the game from its beginning: its plan says what to do after each play",
        )
