"""Makes the parts of a `Solution` from solved graphs, tables, lines and forms.

`SolutionParts` hold the value in words and numbers, the moves and best play. No game is solved
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from math import ceil

from gamedsl.game.contract import Game, settings_of
from gamedsl.model.facts import Facts
from gamedsl.model.state import State
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, FormSize
from gamedsl.solvers.equilibria.families import Family
from gamedsl.solvers.equilibria.informed_play import FormPlay, InformedPlay
from gamedsl.solvers.equilibria.learning_curve import LearningCurve
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy, local_strategies
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.exact.information_sets import PlanStep, SolvedInformation
from gamedsl.solvers.exact.outcomes import (
    bounds_words,
    chance_of_winning,
    chance_words,
    expected_words,
    mean_words,
    near,
    outcome_words,
    paid_words,
    rounded_up,
    solved_words,
    sure_words,
    win_probability,
)
from gamedsl.solvers.exact.puzzle import ShortestSolution
from gamedsl.solvers.exact.solved import Solved, SolvedGraph
from gamedsl.solvers.exact.stage_strategies import stage_strategies
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
from gamedsl.solvers.normal_form.solve import Equilibria
from gamedsl.solvers.solution import Limit, MoveValue, Others, Solution, Status, move_values
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.solvers.solver_names import SolverName
from gamedsl.source.records import dataclass

DECIMALS = 12
ZERO = Fraction(0)
PERFECT_KIND = (
    "a subgame-perfect equilibrium: from no position on does anybody gain by other moves while the "
    "others keep to theirs"
)


@dataclass(frozen=True, slots=True)
class SolutionParts:
    """A `Solution` without the game's own data and the time; for the fields see `Solution`."""

    status: Status
    positions: int
    terminals: int = 0
    chance_nodes: int = 0
    value: Vector | None = None
    error_bound: Fraction = ZERO
    outcome: str = "not solved"
    moves: tuple[MoveValue, ...] = ()
    undecided: tuple[str, ...] = ()
    plies: int | None = None
    line: tuple[str, ...] = ()
    win_probability: Fraction | None = None
    ties: str | None = None
    alternatives: tuple[Vector, ...] = ()
    plan: tuple[PlanStep, ...] = ()
    strategies: Sequence[LocalStrategy] = ()
    form: FormSize | None = None
    kind: str | None = None
    solver: SolverName | None = None
    solved: Solved | None = None
    equilibria: Equilibria | None = None
    proved: str | None = None
    families: tuple[Family, ...] = ()
    informed: InformedPlay | None = None
    learning: LearningCurve | None = None
    response: QuantalResponse | None = None
    limit: Limit | None = None
    ways: tuple[str, ...] = ()
    others: Others = Others.NONE

    def solution(self, game: Game, seconds: float) -> Solution:
        """The complete solution, with the game's own data and the time."""
        best = tuple(move.name for move in self.moves if move.is_best)
        return Solution(
            game.name, tuple(game.parameters.items()), tuple(game.facts.players), self.status,
            self.value, self.error_bound, self.outcome, self.positions, self.terminals,
            self.chance_nodes, best, self.moves, self.undecided, self.plies, self.line,
            self.win_probability, self.ties, self.alternatives, self.plan, self.strategies,
            self.form, self.kind, self.solver, seconds, self.solved, self.equilibria, self.proved,
            settings_of(game), self.families, self.informed, self.learning, self.response,
            self.limit, self.ways, others=self.others,
        )  # fmt: skip


def solution_from_graph(
    solved: SolvedGraph, solver: SolverName, tolerance: Fraction
) -> SolutionParts:
    """Parts from a solved graph; OPEN if the error exceeds the tolerance."""
    graph = solved.graph
    facts = graph.game.facts
    moves = move_values(solved, graph.states[0])
    shown = _Shown(solved.error_bound, _paid_in_plays(facts, graph.outcomes()))
    value, moves, error = shown.of(solved.values[0], moves)
    line, node = [], 0
    for edge in solved.principal_variation():
        line.append(graph.edge_name(node, edge))
        node = graph.successors[node][edge]
    is_near = solved.error_bound <= tolerance
    words = solved_words(solved, value, error)
    return SolutionParts(
        Status.STRONG if is_near else Status.OPEN,
        graph.positions,
        len(graph.payoffs),
        len(graph.chances),
        value,
        error,
        words if is_near else "not solved: " + bounds_words(facts.players, value, error),
        moves=moves,
        plies=solved.plies[0],
        line=tuple(line),
        win_probability=win_probability(solved, value) if is_near else None,
        strategies=stage_strategies(solved),
        solver=solver,
        solved=solved,
    )


