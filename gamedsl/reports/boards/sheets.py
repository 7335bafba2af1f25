"""Board and men on A4, to print and cut out: a page of HTML, an SVG in millimetres for each sheet.

In: a game and a position. Out: HTML.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape

from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.nodes.looks import BoardLook
from gamedsl.reports.boards.as_svg import board_group
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.boards.data import Piece
from gamedsl.reports.boards.geometry import geometry_of
from gamedsl.reports.boards.pieces import piece_group
from gamedsl.reports.boards.themes import PRINT
from gamedsl.reports.svg import document, element, label

WIDE, HIGH, EDGE = 210.0, 297.0, 15.0
"""An A4 page and its margins, in millimetres."""
LARGEST = 40.0
"""Greatest side of a square, in millimetres."""
SPARE = 12
"""Men of each player for a board that begins without men."""
STYLE = (
    "<style>@page { size: A4; margin: 0 } body { margin: 0 } "
    "svg { display: block; width: 210mm; height: 297mm; break-after: page }</style>"
)


def sheets_html(game: LoadedGame, state: State) -> str:
    """The board, empty, on the first page, and the men of a position on the next pages, each in a
    square of the board's size. A board without men gets `SPARE` men of each player.

    Raises `UnsupportedGameError` for a game without a board of men.
    """
    position = position_of(game, state)
    if position.board is None:
        raise UnsupportedGameError(f"{game.name} has no board with men to print")
    geometry = geometry_of(position.board, position.look)
    room = (WIDE - 2 * EDGE, HIGH - 3 * EDGE)
    side = min(LARGEST, room[0] / geometry.width, room[1] / geometry.height)
    left = (WIDE - geometry.width * side) / 2
    board = board_group(_without_men(position), left, 2 * EDGE, side, PRINT)
    pages = [[label(WIDE / 2, EDGE, game.name, 7, font_weight="bold"), board]]
    pieces = [piece for piece in position.pieces if not piece.is_blank]
    pieces += [piece for _, piece in position.men]
    pieces = pieces or [Piece(owner) for owner in range(len(game.players)) for _ in range(SPARE)]
    per_row = int(room[0] // side)
    per_page = per_row * int((HIGH - 2 * EDGE) // side)
    for first in range(0, len(pieces), per_page):
        here = pieces[first : first + per_page]
        pages.append([_cut_out(piece, n, per_row, side, position) for n, piece in enumerate(here)])
    drawn = (
        document(WIDE, HIGH, f"{game.name}, page {n + 1}", *parts) for n, parts in enumerate(pages)
    )
    title = element("title", escape(f"{game.name}: board and men", quote=False))
    return f"<!doctype html>\n{element('meta', charset='utf-8')}\n{title}\n{STYLE}\n" + "\n".join(
        drawn
    )


def _cut_out(piece: Piece, place: int, per_row: int, side: float, position: Position) -> str:
    """A man in a square with dashed edges."""
    row, column = divmod(place, per_row)
    x, y = EDGE + column * side, EDGE + row * side
    edges = element("rect", x=x, y=y, width=side, height=side, fill="none", stroke="#999999",
                    stroke_width=0.2, stroke_dasharray="2 2")  # fmt: skip
    middle = (x + side / 2, y + side / 2)
    return edges + piece_group(piece, *middle, 0.9 * side, position.players, BoardLook.POINTS)


def _without_men(position: Position) -> Position:
    return replace(
        position,
        pieces=(Piece(),) * len(position.pieces),
        men=(),
        last=(),
        rings=(),
        arrow=None,
        window=(),
    )
