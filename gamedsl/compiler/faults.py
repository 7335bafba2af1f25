"""Errors in the game as compiled code meets them: numbered sites, each with its message.

In: where a guard stands and what it guards. Out: a site number for the code, and for the engine
the error that a failed guard means. The code hands over up to two integers (a code, a cell).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamedsl.model.errors import GameRuleError
from gamedsl.model.nodes import Variable
from gamedsl.model.values import Value, text_of
from gamedsl.source import Span

Message = Callable[[int, int], tuple[str, str | None]]
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
        message, hint = self.message(found, place)
        return GameRuleError(self.code, message, self.span, hint)


BOTH_KINDS = (
    "moves for one player and `simultaneous` moves are legal at the same time",
    "let `require` keep them apart",
)


NOTHING_TO_DRAW = "ask before with `if` or `require` whether there is anything to draw"
WEIGHTS = "in every state the last weight can be 1 minus all the others"
NO_PLAYER = "say what happens if it is nobody, on a line above"


def no_moves(name: str) -> tuple[str, str | None]:
    """Somebody is to move and cannot, and the game is not over."""
    return (
        f"{name} is to move and has no legal move, and the game is not over",
        "say in `end:` what happens: `if stuck: ...`, or add a move after `otherwise`",
    )


def idle_player(name: str) -> tuple[str, str | None]:
    """All choose at once, and somebody cannot."""
    return (
        f"all players choose at once, and {name} has no legal choice",
        "give everybody a choice, or none",
    )


def idle_message(name: str) -> Message:
    """The message of a guard against a player who cannot choose."""
    return lambda _, __: idle_player(name)


def out_of_range(variable: Variable, cell: int, value: Value) -> tuple[str, str | None]:
    """A value outside the domain of its variable; `cell` counts within the variable."""
    name, domain = variable.cell_name(cell), variable.domain
    numbers = [v for v in domain.values if isinstance(v, int) and not isinstance(v, bool)]
    if not numbers or not isinstance(value, int) or isinstance(value, bool):
        return f"`{name}` would be {text_of(value)}, its domain is `{domain}`", None
    low, high = min(numbers), max(numbers)
    keep = f"max({low}, ...)" if value < low else f"min({high}, ...)"
    return (
        f"`{name}` can reach {value}, its domain is `{domain}`",
        f"forbid it with `require`, write `{keep}`, or widen the domain",
    )


def off_the_board(variable: Variable) -> tuple[str, str | None]:
    """Writing to `a[none]`."""
    return (
        f"`{variable.name}[none]` is written to: that place is off the board",
        "make sure of it before: `require ... != none`",
    )
