"""Detection of slips of the pen between two names: `centre` and `center`, `corner` and `coner`.

Families of names are not slips: `n1` and `n2`, `tl` and `tr`, `inner_n` and `inner_s` differ in a
number, a short part or the end of a word.
"""

from __future__ import annotations

import re

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_a-zA-Z]+|\d+|_+")

SHORTEST = 4
"""Words of fewer letters are not compared: `tl` and `lt` may both be meant."""
SHORTEST_IN_FULL = 6
"""From this number of letters on, a letter added, missing or changed inside a word is a slip
too."""


def is_slip(first: str, second: str) -> bool:
    """Whether two names differ by a slip of the pen."""
    if (
        first == second
        or min(len(first), len(second)) < SHORTEST
        or abs(len(first) - len(second)) > 1
    ):
        return False
    if first.lower() == second.lower():
        return True
    left, right = _PARTS.findall(first), _PARTS.findall(second)
    if len(left) != len(right):
        return False
    different = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    return len(different) == 1 and _is_misspelt(*different[0])


def _is_misspelt(first: str, second: str) -> bool:
    """Whether two words differ by two swapped letters, or by a single letter inside."""
    short, long = sorted((first.lower(), second.lower()), key=len)
    if not (first.isalpha() and second.isalpha()) or len(short) < SHORTEST:
        return False
    start = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), None)
    if start is None:  # a letter added at the end: `inner` and `innern` are a family
        return False
    rest_short, rest_long = short[start:], long[start:]
    if len(short) == len(long):
        if rest_short[:2] == rest_long[1::-1] and rest_short[2:] == rest_long[2:]:
            return True
        is_inside = 0 < start < len(short) - 1
        return len(long) >= SHORTEST_IN_FULL and is_inside and rest_short[1:] == rest_long[1:]
    return len(long) >= SHORTEST_IN_FULL and start > 0 and rest_short == rest_long[1:]
