"""Threads that run jobs on shared arrays in rounds.

In: jobs. A job is one slice of a kernel's work and returns a status. Out: the last status of each
job. Machine code runs without Python's global lock, so the jobs of a round run in parallel. Between
rounds no thread writes to the arrays: then limits are checked, progress is reported and checkpoints
are written. An interrupt ends a round as it ends a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter

ROUND = 0.1
"""Seconds of a round: long compared with the overhead of a round, short for a waiting user."""

Job = Callable[[], int]


class Crew:
    """A number of threads, including the calling thread."""

    def __init__(self, threads: int, *, at_once: bool = True) -> None:
        """`at_once`: jobs run in parallel rather than sequentially (sequentially for plain
        Python)."""
        self.threads = max(1, threads)
        self._at_once = at_once
        self._pool: ThreadPoolExecutor | None = None

    def round(self, jobs: Sequence[Job], again: int) -> list[int]:
        """Run each job repeatedly while its status is `again`; return the last status of each job.

        The round ends when a job returns a different status or the time of a round is over. There
        are at most as many jobs as threads.
        """
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
                over.set()  # time is up, the job is done, or the job has failed
            return status

        further = [self._pool.submit(work, job) for job in jobs[1:]]
        try:
            first = work(jobs[0])
            return [first, *(future.result() for future in further)]
        finally:
            over.set()
            wait(further)
