"""A piece as SVG: a figurine, a cross or a ring, a disc, a tile, or a word."""

from __future__ import annotations

from gamedsl.game.pictures.looks import FIGURINES
from gamedsl.model.nodes.looks import COLOURS, BoardLook
from gamedsl.reports.boards.data import Piece
from gamedsl.reports.boards.outlines import man_group, man_named
from gamedsl.reports.svg import INK, element, label, number, size_that_fits

ARROW, FILLED, TILE = "#c2410c", "#8a5a33", "#e7c99a"
ROOM_ON_DISC, ROOM_ON_TILE = 0.6, 0.72
"""Share of a square available to a word; bold letters are wider than the estimate."""
ORDER = ("#2f6fb3", "#d9822b", "#3f8f4f", "#8757a8", "#b5434b", "#4f8f8f")
"""Colours of players whose names are no colours, in turn order."""
SIGNS = "DejaVu Sans, Segoe UI Symbol, Apple Symbols, sans-serif"
"""Fonts with further signs."""
WALLS, STONE = frozenset({"wall", "rock", "block"}), "#6f757d"
CROSSES, RINGS = frozenset({"x", "cross"}), frozenset({"o", "nought"})


def player_colour(players: tuple[str, ...], index: int) -> str:
    """The colour of a player: by name if the name is a colour, else by turn order."""
    named = COLOURS.get(players[index].lower())
    return named or ORDER[index % len(ORDER)]


def piece_group(
    piece: Piece,
    x: float,
    y: float,
    unit: float,
    players: tuple[str, ...],
    look: BoardLook = BoardLook.PLAIN,
) -> str:
    """A piece on the square with centre (x, y) of a board."""
    colour = piece.colour or (None if piece.owner is None else player_colour(players, piece.owner))
    parts = []
    if piece.is_filled:
        parts.append(_filling(x, y, unit, colour or FILLED, look))
        colour = piece.colour
    name = piece.word or ("" if piece.owner is None else players[piece.owner])
    figurine = piece.glyph or FIGURINES.get(piece.word, "")
    if figurine:
        parts.append(_figurine(figurine, x, y, unit, colour))
    elif name.lower() in CROSSES and (piece.owner is None or not piece.word):
        parts.append(_cross(x, y, unit, colour or ORDER[0]))
    elif name.lower() in RINGS and (piece.owner is None or not piece.word):
        parts.append(element("circle", cx=x, cy=y, r=0.29 * unit, fill="none",
                             stroke=colour or ORDER[1], stroke_width=0.12 * unit))  # fmt: skip
    elif name.lower() in WALLS and piece.owner is None:
        parts.append(element("rect", x=x - 0.5 * unit, y=y - 0.5 * unit, width=unit, height=unit,
                             fill=colour or STONE))  # fmt: skip
    elif not piece.is_filled:
        parts += _disc_or_tile(piece, x, y, unit, players, colour)
    letters = [mark for mark in piece.marks if mark not in FIGURINES]
    for place, mark in enumerate(letters):
        left = x - 0.4 * unit + 0.2 * unit * place
        parts.append(label(left, y + 0.38 * unit, mark[0], 0.24 * unit, fill=ARROW))
    return "".join(parts)


def _filling(x: float, y: float, unit: float, colour: str, look: BoardLook) -> str:
    """The only thing that a square can hold: a peg, a man on points, else the square filled."""
    if look in {BoardLook.HOLES, BoardLook.POINTS, BoardLook.FRAME}:
        peg = element("circle", cx=x, cy=y, r=0.33 * unit, fill=colour, stroke=INK,
                      stroke_width=max(0.6, unit / 36))  # fmt: skip
        return peg + element("circle", cx=x - 0.1 * unit, cy=y - 0.1 * unit, r=0.08 * unit,
                             fill="#ffffff", opacity="0.45")  # fmt: skip
    side = 0.76 * unit
    return element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side,
                   rx=0.08 * unit, fill=colour)  # fmt: skip


def _figurine(sign: str, x: float, y: float, unit: float, colour: str | None) -> str:
    """A chessman as an outline in the owner's colour, else of the sign; other signs as text."""
    man = man_named(sign)
    if man is None:
        return label(x, y, sign, 0.86 * unit, fill=colour or INK, font_family=SIGNS)
    name, is_white = man
    body = colour or ("#ffffff" if is_white else COLOURS["black"])
    return man_group(name, x, y, unit, (body, _ink_on(body)))


def _cross(x: float, y: float, unit: float, colour: str) -> str:
    reach = 0.28 * unit
    return "".join(
        element("line", x1=x - reach, y1=y - side * reach, x2=x + reach, y2=y + side * reach,
                stroke=colour, stroke_width=0.12 * unit, stroke_linecap="round")
        for side in (1, -1)
    )  # fmt: skip


def _disc_or_tile(
    piece: Piece, x: float, y: float, unit: float, players: tuple[str, ...], colour: str | None
) -> list[str]:
    parts = []
    ink = INK
    word = piece.word
    if piece.is_wedge and piece.owner is not None and colour is not None:
        parts.append(
            _wedge(x, y, unit, colour, is_up=(piece.owner == 0) is not piece.is_upside_down)
        )
        ink = _ink_on(colour)
    elif piece.owner is not None:
        assert colour is not None
        ink = _ink_on(colour)
        crown = next((mark for mark in piece.marks if mark in FIGURINES), "")
        word = word or ("" if crown else _sign(players, piece.owner))
        parts.append(element("circle", cx=x, cy=y, r=0.38 * unit, fill=colour, stroke=INK,
                             stroke_width=max(0.6, unit / 36)))  # fmt: skip
        if crown:
            parts.append(man_group(crown, x, y, 0.56 * unit, (_ink_on(colour), colour)))
    elif word.isdigit() or colour:
        parts.append(element("rect", x=x - 0.44 * unit, y=y - 0.44 * unit, width=0.88 * unit,
                             height=0.88 * unit, rx=0.08 * unit, fill=colour or TILE,
                             stroke=INK, stroke_width=max(0.6, unit / 44)))  # fmt: skip
        ink = _ink_on(colour or TILE)
    if word:
        room = ROOM_ON_DISC if piece.owner is not None else ROOM_ON_TILE
        size = size_that_fits(word, room * unit, 0.46 * unit)
        parts.append(label(x, y, word, size, fill=ink, font_weight="bold"))
    return parts


def _wedge(x: float, y: float, unit: float, colour: str, *, is_up: bool) -> str:
    """A tile that points up or down."""
    way = 1 if is_up else -1
    corners = ((0, -0.45), (0.32, -0.28), (0.38, 0.42), (-0.38, 0.42), (-0.32, -0.28))
    points = " ".join(f"{number(x + a * unit)},{number(y + way * b * unit)}" for a, b in corners)
    return element("polygon", points=points, fill=colour, stroke=INK,
                   stroke_width=max(0.6, unit / 36))  # fmt: skip


def _sign(players: tuple[str, ...], index: int) -> str:
    """The first letter of a player's name; "" if names are colours or share a first letter."""
    letters = [name[0] for name in players]
    is_colour = all(name.lower() in COLOURS for name in players)
    return "" if is_colour or len(set(letters)) < len(letters) else letters[index]


def _ink_on(colour: str) -> str:
    return INK if is_light(colour) else "#ffffff"


def is_light(colour: str) -> bool:
    """Whether dark lines are visible on a colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
