"""A piece as SVG: a figurine, a cross or a ring, a disc, a tile, or a word."""

from __future__ import annotations

from gamedsl.game.pictures.looks import FIGURINES
from gamedsl.model.nodes.looks import COLOURS
from gamedsl.reports.boards.contents import Piece
from gamedsl.reports.svg import INK, element, label, size_that_fits

ARROW, FILLED, TILE = "#c2410c", "#8a5a33", "#e7c99a"
ROOM_ON_DISC, ROOM_ON_TILE = 0.6, 0.72
"""Share of a square available to a word; bold letters are wider than the estimate."""
ORDER = ("#2f6fb3", "#d9822b", "#3f8f4f", "#8757a8", "#b5434b", "#4f8f8f")
"""Colours of players whose names are no colours, in turn order."""
OUTLINES = {sign: chr(ord(sign) - 6) for sign in FIGURINES.values()}
"""Figurines as outlines."""
SIGNS = "DejaVu Sans, Segoe UI Symbol, Apple Symbols, sans-serif"
"""Fonts with the figurines."""
AS_TEXT = "\ufe0e"
"""Variation selector after a sign: text presentation, not an emoji picture."""
CROSSES, RINGS = frozenset({"x", "cross"}), frozenset({"o", "nought"})


def player_colour(players: tuple[str, ...], index: int) -> str:
    """The colour of a player: by name if the name is a colour, else by turn order."""
    named = COLOURS.get(players[index].lower())
    return named or ORDER[index % len(ORDER)]


def piece_group(piece: Piece, x: float, y: float, unit: float, players: tuple[str, ...]) -> str:
    """A piece on the square with centre (x, y)."""
    colour = piece.colour or (None if piece.owner is None else player_colour(players, piece.owner))
    parts = []
    if piece.is_filled:
        side = 0.76 * unit
        parts.append(element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side,
                             rx=0.08 * unit, fill=colour or FILLED))  # fmt: skip
    name = piece.word or ("" if piece.owner is None else players[piece.owner])
    figurine = piece.glyph or FIGURINES.get(piece.word, "")
    if figurine:
        parts.append(_figurine(figurine, x, y, unit, colour))
    elif name.lower() in CROSSES and (piece.owner is None or not piece.word):
        parts.append(_cross(x, y, unit, colour or ORDER[0]))
    elif name.lower() in RINGS and (piece.owner is None or not piece.word):
        parts.append(element("circle", cx=x, cy=y, r=0.29 * unit, fill="none",
                             stroke=colour or ORDER[1], stroke_width=0.12 * unit))  # fmt: skip
    else:
        parts += _disc_or_tile(piece, x, y, unit, players, colour)
    letters = [mark for mark in piece.marks if mark not in FIGURINES]
    for place, mark in enumerate(letters):
        left = x - 0.4 * unit + 0.2 * unit * place
        parts.append(label(left, y + 0.38 * unit, mark[0], 0.24 * unit, fill=ARROW))
    return "".join(parts)


def _figurine(sign: str, x: float, y: float, unit: float, colour: str | None) -> str:
    """A sign in the owner's colour; light signs have the outline drawn on top."""
    outline = OUTLINES.get(sign)
    fill = colour or INK
    layers = [(sign, fill)]
    if outline is not None and is_light(fill):
        layers.append((outline, INK))
    is_known = outline is not None
    return "".join(
        label(
            x, y, glyph + AS_TEXT if is_known else glyph, 0.86 * unit, fill=ink, font_family=SIGNS
        )
        for glyph, ink in layers
    )


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
    if piece.owner is not None:
        assert colour is not None
        ink = _ink_on(colour)
        crown = next((FIGURINES[mark] for mark in piece.marks if mark in FIGURINES), "")
        word = word or (crown and crown + AS_TEXT) or _sign(players, piece.owner)
        parts.append(element("circle", cx=x, cy=y, r=0.38 * unit, fill=colour, stroke=INK,
                             stroke_width=max(0.6, unit / 36)))  # fmt: skip
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
