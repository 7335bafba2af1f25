"""The nearest name to a misspelt name, for "did you mean" proposals."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

SIMILAR = 0.65
"""Least similarity of two names, from 0 to 1, for a proposal."""
MISSPELT = 0.8
"""Least similarity of two names, from 0 to 1, for a likely slip of the pen."""


def nearest(name: str, candidates: Iterable[str], cutoff: float = SIMILAR) -> str | None:
    """The candidate most similar to `name`, or None if no candidate is near."""
    return max(all_nearest(name, candidates, cutoff), default=None)


def all_nearest(name: str, candidates: Iterable[str], cutoff: float = SIMILAR) -> list[str]:
    """The candidates most similar to `name`: several if equally similar, none if none is near."""
    unique = sorted(set(candidates) - {name})
    for candidate in unique:
        if candidate.lower() == name.lower():
            return [candidate]
    if len(name) < 2:
        return []
    for candidate in unique:
        if sorted(candidate) == sorted(name):
            return [candidate]
    close = get_close_matches(name, unique, n=max(1, len(unique)), cutoff=cutoff)
    likeness = {match: SequenceMatcher(None, name, match).ratio() for match in close}
    greatest = max(likeness.values(), default=0.0)
    return [match for match in unique if likeness.get(match) == greatest]
