"""A state as an SVG picture: the board with pieces and the last move, and the rest as text.

The input is a `Position` (see `contents`). `board_group` draws the bare board inside another
picture, for the nodes of a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atan2, cos, sin

from gamedsl.game import LoadedGame
from gamedsl.game.reading import Step
from gamedsl.model import State
from gamedsl.model.board import Board
from gamedsl.model.nodes.looks import BoardLook, VariableLook
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.boards.data import Figure, Piece
from gamedsl.reports.boards.figures import Drawn, figure_group, pit_centres
from gamedsl.reports.boards.geometry import Geometry, Point, geometry_of, sides_of
from gamedsl.reports.boards.ground import Ground
from gamedsl.reports.boards.panel import Place, panel_group, thrown_strip
from gamedsl.reports.boards.pieces import piece_group, player_colour
from gamedsl.reports.boards.themes import LIGHT, Theme
from gamedsl.reports.svg import (
    document,
    element,
    label,
    number,
    text_width,
)
from gamedsl.source.records import dataclass

UNIT = 44.0
"""Pixels per square."""
SMALL = 30.0
"""Pixels per square of small boards beside the main board."""
WIDEST_ROW = 640.0
MARGIN = 24.0
LINE_HEIGHT = 18.0
LINE_SIZE = 13.0
LONGEST_LINE = 90
"""Characters of a line in a picture without a board."""
WINDOW_MARGIN = 2.0
"""Squares drawn to each side of a position's window."""
LEAST_ROOM = 6 * UNIT
"""Least width for lines below a narrow board; wider lines would shrink a fitted picture too much.
"""


def state_svg(
    game: LoadedGame,
    state: State,
    viewer: int | None = None,
    last: Step | None = None,
    theme: Theme = LIGHT,
    earlier: Sequence[Step] = (),
) -> str:
    """A picture of a state, as seen by `viewer` (None: everything is visible).

    `last`: the previous state and the last action; `earlier`: the steps before. `theme`: the
    colours (`themes`).
    """
    return position_svg(position_of(game, state, viewer, last, earlier), theme)


def square_centres(position: Position) -> dict[str, Point]:
    """The centres of the board's squares in the picture, in pixels; empty without a board.

    A square has `UNIT` pixels.
    """
    frame = _frame(position)
    if frame.geometry is None:
        return {}
    return {
        name: (frame.left + x * UNIT, MARGIN / 2 + y * UNIT)
        for name, (x, y) in frame.geometry.centres.items()
    }


def small_board_centres(position: Position) -> dict[tuple[str, str], Point]:
    """The centres of the squares of titled boards in the picture, by title and name, in pixels; a
    square has `SMALL` pixels. Empty beside a main board."""
    if position.board is not None or position.shape is None or not position.small_boards:
        return {}
    geometry = _geometry(position.shape, position)
    left = (_frame(position).width - _small_boards_width(position)) / 2
    corners = _other_corners(position, left, MARGIN / 2)
    return {
        (board.title, name): (left + x * SMALL, top + y * SMALL)
        for board, (left, top) in zip(position.small_boards, corners, strict=True)
        for name, (x, y) in geometry.centres.items()
    }


def position_svg(position: Position, theme: Theme = LIGHT) -> str:
    """A picture of a position."""
    sheet = _sheet(position, theme)
    drawn, height = list(sheet.drawn), sheet.height
    for _, group, left, top in sheet.figures:
        drawn.append(element("g", group, transform=f"translate({number(left)} {number(top)})"))
    drawn += sheet.beside
    for line in sheet.lines:
        drawn.append(label(sheet.width / 2, height + LINE_HEIGHT / 2, line, LINE_SIZE))
        height += LINE_HEIGHT
    title = f"{position.title}: {position.lines[-1]}"
    size = (sheet.width, height + MARGIN / 2)
    return document(*size, title, *drawn, paper=theme.paper, ink=theme.ink)


