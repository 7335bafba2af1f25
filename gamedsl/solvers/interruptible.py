"""Long machine code beside a thread that waits for it, so that an interrupt is heard meanwhile.

In: work to do, and perhaps for how long it is waited for. Out: what comes of it, its errors
included. Machine code cannot be told to stop: after an interrupt, or when the time is up, it goes
on unattended until it is done or the process ends, whichever is first. In a browser there are no
threads and no machine code: the work is done at once, and ended from outside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import perf_counter
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")

A_MOMENT = 0.5
"""Seconds to wait at a time: some systems hear no interrupt while a thread waits for ever."""


class BrokenOff(KeyboardInterrupt):
    """Somebody has asked for the end of something long, as its cause says; `found` is what is known
    by then."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found


@contextmanager
def keeping(found: Sequence[object]) -> Iterator[None]:
    """Inside, an interruption becomes `BrokenOff` with what has been found by then."""
    try:
        yield
    except BrokenOff:
        raise
    except KeyboardInterrupt as stop:
        raise BrokenOff(tuple(found)) from stop


def has_threads() -> bool:
    """Whether work can be done beside other work; not in a browser."""
    return sys.platform != "emscripten"


class Beside(Generic[Answer]):
    """Work that is done by a thread of its own from now on. In a browser it is done at once."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._answer: Future[Answer] = Future()
        self._work = work
        self._worker: Thread | None = None
        if has_threads():
            self._worker = Thread(target=self._run, daemon=True)
            self._worker.start()
        else:
            self._run()

    @property
    def is_over(self) -> bool:
        """Whether it has come to its end, be it an error."""
        return self._worker is None or not self._worker.is_alive()

    def wait(
        self, seconds: float | None = None, clock: Callable[[], float] = perf_counter
    ) -> Answer:
        """What it gives. Raises what it raises, and KeyboardInterrupt, or TimeoutError after some
        seconds by a clock."""
        deadline = None if seconds is None else clock() + seconds
        while self._worker is not None and self._worker.is_alive():
            left = A_MOMENT if deadline is None else deadline - clock()
            if left <= 0:
                raise TimeoutError("the time is up")
            self._worker.join(min(A_MOMENT, left))
        return self._answer.result()

    def _run(self) -> None:
        with ExitStack() as leaving:
            leaving.push(self._hand_over)
            self._answer.set_result(self._work())

    def _hand_over(self, _: object, error: BaseException | None, __: object) -> bool:
        if error is not None:
            self._answer.set_exception(error)
        return True


def interruptible(
    work: Callable[[], Answer],
    seconds: float | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Answer:
    """What the work gives. Raises what it raises, and KeyboardInterrupt, or TimeoutError after
    some seconds by a clock, without waiting for it."""
    return Beside(work).wait(seconds, clock)
