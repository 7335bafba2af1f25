"""Time that the process has spent waiting for machine code to be generated, measured separately
from the time of the work itself.

In: the periods in which code is generated. Out: seconds. The module lies on floor 0 because the
generator of code and the reports about time are floors apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter


class Stopwatch:
    """Adds up times; the waiting times of concurrent threads are all added."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = Lock()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time inside the `with` block."""
        started = perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.seconds += perf_counter() - started


COMPILING = Stopwatch()
"""Time of code generation since the process began."""
