"""A state as an SVG picture: the board with pieces and the last move, and the rest as text.

The input is a `Position` (see `contents`). `board_group` draws the bare board inside another
picture, for the nodes of a tree.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, pi, sin, sqrt

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, JointAction
from gamedsl.model import State
from gamedsl.model.nodes.looks import VariableLook
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.boards.figures import Figure, figure_group, pit_centres
from gamedsl.reports.boards.geometry import Geometry, Point, geometry_of, sides_of
from gamedsl.reports.boards.pieces import piece_group, player_colour
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
LEAST_ROOM = 6 * UNIT
"""Least width for lines below a narrow board; wider lines would shrink a fitted picture too much.
"""

LIGHT, DARK, LINE = "#f7f3ea", "#ece4d3", "#8d8371"
LAST, ARROW = "#ffe08a", "#c2410c"


def state_svg(
    game: LoadedGame,
    state: State,
    viewer: int | None = None,
    last: tuple[State, Action | JointAction] | None = None,
) -> str:
    """A picture of a state, as seen by `viewer` (None: everything is visible).

    `last`: the previous state and the last action.
    """
    return position_svg(position_of(game, state, viewer, last))


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


def position_svg(position: Position) -> str:
    """A picture of a position."""
    sheet = _sheet(position)
    drawn, height = list(sheet.drawn), sheet.height
    for _, group, left, top in sheet.figures:
        drawn.append(element("g", group, transform=f"translate({number(left)} {number(top)})"))
    for line in sheet.lines:
        drawn.append(label(sheet.width / 2, height + LINE_HEIGHT / 2, line, LINE_SIZE))
        height += LINE_HEIGHT
    title = f"{position.title}: {position.lines[-1]}"
    return document(sheet.width, height + MARGIN / 2, title, *drawn)


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

    Parts: the board, the lines below, and figures with group, width and height.
    """

    width: float
    geometry: Geometry | None
    lines: tuple[str, ...]
    figures: tuple[tuple[Figure, str, float, float], ...]

    @property
    def left(self) -> float:
        """The left edge of the centred board."""
        return (self.width - (self.geometry.width if self.geometry else 0.0) * UNIT) / 2


