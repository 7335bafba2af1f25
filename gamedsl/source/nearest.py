"""The nearest of some names to a misspelt one: what "did you mean" proposes."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

SIMILAR = 0.65
"""How alike two names must be, from 0 to 1, for one to be proposed instead of the other."""
MISSPELT = 0.8
"""How alike, for one to be taken for a slip of the pen."""


def nearest(name: str, candidates: Iterable[str], cutoff: float = SIMILAR) -> str | None:
    """The candidate that reads most like `name`, or None if none is near."""
    unique = sorted(set(candidates) - {name})
    for candidate in unique:
        if candidate.lower() == name.lower():
            return candidate
    if len(name) < 2:
        return None
    for candidate in unique:
        if sorted(candidate) == sorted(name):
            return candidate
    close = get_close_matches(name, unique, n=3, cutoff=cutoff)
    if not close:
        return None
    return max(close, key=lambda other: (SequenceMatcher(None, name, other).ratio(), other))
