"""Local names of a body that waits for chance, as plain data and back.

A state must hold nothing but digits and data that compare and pickle by value; an atom is an
object that is equal to itself alone, so its name stands for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from gamedsl.model.values import Atom, Value


def packed(value: Value) -> Hashable:
    """The value with names in place of atoms."""
    if isinstance(value, tuple):
        return value if are_numbers(value) else tuple(packed(item) for item in value)
    return value.name if isinstance(value, Atom) else value


def unpacked(data: Any, atoms: Mapping[str, Atom]) -> Value:
    """The value that was packed; `atoms` are those of the game by name."""
    if isinstance(data, tuple):
        return data if are_numbers(data) else tuple(unpacked(item, atoms) for item in data)
    found: Value = atoms[data] if isinstance(data, str) else data
    return found


def are_numbers(values: tuple[Any, ...]) -> bool:
    """Whether these are whole numbers and truth values alone, which stay as they are: loops keep
    what they still have to go through, and that may be many."""
    return {int, bool}.issuperset(map(type, values))
