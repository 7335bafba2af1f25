"""Ten texts in which reading finds no mistake, and playing or verifying claims finds one: whoever
is asked about such a text, at a command line, in an editor or on the page, has to say so and where.
"""

from __future__ import annotations

from typing import NamedTuple

from gamedsl.game.library import shipped_game


class Found(NamedTuple):
    """A text with a mistake.

    Attributes:
        code: of the message; says: a part of it.
        line: the text of the line at which an editor marks it.
        is_of_the_game: whether it is about the game as a whole: then an editor marks its title.
    """

    text: str
    code: str
    says: str
    line: str
    is_of_the_game: bool = False


NIM = """\
# Take one or two; who takes the last one wins.
game "Nim"
players Ann, Bob
param n = 4

state:
    left: 0..n = n

move take(k in 1..2):
    require k <= left
    left -= k

end:
    if left == 0: opponent wins
"""
WALK = """\
# A man goes round and round.
game "Walk"
players Ann, Bob
board 2 wide 2 high

state:
    at: square = a1

move go(s in square where s in neighbours(at)):
    at = s

end:
    if at == b2 and turn == Ann: draw
"""


def _shipped(name: str) -> str:
    path = shipped_game(name)
    assert path is not None
    return path.read_text("utf-8").partition("\nexpect")[0] + "\n"


TEXTS = {
    "a claim about the value": Found(
        _shipped("tic_tac_toe") + "expect value: X wins\n",
        "E4001", "this claim does not hold", "expect value: X wins",
    ),
    "a condition that is missing": Found(
        NIM.replace("    require k <= left\n", ""),
        "E3001", "`left` can reach -1", "    left -= k",
    ),
    "play without an end": Found(
        WALK, "E3006", "play can go on for ever", 'game "Walk"', is_of_the_game=True,
    ),
    "no legal move": Found(
        NIM.replace("1..2", "2..2").replace("n = 4", "n = 3"),
        "E3003", "no legal move", 'game "Nim"', is_of_the_game=True,
    ),
    "a list that is too short": Found(
        NIM.replace("n = 4", "n = 4\nparam row = [1, 2, 1]").replace(
            "k <= left", "k <= left and row[left] >= k"
        ),
        "E3007", "outside the list", "    require k <= left and row[left] >= k",
    ),
    "a claim about the best move": Found(
        NIM + "\nexpect best: take(2)\n", "E4001", "take(1)", "expect best: take(2)",
    ),
    "a claim about a count": Found(
        NIM + "\nexpect states: 7\n", "E4001", "claimed 7", "expect states: 7",
    ),
    "a claim with another parameter": Found(
        NIM + "\nexpect value with n = 3: Ann wins\n",
        "E4001", "Bob", "expect value with n = 3: Ann wins",
    ),
    "a division by what becomes zero": Found(
        NIM.replace("end:", "end:\n    if 6 // left > 9: draw"),
        "E3007", "division by zero", "    if 6 // left > 9: draw",
    ),
    "a variant": Found(
        'include "nim.game"\ngame "My own"\n\nexpect value: draw\n',
        "E4001", "this claim does not hold", "expect value: draw",
    ),
}  # fmt: skip
