"""Output of a result: to standard output, or to a file named by the user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.source.keeping import rights_of, write_whole


def deliver(text: str, output: Path | None) -> None:
    """Write the text; CommandError if the file cannot be written."""
    if output is None:
        Console().out(text)
    else:
        write_file(output, text if text.endswith("\n") else text + "\n")


def write_file(path: Path, text: str) -> None:
    """Write a file of text, whole or not at all; see `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all. Raises CommandError if the file cannot be written.

    Devices, pipes, and files in folders without write permission are written directly.
    """
    place = path.resolve()
    with writing(path):
        if (place.exists() and not place.is_file()) or not os.access(place.parent, os.W_OK):
            place.write_bytes(content)
        else:
            write_whole(place, content, rights_of(place))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """In the context, a failure to write a file ends the command with the reason."""
    try:
        yield
    except OSError as error:
        message = f"error: {path} cannot be written: {error.strerror}"
        raise CommandError(ExitCode.USAGE, message) from error
