"""Signals and streams of real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.doors.signals import ROOT, begin, wait_until_heard

ON_LINUX = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="signals that are caught are read from /proc"
)
FULL = Path("/dev/full")
LONG = ("-m", "gamedsl", "perft", "chess", "7", "--engine", "python")


def ended(number: signal.Signals, after: float, *command: str) -> tuple[int, list[str]]:
    """Status and lines of standard error of a process that gets a signal after some seconds."""
    with begin(*command) as process:
        wait_until_heard(process)
        time.sleep(after)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        return process.returncode, errors.strip().splitlines()


@ON_LINUX
@pytest.mark.parametrize("after", [0, 0.1, 0.3, 1.5])
def test_an_interrupt_ends_with_one_line_at_any_moment(after: float) -> None:
    status, lines = ended(signal.SIGINT, after, *LONG)
    assert status == 130
    assert [line.split(":")[0] for line in lines] == ["interrupted"]


@ON_LINUX
def test_a_request_to_terminate_is_another_status() -> None:
    status, lines = ended(signal.SIGTERM, 1.0, *LONG)
    assert status == 143
    assert [line.split(":")[0] for line in lines] == ["terminated"]


@ON_LINUX
def test_an_interrupt_that_is_ignored_from_the_start_stays_ignored() -> None:
    with begin(*LONG, interrupts=signal.SIG_IGN) as process:
        wait_until_heard(process)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.strip()) == (143, "terminated")


DEAF = """
import ctypes
from gamedsl.cli import process

def wait():
    lock, held = ctypes.CDLL(None).pthread_mutex_lock, ctypes.create_string_buffer(64)
    with process.running():
        while True:
            lock(held)

process.run(wait)
"""


@ON_LINUX
def test_machine_code_that_hears_nothing_is_left() -> None:
    assert ended(signal.SIGINT, 0.3, "-c", DEAF) == (130, ["interrupted"])


@pytest.mark.parametrize("arguments", ["--help", "games", "perft nim 2 --json"])
@pytest.mark.parametrize("where", ["> /dev/full", ">&-"])
def test_results_that_cannot_be_written_are_an_error(arguments: str, where: str) -> None:
    if not FULL.exists() and "full" in where:
        pytest.skip("no /dev/full on this system")
    done = subprocess.run(
        f"{sys.executable} -m gamedsl {arguments} {where}",
        cwd=ROOT, shell=True, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output cannot be written: ")
    assert done.stderr.count("\n") == 1


def test_without_standard_error_and_input_commands_work() -> None:
    done = subprocess.run(
        f"{sys.executable} -m gamedsl play nim <&- 2>&-",
        cwd=ROOT, shell=True, stdout=subprocess.PIPE, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.endswith("bye\n")


def test_pipes_are_utf_8_whatever_the_locale() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "gamedsl", "tree", "tic_tac_toe", "--depth", "1"],
        cwd=ROOT, env={**os.environ, **plain}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "├─" in done.stdout.decode("utf-8")


def _looks_up(worker: str) -> bool:
    """Whether a worker has the thread that waits for the end of the parent."""
    return len(list(Path(f"/proc/{worker}/task").iterdir())) > 1


CHECKING = "check -j2 --positions all games/chess.game games/othello.game"
MATCH = "match nim --first random --against random --pairs 1000000 --jobs 2"


@ON_LINUX
@pytest.mark.parametrize(
    ("command", "number", "to_worker", "status", "said"),
    [
        (
            CHECKING, signal.SIGKILL, True, 3,
            "error: a process that was checking has been ended from outside",
        ),
        (CHECKING, signal.SIGINT, False, 130, "interrupted: checked 0 of 2 files"),
        (CHECKING, signal.SIGKILL, False, -signal.SIGKILL, ""),
        (MATCH, signal.SIGINT, False, 130, "interrupted: "),
        (MATCH, signal.SIGKILL, False, -signal.SIGKILL, ""),
    ],
)  # fmt: skip
def test_processes_end_with_each_other(
    command: str, number: signal.Signals, to_worker: bool, status: int, said: str
) -> None:
    with begin("-m", "gamedsl", *command.split()) as process:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        ends = time.monotonic() + 60
        while len(workers := [w for w in listed.read_text().split() if _looks_up(w)]) < 2:
            assert time.monotonic() < ends, "the processes do not begin to work"
            time.sleep(0.01)
        os.kill(int(workers[0]) if to_worker else process.pid, number)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert errors.strip().startswith(said)
    assert status < 0 or "leaked" not in errors
    assert not any(Path(f"/proc/{worker}/exe").exists() for worker in workers)
