"""Colours of players in a terminal, for their men and their names, as ANSI codes.

Only colours that are readable on both white and black are used; names of other colours become bold,
and the letters of men still identify the owner.
"""

from __future__ import annotations

PLAIN = "\033[0m"
BOLD = "\033[1m"
_RED, _GREEN, _BLUE, _PURPLE = (f"\033[1;{number}m" for number in (31, 32, 34, 35))
NAMED = {
    "red": _RED, "green": _GREEN, "blue": _BLUE, "purple": _PURPLE, "pink": _PURPLE,
    "white": BOLD, "yellow": BOLD, "orange": BOLD, "black": "", "brown": "", "grey": "", "gray": "",
}  # fmt: skip
ORDER = (_BLUE, _PURPLE, _GREEN, _RED)
"""Colours of players whose names are no colours, in turn order."""
WON, LOST = _GREEN, _RED
"""Colours of values that are good or bad for the player to move."""


def tint_of(players: tuple[str, ...], index: int) -> str:
    """The colour of a player: by name if the name is a colour, else by turn order."""
    return NAMED.get(players[index].lower(), ORDER[index % len(ORDER)])


def tinted(text: str, tint: str) -> str:
    """The text in a colour; unchanged without a colour."""
    return f"{tint}{text}{PLAIN}" if tint and text else text