def _frame(position: Position) -> _Frame:
    geometry, room, longest = None, WIDEST_ROW, LONGEST_LINE
    if position.board is not None:
        geometry = geometry_of(position.board, position.look)
        room = max(LEAST_ROOM, geometry.width * UNIT)
        longest = min(longest, int(room / text_width("n", LINE_SIZE)))
    lines = tuple(part for line in position.lines for part in _wrapped(line, longest))
    figures = tuple((figure, *figure_group(figure, room)) for figure in position.figures)
    wide = [text_width(line, LINE_SIZE) for line in lines] + [wide for _, _, wide, _ in figures]
    wide += [geometry.width * UNIT] if geometry is not None else []
    wide += [_small_boards_width(position) - 2 * MARGIN] if position.small_boards else []
    return _Frame(max(wide) + 2 * MARGIN, geometry, lines, figures)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A picture without the lines below: boards, and figures with groups, left and upper edges."""

    width: float
    height: float
    drawn: tuple[str, ...]
    figures: tuple[tuple[Figure, str, float, float], ...]
    lines: tuple[str, ...]


def _sheet(position: Position) -> _Sheet:
    frame = _frame(position)
    height = MARGIN / 2
    drawn: list[str] = []
    stood: list[tuple[Figure, str, float, float]] = []
    if frame.geometry is not None:
        board = board_group(position, frame.left, height, UNIT)
        drawn += [board, *_names(frame.geometry, frame.left, height, position)]
        height += frame.geometry.height * UNIT + (MARGIN if frame.geometry.columns else 8)
    if position.small_boards:
        small_boards, high = _other_boards(
            position, (frame.width - _small_boards_width(position)) / 2, height
        )
        drawn.append(small_boards)
        height += high
    for figure, group, wide, high in frame.figures:
        stood.append((figure, group, (frame.width - wide) / 2, height + 4))
        height += high + 12
    return _Sheet(frame.width, height, tuple(drawn), tuple(stood), frame.lines)


def _small_boards_width(position: Position) -> float:
    """The width of the titled boards in rows."""
    per_row, wide, _ = _other_places(position)
    return per_row * wide + MARGIN


def _other_places(position: Position) -> tuple[int, float, float]:
    """The number of titled boards per row, and the width and height of a board."""
    assert position.shape is not None
    geometry = geometry_of(position.shape, position.look)
    wide, high = geometry.width * SMALL + MARGIN, geometry.height * SMALL + LINE_HEIGHT + 8
    return max(1, min(len(position.small_boards), int(WIDEST_ROW // wide))), wide, high


def _other_boards(position: Position, left: float, top: float) -> tuple[str, float]:
    """The titled boards in rows, and the total height."""
    bare = [
        replace(
            position,
            board=position.shape,
            pieces=small_board.pieces,
            last=small_board.last,
            rings=(),
            arrow=None,
        )
        for small_board in position.small_boards
    ]
    per_row, wide, high = _other_places(position)
    parts = []
    for place, (small_board, board) in enumerate(zip(position.small_boards, bare, strict=True)):
        row, column = divmod(place, per_row)
        x, y = left + MARGIN + column * wide, top + row * high
        parts.append(
            label(x + (wide - MARGIN) / 2, y + LINE_HEIGHT / 2, small_board.title, LINE_SIZE)
        )
        parts.append(board_group(board, x, y + LINE_HEIGHT, SMALL))
    rows = -(-len(bare) // per_row)
    return element("g", *parts), rows * high


def board_group(position: Position, x: float, y: float, unit: float) -> str:
    """The bare board with pieces, the upper left corner at (x, y), `unit` pixels per square."""
    assert position.board is not None
    geometry = geometry_of(position.board, position.look)
    parts = _other_colour(geometry, unit)
    parts += [_edge(geometry, first, second, unit) for first, second in geometry.edges]
    parts += [
        _square(geometry, square.name, square.name in position.last, unit)
        for square in position.board.squares
    ]
    for way, player in position.edges:
        colour = player_colour(position.players, player)
        for x1, y1, x2, y2 in sides_of(position.board, geometry, way):
            parts.append(
                element("line", x1=x1 * unit, y1=y1 * unit, x2=x2 * unit, y2=y2 * unit,
                        stroke=colour, stroke_width=unit / 8, stroke_linecap="round")
            )  # fmt: skip
    for square, piece in zip(position.board.squares, position.pieces, strict=True):
        if not piece.is_blank:
            across, up = geometry.centres[square.name]
            parts.append(piece_group(piece, across * unit, up * unit, unit, position.players))
    for _, name in position.rings:
        cx, cy = geometry.centres[name]
        parts.append(
            element("circle", cx=cx * unit, cy=cy * unit, r=0.42 * unit, fill="none",
                    stroke=ARROW, stroke_width=max(1.0, unit / 14))
        )  # fmt: skip
    if position.arrow is not None:
        start, end = position.arrow
        parts.append(_arrow(geometry.centres[start], geometry.centres[end], unit))
    return element("g", *parts, class_="board", transform=f"translate({number(x)} {number(y)})")


def _wrapped(line: str, longest: int) -> list[str]:
    """A long line broken after commas or blanks."""
    if len(line) <= longest:
        return [line]
    comma = line.rfind(", ", 1, longest)
    cut = comma + 1 or line.rfind(" ", 1, longest)
    if cut < 0:
        cut = longest
    return [line[:cut], *_wrapped(line[cut:].strip(), longest)]


def _names(geometry: Geometry, left: float, top: float, position: Position) -> list[str]:
    bottom = top + geometry.height * UNIT + 9
    columns = [label(left + x * UNIT, bottom, name, 12, fill=LINE) for name, x in geometry.columns]
    rows = [label(left - 11, top + y * UNIT, name, 12, fill=LINE) for name, y in geometry.rows]
    return columns + rows + ([] if columns else _names_inside(geometry, left, top, position))


def _names_inside(geometry: Geometry, left: float, top: float, position: Position) -> list[str]:
    """The names of squares, on boards without coordinates at the edge.

    A name is in the lower part of the square; in hexagons, narrow at the bottom, in the middle of
    empty squares.
    """
    assert position.board is not None
    pieces = zip(position.board.squares, position.pieces, strict=True)
    is_hidden = geometry.shape == "hexagon"
    taken = {square.name for square, piece in pieces if is_hidden and not piece.is_blank}
    below, size = (0.0, 12) if is_hidden else (0.4, 9)
    return [
        label(left + x * UNIT, top + (y + below) * UNIT, name, size, fill=LINE)
        for name, (x, y) in geometry.centres.items()
        if name not in taken
    ]


def _edge(geometry: Geometry, start: str, end: str, unit: float) -> str:
    (x1, y1), (x2, y2) = geometry.centres[start], geometry.centres[end]
    return element("line", x1=x1 * unit, y1=y1 * unit, x2=x2 * unit, y2=y2 * unit, stroke=LINE,
                   stroke_width=max(1.0, unit / 22))  # fmt: skip


def _other_colour(geometry: Geometry, unit: float) -> list[str]:
    """The squares of the second colour, if a chequered board holds only squares of the first."""
    if geometry.shape != "square" or not geometry.is_chequered:
        return []
    colours = {_is_dark(geometry, x, y) for x, y in geometry.centres.values()}
    if len(colours) > 1 or abs(2 * len(geometry.centres) - geometry.width * geometry.height) > 1:
        return []
    wide, high = geometry.width * unit, geometry.height * unit
    fill = LIGHT if True in colours else DARK
    return [element("rect", x=0, y=0, width=wide, height=high, fill=fill, stroke=LINE)]


def _is_dark(geometry: Geometry, x: float, y: float) -> bool:
    return round(x + geometry.height - y) % 2 == 1


def _square(geometry: Geometry, name: str, is_last: bool, unit: float) -> str:
    x, y = geometry.centres[name]
    line = max(0.6, unit / 44)
    match geometry.shape:
        case "point":
            size = 0.44 if is_last else 0.1 if geometry.has_dots else 0.03
            fill = LAST if is_last else LINE
            return element("circle", cx=x * unit, cy=y * unit, r=size * unit, fill=fill)
        case "hexagon":
            corners = [
                (x + sin(pi * k / 3) / sqrt(3), y + cos(pi * k / 3) / sqrt(3)) for k in range(6)
            ]
            points = " ".join(f"{number(a * unit)},{number(b * unit)}" for a, b in corners)
            fill = LAST if is_last else LIGHT
            return element("polygon", points=points, fill=fill, stroke=LINE, stroke_width=line)
        case _:
            is_dark = geometry.is_chequered and _is_dark(geometry, x, y)
            fill = LAST if is_last else DARK if is_dark else LIGHT
            return element("rect", x=(x - 0.5) * unit, y=(y - 0.5) * unit, width=unit, height=unit,
                           fill=fill, stroke=LINE, stroke_width=line)  # fmt: skip


def _arrow(start: Point, end: Point, unit: float) -> str:
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
                    y2=tip[1] * unit, stroke=ARROW, stroke_width=unit / 12)  # fmt: skip
    return element("g", shaft, element("polygon", points=points, fill=ARROW), opacity="0.75")
