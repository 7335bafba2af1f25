"""Two versions of a text as a unified diff."""

from __future__ import annotations

from difflib import unified_diff


def differences(before: str, after: str, name: str) -> str:
    """The differing lines, with three lines of context, in the format of `diff -u`."""
    lines = unified_diff(
        before.splitlines(), after.splitlines(), name, f"{name} (formatted)", lineterm=""
    )
    return "\n".join(lines) + "\n"
