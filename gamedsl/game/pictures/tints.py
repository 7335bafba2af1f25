"""Colours of players in a terminal: of their men, and of their names.

In: the names of the players. Out: ANSI codes. Only colours that can be read on white and on black
alike are used; what has none of them is bold, and the letter of a man tells as before.
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
"""Of players whose names are no colours, in turn order."""
WON, LOST = _GREEN, _RED
"""Of what is good for the player to move, and what is bad."""


def tint_of(players: tuple[str, ...], index: int) -> str:
    """The colour of a player: that of the name, if it is one, else by turn order."""
    return NAMED.get(players[index].lower(), ORDER[index % len(ORDER)])


def tinted(text: str, tint: str) -> str:
    """The text in a colour; as it is in none."""
    return f"{tint}{text}{PLAIN}" if tint and text else text
