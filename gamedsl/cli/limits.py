"""Time and memory limits of a command, enforced by a watching thread.

At a limit the work is interrupted by `process.Stopped`, with exit status 3, so that the command can
report the progress so far. The thread covers time spent in reading rules, in Python and in machine
code. Code that does not react to the exception is ended a tenth of the time later, if the process
belongs to the command.
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
"""Seconds between checks of clock and memory."""
WATCH = "limits"
"""The name of the watching thread."""
LAST_WORDS = 3.0
"""Seconds for the report of the progress so far."""
SOONEST, LATEST = 0.1, 0.7
"""Bounds in seconds on the time for a command to react to a limit, a tenth of the time limit."""
UNSTARTED = 2
"""Times the memory of LLVM and machine code: modules of solvers are imported under the limit."""
SLACK = 1.1
"""Factor on the limits of commands that check limits by themselves, with a better message."""


class Limits(NamedTuple):
    """Time and memory limits of a command; None: no time limit, and half of the free memory."""

    seconds: float | None = None
    bytes: int | None = None

    def with_slack(self) -> Limits:
        """The limits for a command that checks its limits by itself, as a safety net."""
        from gamedsl.solvers.memory import BESIDE, resident_bytes, usable_bytes

        seconds = None if self.seconds is None else self.seconds * SLACK
        size = usable_bytes() if self.bytes is None else self.bytes
        return Limits(seconds, int(size * SLACK) + (resident_bytes() or 0) + UNSTARTED * BESIDE)


NO_LIMITS = Limits()


@contextmanager
def limited(limits: Limits = NO_LIMITS) -> Iterator[None]:
    """In the context, work is interrupted at a limit.

    Without threads, in a browser, limits have no effect; the browser ends the work from outside.
    """
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
    try:  # a limit of zero can be reached during the start of the thread
        with process.undisturbed():
            watch.start()
        yield
    finally:
        over.set()
        if watch.ident is not None:
            watch.join()  # so that no later command is stopped


def _reached(seconds: float | None, most: int) -> str | None:
    """The message for a reached limit, or None."""
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
    """Seconds left of a time limit."""
    return max(0.0, seconds - process.seconds_spent())


def held_bytes() -> int:
    """Memory of the process and its worker processes, in bytes."""
    from gamedsl.solvers.memory import resident_bytes

    resident, number = resident_bytes() or 0, os.getpid()
    try:
        workers = Path(f"/proc/self/task/{number}/children").read_text().split()
    except OSError:
        return resident
    return resident + sum(resident_bytes(Path("/proc", worker, "statm")) or 0 for worker in workers)
