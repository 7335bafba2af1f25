"""Whether kernels can solve a game, and the game solved by them.

In: a game and the state where it begins. Out: a `SolvedTable`, or nothing where another solver has
to do it. Errors of the game come without the play that leads to them: the search that works on
the contract finds the shortest.
"""

from __future__ import annotations

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graph import Progress
from gamedsl.solvers.kernels.induction import KernelInduction, ReturningPlayError
from gamedsl.solvers.kernels.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.solved_table import SolvedTable
from gamedsl.solvers.solution import SolverName


def solved_natively(
    game: LoadedGame,
    root: State,
    *,
    returns: bool,
    max_positions: int | None = None,
    progress: Progress | None = None,
) -> SolvedTable | None:
    """The values of all states that can be reached; None where kernels cannot find them.

    `returns`: whether play is known to return. Raises as `KernelInduction.settled`, but no
    UnsupportedGameError.
    """
    engine = game.engine
    if not isinstance(engine, CompiledEngine) or game.is_terminal(root):
        return None
    try:
        if not returns:
            try:
                first = KernelInduction(engine).settled(
                    root, max_positions=max_positions, progress=progress
                )
                return SolvedTable(game, root, first, SolverName.NATIVE_INDUCTION)
            except ReturningPlayError:
                pass
        second = KernelRetrograde(engine).settled(
            root, max_positions=max_positions, progress=progress
        )
        return SolvedTable(game, root, second, SolverName.NATIVE_RETROGRADE)
    except UnsupportedGameError:
        return None
