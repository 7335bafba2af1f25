"""--time and --memory: the same for every command that can take long."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from gamedsl.cli import process
from gamedsl.cli.limits import WATCH, Limits, limited
from gamedsl.cli.progress import ProgressLine
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from tests.doors.conftest import Run
from tests.doors.signals import ROOT, begin

LONG = (
    "perft nim 2", "playouts nim", "tree nim", "explain nim", "trace nim --summary", "show nim",
    "perft nim 2 --divide",
)  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""What is broken off in an import leaves the file that it reads to be closed."""

OWN = ("solve nim --json", "check nim", "best nim")
"""These look at limits by themselves, too."""
SECONDS = re.compile(r'"seconds": .*')
TIME_IS_UP = "stopped: the time is up (--time)"


@pytest.fixture(autouse=True)
def _without_leaving(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that watches outlives its command, or ends this process, however slow that is."""
    left: list[process.Stopped] = []
    monkeypatch.setattr(process, "leave", left.append)
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == WATCH]
    assert not left


@pytest.mark.parametrize("command", LONG)
def test_time_is_a_limit_of_all_that_a_command_does(run: Run, command: str) -> None:
    done = run(*command.split(), "--time", "0")
    assert (done.status, done.out) == (3, "")
    assert done.err.startswith(TIME_IS_UP)


@pytest.mark.parametrize("command", ["perft nim 2", "show nim", "best nim"])
def test_memory_is_a_limit_too(run: Run, command: str) -> None:
    done = run(*command.split(), "--memory", "1MB")
    assert (done.status, done.out) == (3, "")
    assert done.err.startswith("stopped: there is no memory for more (--memory)")


@pytest.mark.parametrize("command", ["perft nim 2", "playouts nim", *OWN])
def test_limits_that_hold_change_nothing(run: Run, command: str) -> None:
    done = run(*command.split(), "--time", "10m", "--memory", "100GB")
    assert done.status == 0
    assert SECONDS.sub("", done.out) == SECONDS.sub("", run(*command.split()).out)


def test_what_looks_at_limits_by_itself_gets_slack() -> None:
    most = Limits(10, 10**9).with_slack()
    assert 10 < (most.seconds or 0) <= 11
    assert (most.bytes or 0) > 10**9
    assert Limits().with_slack().seconds is None


def stop_at(monkeypatch: pytest.MonkeyPatch, positions: int) -> None:
    """Have the time be up when so many positions have been found."""

    def told(self: ProgressLine, found: int, frontier: int) -> None:
        self.positions, self.frontier = found, frontier
        if found >= positions:
            raise process.Stopped(3, TIME_IS_UP)

    monkeypatch.setattr(ProgressLine, "__call__", told)


def test_counts_until_then_are_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 640)
    done = run("perft", "tic_tac_toe", "9", "--engine", "python")
    assert done.status == 3
    assert done.out.split() == ["1", "9", "2", "72", "3", "504", "4", "3,024"]
    assert f"{TIME_IS_UP}: counting: 640 positions" in done.err


def test_moves_counted_until_then_are_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 640)
    done = run("perft", "tic_tac_toe", "5", "--divide", "--engine", "interpreter")
    assert done.status == 3
    moves = [line.split() for line in done.out.splitlines()]
    assert moves[-1][0] == "total"
    assert {number for _, number in moves[:-1]} == {"1,680"}
    assert len(moves) < 1 + 9


@pytest.mark.parametrize("engine", ["python", "native"])
def test_plays_until_then_are_told(run: Run, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    begun, whole = count(), KernelPlayouts._chunk

    def chunk(self: KernelPlayouts, *given: object) -> object:
        if next(begun) == 3:
            raise process.Stopped(3, TIME_IS_UP)
        return whole(self, *given)  # type: ignore[arg-type]

    asked = ("playouts", "nim", "--engine", engine, "--threads", "1", "-n")
    with monkeypatch.context() as changed:
        changed.setattr(KernelPlayouts, "_chunk", chunk)
        done = run(*asked, "90000")
    plays = done.err.removeprefix(f"{TIME_IS_UP}: ").removesuffix(" of 90,000 plays\n")
    assert done.status == 3
    assert done.out == run(*asked, plays.replace(",", "")).out


@pytest.mark.parametrize("words", [(), ("--summary",)])
def test_a_trace_says_how_far_it_came(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    stop_at(monkeypatch, 10)
    done = run("trace", "nim", *words)
    assert done.status == 3
    assert f"{TIME_IS_UP}: searching: 10 positions" in done.err


def test_a_limit_that_is_reached_at_once_leaves_no_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = process.Stopped(3, TIME_IS_UP)

    @contextmanager
    def reached_in_starting() -> Iterator[None]:
        yield
        raise reached

    monkeypatch.setattr(process, "undisturbed", reached_in_starting)
    with pytest.raises(process.Stopped), process.running(), limited(Limits(60)):
        raise AssertionError("never begun")


def test_a_process_that_is_not_the_command_s_own_is_never_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "stop", lambda asked: asked)  # nobody hears
    monkeypatch.setattr(process, "is_ending", lambda asked: True)
    with process.running(), limited(Limits(0.1)):
        time.sleep(0.3)


def test_a_limit_that_is_reached_too_late_stops_no_other_command() -> None:
    process.hear_limits()
    process.stop(process.Stopped(3, TIME_IS_UP))
    with process.running():
        signal.raise_signal(signal.SIGURG)


DEAF = """
import ctypes
from gamedsl.cli import process
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.progress import ProgressLine

def wait():
    lock, held = ctypes.CDLL(None).pthread_mutex_lock, ctypes.create_string_buffer(64)
    with process.running(), limited(Limits(0.3)), ProgressLine("waiting", quiet=True) as progress:
        progress(64, 0)
        while True:
            lock(held)

process.run(wait)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a lock of pthread, by its name there")
def test_machine_code_that_hears_nothing_is_left() -> None:
    with begin("-c", DEAF) as deaf:
        _, errors = deaf.communicate(timeout=60)
    assert deaf.returncode == 3
    assert errors.startswith(f"{TIME_IS_UP}: waiting: 64 positions")


DRAWN = """
import rich.console, rich.status
from gamedsl.cli import progress

progress.PATIENCE = progress.REDRAW = -1.0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a lock of pthread, by its name there")
def test_a_line_of_progress_is_taken_away_where_machine_code_is_left() -> None:
    side, inside = os.openpty()
    command = [sys.executable, "-c", DRAWN + DEAF.replace("quiet=True", "quiet=False")]
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stderr=inside, env=environment) as deaf:
        os.close(inside)
        shown = b""
        try:
            while more := os.read(side, 65_536):
                shown += more
        except OSError:  # the other side has gone
            pass
    os.close(side)
    assert deaf.returncode == 3
    assert "\x1b[?25l" in shown.decode()  # the cursor was hidden
    assert f"\r\x1b[2K\x1b[?25h{TIME_IS_UP}" in shown.decode()


SLOW_TO_END = """
import signal, threading, time
from gamedsl.cli import process

def answer():
    threading.Thread(target=time.sleep, args=(60,)).start()
    threading.Thread(target=lambda: (time.sleep(0.2), signal.raise_signal(signal.SIGINT))).start()
    raise SystemExit(1)

process.run(answer)
"""


def test_nothing_changes_the_status_once_the_answer_is_out() -> None:
    with begin("-c", SLOW_TO_END) as slow:
        _, errors = slow.communicate(timeout=60)
    assert (slow.returncode, errors) == (1, "")
