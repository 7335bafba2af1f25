"""Output streams: results go to standard output, everything else to standard error.

Colours are used only on a terminal, unless NO_COLOR is set (or FORCE_COLOR requires colours).
Layout is the work of `gamedsl.reports` and `gamedsl.source.render`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from gamedsl.source.records import dataclass
from gamedsl.source.screen import HIDDEN, escaped

BOLD, PLAIN = "\033[1m", "\033[0m"
COLOUR = re.compile(r"(\x1b\[[\d;]*m)")


class OutputError(Exception):
    """Standard output cannot be written; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Console:
    """The two output streams of a command; `quiet` silences all notes, never results."""

    quiet: bool = False

    def out(self, text: str) -> None:
        """Write a result. Raises BrokenPipeError, or OutputError."""
        with explaining_output():
            _write(sys.stdout, text)

    def report(self, text: str) -> None:
        """Write a result with the first paragraph as title, in bold if colours are used."""
        title, gap, rest = text.partition("\n\n")
        self.out(f"{BOLD}{title}{PLAIN}{gap}{rest}" if uses_colour(sys.stdout) else text)

    def note(self, text: str) -> None:
        """Write a note for the user, unless quiet."""
        if not self.quiet:
            _write(sys.stderr, filled(text, sys.stderr))

    def error(self, text: str) -> None:
        """Write the reason for a failure."""
        _write(sys.stderr, filled(text, sys.stderr))


@contextmanager
def explaining_output() -> Iterator[None]:
    """Context for writing results: a full disk raises OutputError, a closed pipe passes through."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"error: standard output cannot be written: {error.strerror}"
        raise OutputError(message) from error


def uses_colour(stream: TextIO) -> bool:
    """Whether text for this stream may carry colours (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int | None:
    """Columns of the terminal behind the stream; None without a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def filled(text: str, stream: TextIO, used: int = 0, hanging: int = 0) -> str:
    """The text wrapped between words to the width of a terminal; unchanged for files and pipes.

    `used` columns of the first line are already written; continuation lines are indented by
    `hanging` further columns.
    """
    width = width_of(stream)
    if width is None:
        return text
    from gamedsl.reports.paragraphs import fill

    first, *rest = text.split("\n")
    lines = []
    for line, before in [(first, used), *((following, 0) for following in rest)]:
        later = " " * (len(line) - len(line.lstrip()) + hanging)
        is_long = len(COLOUR.sub("", line)) + before > width
        lines.append(fill(line, " " * before, later, width)[before:] if is_long else line)
    return "\n".join(lines)


def _write(stream: TextIO, text: str) -> None:
    """Write a text with terminal control sequences escaped, apart from wanted colours.

    File names and typed text can contain arbitrary characters.
    """
    if HIDDEN.search(text):
        parts = COLOUR.split(text) if uses_colour(stream) else [text]
        text = "".join(part if COLOUR.fullmatch(part) else escaped(part) for part in parts)
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
