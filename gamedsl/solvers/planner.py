"""Solve a game with the algorithm that suits it.

In: a game, a state, a budget. Out: a `Solution`, whose status says how much is proved. The planner
refuses games that no algorithm here can solve, explores the graph, looks whether it has chance
events and cycles, and picks; the algorithms are in modules of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers import backward_induction as backward
from gamedsl.solvers import retrograde as retro
from gamedsl.solvers import value_iteration as iteration
from gamedsl.solvers.components import components, endless_play_error, is_cyclic
from gamedsl.solvers.graph import (
    DEFAULT_MAX_POSITIONS,
    OutOfBudgetError,
    OutOfTimeError,
    Progress,
    StateGraph,
    Vector,
    explore,
    until,
)
from gamedsl.solvers.outcomes import bounds_words, outcome_words, solved_words, win_probability
from gamedsl.solvers.puzzle import ShortestSolution, shortest_solution
from gamedsl.solvers.requirements import EXACT_SOLVING, Requirement, refuse_unless
from gamedsl.solvers.solution import MoveValue, Solution, SolverName, Status, move_values
from gamedsl.solvers.solved import SolvedGraph
from gamedsl.solvers.ties import tie_breaks

SMALL_PUZZLE = 20_000
"""A puzzle with no more states than this is solved for every state, a larger one from S0 alone."""
DECIMALS = 12
ZERO = Fraction(0)


def solve(
    game: Game,
    state: State | None = None,
    *,
    max_positions: int = DEFAULT_MAX_POSITIONS,
    max_seconds: float | None = None,
    progress: Progress | None = None,
    solver: SolverName | None = None,
    tolerance: Fraction = iteration.DEFAULT_TOLERANCE,
) -> Solution:
    """Solve the game from `state` (default: S0).

    Args:
        max_positions: the most states to look at, chance events included; a search that needs
            more ends with status OPEN.
        max_seconds: the same for the time spent looking for states.
        progress: told (explored, waiting) from time to time.
        solver: the algorithm; None picks the one that suits.
        tolerance: the greatest error of iterated values, in payoff.

    Raises:
        UnsupportedGameError: the algorithms here do not apply, and why.
        GameRuleError: the rules fail in some reachable state; E3006 where play can go on for
            ever and the file does not say what that is worth.
    """
    refuse_unless(game, EXACT_SOLVING)
    started = perf_counter()
    root = game.initial_state() if state is None else state
    if max_seconds is not None:
        progress = until(started + max_seconds, progress)
    planner = _Planner(game, root, max_positions, progress, solver, tolerance)
    found = planner.found()
    return found.solution(game, perf_counter() - started)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a `Solution` is made of."""

    status: Status
    positions: int
    terminals: int = 0
    chance_nodes: int = 0
    value: Vector | None = None
    error_bound: Fraction = ZERO
    outcome: str = "not solved"
    moves: tuple[MoveValue, ...] = ()
    plies: int | None = None
    line: tuple[str, ...] = ()
    win_probability: Fraction | None = None
    ties: str | None = None
    alternatives: tuple[Vector, ...] = ()
    solver: SolverName | None = None
    solved: SolvedGraph | None = None

    def solution(self, game: Game, seconds: float) -> Solution:
        best = tuple(move.name for move in self.moves if move.is_best)
        return Solution(
            game.name, tuple(game.parameters.items()), tuple(game.facts.players), self.status,
            self.value, self.error_bound, self.outcome, self.positions, self.terminals,
            self.chance_nodes, best, self.moves, self.plies, self.line, self.win_probability,
            self.ties, self.alternatives, self.solver, seconds, self.solved,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Planner:
    game: Game
    root: State
    max_positions: int
    progress: Progress | None
    solver: SolverName | None
    tolerance: Fraction

    def found(self) -> _Found:
        try:
            if self.solver is SolverName.SHORTEST_SOLUTION:
                return self._puzzle(self.max_positions)
            if self.solver is None and self._is_puzzle():
                return self._puzzle_of_any_size()
            return self._strong(self._explore(self.max_positions))
        except (OutOfBudgetError, OutOfTimeError) as reached:
            return self._open(reached)

    def _is_puzzle(self) -> bool:
        return len(self.game.players) == 1 and not self.game.facts.has_chance

    def _puzzle_of_any_size(self) -> _Found:
        try:
            return self._strong(self._explore(min(SMALL_PUZZLE, self.max_positions)))
        except OutOfBudgetError:
            if self.max_positions <= SMALL_PUZZLE:
                raise
        return self._puzzle(self.max_positions)

    def _puzzle(self, max_positions: int) -> _Found:
        solution = shortest_solution(
            self.game, self.root, max_positions=max_positions, progress=self.progress
        )
        if solution is None:
            return self._strong(self._explore(max_positions))
        return _weak(self.game, self.root, solution)

    def _explore(self, max_positions: int) -> StateGraph:
        return explore(self.game, self.root, max_positions=max_positions, progress=self.progress)

    def _open(self, reached: OutOfBudgetError | OutOfTimeError) -> _Found:
        outcome = "not solved"
        if self.game.facts.repeats:
            outcome += ", as the `repeat` rule makes the history part of every position"
        return _Found(Status.OPEN, reached.explored + reached.frontier, outcome=outcome)

    def _strong(self, graph: StateGraph) -> _Found:
        order = components(graph.successors)
        endless = self.game.facts.endless
        cyclic = next((c for c in reversed(order) if is_cyclic(c, graph.successors)), None)
        if cyclic is not None and endless is None:
            raise endless_play_error(graph, cyclic)
        solver = self.solver or _suitable(graph, cyclic is not None)
        if solver is SolverName.BACKWARD_INDUCTION:
            if cyclic is not None:
                raise UnsupportedGameError(
                    f"play of {self.game.name} can return to an earlier position, so there is no "
                    "last move to begin with",
                    "use retrograde analysis or value iteration",
                )
            return self._backward(graph, [component[0] for component in order])
        worth = endless or _par(graph) or ()
        self._check(graph, solver, worth)
        if solver is SolverName.RETROGRADE:
            return self._conclude(retro.retrograde(graph, worth), solver)
        solved = iteration.value_iteration(graph, order, worth, self.tolerance)
        return self._conclude(solved, solver)

    def _check(self, graph: StateGraph, solver: SolverName, endless: Vector) -> None:
        """Refuse unless the algorithm applies to what the graph turned out to be."""
        is_opposed = bool(endless) and _constant_sum(graph, endless) is not None
        seen = {
            Requirement.DETERMINISTIC: not graph.has_chance,
            Requirement.STRICTLY_COMPETITIVE: is_opposed,
        }
        requires = retro.REQUIRES if solver is SolverName.RETROGRADE else iteration.REQUIRES
        refuse_unless(self.game, requires, seen=seen)

    def _backward(self, graph: StateGraph, order: Sequence[int]) -> _Found:
        par = _par(graph)
        solved = backward.backward_induction(graph, order, par)
        found = self._conclude(solved, SolverName.BACKWARD_INDUCTION)
        if par is not None:
            return found
        return _with_ties(found, tie_breaks(graph, order))

    def _conclude(self, solved: SolvedGraph, solver: SolverName) -> _Found:
        graph = solved.graph
        value, error = _shown(solved.values[0], solved.error_bound)
        moves = move_values(solved, graph.states[0])
        line, node = [], 0
        for edge in solved.principal_variation():
            line.append(graph.edge_name(node, edge))
            node = graph.successors[node][edge]
        is_near = solved.error_bound <= self.tolerance
        words = solved_words(solved, self.game.facts.endless, value, error)
        return _Found(
            Status.STRONG if is_near else Status.OPEN,
            graph.positions,
            len(graph.payoffs),
            len(graph.chances),
            value,
            error,
            words
            if is_near
            else "not solved: " + bounds_words(self.game.facts.players, value, error),
            tuple(_move_shown(move, solved.error_bound) for move in moves),
            solved.plies[0],
            tuple(line),
            win_probability(solved, value) if is_near else None,
            solver=solver,
            solved=solved,
        )


def _suitable(graph: StateGraph, can_return: bool) -> SolverName:
    if not can_return:
        return SolverName.BACKWARD_INDUCTION
    return SolverName.VALUE_ITERATION if graph.has_chance else SolverName.RETROGRADE


def _constant_sum(graph: StateGraph, endless: Vector | None) -> Fraction | None:
    """What the payoffs of every outcome add up to for one or two players; None if it varies."""
    if len(graph.game.players) > 2:
        return None
    outcomes = graph.outcomes() | ({endless} if endless else set())
    if len(graph.game.players) == 1:
        return ZERO
    sums = {sum(payoffs, ZERO) for payoffs in outcomes}
    return sums.pop() if len(sums) == 1 else None


def _par(graph: StateGraph) -> Vector | None:
    """Payoffs that are neither ahead nor behind, where interests are opposed; else None."""
    total = _constant_sum(graph, None)
    if total is None:
        return None
    endless = graph.game.facts.endless
    if endless is not None and _constant_sum(graph, endless) is not None:
        return endless
    return tuple(total / len(graph.game.players) for _ in graph.game.players)


def _shown(value: Vector, bound: Fraction) -> tuple[Vector, Fraction]:
    """An iterated value as decimals, and the bound on its error with the rounding."""
    if not bound:
        return value, ZERO
    rounded = tuple(round(payoff, DECIMALS) for payoff in value)
    return rounded, bound + Fraction(1, 2 * 10**DECIMALS)


def _move_shown(move: MoveValue, bound: Fraction) -> MoveValue:
    value, _ = _shown(move.value, bound)
    return MoveValue(move.action, move.name, value, move.plies, move.is_best)


def _with_ties(found: _Found, possible: tuple[Vector, ...] | None) -> _Found:
    if possible is None:
        return replace(found, ties="may depend on tie-breaking; there are too many ties to list")
    others = tuple(vector for vector in possible if vector != found.value)
    if not others:
        return found
    listed = ", ".join(f"({', '.join(map(str, vector))})" for vector in others)
    ties = f"depends on tie-breaking: other ties lead to {listed}"
    return replace(found, ties=ties, alternatives=others)


def _weak(game: Game, root: State, solution: ShortestSolution) -> _Found:
    names = []
    state = root
    for action in solution.line:
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    value = (solution.payoff,)
    plies = len(names)
    moves = tuple(
        MoveValue(action, game.action_name(root, action), value, plies, True)
        for action in solution.first_actions
    )
    return _Found(
        Status.WEAK,
        solution.explored,
        solution.endings,
        value=value,
        outcome=outcome_words(game.facts.players, value),
        moves=moves,
        plies=plies,
        line=tuple(names),
        solver=SolverName.SHORTEST_SOLUTION,
    )
