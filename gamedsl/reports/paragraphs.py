"""Lines of a report: a label and a text that is wrapped beside it, names kept whole."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

WIDTH = 88
"""Columns of a report."""
_GLUE = "\N{NO-BREAK SPACE}"


def labelled(label: str, text: str, margin: int) -> str:
    """The label, then the text from column `margin` on, wrapped."""
    wrapped = fill(
        text,
        WIDTH,
        initial_indent=f"{label:<{margin}}",
        subsequent_indent=" " * margin,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return wrapped.replace(_GLUE, " ")


def listed(names: Iterable[str], most: int | None = None) -> str:
    """Names side by side, none of them broken; of a longer list the first `most`."""
    whole = [name.replace(" ", _GLUE) for name in names]
    if most is None or len(whole) <= most:
        return "  ".join(whole)
    return "  ".join(whole[:most]) + f"  ... and {len(whole) - most} more"
