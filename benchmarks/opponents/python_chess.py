"""python-chess: perft with the last ply counted in bulk, as its own perft example does, and
playouts by the rules of our chess.

Those rules: mate, stalemate, the third repetition, fifty moves without a capture or pawn move;
not the dead positions that `outcome()` would also end.
"""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.contender import need


def start() -> Any:
    """A board in the initial position."""
    need("python-chess", "chess")
    import chess

    return chess.Board()


def perft(board: Any, depth: int) -> int:
    """Plays of `depth` > 0 plies."""
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def play_out(random: Random) -> tuple[int, int]:
    """A uniform random play: its plies, and 0, 1, 2 for won by White, drawn, won by Black."""
    board = start()
    while True:
        moves = list(board.legal_moves)
        if not moves:
            mated = board.is_check()
            return len(board.move_stack), 1 if not mated else 2 if board.turn else 0
        if board.halfmove_clock >= 100 or (board.halfmove_clock >= 8 and board.is_repetition(3)):
            return len(board.move_stack), 1
        board.push(random.choice(moves))
