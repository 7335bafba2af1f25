"""The process that a command runs in: its streams, its signals, and how it ends.

In: the program. Out: its exit status. Nothing is imported here that takes time, so that signals are
heard from the start. Ctrl-C and SIGTERM end the process with one line and the status that shells
expect (128 + the signal): at once while nothing is being done yet, by an exception that lets a
command say what it had reached while it runs, and anyway after a moment, for machine code hears
nothing. A limit that is reached (`limits`) ends a command in the same way. Once the answer is out,
nothing is heard any more.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from _thread import interrupt_main
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread

TYPE_CHECKING = False  # as `typing` has it, which takes long to import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import NoReturn, TextIO

STANDARD_STREAMS = 3
HEARD = (signal.SIGINT, signal.SIGTERM)
A_MOMENT = 0.7
"""Seconds that a command has to hear of a signal: machine code hears nothing."""
NUDGES = 5
COLLECTED_AFTER = (200_000, 10, 10)
"""When Python looks for garbage: rarely, since what is imported and built at the start stays."""
CLEARED = "\r\033[2K\033[?25h"
"""Takes a line of progress away, and shows the cursor that was hidden beside it."""
LAST_WORDS = 3.0
"""Seconds that one that has heard has to say what it had reached, on a machine with much to do."""


class Stopped(KeyboardInterrupt):
    """A signal, or a limit, asks for the end: the exit status, and why, in words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class _Stopping:
    """What is known of the end of this process.

    Attributes:
        is_own: the process is there for one command, and ends with it.
        begun: when that command began, by `time.monotonic`.
        is_running: a command is at work, which an exception can stop.
        is_heard: that exception has been raised.
        is_said: the line that says so has been written.
        limit: what is to be raised, as a limit is reached.
        tell: says what the command has reached.
        is_drawn: a line of progress stands on the terminal.
    """

    def __init__(self) -> None:
        self.is_own = False
        self.begun = time.monotonic()
        self.is_running = False
        self.is_heard = False
        self.is_said = False
        self.limit: Stopped | None = None
        self.tell: Callable[[], str] | None = None
        self.is_drawn = False


_STOPPING = _Stopping()


def status_of(number: int) -> int:
    """The exit status of a process that a signal has ended."""
    return 128 + number


def run(program: Callable[[], None]) -> NoReturn:
    """Run the program in this process, which is nobody else's, and end it."""
    _STOPPING.is_own, _STOPPING.begun = True, time.monotonic()
    open_streams()
    listen()
    gc.set_threshold(*COLLECTED_AFTER)
    status: int | str | None = None
    try:
        program()
    except SystemExit as end:
        status = end.code
    _end(status)


def _end(status: int | str | None) -> NoReturn:
    """The answer is out: nothing that happens from now on is to change the status. Threads that
    are still at work are not waited for."""
    for number in HEARD:
        signal.signal(number, signal.SIG_IGN)
    if isinstance(status, str):
        print(status, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
    os._exit(status if isinstance(status, int) else int(status is not None))


# --- signals -----------------------------------------------------------------------------------


def listen() -> None:
    """Hear signals from now on, but none that who started this process wants to be ignored."""
    for number in HEARD:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _hear)
    sys.unraisablehook = _hear_unraisable
    hear_limits()
    if os.name != "nt":
        ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=_listen_no_more)
        with undisturbed():
            Thread(target=_see_to_it, args=(ear,), daemon=True).start()


@contextmanager
def running() -> Iterator[None]:
    """While a command runs, a signal is an exception, `Stopped`."""
    if not _STOPPING.is_own:
        _STOPPING.begun = time.monotonic()
    _STOPPING.is_running, _STOPPING.limit = True, None
    _STOPPING.is_heard = _STOPPING.is_said = False
    try:
        yield
    finally:
        _STOPPING.is_running, _STOPPING.limit = False, None


@contextmanager
def telling(reached: Callable[[], str]) -> Iterator[None]:
    """Inside, this says what has been reached, if the process must be left."""
    _STOPPING.tell, before = reached, _STOPPING.tell
    try:
        yield
    finally:
        _STOPPING.tell = before


def draw(is_drawn: bool) -> None:
    """Note whether a line of progress stands on the terminal, which is to be left as it was."""
    _STOPPING.is_drawn = is_drawn


def hear_limits() -> None:
    """Let `stop` break off what the main thread does."""
    if os.name != "nt" and current_thread() is main_thread():
        signal.signal(signal.SIGURG, _nudged)


def stop(asked: Stopped) -> None:
    """Ask for the end of the command that is at work, from another thread."""
    _STOPPING.limit = asked
    if os.name == "nt":
        interrupt_main()
    else:
        signal.pthread_kill(main_thread().ident or 0, signal.SIGURG)


def seconds_spent() -> float:
    """How long the command that is at work has taken, what it imports included."""
    return time.monotonic() - _STOPPING.begun


def leave_garbage() -> None:
    """Nobody looks for garbage any more: what is done next is the last thing, and a process that is
    there for one command ends with it."""
    if _STOPPING.is_own:
        gc.disable()


def is_own() -> bool:
    """Whether this process is there for one command; another one is never left."""
    return _STOPPING.is_own


def is_ending(asked: Stopped) -> bool:
    """Whether a command is at work that has been asked for this end."""
    return _STOPPING.limit is asked


def has_heard() -> bool:
    """Whether the command that is at work has been told that it is to end."""
    return _STOPPING.is_heard


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


def asked_by(number: int) -> Stopped:
    """The end that a signal asks for."""
    word = "terminated" if number == signal.SIGTERM else "interrupted"
    return Stopped(status_of(number), f"\n{word}")


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
    _raise(_STOPPING.limit or asked_by(number))


def _raise(asked: Stopped) -> NoReturn:
    if not _STOPPING.is_running:
        leave(asked)
    _STOPPING.is_running = False
    _STOPPING.is_heard = True
    raise asked


def _hear_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An exception that Python could not raise where it was."""
    if isinstance(lost.exc_value, Stopped):
        leave(lost.exc_value)
    sys.__unraisablehook__(lost)


def _nudged(_number: int, _: FrameType | None) -> None:
    """What the main thread waits for has been broken off, and it looks up: perhaps for a limit."""
    if _STOPPING.limit is not None and _STOPPING.is_running:
        _raise(_STOPPING.limit)


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
    leave(asked_by(number))


def leave(asked: Stopped) -> NoReturn:
    """End the process where it stands, with the line that says why."""
    if _STOPPING.is_drawn:
        os.write(2, CLEARED.encode())
    if not _STOPPING.is_said:
        reached = "" if _STOPPING.tell is None else f": {_STOPPING.tell()}"
        os.write(2, f"{asked.why}{reached}\n".encode())
    os._exit(asked.status)


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
