"""Two versions of a text as a unified diff."""

from __future__ import annotations

from difflib import unified_diff


def differences(before: str, after: str, name: str) -> str:
    """The lines that differ, with three lines of context, as `diff -u` writes them."""
    lines = unified_diff(
        before.splitlines(), after.splitlines(), name, f"{name} (formatted)", lineterm=""
    )
    return "\n".join(lines) + "\n"
