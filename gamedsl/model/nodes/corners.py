"""Names of the corners of a cube: three letters, of faces that meet."""

from __future__ import annotations

from itertools import product

from gamedsl.model.nodes import Variable
from gamedsl.model.values import text_of

FACES = {"u": (0, 1, 0), "d": (0, -1, 0), "f": (0, 0, 1), "b": (0, 0, -1), "r": (1, 0, 0),
         "l": (-1, 0, 0)}  # fmt: skip
"""The outward directions of the faces: to the right, upwards, and to the front."""


def corner_names() -> list[str]:
    """The eight corners, each face up or down first."""
    return ["".join(letters) for letters in product("ud", "fb", "lr")]


def is_corner(name: str) -> bool:
    """Whether a name has one letter for each of the three pairs of opposite faces."""
    return {frozenset(name)} <= {frozenset(corner) for corner in corner_names()} and len(name) == 3


def clockwise(name: str) -> str:
    """The letters of a corner in clockwise order, as seen from outside, from its first letter."""
    first, second, third = (FACES[letter] for letter in name)
    volume = sum(
        first[n] * (second[n - 2] * third[n - 1] - second[n - 1] * third[n - 2]) for n in range(3)
    )
    return name if volume < 0 else name[0] + name[2] + name[1]


def holds_corners(variable: Variable) -> bool:
    """Whether each place of a corner holds a corner, or the turn of a corner."""
    names = [text_of(v) for index in variable.indices for v in index.values]
    values = [text_of(v) for v in variable.domain.values]
    is_twist = values == ["0", "1", "2"]
    return (
        len(variable.indices) == 1
        and all(map(is_corner, names))
        and (is_twist or all(map(is_corner, values)))
    )
