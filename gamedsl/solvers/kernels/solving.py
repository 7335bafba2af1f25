"""Whether a kernel can solve a game, and the game solved by it.

In: a game and the state where it begins. Out: a `SolvedTable`, or nothing where another solver has
to do it. Errors of the game come without the play that leads to them: the search that works on
the contract finds the shortest.
"""

from __future__ import annotations

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.contract import Game
from gamedsl.game.engines import has_numba
from gamedsl.game.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graph import Progress
from gamedsl.solvers.kernels.induction import KernelInduction, why_not
from gamedsl.solvers.kernels.solved_table import SolvedTable


def induction_for(game: Game) -> KernelInduction | None:
    """Native backward induction, where the engine allows it and the rules do not forbid it."""
    if not isinstance(game, LoadedGame) or game.engine_name not in ("auto", "native"):
        return None
    engine = game.engine
    if not has_numba() or not isinstance(engine, CompiledEngine) or why_not(engine) is not None:
        return None
    return KernelInduction(engine)


def solved_natively(
    game: Game, root: State, *, max_positions: int | None = None, progress: Progress | None = None
) -> SolvedTable | None:
    """The values of all states that can be reached; None where kernels cannot find them.

    Raises: as `KernelInduction.settled`, but no UnsupportedGameError.
    """
    induction = induction_for(game)
    if induction is None or game.is_terminal(root):
        return None
    try:
        settled = induction.settled(root, max_positions=max_positions, progress=progress)
    except UnsupportedGameError:
        return None
    return SolvedTable(game, root, settled)
