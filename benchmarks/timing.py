"""From contenders to measurements: the answer is checked, then rounds are run in turn.

Every round times each contender once, one after another, so that a machine that grows slow or
fast meets all of them alike. Of the rounds the median counts. Work too short for the clock is
repeated within a round.

Two clocks run: the time on the wall, and the processor's time of this process and its children.
What runs in this process on one thread is judged by the processor's time, which other work on the
machine disturbs less; threads and whole processes are judged by the wall's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from statistics import median
from time import perf_counter, process_time

from benchmarks.contender import CannotRunError, Contest, NotInstalledError, Ready

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

SHORTEST = 0.1
"""Seconds that a timed stretch should last at least."""


class WrongAnswerError(AssertionError):
    """A contender's answer is not the right one, so its time is worth nothing."""


@dataclass(slots=True)
class Measured:
    """A contender's times; `absent` says why there are none."""

    subject: str
    work: str = ""
    answer: float | None = None
    amount: float = 0
    clock: str = "processor"
    absent: str | None = None
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Seconds of one run, by the clock that counts."""
        return median(self.processor if self.clock == "processor" else self.wall)

    @property
    def rate(self) -> float:
        """Units of work a second."""
        return self.amount / self.median


def measure(contest: Contest, repeat: int) -> list[Measured]:
    """One contest. Raises WrongAnswerError."""
    found, running = [], []
    for contender in contest.contenders:
        measured = Measured(contender.subject)
        found.append(measured)
        try:
            ready = contender.prepare()
            times = _checked(contest, ready, measured)
        except (NotInstalledError, CannotRunError) as reason:
            measured.absent = str(reason)
        else:
            running.append((ready, times, measured))
    for _ in range(repeat):
        for ready, times, measured in running:
            wall, processor = _timed(ready, times)
            measured.wall.append(wall)
            measured.processor.append(processor)
    return found


def _checked(contest: Contest, ready: Ready, measured: Measured) -> int:
    """Runs the work (the first time it may compile); how often a round should repeat it."""
    measured.work = ready.work
    measured.answer = ready.run()
    if not ready.right(measured.answer):
        raise WrongAnswerError(
            f"{contest.name}: {measured.subject} answers {measured.answer} to {ready.work}"
        )
    measured.amount = ready.amount(measured.answer)
    if ready.is_parallel or not contest.unit:
        measured.clock = "wall"
    if not contest.unit:
        return 1
    return min(1000, ceil(SHORTEST / max(_timed(ready, 1)[0], 1e-6)))


def _timed(ready: Ready, times: int) -> tuple[float, float]:
    """Seconds of one run on the wall, and of the processor."""
    wall, processor = perf_counter(), process_time() + _children()
    for _ in range(times):
        ready.run()
    wall, processor = perf_counter() - wall, process_time() + _children() - processor
    return wall / times, processor / times


def _children() -> float:
    """The processor's seconds of processes started and waited for; 0 where nobody tells."""
    if resource is None:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
