"""Long machine code beside a thread that waits for it, so that an interrupt is heard meanwhile.

In: work to do. Out: what comes of it, its errors included. Machine code cannot be told to stop:
after an interrupt it goes on unattended until it is done or the process ends, whichever is first.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from threading import Thread
from typing import TypeVar

Answer = TypeVar("Answer")

A_MOMENT = 0.5
"""Seconds to wait at a time: some systems hear no interrupt while a thread waits for ever."""


def interruptible(work: Callable[[], Answer]) -> Answer:
    """What the work gives. Raises what it raises, and KeyboardInterrupt without waiting for it."""
    answer: Future[Answer] = Future()

    def hand_over(_: object, error: BaseException | None, __: object) -> bool:
        if error is not None:
            answer.set_exception(error)
        return True

    def run() -> None:
        with ExitStack() as leaving:
            leaving.push(hand_over)
            answer.set_result(work())

    worker = Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(A_MOMENT)
    return answer.result()
