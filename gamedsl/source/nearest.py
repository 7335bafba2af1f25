"""The nearest of some names to a misspelt one: what "did you mean" proposes."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that reads most like `name`, or None if none is near."""
    unique = sorted(set(candidates) - {name})
    for candidate in unique:
        if candidate.lower() == name.lower():
            return candidate
    close = get_close_matches(name, unique, n=3, cutoff=0.65)
    if not close:
        return None
    return max(close, key=lambda other: (SequenceMatcher(None, name, other).ratio(), other))
