"""The process of a command: streams, signals, and exit.

The module imports nothing slow, so that signals are handled from the start. Ctrl-C and SIGTERM end
the process with one line and the conventional status (128 + the signal). Without a running command
the process ends at once; a running command receives an exception and can report the progress so
far. A moment later the process ends anyway, as machine code does not notice signals. A reached
limit (`limits`) ends a command in the same way. After the answer is written, signals are ignored.
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

TYPE_CHECKING = False  # like `typing.TYPE_CHECKING`, without the slow import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import NoReturn, TextIO

STANDARD_STREAMS = 3
HEARD = (signal.SIGINT, signal.SIGTERM)
A_MOMENT = 0.7
"""Seconds for a command to react to a signal; machine code does not react."""
NUDGES = 5
COLLECTED_AFTER = (200_000, 10, 10)
"""Thresholds of garbage collection: high, since imports and tables built at the start stay."""
CLEARED = "\r\033[2K\033[?25h"
"""Clears a progress line and shows the hidden cursor."""
LAST_WORDS = 3.0
"""Seconds for a command to report progress after a signal, on a busy machine."""


class Stopped(KeyboardInterrupt):
    """A signal or limit demands the end: the exit status, and the reason in words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class _Stopping:
    """The state of the process's end.

    Attributes:
        is_own: the process serves a single command, and ends with the command.
        begun: start of the command, by `time.monotonic`.
        is_running: a command is running that an exception can stop.
        is_heard: the exception has been raised.
        is_said: the line with the reason has been written.
        limit: the exception for a reached limit.
        tell: returns the progress of the command in words.
        is_drawn: a progress line stands on the terminal.
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
    """The exit status of a process ended by a signal."""
    return 128 + number


def run(program: Callable[[], None]) -> NoReturn:
    """Run the program in a process of its own, and end the process."""
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
    """End the process after the answer is written; later events no longer change the status.

    Running threads are not awaited.
    """
    for number in HEARD:
        signal.signal(number, signal.SIG_IGN)
    if isinstance(status, str):
        print(status, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
    if "multiprocessing.util" in sys.modules:  # else its tracker warns of semaphores left behind
        sys.modules["multiprocessing.util"]._run_finalizers(0)
    os._exit(status if isinstance(status, int) else int(status is not None))


# --- signals -----------------------------------------------------------------------------------


def listen() -> None:
    """Install the signal handlers, except for signals ignored by the parent process."""
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
    """In the context of a running command, a signal raises `Stopped`."""
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
    """In the context, `reached` provides the progress message if the process must end."""
    _STOPPING.tell, before = reached, _STOPPING.tell
    try:
        yield
    finally:
        _STOPPING.tell = before


def draw(is_drawn: bool) -> None:
    """Note whether a progress line stands on the terminal, to be cleared at the end."""
    _STOPPING.is_drawn = is_drawn


def hear_limits() -> None:
    """Let `stop` interrupt the main thread."""
    if os.name != "nt" and current_thread() is main_thread():
        signal.signal(signal.SIGURG, _nudged)


def stop(asked: Stopped) -> None:
    """Demand the end of the running command, from another thread."""
    _STOPPING.limit = asked
    if os.name == "nt":
        interrupt_main()
    else:
        signal.pthread_kill(main_thread().ident or 0, signal.SIGURG)


def seconds_spent() -> float:
    """Seconds spent by the running command, imports included."""
    return time.monotonic() - _STOPPING.begun


def leave_garbage() -> None:
    """Turn off garbage collection before the last task of a process that ends with the command."""
    if _STOPPING.is_own:
        gc.disable()


def is_own() -> bool:
    """Whether the process serves a single command; other processes are never ended."""
    return _STOPPING.is_own


def is_ending(asked: Stopped) -> bool:
    """Whether the running command has been asked to end for this reason."""
    return _STOPPING.limit is asked


def has_heard() -> bool:
    """Whether the running command has received the exception."""
    return _STOPPING.is_heard


@contextmanager
def undisturbed() -> Iterator[None]:
    """Block signals in the context, for the start of processes and threads.

    A starting process could lose signals before its handlers are set; threads started in the
    context never receive signals.
    """
    if os.name == "nt":
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)


def asked_by(number: int) -> Stopped:
    """The exception for a signal."""
    word = "terminated" if number == signal.SIGTERM else "interrupted"
    return Stopped(status_of(number), f"\n{word}")


def leave_unsaid() -> None:
    """Note that the line with the reason is written elsewhere."""
    _STOPPING.is_said = True


def _listen_no_more() -> None:
    """Reset signal handling in a forked worker; the parent ends the worker."""
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
    """Handle an exception that Python could not raise in place."""
    if isinstance(lost.exc_value, Stopped):
        leave(lost.exc_value)
    sys.__unraisablehook__(lost)


def _nudged(_number: int, _: FrameType | None) -> None:
    """Handler of the wake-up signal: the main thread's wait is interrupted, perhaps for a limit."""
    if _STOPPING.limit is not None and _STOPPING.is_running:
        _raise(_STOPPING.limit)


def _see_to_it(ear: int) -> None:
    """Wait for a signal, and end the process if the process does not end by itself.

    Python notes a signal between a prompt and the wait for keys, but acts only at the next key
    (`readline` checks for signals only after an interrupted wait). The wait is therefore
    interrupted again.
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
    """End the process at once, with the line that gives the reason."""
    if _STOPPING.is_drawn:
        os.write(2, CLEARED.encode())
    if not _STOPPING.is_said:
        reached = "" if _STOPPING.tell is None else f": {_STOPPING.tell()}"
        os.write(2, f"{asked.why}{reached}\n".encode())
    os._exit(asked.status)


# --- streams -----------------------------------------------------------------------------------


def open_streams() -> None:
    """Open closed standard streams on the null device, and set encodings and error handling.

    Results for a closed standard output raise an error. Files and pipes are UTF-8; a terminal
    replaces characters without a glyph.
    """
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
    """Redirect standard output to the null device, so that Python's final flush does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reopened(number: int, mode: str) -> TextIO:
    return open(number, mode, encoding="utf-8", closefd=False)  # type: ignore[return-value]


def _reconfigure(stream: TextIO, **settings: str) -> None:
    stream.reconfigure(**settings)  # type: ignore[attr-defined]
