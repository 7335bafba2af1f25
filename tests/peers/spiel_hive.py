"""Actions of OpenSpiel's Hive as the file writes them.

OpenSpiel says where a bug goes by a bug beside it, as the Universal Hive Protocol does, and lets
the third ant come before the first; the file names the square, and bugs in order.
"""

from __future__ import annotations

from functools import lru_cache

from gamedsl.model.board import column_name
from tests.peers.spiel_lockstep import Position

BESIDE = {
    (0, "/"): (0, 1),
    (0, "-"): (1, 1),
    (0, "\\"): (1, 0),
    (1, "/"): (0, -1),
    (1, "-"): (-1, -1),
    (1, "\\"): (-1, 0),
}
"""Whether the sign stands in front, and the sign -> columns and rows from the bug that is named."""
NUMBERED = {"B": 2, "G": 3, "S": 2, "A": 3}


@lru_cache(maxsize=8)
def table(moves: tuple[str, ...]) -> tuple[dict[str, tuple[int, int]], dict[str, str]]:
    """After moves as OpenSpiel writes them: the place of each bug, and its name in the file."""
    if not moves:
        return {}, {}
    places, names = (dict(one) for one in table(moves[:-1]))
    if moves[-1] != "pass":
        bug = moves[-1].split()[0]
        names.setdefault(bug, named(bug, names))
        places[bug] = place(moves[-1], places)
    return places, names


def named(bug: str, names: dict[str, str]) -> str:
    """The name of a bug that comes: the next of its player and kind."""
    like = sum(other[:2] == bug[:2] for other in names)
    return bug[1] + (str(like + 1) if bug[1] in NUMBERED else "")


def place(move: str, places: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Where a move puts its bug, in columns and rows from the first bug."""
    _, _, to = move.partition(" ")
    if not to:
        return 0, 0
    column, row = places[to.strip("/-\\")]
    for (is_front, sign), (right, up) in BESIDE.items():
        if (to[0] if is_front else to[-1]) == sign:
            return column + right, row + up
    return column, row


def hive(text: str, here: Position) -> str:
    if text == "pass":
        return "skip"
    places, names = table(tuple(filter(None, str(here.theirs).split(";")[3:])))
    bug = text.split()[0]
    size = int(here.game.parameters["size"])
    column, row = ((size // 2 - 1 + one) % size for one in place(text, places))
    verb = "go" if bug in names else "place"
    return f"{verb}({names.get(bug) or named(bug, names)}, {column_name(column + 1)}{row + 1})"


def pinned(here: Position) -> str:
    """Before White's queen has come, OpenSpiel lets Black break the hive."""
    theirs = here.theirs
    if theirs.is_terminal() or theirs.move_number() > 6:
        return ""
    texts = {hive(theirs.action_to_string(one), here) for one in theirs.legal_actions()}
    return "OpenSpiel lets the hive break" * (texts > {*here.legal})
