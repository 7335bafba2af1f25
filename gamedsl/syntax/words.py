"""First words of sections and statements, and of blocks. The form of a whole line is left to the
grammar."""

from __future__ import annotations

SECTIONS = (
    "include", "without", "game", "param", "players", "type", "board", "directions", "state",
    "setup", "move", "simultaneous", "otherwise", "def", "effect", "end", "endless", "repeat",
    "evaluate", "discount", "show", "tree", "expect",
)  # fmt: skip
"""First words of lines at the left margin."""

STATEMENTS = (
    "let", "if", "elif", "else", "for", "chance", "again", "included", "reward", "require",
    "ensure", "draw", "payoff",
)  # fmt: skip
"""First words of lines inside a block."""

HEADERS = frozenset(
    {"move", "simultaneous", "setup", "effect", "end", "if", "elif", "else", "for"}
)  # fmt: skip
"""First words of lines that head a block of statements."""
