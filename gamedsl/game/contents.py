"""The contents of a state's variables, as Python values.

Numbers and truth values are unchanged, names (of squares, players, pieces) become `str`, `none`
becomes None, lists become tuples. Contents that a viewer does not see are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from gamedsl.model import Model, State
from gamedsl.model.nodes import Variable
from gamedsl.model.values import NONE, Value, text_of
from gamedsl.source import nearest

Held = int | Fraction | str | tuple[object, ...] | None
"""The content of one cell."""
Contents = Held | dict[object, Held]
"""The content of a variable: one value, or the values of its cells by index: `"a1"`, `3`, and for
several indices `("X", "a1")`.
"""
SHOWN = 4
"""Number of indices proposed in a message."""


class NoSuchCellError(KeyError):
    """The variable or cell does not exist, or is hidden from the viewer; the message tells
    which.
    """

    def __str__(self) -> str:
        return str(self.args[0])


def variable_named(model: Model, name: str) -> Variable:
    """The variable. Raises `NoSuchCellError` with a proposal."""
    variables = {variable.name: variable for variable in model.variables}
    if name not in variables:
        near = nearest(name, variables)
        hint = f"did you mean `{near}`?" if near else f"it has {', '.join(variables) or 'none'}"
        raise NoSuchCellError(f"this game has no variable `{name}`; {hint}")
    return variables[name]


def contents_of(variable: Variable, state: State, viewer: int | None) -> Contents:
    """The value of a variable, or the values of its cells by index.

    Raises:
        NoSuchCellError: the variable has no index, and is not set yet or hidden from the viewer.
    """
    if variable.indices:
        cells = _cells(variable)
        seen = {index: cell for index, cell in cells if _is_seen(variable, state, viewer, cell)}
        return {index: _held(variable, state, cell) for index, cell in seen.items()}
    if not _is_seen(variable, state, viewer, 0):
        raise _unseen(variable, 0)
    return _held(variable, state, 0)


def cell_of(variable: Variable, state: State, viewer: int | None, *index: object) -> Held:
    """The value of one cell. Raises `NoSuchCellError`."""
    if not variable.indices:
        raise NoSuchCellError(f"`{variable.name}` has no index: ask for it alone")
    cells = dict(_cells(variable))
    wanted = index if len(index) > 1 else index[0]
    if wanted not in cells:
        few = ", ".join(map(repr, list(cells)[:SHOWN])) + (", ..." if len(cells) > SHOWN else "")
        raise NoSuchCellError(f"`{variable.name}` has no cell {wanted!r}; its indices are {few}")
    cell = cells[wanted]
    if not _is_seen(variable, state, viewer, cell):
        raise _unseen(variable, cell)
    return _held(variable, state, cell)


def _cells(variable: Variable) -> Iterator[tuple[object, int]]:
    """Every index with the number of its cell."""
    every = product(*(map(as_python, domain.values) for domain in variable.indices))
    for number, index in enumerate(every):
        if number not in variable.missing:
            yield index if len(index) > 1 else index[0], number


def _is_seen(variable: Variable, state: State, viewer: int | None, cell: int) -> bool:
    is_open = viewer is None or variable.is_seen(cell, viewer)
    return is_open and state.cells[variable.offset + cell] is not None


def _held(variable: Variable, state: State, cell: int) -> Held:
    digit = state.cells[variable.offset + cell]
    assert digit is not None, "what is asked for is set"
    return as_python(variable.domain.values[digit])


def _unseen(variable: Variable, cell: int) -> NoSuchCellError:
    return NoSuchCellError(f"`{variable.cell_name(cell)}` is not set yet, or is hidden from here")


def as_python(value: Value) -> Held:
    """A value of the language as a Python value."""
    if value is NONE:
        return None
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, tuple):
        return tuple(map(as_python, value))
    return text_of(value)
