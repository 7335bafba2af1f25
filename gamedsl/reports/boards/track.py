"""A track: places in a row that hold numbers of men of two players who run towards each other.

In: an array of counts by player and place, such as `men[players, 0..25]: 0..15`. Out: SVG with
width and height in pixels. The second player's places run back, as seen by a player sitting
opposite; a long track is folded in the middle, the first half below.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.nodes.looks import is_count, is_range
from gamedsl.model.values import Value, text_of
from gamedsl.reports.boards.data import Piece
from gamedsl.reports.boards.pieces import piece_group
from gamedsl.reports.svg import INK, element, label

SHORTEST, LONGEST_ROW = 13, 16
"""Places of the shortest track, and of the longest track in one row."""
WIDE, DISC, MOST_DISCS, BEHIND = 24.0, 20.0, 5, 14.0
HIGH, EDGE, MIDDLE = MOST_DISCS * DISC + BEHIND, 18.0, 12.0
FELT, POINTS, FAINT = "#efe3c8", ("#c9a06a", "#8fa58a"), "#6b6254"


def is_track(variable: nodes.Variable, players: tuple[str, ...]) -> bool:
    """Whether a variable counts men of two players by places in a long row."""
    return (
        len(variable.indices) == len(players) == 2
        and tuple(map(text_of, variable.indices[0].values)) == players
        and is_range(variable.indices[1])
        and len(variable.indices[1]) >= SHORTEST
        and all(map(is_count, variable.domain.values))
    )


def track_group(
    variable: nodes.Variable, values: tuple[Value | None, ...], players: tuple[str, ...]
) -> tuple[str, float, float]:
    """The places, the men on them, and the first player's numbers at the edge."""
    names = [text_of(value) for value in variable.indices[1].values]
    length = len(names)
    half = length // 2 if length > LONGEST_ROW and length % 2 == 0 else length
    rows = length // half
    wide, high = half * WIDE, rows * (HIGH + EDGE) + (rows - 1) * MIDDLE
    parts = [element("rect", x=0, y=0, width=wide, height=high, rx=6, fill=FELT, stroke=INK)]
    for place, name in enumerate(names):
        is_below = place < half
        column = half - 1 - place if is_below and rows > 1 else place % half
        x, edge, way = (column + 0.5) * WIDE, high - EDGE if is_below else EDGE, 1 - 2 * is_below
        men = [(0, values[place]), (1, values[2 * length - 1 - place])]
        parts.append(_point(x, edge, way, POINTS[place % 2]))
        parts.append(label(x, edge - way * EDGE / 2, name, 10, fill=FAINT))
        parts.append(_men(x, edge, way, men, players))
    return element("g", *parts), wide, high


def _point(x: float, edge: float, way: int, colour: str) -> str:
    corners = (
        f"{x - WIDE / 2 + 1},{edge} {x + WIDE / 2 - 1},{edge} {x},{edge + way * (HIGH - DISC)}"
    )
    return element("polygon", points=corners, fill=colour)


def _men(
    x: float, edge: float, way: int, men: list[tuple[int, Value | None]], players: tuple[str, ...]
) -> str:
    """Men from the edge on; behind the last man shown, the number of more men."""
    parts, on = [], 0
    kinds = sum(count != 0 for _, count in men)
    for owner, count in men:
        number = count if isinstance(count, int) else 1
        most = MOST_DISCS if kinds < 2 else MOST_DISCS // 2
        for _ in range(min(number, most)):
            y = edge + way * (on + 0.5) * DISC
            parts.append(piece_group(Piece(owner), x, y, DISC * 1.25, players))
            on += 1
        words = "?" if count is None else str(number) if number > most else ""
        if words:
            y = edge + way * (on * DISC + BEHIND / 2)
            parts.append(label(x, y, words, 11, fill=INK, font_weight="bold"))
    return "".join(parts)
