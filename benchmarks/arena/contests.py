"""The boards of the arena: rows of the table of OpenSpiel's games, in sizes usual for a match."""

from __future__ import annotations

import re

from tests.peers.spiel_lockstep import Position, Row
from tests.peers.spiel_table import ROWS, to

LONGEST = 300
"""Plies after which a game is broken off, and counts as drawn."""


def _rows_of_eight(text: str, here: Position) -> str:
    """OpenSpiel counts the rows of smaller boards from the top of a board of eight."""
    return to.breakthrough(re.sub(r"\d", lambda digit: str(int(digit[0]) + 2), text), here)


def row_of(name: str) -> Row:
    """The row of a contest, or the first row of a file."""
    return (CONTESTS | LARGER).get(name) or next(row for row in ROWS if row.file == name)


def _board(file: str, peer: str, translate: object, **parameters: int) -> Row:
    assert callable(translate), "a translation is a function"
    return Row(file, peer, translate, parameters)


def _listed(file: str) -> Row:
    return next(row for row in ROWS if row.file == file)


CONTESTS = {
    "connect_four": _listed("connect_four"),
    "breakthrough_6": _board(
        "breakthrough", "breakthrough(rows=6,columns=6)", _rows_of_eight, width=6, height=6
    ),
    "breakthrough_8": _listed("breakthrough"),
    "othello": _listed("othello"),
    "hex_7": _board("hex", "hex(board_size=7)", to.hexagon, width=7, height=7),
    "hex_9": _board("hex", "hex(board_size=9)", to.hexagon, width=9, height=9),
    "clobber": _listed("clobber"),
    "dots_and_boxes": _board(
        "dots_and_boxes", "dots_and_boxes(num_rows=3,num_cols=3)", to.boxes, width=3, height=3
    ),
    "nine_mens_morris": _listed("nine_mens_morris"),
    "amazons": _listed("amazons"),
    "lines_of_action": _listed("lines_of_action"),
}
"""The games of a series, by name. OpenSpiel plays dots and boxes to win, the file for the lead."""

LARGER = {
    "gomoku_9": _board("mnk", "gomoku(size=9,connect=5)", to.mark_down, width=9, height=9, run=5),
    "quoridor_7": _board("quoridor", "quoridor(board_size=7)", to.quoridor, size=7, fences=6),
    "twixt_8": _board("twixt", "twixt(board_size=8)", to.twixt, size=8),
}
"""Boards of the table on which the first move decides the game, in larger sizes."""

UNTUNED = (
    "kalah", "havannah", "y", "pentago", "gomoku_9", "ultimate_tic_tac_toe", "oware", "quoridor_7",
    "checkers_forty", "twixt_8",
)  # fmt: skip
"""Ten files that no setting of a search has been measured on."""
EXPLORATIONS = (0.7, 1.4)
"""OpenSpiel's exploration, of payoffs from -1 to 1; the last is customary."""