def solution_from_table(solved: SolvedTable, solver: SolverName) -> SolutionParts:
    """Parts for the first state of a solved table."""
    game, root = solved.game, solved.root
    facts, plies, chance = game.facts, solved.remoteness(root), solved.settled.chance
    endings = frozenset() if chance is None else chance.outcomes
    shown = _Shown(solved.error_bound, _paid_in_plays(facts, endings))
    value, moves, error = shown.of(solved.value(root), move_values(solved, root))
    probability = None
    if chance is None:
        words = sure_words(facts, value, plies)
    elif not facts.pays_at_the_end:
        words = expected_words(facts, value, error)
    else:
        known = chance.outcomes, lambda: chance.ends_surely
        words = chance_words(facts, value, error, *known)
        probability = chance_of_winning(value, *known)
    return SolutionParts(
        Status.STRONG,
        solved.settled.positions,
        solved.settled.endings,
        0 if chance is None else chance.events,
        value,
        error,
        words,
        moves=moves,
        plies=plies,
        line=tuple(game.action_name(state, action) for state, action in solved.best_play(root)),
        win_probability=probability,
        solver=solver,
        solved=solved,
    )


def _paid_in_plays(facts: Facts, endings: Set[Vector]) -> Set[Vector]:
    """The payoffs of all plays, endless plays included, if plays pay only at the end; else
    empty."""
    if not facts.pays_at_the_end:
        return frozenset()
    return endings if facts.endless is None else endings | {facts.endless}


def with_ties(parts: SolutionParts, possible: tuple[Vector, ...] | None) -> SolutionParts:
    """Parts for unopposed interests, with the payoffs of different tie-breaking."""
    parts = replace(parts, kind=PERFECT_KIND)
    if possible is None:
        ties = "may depend on tie-breaking; there are too many ties to list"
        return replace(parts, ties=ties, others=Others.POSSIBLE)
    others = tuple(vector for vector in possible if vector != parts.value)
    if not others:
        return replace(parts, kind=f"{PERFECT_KIND}; all in pure strategies pay the same")
    listed = ", ".join(f"({', '.join(map(str, vector))})" for vector in others)
    ties = f"depends on tie-breaking: other ties lead to {listed}"
    return replace(parts, ties=ties, alternatives=others, others=Others.LISTED)


def solution_from_line(game: Game, root: State, solution: ShortestSolution) -> SolutionParts:
    """Parts from a shortest solution: the value of one position, and one play."""
    names = []
    state = root
    for action in solution.line:
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    value = (solution.payoff,)
    plies = len(names)
    actions = sorted({*solution.first_actions, *solution.detours})
    moves = tuple(
        MoveValue(
            action, game.action_name(root, action), value,
            plies if action in solution.first_actions else None,
            is_best=True, makes_progress=action in solution.first_actions,
        )
        for action in actions
    )  # fmt: skip
    return SolutionParts(
        Status.WEAK,
        solution.explored,
        solution.endings,
        value=value,
        outcome=outcome_words(game.facts.players, value, has_winners=game.facts.has_winners),
        moves=moves,
        undecided=tuple(game.action_name(root, action) for action in solution.undecided),
        plies=plies,
        line=tuple(names),
        solver=SolverName.SHORTEST_SOLUTION,
    )


def solution_from_information(game: Game, found: SolvedInformation) -> SolutionParts:
    """Parts from the beliefs of a single player: the value, the first decision, and the plan."""
    value = (found.value,)
    moves = tuple(
        MoveValue(action, name, (worth,), None, worth == found.value, worth == found.value)
        for action, name, worth in found.first
    )
    probability = None
    payoffs = found.payoffs if game.facts.pays_at_the_end else frozenset[Fraction]()
    if found.chance_nodes and payoffs and payoffs <= {Fraction(1), Fraction(-1)}:
        probability = (1 + found.value) / 2
    return SolutionParts(
        Status.STRONG,
        found.positions,
        found.endings,
        found.chance_nodes,
        value,
        outcome=mean_words(game.facts, value, payoffs, probability),
        moves=moves,
        win_probability=probability,
        plan=found.plan,
        solver=SolverName.INFORMATION,
        informed=found.informed,
    )


