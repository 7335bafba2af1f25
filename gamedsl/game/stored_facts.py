"""Validation of facts read from a file, before the facts are used.

Facts are checked as parsed JSON, by a predicate per name. A violation raises a `SolutionFileError`
that names the fact. Numbers that are read later are checked by their readers, with the same error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

MOST = 1 << 48
"""Limit on counts in a file."""
LONGEST = 60
"""Characters of a value that a message shows."""
FRACTION = re.compile("-?[0-9]+(/0*[1-9][0-9]*)?")

Shape = Callable[[Any], bool]
"""Predicate: whether a value is valid for a fact."""


class SolutionFileError(ValueError):
    """A file is not a solution, or differs from the file that was written."""


def refuse_odd(facts: Any, shapes: Mapping[str, Shape], within: str = "its facts") -> None:
    """Raise SolutionFileError where a fact is missing or invalid."""
    if not isinstance(facts, dict):
        raise SolutionFileError(f"{within} have no names")
    for name, is_right in shapes.items():
        if name not in facts:
            raise SolutionFileError(f"{within} have no `{name}`")
        if not is_right(facts[name]):
            shown = repr(facts[name])
            shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."
            raise SolutionFileError(f"{within} have {shown} as `{name}`, which cannot be")


def is_text(value: Any) -> bool:
    """Whether a value is a text."""
    return isinstance(value, str)


def is_count(value: Any) -> bool:
    """Whether a value is a count: a number from 0 to below `MOST`."""
    return type(value) is int and 0 <= value < MOST


def is_number(value: Any) -> bool:
    """Whether a value is a whole number of 64 bits."""
    return type(value) is int and abs(value) < 1 << 63


def is_anything(value: Any) -> bool:
    """Accepts every value; only the presence of the fact is checked."""
    return True


def is_truth(value: Any) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool)


def is_fraction(value: Any) -> bool:
    """Whether a value is a text of a fraction, as written by `str`."""
    return isinstance(value, str) and FRACTION.fullmatch(value) is not None


def is_positive(value: Any) -> bool:
    """Whether a value is a text of a positive fraction."""
    return is_fraction(value) and value[0] != "-" and value.partition("/")[0].strip("0") != ""


def is_size(value: Any) -> bool:
    """Whether a value is a text of a fraction from 0 on."""
    return is_fraction(value) and value[0] != "-"


def is_texts(value: Any) -> bool:
    """Whether a value is an object of texts."""
    return isinstance(value, dict) and all(map(is_text, value.values()))


def is_names(value: Any) -> bool:
    """Whether a value is an object."""
    return isinstance(value, dict)


def many(shape: Shape, count: int | None = None) -> Shape:
    """A predicate for lists of valid values; `count`: the required length."""
    return lambda value: (
        isinstance(value, list) and count in {None, len(value)} and all(map(shape, value))
    )


def either(*shapes: Shape) -> Shape:
    """A predicate for values that satisfy one of the shapes."""
    return lambda value: any(shape(value) for shape in shapes)


def is_nothing(value: Any) -> bool:
    """Whether a value is null."""
    return value is None
