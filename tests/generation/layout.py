"""Lays statements out as lines: a block below its header, or on the same line where it may.

In: statements as headers and blocks. Out: lines with indentation. Whether a short block goes on
the line of its header is decided by the dice, so that both ways are parsed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.generation.dice import Dice

STEP = "    "


@dataclass(frozen=True, slots=True)
class Line:
    """A statement on one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Loop:
    """`for ...` without its colon, and its block."""

    header: str
    body: Block


@dataclass(frozen=True, slots=True)
class Branches:
    """`if ...`, `elif ...`, `else`, without colons, each with its block."""

    parts: tuple[tuple[str, Block], ...]


Statement = Line | Loop | Branches
Block = tuple[Statement, ...]


def section(dice: Dice, header: str, body: Block) -> list[str]:
    """The lines of `header:` and its block; a simple statement alone perhaps on its line."""
    if len(body) == 1 and isinstance(body[0], Line) and dice.happens(50):
        return [f"{header}: {body[0].text}"]
    return [f"{header}:", *indented(lines_of(dice, body))]


def lines_of(dice: Dice, body: Block) -> list[str]:
    """The lines of a block, not indented."""
    found: list[str] = []
    for statement in body:
        found += _lines(dice, statement)
    return found


def indented(lines: Iterable[str]) -> list[str]:
    """Lines one step further in."""
    return [STEP + line for line in lines]


def _lines(dice: Dice, statement: Statement) -> list[str]:
    match statement:
        case Line():
            return [statement.text]
        case Loop():
            inline = _inline(dice, statement.body)
            if inline is not None and dice.happens(40):
                return [f"{statement.header}: {inline}"]
            return [f"{statement.header}:", *indented(lines_of(dice, statement.body))]
        case Branches():
            found: list[str] = []
            for header, body in statement.parts:
                found += section(dice, header, body)
            return found


def _inline(dice: Dice, body: Block) -> str | None:
    """The block as the rest of a line: a statement, or a `for` or `if` that holds just one."""
    if len(body) != 1:
        return None
    match body[0]:
        case Line(text=text):
            return text
        case Loop(header=header, body=inner):
            rest = _inline(dice, inner)
            return None if rest is None else f"{header}: {rest}"
        case Branches(parts=((header, (Line(text=text),)),)):
            return f"{header}: {text}"
        case _:
            return None