def solution_from_form(
    form: ExtensiveForm, profile: tuple[Behaviour, ...], value: Vector, bound: Fraction = ZERO
) -> SolutionParts:
    """Parts from an exact or approximate equilibrium of an extensive form.

    The value of the first position is known within the bound; strategies cover all players.
    """
    size, names, outcomes = form.size, form.game.facts.players, form.outcomes
    value, _, error = _Shown(bound, outcomes).of(value, ())
    words = chance_words(form.game.facts, value, error, outcomes, lambda: True)
    return SolutionParts(
        Status.WEAK,
        size.positions,
        size.terminals,
        size.chance_nodes,
        value,
        error,
        words if not error else "not solved: " + bounds_words(names, value, error),
        win_probability=None if error else chance_of_winning(value, outcomes, lambda: True),
        strategies=local_strategies(form, profile),
        form=size,
        informed=FormPlay(form, profile),
    )


def unsettled_from_form(
    form: ExtensiveForm,
    profile: tuple[Behaviour, ...],
    paid: Vector,
    status: Status = Status.OPEN,
) -> SolutionParts:
    """Parts from strategies that need not form an equilibrium: strategies without a value."""
    is_model = status is Status.MODEL
    what = "by a model of behaviour, not by best play" if is_model else "not solved"
    pays = "" if is_model else "what was found pays "
    return replace(
        solution_from_form(form, profile, paid),
        status=status,
        value=None,
        outcome=f"{what}: {pays}{paid_words(form.game.facts.players, paid)}",
        win_probability=None,
    )


def solution_from_response(form: ExtensiveForm, response: QuantalResponse) -> SolutionParts:
    """Parts from a quantal response equilibrium: strategies and payoffs under the model."""
    parts = unsettled_from_form(form, response.profile, response.paid, Status.MODEL)
    return replace(parts, response=response)


def equilibrium_words(found: Equilibria) -> str:
    """The headline: the number of equilibria, and the payoffs of the first."""
    pairs = zip(found.form.players, found.found[0].value, strict=True)
    error = found.found[0].error
    paid = ", ".join(f"{name} {near(payoff, error, '.6f')}" for name, payoff in pairs)
    number = len(found.found)
    if number == 1:
        only = "one equilibrium" if found.is_only else "an equilibrium"
        return f"{only}, which pays {paid}"
    same = len(found.values) == 1
    sort = "ends of sets of equilibria" if found.has_sets else "equilibria"
    return f"{number} {sort}; {'they all pay' if same else 'the first pays'} {paid}"


def with_equilibria(parts: SolutionParts, found: Equilibria) -> SolutionParts:
    """Adds all equilibria of the first position; `parts` belong to the first equilibrium."""
    return replace(
        parts,
        outcome=equilibrium_words(found),
        alternatives=found.values[1:],
        win_probability=None,
        equilibria=found,
        others=others_of(found),
    )


def others_of(found: Equilibria) -> Others:
    """Knowledge about equilibria besides the first of a list."""
    if found.why_more is not None:
        return Others.POSSIBLE
    return Others.NONE if found.is_only else Others.LISTED


class _Shown:
    """Displayed decimals of iterated values, with an error bound that includes rounding.

    Displayed payoffs stay between the minimum and the maximum of the payoffs `paid`.
    """

    def __init__(self, bound: Fraction, paid: Iterable[Vector]) -> None:
        self.bound = bound
        columns = zip(*paid, strict=True)
        self.limits = [(min(column), max(column)) for column in columns]

    def of(
        self, value: Vector, moves: Sequence[MoveValue]
    ) -> tuple[Vector, tuple[MoveValue, ...], Fraction]:
        """The value, the moves, and the common error bound."""
        if not self.bound:
            return value, tuple(moves), ZERO
        vectors = [
            tuple(round(payoff, DECIMALS) for payoff in paid)
            for paid in (value, *(move.value for move in moves))
        ]
        error = self.bound + Fraction(1, 2 * 10**DECIMALS)
        if any(self._within(paid, error) != paid for paid in vectors):
            error = Fraction(rounded_up(Fraction(ceil(error * 10**DECIMALS), 10**DECIMALS)))
            error = min(error, max(most - least for least, most in self.limits) / 2)
            vectors = [self._within(paid, error) for paid in vectors]
        told = (replace(move, value=paid) for move, paid in zip(moves, vectors[1:], strict=True))
        return vectors[0], tuple(told), error

    def _within(self, paid: Vector, error: Fraction) -> Vector:
        """The nearest payoffs that stay within the limits when the error is added."""
        if not self.limits:
            return paid
        found = []
        for payoff, (least, most) in zip(paid, self.limits, strict=True):
            is_wide = most - least >= 2 * error
            near = min(max(payoff, least + error), most - error)
            found.append(near if is_wide else (least + most) / 2)
        return tuple(found)
