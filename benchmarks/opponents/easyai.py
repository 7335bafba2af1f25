"""easyAI: perft over its games, and tic-tac-toe by its negamax.

Its connect four cannot take moves back, so that a state is copied before each move, as its own
search does.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from benchmarks.contender import need


def connect_four() -> Any:
    """An empty board."""
    need("easyAI", "easyAI")
    from easyAI.games.ConnectFour import ConnectFour

    return ConnectFour([None, None])


def perft(game: Any, depth: int) -> int:
    """Plays of `depth` plies, every leaf made."""
    if depth == 0:
        return 1
    if game.is_over():
        return 0
    total = 0
    for move in game.possible_moves():
        child = deepcopy(game)
        child.make_move(move)
        child.switch_player()
        total += perft(child, depth - 1)
    return total


SOLVE_TIC_TAC_TOE = """\
from easyAI import AI_Player, Negamax
from easyAI.games.TicTacToe import TicTacToe
search = Negamax(9, win_score=100)
game = TicTacToe([AI_Player(search), AI_Player(search)])
search(game)
print("draw" if search.alpha == 0 else search.alpha)
"""
"""A program that finds the value of tic-tac-toe by looking nine plies ahead."""
