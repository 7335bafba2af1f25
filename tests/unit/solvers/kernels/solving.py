"""A game solved by a kernel and by Python, compared in every state that can be reached."""

from __future__ import annotations

from pathlib import Path

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graph import OutOfBudgetError
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.solved_table import SolvedTable
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, SolverName, Status, move_values
from gamedsl.solvers.solved import SolvedGraph


def difference(
    game: LoadedGame, most: int, *, native: bool = False, folder: Path | None = None
) -> str | None:
    """What a kernel says otherwise than Python; None where nothing, "..." why it cannot be told."""
    assert isinstance(game.engine, CompiledEngine)
    try:
        kernel = KernelInduction(game.engine, native=native, folder=folder)
    except UnsupportedGameError as refusal:
        return f"not compared: {refusal.reason}"
    wanted = by_python(game, most)
    if isinstance(wanted, Solution) and wanted.status is Status.OPEN:
        return "not compared: too many positions"
    if game.is_terminal(root := game.initial_state()):
        return "not compared: over at once"
    try:
        settled = kernel.settled(root, max_positions=most, max_bytes=1 << 30)
    except UnsupportedGameError as refusal:
        return refused(wanted, refusal)
    except OutOfBudgetError as error:
        return f"the kernel needs {error}"
    except GameRuleError as error:
        return None if wanted == error.code else f"{wanted}, the kernel raises {error.code}"
    if not isinstance(wanted, Solution):
        return f"{wanted}, the kernel solves it"
    assert isinstance(wanted.solved, SolvedGraph)
    table = SolvedTable(game, root, settled)
    if (len(table), settled.endings) != (wanted.positions, wanted.terminals):
        return f"{wanted.positions} ({wanted.terminals}) positions, not {len(table)}"
    if list(table.states) != list(wanted.solved.states):
        return "other states, or in another order"
    return next((str(state) for state in table.states if not agree(state, wanted, table)), None)


def by_python(game: LoadedGame, most: int) -> Solution | str:
    """The solution; the code of the error, or why it is refused."""
    try:
        return solve(game, max_positions=most, solver=SolverName.BACKWARD_INDUCTION)
    except GameRuleError as error:
        return error.code
    except UnsupportedGameError as error:
        return error.reason


def refused(wanted: Solution | str, refusal: UnsupportedGameError) -> str | None:
    """Whether a refusal is right."""
    if "return" in refusal.reason:
        right = isinstance(wanted, str)
    else:
        assert isinstance(wanted, Solution)
        assert isinstance(wanted.solved, SolvedGraph)
        right = len({sum(payoffs) for payoffs in wanted.solved.graph.outcomes()}) > 1
    return f"not compared: {refusal.reason}" if right else f"refused: {refusal.reason}"


def agree(state: object, wanted: Solution, table: SolvedTable) -> bool:
    """Whether values, plies, choices and best moves of a state are the same."""
    solved = wanted.solved
    assert solved is not None
    return (
        state in table
        and table.value(state) == solved.value(state)
        and table.remoteness(state) == solved.remoteness(state)
        and table.choice(state) == solved.choice(state)
        and move_values(table, state) == move_values(solved, state)
    )
