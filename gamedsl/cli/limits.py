"""What a command may take: seconds and bytes, the same for all commands that can take long.

In: limits, and what is done within them. Out: nothing while they hold; where one is reached, what
is done is broken off by `process.Stopped`, with exit status 3, so that the command says what it had
reached. A thread of its own watches, so that this holds wherever the time goes: in reading rules,
in Python, in machine code. Code that hears nothing is left, a tenth of the time later, where the
process is the command's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from gamedsl.cli import process
from gamedsl.cli.exits import ExitCode

OFTEN = 0.1
"""Seconds between two looks at the clock and at the memory."""
WATCH = "limits"
"""The name of the thread that watches."""
LAST_WORDS = 3.0
"""Seconds for saying what had been reached."""
SOONEST, LATEST = 0.1, 0.7
"""Seconds in which a command has to hear that a limit is reached: a tenth of its time, from the
first to the second of these."""
SLACK = 1.1
"""What looks at the limits by itself, and says more when it reaches them, gets so many times as
much."""


class Limits(NamedTuple):
    """The most that a command may take; None: any time, and half of the memory that is free."""

    seconds: float | None = None
    bytes: int | None = None

    def with_slack(self) -> Limits:
        """Of a command that looks at its limits by itself: where it does not, these hold."""
        from gamedsl.solvers.memory import resident_bytes, usable_bytes

        seconds = None if self.seconds is None else self.seconds * SLACK
        size = usable_bytes() if self.bytes is None else self.bytes
        return Limits(seconds, int(size * SLACK) + (resident_bytes() or 0))


NO_LIMITS = Limits()


@contextmanager
def limited(limits: Limits = NO_LIMITS) -> Iterator[None]:
    """Inside, what is done is broken off where a limit is reached; not where there are no threads,
    in a browser, which ends it from outside."""
    if sys.platform == "emscripten":
        yield
        return
    from gamedsl.solvers.memory import usable_bytes

    over = Event()
    most = usable_bytes() if limits.bytes is None else limits.bytes
    watch = Thread(target=_watch, args=(limits.seconds, most, over), daemon=True, name=WATCH)
    process.hear_limits()
    if (why := _reached(limits.seconds, most)) is not None:
        raise _stopped(why)
    try:  # a limit of nothing can be reached while the thread is being started
        with process.undisturbed():
            watch.start()
        yield
    finally:
        over.set()
        if watch.ident is not None:
            watch.join()  # so that it speaks of no other command


def _reached(seconds: float | None, most: int) -> str | None:
    """Which limit is reached, if one is."""
    if held_bytes() > most:
        return "there is no memory for more (--memory)"
    if seconds is not None and process.seconds_spent() >= seconds:
        return "the time is up (--time)"
    return None


def _stopped(why: str) -> process.Stopped:
    return process.Stopped(ExitCode.UNDECIDED, f"stopped: {why}")


def _watch(seconds: float | None, most: int, over: Event) -> None:
    while (why := _reached(seconds, most)) is None:
        if over.wait(OFTEN if seconds is None else min(OFTEN, time_left(seconds))):
            return
    patience = SOONEST if seconds is None else max(SOONEST, min(LATEST, seconds / 10))
    asked = _stopped(why)
    process.stop(asked)
    if not process.is_own():
        return
    if not over.wait(patience) and process.is_ending(asked) and not process.has_heard():
        process.leave(asked)
    if not over.wait(LAST_WORDS) and process.is_ending(asked):
        process.leave(asked)


def time_left(seconds: float) -> float:
    """How much is left of the time that a command may take, in seconds."""
    return max(0.0, seconds - process.seconds_spent())


def held_bytes() -> int:
    """How much memory this process holds, with those that work for it."""
    from gamedsl.solvers.memory import resident_bytes

    own, number = resident_bytes() or 0, os.getpid()
    try:
        workers = Path(f"/proc/self/task/{number}/children").read_text().split()
    except OSError:
        return own
    return own + sum(resident_bytes(Path("/proc", one, "statm")) or 0 for one in workers)
