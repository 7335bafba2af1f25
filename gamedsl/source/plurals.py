"""Numbers of things in words, the same in every message."""

from __future__ import annotations

PLURALS = {"ply": "plies", "history": "histories", "child": "children"}


def count(number: int, noun: str) -> str:
    """`1 ply`, `5,478 positions`."""
    return f"{number:,} {noun if number == 1 else PLURALS.get(noun, noun + 's')}"
