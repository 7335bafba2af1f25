"""Checking of an open text by playing, in a separate process.

In: a text, the texts open in the editor, and a callback for progress. Out: a `FileReport`, or None
if the process fails or exceeds the time limit. Cancelling ends the process at any point: requests
to the server never wait for a check.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, BinaryIO

from gamedsl.source import Diagnostic, SourceFile

if TYPE_CHECKING:
    from gamedsl.reports.checks.findings import FileReport

Tell = Callable[[str], None]
SECONDS = 20.0
"""Time limit of playing and claims, in seconds."""
MOST_POSITIONS = 2_000_000
"""Positions searched for each claim."""
PATIENCE = 6 * SECONDS
"""Time limit of the process, in seconds; the process is then ended."""
EVERY = 0.5
"""Seconds between two messages about progress."""
PACKAGES = Path(__file__).resolve().parents[2]
"""The folder of the package, used as the working folder of the process to prevent imports from the
editor's folder."""
SIZE = 8
"""Bytes of the length prefix of a message."""


async def check_apart(
    source: SourceFile, opened: Mapping[Path, SourceFile], tell: Tell
) -> FileReport | None:
    """All findings of `gamedsl check` about a text; open texts take precedence over files on
    disk."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, cwd=PACKAGES
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            process.stdin.write(pickle.dumps((source, dict(opened))))
            process.stdin.close()
            while True:
                size = int.from_bytes(await process.stdout.readexactly(SIZE), "big")
                told = pickle.loads(await process.stdout.readexactly(size))
                if not isinstance(told, str):
                    report: FileReport = told
                    return report
                tell(told)
    except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
        return None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(process.wait())


def main() -> None:
    """The child process: reads a text, writes messages about progress, then the report."""
    from gamedsl.game.including import find_included
    from gamedsl.python.checking import CheckLimits, check_source
    from gamedsl.source.plurals import count

    source, opened = pickle.load(sys.stdin.buffer)
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    told = perf_counter()

    def load(name: str, asking: SourceFile) -> SourceFile | Diagnostic:
        included = find_included(name, asking)
        return included if isinstance(included, Diagnostic) else opened.get(included.path, included)

    def progress(positions: int, _: int) -> None:
        nonlocal told
        if perf_counter() - told > EVERY:
            told = perf_counter()
            _write(out, f"{count(positions, 'position')} so far")

    limits = CheckLimits(max_positions=MOST_POSITIONS, max_seconds=SECONDS)
    _write(out, check_source(source, {}, limits, progress=progress, load=load))


def _write(out: BinaryIO, message: object) -> None:
    data = pickle.dumps(message)
    out.write(len(data).to_bytes(SIZE, "big") + data)
    out.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):  # no process reads the report
        main()
