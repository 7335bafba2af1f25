"""Progress of a long computation, on standard error.

On a terminal a line is drawn within a second; Rich is imported only then. If standard error is no
terminal, a line is written after ten seconds and then at long intervals. A thread does the same
while machine code runs without callbacks. An interruption ends with a sentence on the progress so
far.
"""

from __future__ import annotations

import sys
import time
from threading import Event, Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING

from gamedsl.cli import process
from gamedsl.cli.boundary import Interrupted
from gamedsl.source.plurals import count

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 0.7
"""Seconds before the first drawing."""
SILENCE = 1.0
"""Seconds without a callback, after which the thread draws."""
REDRAW = 0.2
"""Seconds between drawings."""
FIRST_LINE = 10.0
"""Seconds before the first line if standard error is no terminal."""
REWRITE = 30.0
"""Seconds between later lines."""


class ProgressLine:
    """Progress callback of a solver, with the numbers of discovered and of waiting positions.

    A call with zero positions starts a stage without a count. `since`: start time, if not now.
    """

    def __init__(self, activity: str, quiet: bool, since: float | None = None) -> None:
        self.activity = activity
        self.positions = 0
        self.frontier = 0
        self.proved = ""
        self._draws = sys.stderr.isatty() and not quiet
        self._writes = not self._draws and not quiet
        self._drawn = time.monotonic()
        self._interval = FIRST_LINE
        """Seconds before the next line if standard error is no terminal."""
        self._start = self._drawn if since is None else since
        self._status: Status | None = None
        self._told = process.telling(self.reached)
        self._lock = Lock()
        self._is_over = Event()

    def __call__(self, positions: int, frontier: int) -> None:
        """Note the progress of the computation."""
        is_new_stage = bool(self.positions) and not positions
        self.positions, self.frontier = positions, frontier
        now = time.monotonic()
        is_due = is_new_stage or now - self._drawn > REDRAW
        if self._draws and now - self._start > PATIENCE and is_due:
            self._draw()
        elif self._writes and now - self._drawn > self._interval:
            self._write()

    def prove(self, words: str) -> None:
        """Note the results proved so far."""
        self.proved = words

    def __enter__(self) -> ProgressLine:
        self._told.__enter__()
        if self._draws or self._writes:
            with process.undisturbed():
                Thread(target=self._keep_watch, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._told.__exit__(kind, error, trace)
        self._is_over.set()
        with self._lock:
            if self._status is not None:
                self._status.stop()
                process.draw(False)
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(self.reached()) from error

    def reached(self) -> str:
        """The progress so far, in words."""
        seconds = time.monotonic() - self._start
        if not self.positions:
            return f"{self.activity}, after {seconds:.0f} s"
        rate = f"{self.positions / seconds:,.0f} a second" if seconds > 0 else "just begun"
        waiting = f", {self.frontier:,} waiting" if self.frontier else ""
        proved = f"; proved: {self.proved}" if self.proved else ""
        return f"{self.activity}: {count(self.positions, 'position')}{waiting} ({rate}){proved}"

    def _keep_watch(self) -> None:
        """Report progress in the absence of callbacks, until the computation is over."""
        while not self._is_over.wait(self._patience()):
            if self._patience() > 0:
                continue  # a callback came meanwhile
            if self._draws:
                self._draw()
                return  # the drawn line animates by itself
            self._write()

    def _patience(self) -> float:
        """Seconds until the next report."""
        waited = SILENCE if self._draws else self._interval
        return max(0.0, self._drawn + waited - time.monotonic())

    def _write(self) -> None:
        with self._lock:
            if not self._is_over.is_set():
                self._drawn, self._interval = time.monotonic(), REWRITE
                print(self.reached(), file=sys.stderr, flush=True)

    def _draw(self) -> None:
        with self._lock:
            if self._is_over.is_set():
                return
            self._drawn = time.monotonic()
            self._show()

    def _show(self) -> None:
        from rich.text import Text

        if self._status is None:
            from rich.console import Console
            from rich.status import Status

            self._status = Status("", console=Console(stderr=True))
            process.draw(True)
            self._status.start()
        self._status.update(Text(self.reached() if self.positions else self.activity))
