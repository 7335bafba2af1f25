"""The process that a command runs in: its streams, its signals, and how it ends.

In: the program. Out: its exit status. Nothing is imported here that takes time, so that signals are
heard from the start. Ctrl-C and SIGTERM end the process with one line and the status that shells
expect (128 + the signal): at once while nothing is being done yet or any more, by an exception that
lets a command say what it had reached while it runs, and anyway after a moment, for machine code
hears nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import contextmanager
from threading import Thread, main_thread

TYPE_CHECKING = False  # as `typing` has it, which takes long to import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import TextIO

STANDARD_STREAMS = 3
HEARD = (signal.SIGINT, signal.SIGTERM)
A_MOMENT = 0.7
"""Seconds that a command has to hear of a signal: machine code hears nothing."""
NUDGES = 5
LAST_WORDS = 3.0
"""Seconds that one that has heard has to say what it had reached, on a machine with much to do."""


class Stopped(KeyboardInterrupt):
    """A signal asks for the end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.status = status_of(number)


class _Stopping:
    """What is known of the end of this process.

    Attributes:
        is_running: a command is at work, which an exception can stop.
        is_heard: that exception has been raised.
        is_said: the line that says so has been written.
    """

    def __init__(self) -> None:
        self.is_running = False
        self.is_heard = False
        self.is_said = False


_STOPPING = _Stopping()


def status_of(number: int) -> int:
    """The exit status of a process that a signal has ended."""
    return 128 + number


def run(program: Callable[[], None]) -> None:
    """Run the program in this process, which is nobody else's."""
    open_streams()
    listen()
    program()


# --- signals -----------------------------------------------------------------------------------


def listen() -> None:
    """Hear signals from now on, but none that who started this process wants to be ignored."""
    for number in HEARD:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _hear)
    sys.unraisablehook = _hear_unraisable
    if os.name != "nt":
        signal.signal(signal.SIGURG, _nudged)
        ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=_listen_no_more)
        with undisturbed():
            Thread(target=_see_to_it, args=(ear,), daemon=True).start()


@contextmanager
def running() -> Iterator[None]:
    """While a command runs, a signal is an exception, `Stopped`."""
    _STOPPING.is_running = True
    try:
        yield
    finally:
        _STOPPING.is_running = False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals wait: where processes begin, which could lose them until they know what to do, and
    threads, which never hear any if they begin here."""
    if os.name == "nt":
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)


def word_for(status: int) -> str:
    """What has happened to a process that ends with a status."""
    return "terminated" if status == status_of(signal.SIGTERM) else "interrupted"


def leave_unsaid() -> None:
    """The line that says why the process ends is written by somebody else."""
    _STOPPING.is_said = True


def _listen_no_more() -> None:
    """In a process that works for this one, which ends it."""
    signal.set_wakeup_fd(-1)
    for number in HEARD:
        if signal.getsignal(number) is _hear:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)


def _hear(number: int, _: FrameType | None) -> None:
    if not _STOPPING.is_running:
        _leave(number)
    _STOPPING.is_running = False
    _STOPPING.is_heard = True
    raise Stopped(number)


def _hear_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An exception that Python could not raise where it was."""
    if isinstance(lost.exc_value, Stopped):
        _leave(lost.exc_value.number)
    sys.__unraisablehook__(lost)


def _nudged(_number: int, _: FrameType | None) -> None:
    """Nothing is asked: what the main thread waits for has been broken off, and it looks up."""


def _see_to_it(ear: int) -> None:
    """Wait for a signal, and end the process if it does not end by itself.

    A signal between a prompt and the wait for keys is noted by Python and acted upon at the next
    key (`readline` looks for signals only where its wait is broken off), so that wait is broken
    off again.
    """
    while (number := os.read(ear, 1)[0]) not in HEARD:
        pass
    for _ in range(NUDGES):
        time.sleep(A_MOMENT / NUDGES)
        if _STOPPING.is_heard:
            break
        signal.pthread_kill(main_thread().ident or 0, signal.SIGURG)
    if _STOPPING.is_heard:
        time.sleep(LAST_WORDS)
    _leave(number)


def _leave(number: int) -> None:
    status = status_of(number)
    if not _STOPPING.is_said:
        os.write(2, f"\n{word_for(status)}\n".encode())
    os._exit(status)


# --- streams -----------------------------------------------------------------------------------


def open_streams() -> None:
    """Standard streams that are closed lead nowhere (results cannot be written then, which is an
    error), and no character is refused: files and pipes are UTF-8, a terminal shows what it can."""
    for number in range(STANDARD_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == STANDARD_STREAMS - 1 else os.O_RDONLY)
    sys.stdin = sys.stdin or _reopened(0, "r")
    sys.stdout = sys.stdout or _reopened(1, "w")
    sys.stderr = sys.stderr or _reopened(2, "w")
    if sys.stdout.isatty():
        _reconfigure(sys.stdout, errors="replace")
    else:
        _reconfigure(sys.stdout, encoding="utf-8", errors="surrogateescape")


def give_up_output() -> None:
    """Send what is still to be written to standard output nowhere, so that Python's own flush at
    the end does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reopened(number: int, mode: str) -> TextIO:
    return open(number, mode, encoding="utf-8", closefd=False)  # type: ignore[return-value]


def _reconfigure(stream: TextIO, **settings: str) -> None:
    stream.reconfigure(**settings)  # type: ignore[attr-defined]
