"""Threads that work side by side on arrays that they share, a round at a time.

In: jobs, each a slice of work by a kernel, which says how it ended. Out: what each said last.
Machine code holds no lock of Python's, so the jobs of a round run at the same time. Between rounds
nobody writes to the arrays: then limits are looked at, progress is told, work is kept. An interrupt
ends the round as it ends a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter

ROUND = 0.1
"""Seconds of a round: long against what it takes to begin one, short for who waits."""

Job = Callable[[], int]


class Crew:
    """So many threads, the one that calls among them."""

    def __init__(self, threads: int, *, at_once: bool = True) -> None:
        """`at_once`: jobs run side by side, not one after the other (for plain Python)."""
        self.threads = max(1, threads)
        self._at_once = at_once
        self._pool: ThreadPoolExecutor | None = None

    def round(self, jobs: Sequence[Job], again: int) -> list[int]:
        """Do each job, of which there are as many as threads or fewer, as long as it says `again`,
        until one says something else or the round is over; what each said last."""
        if len(jobs) == 1 or not self._at_once:
            return [job() for job in jobs]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1)
        over, ends = Event(), perf_counter() + ROUND

        def work(job: Job) -> int:
            status = again
            try:
                status = job()
                while status == again and not over.is_set() and perf_counter() < ends:
                    status = job()
            finally:
                over.set()  # it is time, it is done, or it has failed
            return status

        others = [self._pool.submit(work, job) for job in jobs[1:]]
        try:
            first = work(jobs[0])
            return [first, *(one.result() for one in others)]
        finally:
            over.set()
            wait(others)
