"""Solve a game with the algorithm that suits it.

In: a game, a state, a budget. Out: a `Solution`, whose status says how much is proved. The planner
refuses games that no algorithm here can solve, explores the graph, looks whether it has chance
events and cycles, and picks; the algorithms are in modules of their own. A graph that turns out
large is left to native code, where that can do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.game.engines import has_llvm
from gamedsl.game.game import LoadedGame
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers import backward_induction as backward
from gamedsl.solvers import retrograde as retro
from gamedsl.solvers import value_iteration as iteration
from gamedsl.solvers.components import components, endless_play_error, is_cyclic
from gamedsl.solvers.found import Found, in_graph, in_line, in_table, with_ties
from gamedsl.solvers.graph import (
    DEFAULT_MAX_POSITIONS,
    Exploration,
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Progress,
    StateGraph,
    Vector,
    explore,
    until,
)
from gamedsl.solvers.par import constant_sum, par_of
from gamedsl.solvers.puzzle import shortest_solution
from gamedsl.solvers.requirements import EXACT_SOLVING, Requirement, refuse_unless
from gamedsl.solvers.solution import Solution, SolverName, Status
from gamedsl.solvers.ties import tie_breaks

SMALL_PUZZLE = 20_000
"""A puzzle with no more states than this is solved for every state, a larger one from S0 alone."""
WORTH_COMPILING = 20_000
"""States explored in Python before native code is thought of."""
A_LOOK = 1_000
"""States explored in Python where native code is wanted, to see whether play can return."""
GIGABYTE = 10**9
NATIVE_SOLVERS = (SolverName.NATIVE_INDUCTION, SolverName.NATIVE_RETROGRADE)


def solve(
    game: Game,
    state: State | None = None,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
    solver: SolverName | None = None,
    tolerance: Fraction = iteration.DEFAULT_TOLERANCE,
) -> Solution:
    """Solve the game from `state` (default: S0).

    Args:
        max_positions: the most states to look at, chance events included; a search that needs
            more ends with status OPEN. None: `DEFAULT_MAX_POSITIONS`, and for native code as many
            as the memory holds.
        max_seconds: the same for the time spent looking for states.
        progress: told (explored, waiting) from time to time.
        solver: the algorithm, in Python; None picks the one that suits, native code included.
        tolerance: the greatest error of iterated values, in payoff.

    Raises:
        UnsupportedGameError: the algorithms here do not apply, and why.
        GameRuleError: the rules fail in some reachable state; E3006 where play can go on for
            ever and the file does not say what that is worth.
        ValueError: the solver is native code, which the engine of the game decides on.
    """
    if solver in NATIVE_SOLVERS:
        raise ValueError(f"{solver} is up to the engine of the game")
    refuse_unless(game, EXACT_SOLVING)
    started = perf_counter()
    root = game.initial_state() if state is None else state
    if max_seconds is not None:
        progress = until(started + max_seconds, progress)
    planner = _Planner(game, root, max_positions, progress, solver, tolerance)
    found = planner.found()
    return found.solution(game, perf_counter() - started)


@dataclass(frozen=True, slots=True)
class _Planner:
    game: Game
    root: State
    limit: int | None
    progress: Progress | None
    solver: SolverName | None
    tolerance: Fraction

    @property
    def max_positions(self) -> int:
        """The limit in Python."""
        return DEFAULT_MAX_POSITIONS if self.limit is None else self.limit

    def found(self) -> Found:
        try:
            if self.solver is SolverName.SHORTEST_SOLUTION:
                return self._puzzle(self.max_positions)
            if self.solver is None and self._is_puzzle():
                return self._puzzle_of_any_size()
            if self.solver is None:
                return self._large_or_small()
            return self._strong(self._explore(self.max_positions))
        except (OutOfBudgetError, OutOfTimeError) as reached:
            return self._open(reached.explored + reached.frontier)
        except OutOfMemoryError as reached:
            size = f"{reached.used_bytes / GIGABYTE:.2g} GB"
            full = f", as a table of {size} is full and there is no memory for a larger one"
            return self._open(reached.explored, full)

    def _large_or_small(self) -> Found:
        """What has few states is solved in Python, what has many natively, where that works."""
        exploration = Exploration(self.game, self.root)
        is_native = isinstance(self.game, LoadedGame) and self.game.engine_name == "native"
        first = min(A_LOOK if is_native else WORTH_COMPILING, self.max_positions)
        try:
            exploration.run(first, self.progress)
            if not is_native:
                return self._strong(exploration.graph())
        except OutOfBudgetError:
            if first == self.max_positions:
                raise
        found = self._natively(exploration)
        if found is not None:
            return found
        exploration.run(self.max_positions, self.progress)
        return self._strong(exploration.graph())

    def _natively(self, exploration: Exploration) -> Found | None:
        """Solved by machine code; None where that cannot be done, as far as is known by then."""
        if not (isinstance(self.game, LoadedGame) and self.game.engine_name in ("auto", "native")):
            return None
        if not has_llvm():
            return None
        from gamedsl.solvers.kernels.solving import solved_natively

        try:
            solved = solved_natively(
                self.game,
                self.root,
                returns=exploration.has_cycle(),
                max_positions=self.limit,
                progress=self.progress,
            )
        except GameRuleError as error:
            self._fail_nearby(exploration)
            raise error from None
        if solved is None:
            return None
        return in_table(solved, self.root, solved.settled.endings, solved.solver)

    def _fail_nearby(self, exploration: Exploration) -> None:
        """Raise the error of rules that fail, with a shortest play to there, if that is near."""
        try:
            exploration.run(self.max_positions, self.progress)
        except OutOfBudgetError:
            return

    def _is_puzzle(self) -> bool:
        return len(self.game.players) == 1 and not self.game.facts.has_chance

    def _puzzle_of_any_size(self) -> Found:
        try:
            return self._strong(self._explore(min(SMALL_PUZZLE, self.max_positions)))
        except OutOfBudgetError:
            if self.max_positions <= SMALL_PUZZLE:
                raise
        return self._puzzle(self.max_positions)

    def _puzzle(self, max_positions: int) -> Found:
        solution = shortest_solution(
            self.game, self.root, max_positions=max_positions, progress=self.progress
        )
        if solution is None:
            return self._strong(self._explore(max_positions))
        return in_line(self.game, self.root, solution)

    def _explore(self, max_positions: int) -> StateGraph:
        return explore(self.game, self.root, max_positions=max_positions, progress=self.progress)

    def _open(self, positions: int, reason: str = "") -> Found:
        outcome = f"not solved{reason}"
        if self.game.facts.repeats:
            outcome += ", as the `repeat` rule makes the history part of every position"
        return Found(Status.OPEN, positions, outcome=outcome)

    def _strong(self, graph: StateGraph) -> Found:
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
            return in_graph(retro.retrograde(graph, worth), solver, self.tolerance)
        solved = iteration.value_iteration(graph, order, worth, self.tolerance)
        return in_graph(solved, solver, self.tolerance)

    def _check(self, graph: StateGraph, solver: SolverName, endless: Vector) -> None:
        """Refuse unless the algorithm applies to what the graph turned out to be."""
        outcomes = graph.outcomes() | {endless}
        is_opposed = bool(endless) and constant_sum(outcomes, len(graph.game.players)) is not None
        seen = {
            Requirement.DETERMINISTIC: not graph.has_chance,
            Requirement.STRICTLY_COMPETITIVE: is_opposed,
        }
        requires = retro.REQUIRES if solver is SolverName.RETROGRADE else iteration.REQUIRES
        refuse_unless(self.game, requires, seen=seen)

    def _backward(self, graph: StateGraph, order: Sequence[int]) -> Found:
        par = _par(graph)
        solved = backward.backward_induction(graph, order, par)
        found = in_graph(solved, SolverName.BACKWARD_INDUCTION, self.tolerance)
        if par is not None:
            return found
        return with_ties(found, tie_breaks(graph, order))


def _suitable(graph: StateGraph, can_return: bool) -> SolverName:
    if not can_return:
        return SolverName.BACKWARD_INDUCTION
    return SolverName.VALUE_ITERATION if graph.has_chance else SolverName.RETROGRADE


def _par(graph: StateGraph) -> Vector | None:
    players = len(graph.game.players)
    return par_of(graph.outcomes(), graph.game.facts.endless, players)
