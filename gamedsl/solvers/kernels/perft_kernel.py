"""The kernel of perft, written against the names that every generated module offers.

Its text is put behind a game's module. States are tuples of words, passed by value.
"""

from __future__ import annotations

from typing import Any

ENTRY = "entry"


def perft(state, depth, actions):  # type: ignore[no-untyped-def]
    """Plays of exactly `depth` plies; the last ply is counted without being carried out."""
    if end(*state)[0] != 0:
        return 0
    if depth == 1:
        return legal_count(*state)
    found = actions[depth]
    count = legal(*state, found)
    total = 0
    for number in range(count):
        total += perft(apply(*state, found[number]), depth - 1, actions)
    return total


def perft_each(state, depth, actions):  # type: ignore[no-untyped-def]
    """The same with every leaf carried out."""
    if depth == 0:
        return 1
    if end(*state)[0] != 0:
        return 0
    found = actions[depth]
    count = legal(*state, found)
    total = 0
    for number in range(count):
        total += perft_each(apply(*state, found[number]), depth - 1, actions)
    return total


end: Any
legal: Any
legal_count: Any
apply: Any
