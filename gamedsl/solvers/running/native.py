"""Solves all positions, or finds a shortest play, by the native code of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

from gamedsl.game.accelerator import Accelerator, Refusal, SolvedPositions, machine_code_of
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import GameRuleError, State
from gamedsl.solvers.exact.puzzle import is_to_be_found, of_play
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.graphs.graph import (
    OutOfBudgetError,
    OutOfMemoryError,
    Progress,
)
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.beside import weigh
from gamedsl.solvers.running.puzzles import (
    by_guided_play,
    solution_from_line,
    solution_from_play,
)
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.solved_table import SolvedTable, paid_before

MOST_SOON = 150_000
"""Positions of each attempt in machine code before other methods."""


def by_native_code(problem: Problem) -> Solution | None:
    """Solves the game by compiled code; None where native code is not available."""
    accelerator = problem.accelerator
    if isinstance(accelerator, Refusal):
        return None
    if problem.is_puzzle and problem.beyond_memory is not None:
        raise problem.beyond_memory
    try:
        return _every_position(problem, accelerator)
    except (OutOfBudgetError, OutOfMemoryError):
        if problem.may_find_one_play:
            return None  # a single play may be found although the states are too many to value
        raise


def _every_position(problem: Problem, accelerator: Accelerator) -> Solution | None:
    limits = replace(
        problem.options.search_limits(),
        positions=problem.most_in_native_code,
        progress=_while_within_reach(problem),
    )
    with _failing_nearby(problem):
        solved = accelerator.solve(
            problem.root,
            returns=problem.returns,
            limits=limits,
            checkpoints=problem.options.checkpoints,
        )
    return None if isinstance(solved, Refusal) else _in_table(problem, *solved)


def _in_table(problem: Problem, algorithm: str, positions: SolvedPositions) -> Solution | None:
    """The solution of the root in solved positions; None if the values are not precise enough."""
    name, chance = SolverName(algorithm), positions.chance
    if chance is not None and chance.error_bound > problem.options.tolerance_of(problem.game):
        return None
    table = SolvedTable(problem.game, problem.root, positions, name)
    if problem.root not in table:
        raise SolutionFileError("the position that is solved is not in it")
    if chance is not None and chance.bounds is not None:
        return _beside_undefined(table, chance.bounds)
    return solution_from_table(table, name)


def _beside_undefined(
    table: SolvedTable, bounds: Callable[[State], tuple[Fraction, Fraction] | None]
) -> Solution:
    """The solution of the root, which has a value, where some positions have none."""
    solution, game, root = solution_from_table(table, table.solver), table.game, table.root
    mover, total = game.current_player(root), sum(table.value(root))
    kept, undecided = [], []
    for move in solution.moves:
        after = game.result(root, move.action)
        of_first = bounds(after)
        assert of_first is not None, "a solved table holds all successors"
        best = of_first[1 - mover]
        payoffs = (best, total - best)[: len(game.players)]
        if of_first[0] == of_first[1]:
            kept += [move] if move.is_best else []
        elif (
            paid_before(game, root, move.action, after, payoffs)[mover] == table.value(root)[mover]
        ):
            undecided.append(move.name)
    return replace(
        solution,
        status=Status.WEAK,
        moves=tuple(kept),
        undecided=tuple(undecided),
        evidence=None,
    )


def _while_within_reach(problem: Problem) -> Progress:
    """Progress that checks after many positions whether the attempt is to go on (`weigh`), and
    again where `weigh` says so.

    The check of a small game takes longer than solving the game.
    """
    progress, began, asked = problem.options.progress, perf_counter(), float(problem.in_doubt)

    def tell(explored: int, waiting: int) -> None:
        nonlocal asked
        if explored + waiting > asked:
            asked = weigh(problem, explored, waiting, perf_counter() - began)
        if progress is not None:
            progress(explored, waiting)

    return tell


def by_turns(problem: Problem) -> Solution | None:
    """Solves the game turn by turn in native code; None where turns differ in form."""
    accelerator = machine_code_of(problem.game)
    if isinstance(accelerator, Refusal):
        return None
    solved = accelerator.solve_turns(problem.root, problem.options.search_limits())
    return None if isinstance(solved, Refusal) else _in_table(problem, *solved)


def by_native_search(problem: Problem) -> Solution | None:
    """A shortest solution by native code; None where native code is not available."""
    accelerator = problem.accelerator
    if isinstance(accelerator, Refusal) or not is_to_be_found(problem.game):
        return None
    options = problem.options
    with _failing_nearby(problem):
        play = accelerator.shortest(problem.root, options.search_limits())
    if isinstance(play, Refusal):
        return None
    shortest = of_play(problem.game, problem.root, play, options.progress)
    if shortest is None:
        return None
    solution = solution_from_line(problem.game, problem.root, shortest)
    return replace(solution, solver=SolverName(play.solver))


def by_depth_first_search(problem: Problem) -> Solution | None:
    """Any play to the best payoff, whose length and other first actions are not compared; None if
    there is none, if it is not met soon, or if native code is not available."""
    accelerator = problem.accelerator
    if isinstance(accelerator, Refusal) or not is_to_be_found(problem.game):
        return None
    try:
        play = accelerator.shortest(problem.root, problem.options.search_limits(), or_any=True)
    except (OutOfBudgetError, OutOfMemoryError, GameRuleError):
        return None  # rules that fail elsewhere do not matter to one play
    if isinstance(play, Refusal) or play.line is None:
        return None
    return solution_from_play(problem.game, problem.root, play)


def by_guesses(
    problem: Problem, in_python: Callable[[Problem], Solution | None] = by_guided_play
) -> Solution | None:
    """Any play to the best payoff, met soon by guesses: in machine code, then in Python, unless the
    search in Python is chosen by name; None if none is met."""
    options = problem.options
    if options.solver is None and not isinstance(problem.accelerator, Refusal):
        most = min(MOST_SOON, options.max_positions or MOST_SOON)
        solution = by_depth_first_search(problem.with_options(replace(options, max_positions=most)))
        if solution is not None:
            return solution
    return in_python(problem)


@contextmanager
def _failing_nearby(problem: Problem) -> Iterator[None]:
    """Raises the error of failing rules with a shortest play to the failure, if close to the
    root."""
    try:
        yield
    except GameRuleError as error:
        with suppress(OutOfBudgetError):
            problem.exploration.run(problem.most_in_python, problem.options.progress)
        raise error from None
