"""Where text goes: results to standard output, everything else to standard error.

Colour only where a person reads: on a terminal, unless NO_COLOR is set (or FORCE_COLOR asks for
it). Layout is made elsewhere, by `gamedsl.reports` and `gamedsl.source.render`.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Console:
    """The two output streams of a command; `quiet` silences all chatter, never results."""

    quiet: bool = False

    def out(self, text: str) -> None:
        """Write a result."""
        _write(sys.stdout, text)

    def note(self, text: str) -> None:
        """Write a remark for a person, unless quiet."""
        if not self.quiet:
            _write(sys.stderr, text)

    def error(self, text: str) -> None:
        """Write why the command failed."""
        _write(sys.stderr, text)


def uses_colour(stream: TextIO) -> bool:
    """Whether text for this stream may carry colours (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int | None:
    """Columns of the terminal behind the stream; None if there is none."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def _write(stream: TextIO, text: str) -> None:
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
