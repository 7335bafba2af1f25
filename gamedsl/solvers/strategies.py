"""Table of the strategies for solving a whole game, the most informative first.

The planner reads the table and runs the first applicable strategy that finds a solution of the
`Survey`. A new solver of whole games needs a file of its own and a row in `STRATEGIES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from gamedsl.game.native import NativeCode
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.chance import value_iteration as iteration
from gamedsl.solvers.chance.limit_wins import approached_words
from gamedsl.solvers.chance.progress import with_progress
from gamedsl.solvers.chance.stationary_equilibrium import stationary_equilibrium
from gamedsl.solvers.chance.strategy_improvement import strategy_improvement
from gamedsl.solvers.exact import retrograde as retro
from gamedsl.solvers.exact.backward_induction import backward_induction, equilibria_of_first_stage
from gamedsl.solvers.exact.information_sets import solve_information
from gamedsl.solvers.exact.puzzle import is_to_be_found, of_play, shortest_solution
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.exact.ties import tie_breaks
from gamedsl.solvers.form_strategies import (
    by_learning,
    by_normal_form,
    by_quantal_response,
    by_regret_minimisation,
    by_sequence_form,
    kind_of_equilibria,
    refuse_unless_initial,
)
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfReachError,
    Progress,
    Vector,
)
from gamedsl.solvers.methods import LEARNING, REQUIRES, SolverName
from gamedsl.solvers.proof_search import by_proof_search
from gamedsl.solvers.requirements import Requirement, count_instead, refuse_unless
from gamedsl.solvers.solution import Others, Status
from gamedsl.solvers.solution_parts import (
    SolutionParts,
    solution_from_graph,
    solution_from_information,
    solution_from_line,
    solution_from_table,
    with_equilibria,
    with_ties,
)
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.solvers.survey import Survey
from gamedsl.solvers.team_strategies import by_team
from gamedsl.solvers.value_search import by_value_search
from gamedsl.source.records import dataclass

LATER_KIND = (
    "; later positions have several equilibria too, and there the first was taken (--policy shows "
    "what it pays)"
)
STATIONARY_KIND = (
    "a stationary equilibrium: one action for each position, and nobody gains by playing "
    "otherwise, from any position on, while the others keep to theirs; there may be others, with "
    "other payoffs"
)
OPPOSED_STAGES_KIND = (
    "an equilibrium in pure strategies: neither gains by another choice, and there is no "
    "equilibrium with another value"
)
RETURNING_KIND = (
    "an equilibrium: probabilities go by the position alone, and neither gains on average by any "
    "other way to play, which was verified by best replies; all equilibria have this value"
)
NEARLY_STATIONARY_KIND = (
    "nearly an equilibrium: probabilities go by the position alone, and by another way to play "
    "neither gains more than twice the error on average, which was verified by best replies"
)
STAGES_KIND = (
    "an equilibrium: in every position with choices made at once, neither gains on average by "
    "other probabilities; all equilibria have this value"
)
ONLY_KIND = (
    "the only {}: what is left when choices are crossed out, one after the other, that are worse "
    "than another whatever the others do"
)
DOMINANT_KIND = (
    "{} in weakly dominant choices: none is worse than another of the same player, whatever the "
    "others do; there may be other equilibria, with other payoffs"
)

HALF = 0.5
"""Share of the remaining time for the search of a value or a forced win; the rest is for the
solution of the whole game."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to solve a game.

    Attributes:
        name: the algorithm's name; None for native code, which cannot be chosen by name.
        needs_graph: whether every state has to be explored first.
        applies: whether the strategy suits the game, as far as is known.
        run: solves the game; None where the strategy fails. Raises UnsupportedGameError if the game
            lacks a requirement: a caller who chose the strategy by name has not called `applies`.
    """

    name: SolverName | None
    needs_graph: bool
    applies: Callable[[Survey], bool]
    run: Callable[[Survey], SolutionParts | None]


def _by_native_code(survey: Survey) -> SolutionParts | None:
    """Solves the game by compiled code; None where native code is not available."""
    if survey.native is None:
        return None
    if survey.is_puzzle and survey.beyond_memory is not None:
        raise OutOfReachError(survey.beyond_memory)
    try:
        return _every_position(survey, survey.native)
    except (OutOfBudgetError, OutOfMemoryError):
        if survey.may_find_one_play:
            return None  # a single play may be found although the states are too many to value
        raise


def _every_position(survey: Survey, native: NativeCode) -> SolutionParts | None:
    limits = replace(
        survey.limits.in_native_code(),
        positions=survey.most_in_native_code,
        progress=_while_within_reach(survey),
    )
    try:
        found = native.solve(
            survey.root,
            returns=survey.returns,
            limits=limits,
            checkpoints=survey.limits.checkpoints,
        )
    except GameRuleError as error:
        _fail_nearby(survey)
        raise error from None
    if found is None:
        return None
    name, positions = SolverName(found[0]), found[1]
    if positions.chance is not None and positions.chance.error_bound > survey.limits.tolerance:
        return None
    table = SolvedTable(survey.game, survey.root, positions, name)
    if survey.root not in table:
        raise SolutionFileError("the position that is solved is not in it")
    return solution_from_table(table, name)


def _while_within_reach(survey: Survey) -> Progress:
    """Progress that checks once, after many positions, whether memory suffices for all positions.

    The check of a small game takes longer than solving the game. Raises OutOfReachError if memory
    does not suffice.
    """
    progress, is_asked = survey.limits.progress, False

    def tell(explored: int, waiting: int) -> None:
        nonlocal is_asked
        if not is_asked and explored + waiting > survey.in_doubt:
            is_asked = True
            if survey.beyond_memory is not None:
                raise OutOfReachError(survey.beyond_memory)
        if progress is not None:
            progress(explored, waiting)

    return tell


def _by_turns(survey: Survey) -> SolutionParts | None:
    """Solves the game turn by turn in native code; None where turns differ in form."""
    if survey.turns is None:
        return None
    found = survey.turns.solve_turns(survey.root, survey.limits.in_native_code())
    if found is None:
        return None
    name, positions = SolverName(found[0]), found[1]
    if positions.chance is not None and positions.chance.error_bound > survey.limits.tolerance:
        return None
    return solution_from_table(SolvedTable(survey.game, survey.root, positions, name), name)


def _fail_nearby(survey: Survey) -> None:
    """Raises the error of failing rules with a shortest play to the failure, if close to the
    root."""
    try:
        survey.exploration.run(survey.most_in_python, survey.limits.progress)
    except OutOfBudgetError:
        return


def _by_backward_induction(survey: Survey) -> SolutionParts:
    order = survey.order
    if survey.can_return:
        raise UnsupportedGameError(
            f"play of {survey.game.name} can return to an earlier position, so there is no "
            "last move to begin with",
            "use retrograde analysis or value iteration",
        )
    graph = survey.graph
    nodes = [component[0] for component in order]
    solved = backward_induction(
        graph,
        nodes,
        survey.break_even,
        is_opposed=len(graph.game.players) == 2 and survey.is_opposed,
    )
    if survey.needs_lengths and survey.limits.wants_lengths:
        solved = with_progress(solved, order, survey.delays_among(solved.values))
    parts = solution_from_graph(solved, SolverName.BACKWARD_INDUCTION, survey.limits.tolerance)
    if not survey.is_opposed and not solved.equilibria:
        parts = with_ties(parts, tie_breaks(graph, nodes, solved.choices, solved.by_dominance))
    return parts


def _by_information_sets(survey: Survey) -> SolutionParts:
    game = survey.game
    refuse_unless_initial(survey, "the player knows")
    found = solve_information(
        game, max_positions=survey.most_in_python, progress=survey.limits.progress
    )
    return solution_from_information(game, found)


def _by_equilibria_of_stages(parts: SolutionParts, solved: SolvedGraph) -> SolutionParts:
    """Simultaneous choices decided neither by dominance nor by opposed interests."""
    first = solved.equilibria.get(0)
    later = any(not one.is_only for node, one in solved.equilibria.items() if node)
    kind = STAGES_KIND if first is None else kind_of_equilibria(first)
    if first is None:
        kind = "a subgame-perfect equilibrium: nobody gains by other choices in any position"
    elif len(solved.equilibria) > 1 or solved.graph.movers.count(SIMULTANEOUS) > 1:
        kind = f"{kind}, given what follows"
    if later:
        kind += LATER_KIND
    parts = replace(parts, kind=kind, solver=SolverName.NORMAL_FORM, ties=None, alternatives=())
    parts = parts if first is None else with_equilibria(parts, first)
    return replace(parts, others=Others.POSSIBLE) if later else parts


def _by_stages(survey: Survey) -> SolutionParts:
    _ = survey.order
    last = Requirement.LAST_MOVE
    seen, instead = {last: not survey.can_return}, {last: count_instead(survey.game)}
    refuse_unless(survey.game, frozenset({last}), seen=seen, instead=instead)
    parts = _by_backward_induction(survey)
    assert isinstance(parts.solved, SolvedGraph), "backward induction solves graphs"
    if parts.solved.equilibria:
        return _by_equilibria_of_stages(parts, parts.solved)
    is_open = survey.is_opposed or parts.solved.by_dominance
    if not is_open:
        parts = replace(parts, equilibria=equilibria_of_first_stage(parts.solved))
    if parts.strategies:
        return replace(parts, kind=STAGES_KIND, solver=SolverName.STAGES)
    stages = sum(mover == SIMULTANEOUS for mover in survey.graph.movers)
    what = "equilibrium" if stages == 1 else "subgame-perfect equilibrium"
    if isinstance(parts.solved, SolvedGraph) and parts.solved.by_dominance:
        kind = DOMINANT_KIND.format(f"{'an' if stages == 1 else 'a'} {what}")
        return replace(parts, kind=kind, solver=SolverName.DOMINANT, others=Others.POSSIBLE)
    kind = OPPOSED_STAGES_KIND if survey.is_opposed else ONLY_KIND.format(what)
    is_only = parts.ties is None
    return replace(parts, kind=kind if is_only else None, solver=SolverName.DOMINANCE)


def _by_strategy_improvement(survey: Survey) -> SolutionParts:
    order, endless = survey.order, survey.opposed_endless
    name = survey.game.name
    refuse_unless(survey.game, frozenset({Requirement.SIMULTANEOUS}))
    if endless is None or len(endless) != 2:
        raise UnsupportedGameError(
            f"players of {name} choose at the same time, and their interests are not those of two "
            "of whom one loses what the other wins",
            count_instead(survey.game),
        )
    graph, limits = survey.graph, survey.limits

    def tick() -> None:
        if limits.progress is not None:
            limits.progress(graph.positions, 0)

    solved = strategy_improvement(graph, order, endless, limits.tolerance, tick)
    parts = solution_from_graph(solved, SolverName.STRATEGY_IMPROVEMENT, limits.tolerance)
    if not solved.error_bound:
        return replace(parts, kind=RETURNING_KIND)
    at_most = tuple(payoff + solved.error_bound for payoff in solved.values[0])
    proved = approached_words(graph, endless, at_most, tick)
    return replace(parts, kind=NEARLY_STATIONARY_KIND, proved=proved)


def _by_retrograde_analysis(survey: Survey) -> SolutionParts:
    endless = _endless(survey, SolverName.RETROGRADE)
    solved = retro.retrograde(survey.graph, endless)
    return solution_from_graph(solved, SolverName.RETROGRADE, survey.limits.tolerance)


def _by_value_iteration(survey: Survey) -> SolutionParts:
    endless, tolerance = (
        _endless(survey, SolverName.VALUE_ITERATION),
        survey.limits.tolerance,
    )
    solved = iteration.value_iteration(survey.graph, survey.order, endless, tolerance)
    return solution_from_graph(_arriving(survey, solved), SolverName.VALUE_ITERATION, tolerance)


def _by_policy_iteration(survey: Survey) -> SolutionParts | None:
    """Rewards or a discount, where play can return, for opposed interests or games without
    choices."""
    graph, order, tolerance = survey.graph, survey.order, survey.limits.tolerance
    if survey.opposed_endless is not None:
        solved = iteration.value_iteration(graph, order, survey.opposed_endless, tolerance)
    elif survey.is_chain:
        endless = survey.game.facts.endless or survey.nothing
        solved = iteration.chain_values(graph, order, endless, tolerance)
    else:
        return None  # several interests: an equilibrium is looked for
    return solution_from_graph(_arriving(survey, solved), SolverName.POLICY_ITERATION, tolerance)


def _arriving(survey: Survey, solved: SolvedGraph) -> SolvedGraph:
    """Adds choices that make progress, if lengths are wanted, interests opposed and values
    exact."""
    if solved.error_bound or not survey.is_opposed or not survey.limits.wants_lengths:
        return solved
    return with_progress(solved, survey.order, survey.delays_among(solved.values))


def _by_stationary_equilibrium(survey: Survey) -> SolutionParts:
    order, facts = survey.order, survey.game.facts
    if facts.has_rewards and facts.discount == 1 and survey.can_last:
        raise UnsupportedGameError(
            f"play of {survey.game.name} can go on for ever and pays on the way, "
            "and interests are not opposed, so that no value is agreed on",
            "say what a payoff is worth a ply later (`discount = 9/10`), or limit the length of "
            "play in the rules, for example with a counter",
        )
    endless = None if facts.discount != 1 else facts.endless
    solved = stationary_equilibrium(survey.graph, order, endless or survey.nothing)
    parts = solution_from_graph(solved, SolverName.STATIONARY, survey.limits.tolerance)
    if not survey.can_return:
        return parts
    return replace(parts, kind=STATIONARY_KIND, others=Others.POSSIBLE)


def _endless(survey: Survey, solver: SolverName) -> Vector:
    """Payoffs of endless play. Raises UnsupportedGameError if the graph lacks a solver's
    requirement."""
    endless = survey.opposed_endless
    seen = {
        Requirement.DETERMINISTIC: not survey.graph.has_chance,
        Requirement.STRICTLY_COMPETITIVE: endless is not None,
    }
    refuse_unless(survey.game, REQUIRES[solver], seen=seen)
    assert endless is not None, "what asks for this requires opposed interests"
    return endless


def _by_shortest_solution(survey: Survey) -> SolutionParts | None:
    """A shortest solution from the first state; None if no solution exists."""
    solution = shortest_solution(
        survey.game,
        survey.root,
        max_positions=survey.most_in_python,
        progress=survey.limits.progress,
    )
    return None if solution is None else solution_from_line(survey.game, survey.root, solution)


def _by_forced_win(survey: Survey) -> SolutionParts | None:
    """A forced win; None if no forced win is found in half of the time."""
    parts = by_proof_search(survey.within_part(HALF))
    return None if parts is None or parts.status is Status.OPEN else parts


def _by_native_search(survey: Survey) -> SolutionParts | None:
    """A shortest solution by native code; None where native code is not available."""
    if survey.native is None or not is_to_be_found(survey.game):
        return None
    limits = survey.limits
    try:
        play = survey.native.shortest(survey.root, limits.in_native_code())
    except GameRuleError as error:
        _fail_nearby(survey)
        raise error from None
    found = None if play is None else of_play(survey.game, survey.root, play, limits.progress)
    if play is None or found is None:
        return None
    parts = solution_from_line(survey.game, survey.root, found)
    return replace(parts, solver=SolverName(play.solver))


STRATEGIES = (
    Strategy(
        SolverName.INFORMATION,
        False,
        lambda survey: survey.game.facts.has_secrets and len(survey.game.players) == 1,
        _by_information_sets,
    ),
    Strategy(SolverName.TEAM, False, lambda survey: survey.team is not None, by_team),
    Strategy(
        SolverName.NORMAL_FORM,
        False,
        lambda survey: survey.game.facts.has_secrets and survey.has_normal_form,
        by_normal_form,
    ),
    Strategy(
        SolverName.SEQUENCE_FORM,
        False,
        lambda survey: survey.game.facts.has_secrets and survey.has_few_sequences,
        by_sequence_form,
    ),
    Strategy(
        SolverName.REGRETS,
        False,
        lambda survey: survey.game.facts.has_secrets,
        by_regret_minimisation,
    ),
    Strategy(SolverName.QUANTAL_RESPONSE, False, lambda _: False, by_quantal_response),
    *(Strategy(rule, False, lambda _: False, partial(by_learning, rule=rule)) for rule in LEARNING),
    Strategy(
        None,
        False,
        lambda survey: survey.limits.wants_value and survey.suits_native,
        by_value_search,
    ),
    Strategy(
        None,
        False,
        lambda survey: survey.limits.wants_value and survey.suits_native,
        _by_forced_win,
    ),
    Strategy(None, False, lambda survey: survey.turns is not None, _by_turns),
    Strategy(None, False, lambda survey: survey.suits_native, _by_native_code),
    Strategy(
        SolverName.STRATEGY_IMPROVEMENT,
        True,
        lambda survey: survey.has_opposed_stages and survey.can_return,
        _by_strategy_improvement,
    ),
    Strategy(
        SolverName.DOMINANCE,
        True,
        lambda survey: survey.game.facts.is_simultaneous,
        _by_stages,
    ),
    Strategy(SolverName.DOMINANT, True, lambda _: False, _by_stages),
    Strategy(SolverName.STAGES, True, lambda _: False, _by_stages),
    Strategy(
        SolverName.BACKWARD_INDUCTION,
        True,
        lambda survey: bool(survey.order) and not survey.can_return,
        _by_backward_induction,
    ),
    Strategy(
        SolverName.POLICY_ITERATION,
        True,
        lambda survey: not survey.game.facts.pays_at_the_end,
        _by_policy_iteration,
    ),
    Strategy(
        SolverName.STATIONARY,
        True,
        lambda survey: survey.opposed_endless is None,
        _by_stationary_equilibrium,
    ),
    Strategy(
        SolverName.RETROGRADE,
        True,
        lambda survey: not survey.graph.has_chance,
        _by_retrograde_analysis,
    ),
    Strategy(SolverName.VALUE_ITERATION, True, lambda _: True, _by_value_iteration),
    Strategy(
        None,
        False,
        lambda survey: survey.may_find_one_play and not survey.is_whole and survey.suits_native,
        _by_native_search,
    ),
    Strategy(
        SolverName.SHORTEST_SOLUTION,
        False,
        lambda survey: survey.may_find_one_play and not survey.is_whole,
        _by_shortest_solution,
    ),
)
"""The first applicable strategy that succeeds is used: values of all states before a single
play."""
