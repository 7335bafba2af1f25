"""Lines of a report: text wrapped to a number of columns, with names kept whole.

Text in short brackets is not broken, so that `mark(c, 2)`, `cell[p, 1]` and `{1, ..., n}` stay on
one line; long prose in brackets is broken. Reports have 80 columns, unless the caller sets the
reader's width (`filling`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

STANDARD = 80
"""Columns of a report for an unknown reader: files, pipes, Python."""
NARROWEST, WIDEST = 40, 120
"""Bounds on the columns of a report: room for names and numbers, and lines of readable length."""
_line_width = ContextVar("line_width", default=STANDARD)
LONGEST_WHOLE = 32
"""Characters in brackets beyond which lines may be broken inside the brackets."""
_GLUE = "\N{NO-BREAK SPACE}"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_COMPARISON = re.compile(r" (?:[=!<>]=|[=<>∈∉≠≤≥←]) |[∀∃] ")
_PROSE = re.compile(r"\w \w")


@contextmanager
def filling(columns: int | None) -> Iterator[None]:
    """In the context, reports have `columns` columns, between `NARROWEST` and `WIDEST`; None: the
    standard width.
    """
    wanted = STANDARD if columns is None else min(max(columns, NARROWEST), WIDEST)
    token = _line_width.set(wanted)
    try:
        yield
    finally:
        _line_width.reset(token)


def line_width() -> int:
    """The columns of a report."""
    return _line_width.get()


def fill(text: str, first: str = "", later: str = "", width: int | None = None) -> str:
    """The text in lines, with prefix `first` for the first line and `later` for the rest.

    `width`: None: the width of a report.
    """
    filled = textwrap.fill(
        _kept_whole(text),
        line_width() if width is None else width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return filled.replace(_GLUE, " ")


def labelled(label: str, text: str, margin: int, width: int | None = None) -> str:
    """The label, then the text from column `margin` on, wrapped."""
    gap = "  " if len(label) >= margin > 0 else ""
    return fill(text, f"{label:<{margin}}{gap}", " " * margin, width)


def whole(text: str) -> str:
    """The text in a form that `labelled` does not break."""
    return text.replace(" ", _GLUE)


def listed(names: Iterable[str], most: int | None = None) -> str:
    """Names side by side, unbroken; from a longer list the first `most`."""
    unbroken = [whole(name) for name in names]
    if most is None or len(unbroken) <= most:
        return "  ".join(unbroken)
    return "  ".join(unbroken[:most]) + f"  ... and {len(unbroken) - most} more"


def comparisons_whole(text: str) -> str:
    """A formula or a line of rules that `fill` does not break beside a comparison or quantifier."""
    return _COMPARISON.sub(lambda match: whole(match[0]), text)


def _kept_whole(text: str) -> str:
    """The text with unbreakable spaces inside short brackets."""
    characters = list(text)
    opened: list[int] = []
    for place, character in enumerate(text):
        if character in _BRACKETS:
            opened.append(place)
        elif opened and character == _BRACKETS[text[opened[-1]]]:
            start = opened.pop()
            is_named = start > 0 and text[start - 1].isalnum()
            is_whole = is_named or not _PROSE.search(text, start, place)
            if place - start <= LONGEST_WHOLE and is_whole:
                characters[start:place] = text[start:place].replace(" ", _GLUE)
    return "".join(characters)