def cell_centres(position: Position) -> dict[tuple[str, int], Point]:
    """The centres of cells drawn as pits, in pixels, by variable and cell number."""
    return {
        (figure.variable.name, cell): (left + x, top + y)
        for figure, _, left, top in _sheet(position).figures
        if figure.look is VariableLook.PITS
        for cell, (x, y) in pit_centres(figure).items()
    }


@dataclass(frozen=True, slots=True)
class _Frame:
    """The width of a picture and the parts that determine the width.

    Parts: the board, the lines below, and figures with group, width and height. `beside`: the
    outcome of the last chance event, and the panel of further variables.
    """

    width: float
    geometry: Geometry | None
    lines: tuple[str, ...]
    figures: tuple[tuple[Figure, str, float, float], ...]
    beside: tuple[Drawn, ...] = ()

    @property
    def left(self) -> float:
        """The left edge of the centred board."""
        return (self.width - (self.geometry.width if self.geometry else 0.0) * UNIT) / 2


def _frame(position: Position, theme: Theme = LIGHT) -> _Frame:
    geometry, room, longest = None, WIDEST_ROW, LONGEST_LINE
    if position.board is not None:
        geometry = _geometry(position.board, position)
        room = max(LEAST_ROOM, geometry.width * UNIT)
        longest = min(longest, int(room / text_width("n", LINE_SIZE)))
    lines = tuple(part for line in position.lines for part in _wrapped(line, longest))
    figures = tuple((figure, *figure_group(figure, room)) for figure in position.figures)
    beside = (thrown_strip(position.thrown),) if position.thrown else ()
    panel = panel_group(position.panel, Place(position.players, min(room, 420.0), theme))
    beside = (*beside, panel) if position.panel else beside
    wide = [wide for _, wide, _ in beside]
    wide += [text_width(line, LINE_SIZE) for line in lines] + [wide for _, _, wide, _ in figures]
    wide += [geometry.width * UNIT] if geometry is not None else []
    wide += [_small_boards_width(position) - 2 * MARGIN] if position.small_boards else []
    return _Frame(max(wide) + 2 * MARGIN, geometry, lines, figures, beside)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A picture without the lines below: boards, and figures with groups, left and upper edges."""

    width: float
    height: float
    drawn: tuple[str, ...]
    figures: tuple[tuple[Figure, str, float, float], ...]
    lines: tuple[str, ...]
    beside: tuple[str, ...]


def _sheet(position: Position, theme: Theme = LIGHT) -> _Sheet:
    frame = _frame(position, theme)
    height = MARGIN / 2
    drawn: list[str] = []
    beside: list[str] = []
    stood: list[tuple[Figure, str, float, float]] = []
    if frame.geometry is not None:
        board = board_group(position, frame.left, height, UNIT, theme)
        drawn += [board, *_names(frame.geometry, frame.left, height, position, theme)]
        height += frame.geometry.height * UNIT + (MARGIN if frame.geometry.columns else 8)
    if position.small_boards:
        small_boards, high = _other_boards(
            position, (frame.width - _small_boards_width(position)) / 2, height, theme
        )
        drawn.append(small_boards)
        height += high
    for row in _in_rows(frame.figures, frame.width - 2 * MARGIN):
        left = (frame.width - sum(wide + MARGIN for _, _, wide, _ in row) + MARGIN) / 2
        for figure, group, wide, _ in row:
            stood.append((figure, group, left, height + 4))
            left += wide + MARGIN
        height += max(high for *_, high in row) + 12
    for group, wide, high in frame.beside:
        left = (frame.width - wide) / 2
        place = f"translate({number(left)} {number(height + 8)})"
        beside.append(element("g", group, class_="beside", transform=place))
        height += high + 14
    return _Sheet(frame.width, height, tuple(drawn), tuple(stood), frame.lines, tuple(beside))


def _in_rows(
    figures: tuple[tuple[Figure, str, float, float], ...], room: float
) -> list[list[tuple[Figure, str, float, float]]]:
    """Figures from above to below; neighbours that hold a single thing each, such as two dice,
    side by side as far as there is room."""
    rows: list[list[tuple[Figure, str, float, float]]] = []
    for one in figures:
        row = [*rows[-1], one] if rows else [one]
        is_beside = all(len(figure.values) == 1 for figure, *_ in row)
        if len(row) > 1 and is_beside and sum(wide + MARGIN for _, _, wide, _ in row) <= room:
            rows[-1] = row
        else:
            rows.append([one])
    return rows


def _geometry(board: Board, position: Position) -> Geometry:
    geometry = geometry_of(board, position.look)
    if position.window:
        geometry = geometry.around(position.window, WINDOW_MARGIN)
    return geometry.turned() if position.is_turned else geometry


def _small_boards_width(position: Position) -> float:
    """The width of the titled boards in rows."""
    per_row, wide, _ = _other_places(position)
    return per_row * wide + MARGIN


def _other_places(position: Position) -> tuple[int, float, float]:
    """The number of titled boards per row, and the width and height of a board."""
    assert position.shape is not None
    geometry = _geometry(position.shape, position)
    wide, high = geometry.width * SMALL + MARGIN, geometry.height * SMALL + LINE_HEIGHT + 8
    return max(1, min(len(position.small_boards), int(WIDEST_ROW // wide))), wide, high


def _other_boards(position: Position, left: float, top: float, theme: Theme) -> tuple[str, float]:
    """The titled boards in rows, and the total height."""
    bare = [
        replace(
            position,
            board=position.shape,
            pieces=small_board.pieces,
            last=small_board.last,
            rings=(),
            men=(),
            in_line=(),
            arrow=None,
            window=(),
        )
        for small_board in position.small_boards
    ]
    per_row, wide, high = _other_places(position)
    corners = _other_corners(position, left, top)
    parts = []
    for small_board, board, (x, y) in zip(position.small_boards, bare, corners, strict=True):
        middle = x + (wide - MARGIN) / 2
        parts.append(label(middle, y - LINE_HEIGHT / 2, small_board.title, LINE_SIZE))
        parts.append(board_group(board, x, y, SMALL, theme))
    rows = -(-len(bare) // per_row)
    return element("g", *parts), rows * high


def _other_corners(position: Position, left: float, top: float) -> list[Point]:
    """The upper left corners of the titled boards in rows, below their titles."""
    per_row, wide, high = _other_places(position)
    places = (divmod(place, per_row) for place in range(len(position.small_boards)))
    return [
        (left + MARGIN + column * wide, top + row * high + LINE_HEIGHT) for row, column in places
    ]


def board_group(position: Position, x: float, y: float, unit: float, theme: Theme = LIGHT) -> str:
    """The bare board with pieces, the upper left corner at (x, y), `unit` pixels per square."""
    assert position.board is not None
    geometry = _geometry(position.board, position)
    ground = Ground(geometry, position.look, position.colour, theme, unit)
    parts = ground.below()
    parts += [
        ground.square(square.name, is_last=square.name in position.last)
        for square in position.board.squares
        if square.name in geometry.centres
    ]
    for way, player in position.edges:
        colour = player_colour(position.players, player)
        for x1, y1, x2, y2 in sides_of(position.board, geometry, way):
            parts.append(
                element("line", x1=x1 * unit, y1=y1 * unit, x2=x2 * unit, y2=y2 * unit,
                        stroke=colour, stroke_width=unit / 8, stroke_linecap="round")
            )  # fmt: skip
    if position.arrow is not None and geometry.shape != "square":
        start, end = (geometry.centres[name] for name in position.arrow)
        parts.append(_arrow(start, end, unit, theme.ring))
    for name, piece, shift, look in _standing(position):
        across, up = geometry.centres[name]
        place = ((across + shift) * unit, (up - shift) * unit)
        piece = replace(piece, is_upside_down=position.is_turned)
        parts.append(piece_group(piece, *place, unit, position.players, look))
    for _, name in position.rings:
        cx, cy = geometry.centres[name]
        parts.append(
            element("circle", cx=cx * unit, cy=cy * unit, r=0.42 * unit, fill="none",
                    stroke=theme.ring, stroke_width=max(1.0, unit / 14))
        )  # fmt: skip
    for name in position.in_line:
        cx, cy = geometry.centres[name]
        parts.append(
            element("circle", cx=cx * unit, cy=cy * unit, r=0.45 * unit, fill="none",
                    stroke="#1d9a52", stroke_width=max(1.5, unit / 11), class_="in-line")
        )  # fmt: skip
    return element("g", *parts, class_="board", transform=f"translate({number(x)} {number(y)})")


def _standing(position: Position) -> Iterator[tuple[str, Piece, float, BoardLook]]:
    """All pieces with their squares; several men held on a square stand beside each other. A man
    held as a square is a token, whatever the board."""
    assert position.board is not None
    for square, piece in zip(position.board.squares, position.pieces, strict=True):
        if not piece.is_blank:
            yield square.name, piece, 0.0, position.look
    squares = [name for name, _ in position.men]
    for place, (name, piece) in enumerate(position.men):
        others = squares.count(name) - 1
        shift = 0.24 * (squares[:place].count(name) - others / 2)
        yield name, piece, shift, BoardLook.POINTS


def _wrapped(line: str, longest: int) -> list[str]:
    """A long line broken after commas or blanks."""
    if len(line) <= longest:
        return [line]
    comma = line.rfind(", ", 1, longest)
    cut = comma + 1 or line.rfind(" ", 1, longest)
    if cut < 0:
        cut = longest
    return [line[:cut], *_wrapped(line[cut:].strip(), longest)]


def _names(
    geometry: Geometry, left: float, top: float, position: Position, theme: Theme
) -> list[str]:
    bottom = top + geometry.height * UNIT + 9
    columns = [
        label(left + x * UNIT, bottom, name, 12, fill=theme.quiet) for name, x in geometry.columns
    ]
    rows = [
        label(left - 11, top + y * UNIT, name, 12, fill=theme.quiet) for name, y in geometry.rows
    ]
    return columns + rows + ([] if columns else _names_inside(geometry, left, top, position, theme))


def _names_inside(
    geometry: Geometry, left: float, top: float, position: Position, theme: Theme
) -> list[str]:
    """The names of squares, on boards without coordinates at the edge.

    A name is in the lower part of the square, so that the middle is free for a man, a mark or a
    click; in hexagons, narrow at the bottom, of empty squares alone.
    """
    assert position.board is not None
    pieces = zip(position.board.squares, position.pieces, strict=True)
    is_hidden = geometry.shape == "hexagon"
    taken = {square.name for square, piece in pieces if is_hidden and not piece.is_blank}
    below = 0.34 if is_hidden else 0.4
    return [
        label(left + x * UNIT, top + (y + below) * UNIT, name, 9, fill=theme.grain)
        for name, (x, y) in geometry.centres.items()
        if name not in taken
    ]


def _arrow(start: Point, end: Point, unit: float, colour: str) -> str:
    (x1, y1), (x2, y2) = start, end
    angle = atan2(y2 - y1, x2 - x1)
    tip = (x2 - 0.3 * cos(angle), y2 - 0.3 * sin(angle))
    wings = [
        (tip[0] - 0.28 * cos(angle + turn), tip[1] - 0.28 * sin(angle + turn))
        for turn in (0.5, -0.5)
    ]
    points = " ".join(f"{number(a * unit)},{number(b * unit)}" for a, b in (tip, *wings))
    foot = (x1 + 0.3 * cos(angle), y1 + 0.3 * sin(angle))
    shaft = element("line", x1=foot[0] * unit, y1=foot[1] * unit, x2=tip[0] * unit,
                    y2=tip[1] * unit, stroke=colour, stroke_width=unit / 12)  # fmt: skip
    return element("g", shaft, element("polygon", points=points, fill=colour), opacity="0.75")
