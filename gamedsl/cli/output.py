"""Where a result goes: to standard output, or to a file named by the user."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.source.keeping import write_whole


def deliver(text: str, output: Path | None) -> None:
    """Write the text; CommandError if the file cannot be written."""
    if output is None:
        Console().out(text)
    else:
        write_file(output, text if text.endswith("\n") else text + "\n")


def write_file(path: Path, text: str) -> None:
    """Write a file, whole or not at all; a device or a pipe, or where no other file may be made
    beside it, as it comes. Raises CommandError if it cannot be written."""
    place, content = path.resolve(), text.encode()
    try:
        if (place.exists() and not place.is_file()) or not os.access(place.parent, os.W_OK):
            place.write_bytes(content)
        else:
            write_whole(place, content, _rights_of(place))
    except OSError as error:
        message = f"error: {path} cannot be written: {error.strerror}"
        raise CommandError(ExitCode.USAGE, message) from error


def _rights_of(path: Path) -> int:
    """The rights of a file that is there, or of a new one."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat.S_IMODE(path.stat().st_mode)
    withheld = os.umask(0)
    os.umask(withheld)
    return 0o666 & ~withheld
