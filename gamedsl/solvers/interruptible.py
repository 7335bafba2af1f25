"""Runs long machine code on a thread, so that the main thread can handle interrupts.

In: work to do, and optionally a timeout. Out: the result of the work, or the error raised. Machine
code cannot be stopped: after an interrupt or a timeout the work continues unattended until
completion or the end of the process. A browser has neither threads nor machine code: the work runs
at once, and is ended from outside.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import perf_counter
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")

A_MOMENT = 0.5
"""Seconds per wait: on some systems a thread that waits without a timeout receives no interrupt."""


class BrokenOff(KeyboardInterrupt):
    """Interruption of a long computation, as the cause says; `partial` holds the results so far."""

    def __init__(self, partial: Any) -> None:
        super().__init__()
        self.partial = partial


@contextmanager
def keeping(partial: Sequence[object]) -> Iterator[None]:
    """Context in which an interruption becomes `BrokenOff` with the results so far."""
    try:
        yield
    except BrokenOff:
        raise
    except KeyboardInterrupt as stop:
        raise BrokenOff(tuple(partial)) from stop


def has_threads() -> bool:
    """Whether threads are available; False in a browser."""
    return sys.platform != "emscripten"


def depend_on_the_parent() -> None:
    """Set up a worker process: interrupts are left to the parent, and the worker ends with the
    parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    from multiprocessing import parent_process  # of workers alone

    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


class Beside(Generic[Answer]):
    """Work on a separate thread, started at construction. In a browser the work runs at once."""

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
        """Whether the work has ended, with a result or an error."""
        return self._worker is None or not self._worker.is_alive()

    def wait(
        self, seconds: float | None = None, clock: Callable[[], float] = perf_counter
    ) -> Answer:
        """Waits for the result of the work.

        Raises the errors of the work, KeyboardInterrupt, or TimeoutError after `seconds` by the
        clock.
        """
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
    """The result of the work.

    Raises the errors of the work, KeyboardInterrupt, or TimeoutError after `seconds` by the clock;
    the work then continues unattended.
    """
    return Beside(work).wait(seconds, clock)
