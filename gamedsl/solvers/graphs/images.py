"""Symmetric images of states: rotated, mirrored, or with renamed values.

Symmetries are proved from the rules. Only symmetries that fix every player count, so that images
have equal values.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.model import Model, State, UnsupportedGameError
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import Symmetry, symmetries
from gamedsl.model.values import Atom, Value

Cells = tuple[int | None, ...]
Images = Callable[[State], frozenset[Cells]]
"""The cells of a state and of the state's images."""


def images_of(model: Model) -> Images:
    """A function from states to images.

    Raises:
        UnsupportedGameError: no symmetry can be proved from the rules, or no symmetry exists.
    """
    proved = symmetries(model)
    if isinstance(proved, Unknown):
        raise UnsupportedGameError(f"symmetries of {model.title} cannot be proved: {proved.reason}")
    used = [symmetry for symmetry in proved if symmetry.keeps_players]
    if not used:
        raise UnsupportedGameError(
            f"{model.title} has no symmetry that can be proved and leaves every player who they are"
        )
    tables = [_tables(model, symmetry) for symmetry in used]

    def images(state: State) -> frozenset[Cells]:
        cells = tuple(state.cells)
        return frozenset({cells, *(_image(cells, table) for table in tables)})

    return images


_Table = list[tuple[int, tuple[int, ...]]]
"""For a cell the image of the cell, and the images of its digits."""


def _tables(model: Model, symmetry: Symmetry) -> _Table:
    table = []
    for variable in model.variables:
        domain = variable.domain
        digits = tuple(domain.digit[_renamed(symmetry, value)] for value in domain.values)
        table += [(symmetry.cells[variable.offset + cell], digits) for cell in variable.cells]
    return table


def _renamed(symmetry: Symmetry, value: Value) -> Value:
    return symmetry.renaming.get(value, value) if isinstance(value, Atom) else value


def _image(cells: Cells, table: _Table) -> Cells:
    moved: list[int | None] = [None] * len(cells)
    for digit, (place, digits) in zip(cells, table, strict=True):
        moved[place] = None if digit is None else digits[digit]
    return tuple(moved)
