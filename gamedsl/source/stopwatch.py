"""How long this process has waited for machine code, so that it is told apart from what it does.

In: the times at which code is made. Out: seconds. It stands here as who makes code and who tells of
it are floors apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter


class Stopwatch:
    """Adds up times; of several threads that wait side by side each counts."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Inside, time is counted."""
        started = perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.seconds += perf_counter() - started


COMPILING = Stopwatch()
"""Since the process began."""
