"""Explanations of the language's words in formulas and quoted rules.

A line explains a word unknown to readers of the textbook.
"""

from __future__ import annotations

from collections.abc import Iterable

MEANINGS = {
    "opponent": "opponent: the other one of two players, seen from turn",
    "next": "next(p): the player after p in turn order, the first one after the last",
    "other": "other(p): the other one of two players",
    "stuck": "stuck: turn has no legal move",
    "stuck()": "stuck(p, m): p, asked as if to move, has none of the moves m",
    "column": "column(q): the column of a square, from 1",
    "row": "row(q): the row of a square, from 1 at the bottom",
    "neighbours": "neighbours(q): the squares next to q",
    "chains": "chains: the lines of the board",
    "ray": "ray(q, d): the squares from q in direction d to the edge, without q",
    "sight": "sight(v, q, d): the squares from q in direction d, without q, up to and with the "
    "first square where v is not empty",
    "group": "group(v, q): the squares joined to q by neighbours that hold the same",
    "line": "line(v, x, n): n squares in a straight line all hold x",
    "full": "full(v): no cell of v is empty",
    "len": "len(l): how many items there are",
}
"""The syntax and meaning of a word."""


def words_used(names: Iterable[str]) -> tuple[str, ...]:
    """The explanations of the words that occur."""
    used = set(names)
    return tuple(meaning for word, meaning in MEANINGS.items() if word in used)
