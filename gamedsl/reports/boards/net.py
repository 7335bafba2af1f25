"""The net of a cube whose corners are named after their faces, as `ufl` for up, front and left.

In: for each place of a corner, the corner that is there and its twist, the number of thirds of a
turn clockwise from the outside, counted by the first letter of both names (Singmaster's notation
of faces). Out: SVG.
"""

from __future__ import annotations

from gamedsl.model.nodes.corners import FACES, clockwise, corner_names
from gamedsl.reports.svg import INK, element

SIDE = 26.0
COLOURS = {"u": "#ffffff", "d": "#f2c230", "f": "#3f8f4f", "b": "#2f6fb3", "l": "#e07b22",
           "r": "#d23f3f"}  # fmt: skip
"""The usual colours of the faces, white up and green in front."""
AT = {"u": (2, 0), "l": (0, 2), "f": (2, 2), "r": (4, 2), "b": (6, 2), "d": (2, 4)}
"""The column and row of a face's upper left sticker."""
CELLS = {
    "u": {"bl": (0, 0), "br": (1, 0), "fl": (0, 1), "fr": (1, 1)},
    "d": {"fl": (0, 0), "fr": (1, 0), "bl": (0, 1), "br": (1, 1)},
    "f": {"lu": (0, 0), "ru": (1, 0), "dl": (0, 1), "dr": (1, 1)},
    "b": {"ru": (0, 0), "lu": (1, 0), "dr": (0, 1), "dl": (1, 1)},
    "l": {"bu": (0, 0), "fu": (1, 0), "bd": (0, 1), "df": (1, 1)},
    "r": {"fu": (0, 0), "bu": (1, 0), "df": (0, 1), "bd": (1, 1)},
}
"""The column and row of a sticker within its face, by the two other letters of the corner."""


def net_group(corners: dict[str, tuple[str, int]]) -> tuple[str, float, float]:
    """The net with width and height; places that are not named hold their own corners."""
    shown = {frozenset(name): (name, 0) for name in corner_names()}
    places = {frozenset(name): name for name in corner_names()}
    for place, (corner, twist) in corners.items():
        places[frozenset(place)] = place
        shown[frozenset(place)] = (corner, twist)
    parts = []
    for letters, place in places.items():
        corner, twist = shown[letters]
        faces, stickers = clockwise(place), clockwise(corner)
        for number, face in enumerate(faces):
            colour = COLOURS[stickers[(number - twist) % len(FACES[face])]]
            column, row = CELLS[face]["".join(sorted(letters - {face}))]
            left, top = AT[face]
            parts.append(
                element("rect", x=(left + column) * SIDE + 4 * (left // 2),
                        y=(top + row) * SIDE + 4 * (top // 2), width=SIDE, height=SIDE, rx=3,
                        fill=colour, stroke=INK, class_="sticker")
            )  # fmt: skip
    return "".join(parts), 8 * SIDE + 12, 6 * SIDE + 8
