"""Pack the locals of a body that waits for chance into plain data, and unpack them.

A state must hold only digits and data that compare and pickle by value. Atoms compare by identity,
so packed data hold the atom's name.
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
    """The value behind packed data; `atoms` are the game's atoms by name."""
    if isinstance(data, tuple):
        return data if are_numbers(data) else tuple(unpacked(item, atoms) for item in data)
    value: Value = atoms[data] if isinstance(data, str) else data
    return value


def are_numbers(values: tuple[Any, ...]) -> bool:
    """Whether all values are whole numbers or truth values. Number tuples stay unchanged, since the
    remaining elements of a loop may be many."""
    return {int, bool}.issuperset(map(type, values))
