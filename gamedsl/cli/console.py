"""Where text goes: results to standard output, everything else to standard error.

Colour only where a person reads: on a terminal, unless NO_COLOR is set (or FORCE_COLOR asks for
it). Layout is made elsewhere, by `gamedsl.reports` and `gamedsl.source.render`.
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
    """Standard output cannot be written to; the message says why."""


@dataclass(frozen=True, slots=True)
class Console:
    """The two output streams of a command; `quiet` silences all chatter, never results."""

    quiet: bool = False

    def out(self, text: str) -> None:
        """Write a result. Raises BrokenPipeError, or OutputError."""
        with explaining_output():
            _write(sys.stdout, text)

    def report(self, text: str) -> None:
        """Write a result whose first paragraph is its title, in bold where colours are wanted."""
        title, gap, rest = text.partition("\n\n")
        self.out(f"{BOLD}{title}{PLAIN}{gap}{rest}" if uses_colour(sys.stdout) else text)

    def note(self, text: str) -> None:
        """Write a remark for a person, unless quiet."""
        if not self.quiet:
            _write(sys.stderr, filled(text, sys.stderr))

    def error(self, text: str) -> None:
        """Write why the command failed."""
        _write(sys.stderr, filled(text, sys.stderr))


@contextmanager
def explaining_output() -> Iterator[None]:
    """Where results are written: a full disk is a sentence, a reader who has gone is not."""
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
    """Columns of the terminal behind the stream; None if there is none."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def filled(text: str, stream: TextIO, used: int = 0, hanging: int = 0) -> str:
    """The text with lines that no terminal breaks inside words, where there is one; `used` columns
    of the first line are written already, and what is broken goes on `hanging` columns further in.
    What other programs read keeps its lines."""
    width = width_of(stream)
    if width is None:
        return text
    from gamedsl.reports.paragraphs import fill

    first, *others = text.split("\n")
    lines = []
    for line, before in [(first, used), *((other, 0) for other in others)]:
        later = " " * (len(line) - len(line.lstrip()) + hanging)
        is_long = len(COLOUR.sub("", line)) + before > width
        lines.append(fill(line, " " * before, later, width)[before:] if is_long else line)
    return "\n".join(lines)


def _write(stream: TextIO, text: str) -> None:
    """Write a text, but nothing that steers a terminal, apart from colours where they are wanted:
    names of files and what was typed can hold anything."""
    if HIDDEN.search(text):
        parts = COLOUR.split(text) if uses_colour(stream) else [text]
        text = "".join(part if COLOUR.fullmatch(part) else escaped(part) for part in parts)
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
