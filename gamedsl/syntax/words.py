"""Words that begin sections, statements and blocks. The form of a whole line is left to the
grammar."""

from __future__ import annotations

SECTIONS = (
    "include", "without", "game", "param", "players", "type", "board", "directions", "state",
    "setup", "move", "simultaneous", "otherwise", "def", "effect", "end", "endless", "repeat",
    "evaluate", "discount", "show", "tree", "expect",
)  # fmt: skip
"""Words that begin a line at the left margin."""

STATEMENTS = (
    "let", "if", "elif", "else", "for", "chance", "again", "included", "reward", "require",
    "ensure", "draw", "payoff",
)  # fmt: skip
"""Words that begin a line inside a block."""

HEADERS = frozenset(
    {"move", "simultaneous", "setup", "effect", "end", "if", "elif", "else", "for"}
)  # fmt: skip
"""Words whose lines head a block of statements."""
