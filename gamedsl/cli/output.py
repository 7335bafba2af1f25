"""Where a result goes: to standard output, or to a file named with `-o`."""

from __future__ import annotations

from pathlib import Path

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode


def deliver(text: str, output: Path | None) -> None:
    """Write the text; CommandError if the file cannot be written."""
    if output is None:
        Console().out(text)
        return
    try:
        output.write_text(text if text.endswith("\n") else text + "\n", "utf-8")
    except OSError as error:
        raise CommandError(
            ExitCode.USAGE, f"error: {output} cannot be written: {error.strerror}"
        ) from error
