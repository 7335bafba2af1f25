"""Solve a game with the algorithm that suits it.

In: a game, a state, a budget. Out: a `Solution`, whose status says how much is proved. The planner
refuses games that no algorithm here can solve, explores the graph, and takes the first of
`strategies.STRATEGIES` that applies to what it knows; the algorithms are in modules of their own. A
graph that turns out large is left to native code, where the game has it.
"""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.chance.value_iteration import DEFAULT_TOLERANCE
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Progress,
    until,
)
from gamedsl.solvers.requirements import EXACT_SOLVING, Requirement, refuse_unless
from gamedsl.solvers.solution import Solution, SolverName, Status
from gamedsl.solvers.solution_parts import SolutionParts
from gamedsl.solvers.strategies import STRATEGIES
from gamedsl.solvers.survey import Limits, Survey

GIGABYTE = 10**9
MOST_TOGETHER = 100_000
"""Positions looked at where all choose at once, if nobody asks for more: few such games have a
solution without chance."""
NATIVE_SOLVERS = (SolverName.NATIVE_INDUCTION, SolverName.NATIVE_RETROGRADE)


def solve(
    game: Game,
    state: State | None = None,
    *,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
    solver: SolverName | None = None,
    tolerance: Fraction = DEFAULT_TOLERANCE,
) -> Solution:
    """Solve the game from `state` (default: S0).

    Args:
        max_positions: the most states to look at, chance events included; a search that needs
            more ends with status OPEN. None: `DEFAULT_MAX_POSITIONS`, and for native code as many
            as the memory holds.
        max_seconds: the same for the time spent looking for states.
        progress: told (explored, waiting) from time to time.
        solver: the algorithm, in Python; None takes the first of `strategies.STRATEGIES` that
            applies, native code included.
        tolerance: the greatest error of iterated values, in payoff.

    Raises:
        UnsupportedGameError: the algorithms here do not apply, and why.
        GameRuleError: the rules fail in some reachable state; E3006 where play can go on for
            ever and the file does not say what that is worth.
        ValueError: the solver is native code, which the engine of the game decides on.
    """
    if solver in NATIVE_SOLVERS:
        raise ValueError(f"{solver} is up to the engine of the game")
    refuse_unless(game, _required(game, solver))
    started = perf_counter()
    root = game.initial_state() if state is None else state
    if max_seconds is not None:
        progress = until(started + max_seconds, progress)
    if max_positions is None and game.facts.is_simultaneous:
        max_positions = MOST_TOGETHER
    survey = Survey(game, root, Limits(max_positions, tolerance, progress))
    try:
        found = _found(survey, solver)
    except (OutOfBudgetError, OutOfTimeError) as reached:
        found = _open(game, reached.explored + reached.frontier)
    except OutOfMemoryError as reached:
        size = f"{reached.used_bytes / GIGABYTE:.2g} GB"
        full = f", as a table of {size} is full and there is no memory for a larger one"
        found = _open(game, reached.explored, full)
    return found.solution(game, perf_counter() - started)


def why_refused(game: Game, *, returns: bool, is_small: bool) -> str | None:
    """Why `solve` refuses a game, as far as can be told without much work; None if it does not.

    `returns`: play is known to come back to an earlier state; `is_small`: it costs little to try.
    """
    is_doubtful = game.facts.is_simultaneous or (returns and len(game.players) > 2)
    try:
        refuse_unless(game, _required(game, None))
        if is_small and is_doubtful:
            solve(game)
    except UnsupportedGameError as refusal:
        return refusal.reason
    return None


def _required(game: Game, solver: SolverName | None) -> frozenset[Requirement]:
    """What a game must meet: less than for most solvers where a strategy is meant for others."""
    required = set(EXACT_SOLVING)
    if solver in {None, SolverName.DOMINANCE} and not game.facts.has_secrets:
        required.discard(Requirement.SEQUENTIAL)
    if solver in {None, SolverName.INFORMATION} and len(game.facts.players) == 1:
        required.discard(Requirement.PERFECT_INFORMATION)
    return frozenset(required)


def _found(survey: Survey, solver: SolverName | None) -> SolutionParts:
    """What the solver finds that is asked for; else, or where that finds nothing, what the first
    strategy finds that applies: after a look at a part of the graph, if need be at all of it."""
    asked = [strategy for strategy in STRATEGIES if solver is not None and strategy.name is solver]
    for strategy in asked:
        if strategy.needs_graph:
            survey.explore(survey.limits.in_python)
        if (found := strategy.run(survey)) is not None:
            return found
    waiting = [strategy for strategy in STRATEGIES if strategy not in asked]
    for most in (survey.limits.in_python if asked else survey.first_look, survey.limits.in_python):
        survey.explore(most)
        for strategy in tuple(waiting):
            if (survey.is_whole or not strategy.needs_graph) and strategy.applies(survey):
                waiting.remove(strategy)
                if (found := strategy.run(survey)) is not None:
                    return found
    raise AssertionError("value iteration applies to every graph, or refuses")


def _open(game: Game, positions: int, reason: str = "") -> SolutionParts:
    outcome = f"not solved{reason}"
    if game.facts.repeats:
        outcome += ", as the `repeat` rule makes the history part of every position"
    return SolutionParts(Status.OPEN, positions, outcome=outcome)
