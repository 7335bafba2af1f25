"""Game errors raised by compiled code: numbered sites, each with its message.

A guard in the code has a site number. When a guard fails, the code passes the site number and up to
two integers (a code, a cell), from which the engine makes the error. The messages are shared by all
engines (`gamedsl.model.messages`).
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.model.errors import GameRuleError
from gamedsl.model.messages import (
    BOTH_KINDS,
    NO_PLAYER,
    NOTHING_TO_DRAW,
    WEIGHTS,
    Said,
    idle_player,
    missing_cell,
    no_moves,
    off_the_board,
    out_of_range,
)
from gamedsl.source import Span
from gamedsl.source.records import dataclass

__all__ = [
    "BOTH_KINDS",
    "NOTHING_TO_DRAW",
    "NO_PLAYER",
    "WEIGHTS",
    "Fault",
    "Message",
    "Site",
    "idle_message",
    "idle_player",
    "missing_cell",
    "no_moves",
    "off_the_board",
    "out_of_range",
]

Message = Callable[[int, int], Said]
"""Maps the value found by a guard, and the cell, to the message and a hint."""


class Fault(Exception):  # noqa: N818 - it carries a site, the engine makes an error of it
    """A guard failed in generated code: the site's number and the values found there."""


@dataclass(frozen=True, slots=True)
class Site:
    """A guard: its error code, its place, and a function for the message and hint."""

    code: str
    span: Span | None
    message: Message

    def error(self, detail: int, place: int) -> GameRuleError:
        """The error of the failed guard."""
        return GameRuleError.of(self.code, self.message(detail, place), self.span)


def idle_message(name: str) -> Message:
    """The message of a guard against a player who cannot choose."""
    return lambda _, __: idle_player(name)
