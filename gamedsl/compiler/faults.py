"""Errors in the game as compiled code meets them: numbered sites, each with its message.

In: where a guard stands and what it guards. Out: a site number for the code, and for the engine
the error that a failed guard means. The code hands over up to two integers (a code, a cell).
What is said is that of all engines (`gamedsl.model.messages`).
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
"""From what a guard found, and the cell, to what it says, and a hint."""


class Fault(Exception):  # noqa: N818 - it carries a site, the engine makes an error of it
    """A guard failed in generated code: the site's number and what was found there."""


@dataclass(frozen=True, slots=True)
class Site:
    """A guard: its error code, where it stands, and the message and hint for what was found."""

    code: str
    span: Span | None
    message: Message

    def error(self, found: int, place: int) -> GameRuleError:
        """The error that the failed guard means."""
        return GameRuleError.of(self.code, self.message(found, place), self.span)


def idle_message(name: str) -> Message:
    """The message of a guard against a player who cannot choose."""
    return lambda _, __: idle_player(name)
