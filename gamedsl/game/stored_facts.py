"""What was read from a file is held against what it can be, before anybody relies on it.

In: facts as JSON has them, and for each name what it may be. Out: a `SolutionFileError` that names
the fact, or nothing. A number that shows only when it is read is refused by who reads it, with the
same error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

MOST = 1 << 48
"""No file holds more of anything."""
LONGEST = 60
"""Characters of a value that a message shows."""
FRACTION = re.compile("-?[0-9]+(/0*[1-9][0-9]*)?")

Shape = Callable[[Any], bool]
"""Whether a value can be what it is said to be."""


class SolutionFileError(ValueError):
    """A file is not a solution, or not the one that was written."""


def refuse_odd(facts: Any, shapes: Mapping[str, Shape], within: str = "its facts") -> None:
    """Raise SolutionFileError where a fact is missing, or cannot be what it is."""
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
    """Whether it is a text."""
    return isinstance(value, str)


def is_count(value: Any) -> bool:
    """Whether it is a number from 0 on that counts something in a file."""
    return type(value) is int and 0 <= value < MOST


def is_number(value: Any) -> bool:
    """Whether it is a whole number of 64 bits."""
    return type(value) is int and abs(value) < 1 << 63


def is_anything(value: Any) -> bool:
    """That it is there is all that matters."""
    return True


def is_truth(value: Any) -> bool:
    """Whether it is true or false."""
    return isinstance(value, bool)


def is_fraction(value: Any) -> bool:
    """Whether it is a fraction in words, as `str` writes one."""
    return isinstance(value, str) and FRACTION.fullmatch(value) is not None


def is_positive(value: Any) -> bool:
    """Whether it is a fraction above 0."""
    return is_fraction(value) and value[0] != "-" and value.partition("/")[0].strip("0") != ""


def is_size(value: Any) -> bool:
    """Whether it is a fraction from 0 on."""
    return is_fraction(value) and value[0] != "-"


def is_texts(value: Any) -> bool:
    """Whether it is texts by name."""
    return isinstance(value, dict) and all(map(is_text, value.values()))


def is_names(value: Any) -> bool:
    """Whether it is values by name."""
    return isinstance(value, dict)


def many(shape: Shape, count: int | None = None) -> Shape:
    """Whether it is a list of such values; `count`: of so many."""
    return lambda value: (
        isinstance(value, list) and count in {None, len(value)} and all(map(shape, value))
    )


def either(*shapes: Shape) -> Shape:
    """Whether it is one of these."""
    return lambda value: any(shape(value) for shape in shapes)


def is_nothing(value: Any) -> bool:
    """Whether it is null."""
    return value is None
