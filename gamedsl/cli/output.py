"""Output of a result: to standard output, or to a file named by the user."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console
from gamedsl.source.keeping import rights_of, write_whole
from gamedsl.source.rewording import reworded


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


def writing(path: Path) -> AbstractContextManager[None]:
    """In the context, a failure to write a file ends the command with the reason."""
    return reworded(wrong_usage, f"{path} cannot be written: {{}}", OSError)
