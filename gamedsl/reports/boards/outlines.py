"""Outlines of chessmen as paths, in a square of 100 by 100; drawn for this project."""

from __future__ import annotations

from gamedsl.game.pictures.looks import FIGURINES
from gamedsl.reports.svg import INK, element, number
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Outline:
    """The shapes of a man, and the lines within."""

    shapes: str
    lines: str = ""


OUTLINES = {
    "pawn": Outline(
        "M24 88 Q24 76 32 71 Q42 62 42 49 H35 V43 L41 39 A14 14 0 1 1 59 39 L65 43 V49 H58 "
        "Q58 62 68 71 Q76 76 76 88 Z"
    ),
    "rook": Outline(
        "M22 88 V79 L30 73 V42 L24 35 V16 H36 V24 H44 V16 H56 V24 H64 V16 H76 V35 L70 42 V73 "
        "L78 79 V88 Z",
        "M31 42 H69 M31 72 H69",
    ),
    "knight": Outline(
        "M30 88 Q28 72 43 60 Q52 53 50 45 Q42 50 35 57 Q29 63 22 58 Q17 52 22 45 Q32 30 38 23 "
        "L38 11 L49 19 Q80 24 79 66 Q79 78 77 88 Z",
        "M41 32 l3 1 M24 52 l3 0 M58 30 Q70 42 69 66",
    ),
    "bishop": Outline(
        "M24 88 Q24 78 40 73 L41 66 Q30 59 30 47 Q31 34 46 22 A6 6 0 1 1 54 22 Q69 34 70 47 "
        "Q70 59 59 66 L60 73 Q76 78 76 88 Z",
        "M50 34 V52 M41 43 H59 M41 66 H59",
    ),
    "queen": Outline(
        "M25 88 V80 L31 73 L20 38 A5 5 0 1 1 25 36 L36 54 L36 28 A5 5 0 1 1 41 27 L50 50 L59 27 "
        "A5 5 0 1 1 64 28 L64 54 L75 36 A5 5 0 1 1 80 38 L69 73 L75 80 V88 Z",
        "M31 73 Q50 67 69 73 M28 80 H72",
    ),
    "king": Outline(
        "M26 88 V80 L31 72 Q14 56 24 44 Q34 36 46 44 V30 H38 V22 H46 V13 H54 V22 H62 V30 H54 V44 "
        "Q66 36 76 44 Q86 56 69 72 L74 80 V88 Z",
        "M50 45 V66 M31 72 Q50 66 69 72 M28 80 H72",
    ),
}
"""Outlines by the names of men."""
NAMES = {sign: name for name, sign in FIGURINES.items()}
"""Names of men by their black signs; the white signs are six places before."""


def man_named(sign: str) -> tuple[str, bool] | None:
    """The name of the man of a chess sign, and whether the sign is white; None for other signs."""
    if sign in NAMES:
        return NAMES[sign], False
    black = chr(ord(sign) + 6) if len(sign) == 1 else ""
    return (NAMES[black], True) if black in NAMES else None


def man_group(name: str, x: float, y: float, unit: float, colours: tuple[str, str]) -> str:
    """A man with centre (x, y), in the colours of the body and of the lines within."""
    body, inner = colours
    outline, side = OUTLINES[name], 0.94 * unit
    place = f"translate({number(x - side / 2)} {number(y - 0.52 * side)}) scale({side / 100:.4g})"
    parts = [element("path", d=outline.shapes, fill=body, stroke=INK, stroke_width=3.6)]
    if outline.lines:
        parts.append(element("path", d=outline.lines, fill="none", stroke=inner, stroke_width=3.2))
    return element("g", *parts, class_=f"man {name}", transform=place, stroke_linejoin="round",
                   stroke_linecap="round")  # fmt: skip
