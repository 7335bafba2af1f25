"""Reading a text and saying what was found, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.game import read_program
from gamedsl.model import Model, check
from gamedsl.source import Diagnostic, SourceFile

HEAP = """game "One heap"
players A, B

state:
    left: 0..9 = 9
    kept: 0..9 = 0

move take(n in 1..3):
    require n <= left
    left -= n

end:
    if stuck: turn loses
"""
"""A small right game, to be spoilt in one place."""

BOARD = """game "Squares"
players X, O
board 3 wide 3 high

state:
    cell[square]: empty | players = empty
    n: 0..9 = 0

move mark(s in square):
    require cell[s] == empty
    cell[s] = turn

end:
    for p in players:
        if line(cell, p, 3): p wins
    if full(cell): draw
"""
"""Another one, with a board."""


def spoilt(text: str, old: str, new: str) -> str:
    """The text with `new` in place of `old`, which it must hold."""
    assert old in text, old
    return text.replace(old, new, 1)


def checked(
    text: str, parameters: Mapping[str, str] | None = None
) -> tuple[Model | None, list[Diagnostic]]:
    """The model of a text, and everything found in it."""
    source = SourceFile("test.game", text)
    program, wrong = read_program(source)
    model, more = check(program, parameters)
    return (None if wrong else model), [*wrong, *more]


def model_of(text: str, **parameters: str) -> Model:
    """The model of a right text."""
    model, found = checked(text, parameters)
    assert model is not None, [one.message for one in found]
    return model


def errors(text: str, parameters: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """Code and message of each error."""
    return [(one.code, one.message) for one in checked(text, parameters)[1] if one.is_error]
