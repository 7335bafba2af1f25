"""`gamedsl sweep`: every job once, whatever the interruptions, processes and parts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from gamedsl.cli.exits import ExitCode
from tests.doors.conftest import Run

HEAP = """players A, B
param n = 5
param most = 2
state:
    heap: 0..n = n
move take(k in 1..most):
    require k <= heap
    heap = heap - k
end:
    if heap == 0: turn loses
"""


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heap.game").write_text(HEAP)
    return tmp_path / "out.jsonl"


SWEEP = ("sweep", "heap.game", "-D", "n=3..8", "-D", "most=2", "-D", "most=3")


def answers(text: str) -> list[tuple[object, ...]]:
    """The jobs and values of lines, sorted."""
    lines = map(json.loads, text.splitlines())
    return sorted(
        (line["parameters"]["n"], line["parameters"]["most"], line["result"]["outcome"])
        for line in lines
    )


def test_a_line_for_each_choice_of_parameters(run: Run, heap: Path) -> None:
    done = run(*SWEEP)
    assert (done.status, done.err.strip()) == (ExitCode.DONE, "12 jobs: 12 done")
    expected = [
        (str(n), str(most), "B wins" if n % (most + 1) == 0 else "A wins")
        for n in range(3, 9)
        for most in (2, 3)
    ]
    assert answers(done.out) == expected


def test_a_cut_off_file_is_completed_and_nothing_is_done_twice(run: Run, heap: Path) -> None:
    whole = run(*SWEEP).out
    heap.write_text("".join(whole.splitlines(keepends=True)[:5]) + '{"game": "he')
    assert "5 known, 7 done" in run(*SWEEP, "--out", "out.jsonl", "-j", "2").err
    assert answers(heap.read_text()) == answers(whole)
    before = heap.read_bytes()
    assert "12 known, 0 done" in run(*SWEEP, "--out", "out.jsonl").err
    assert heap.read_bytes() == before


def test_parts_together_are_the_whole(run: Run, heap: Path) -> None:
    parts = [run(*SWEEP, "--part", f"{n}/4").out for n in range(1, 5)]
    assert {len(part.splitlines()) for part in parts} == {3}
    assert answers("".join(parts)) == answers(run(*SWEEP).out)


def test_other_limits_rules_and_questions_are_other_jobs(run: Run, heap: Path) -> None:
    words = ("sweep", "heap.game", "--out", "out.jsonl")
    for more in ((), ("--time", "9"), ("--do", "check"), ("--do", "playouts"), ("-D", "n=5")):
        assert "1 job: 1 done" in run(*words, *more).err
    (heap.parent / "heap.game").write_text(HEAP.replace("turn loses", "turn wins"))
    assert "1 job: 1 done" in run(*words).err
    assert "1 job: 1 known, 0 done" in run(*words).err


def test_an_error_of_a_game_is_a_record(run: Run, heap: Path) -> None:
    done = run("sweep", "heap.game", "nim", "-D", "most=2")
    assert done.status == ExitCode.NO
    first, second = map(json.loads, done.out.splitlines())
    assert "no parameter `most`" in second["error"]
    assert "error" not in first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("heap.game", "-D", "n=8..3"), "a range of no numbers"),
        (("heap.game", "-D", "n=1..1000001"), "too many"),
        (("heap.game", "-D", "n=1..2000", "-D", "most=1..2000"), "4,000,000 jobs"),
        (("heap.game", "-D", "n"), "NAME=VALUE"),
        (("heap.game", "-D", "n=3...8"), "no range of whole numbers, such as 3..8"),
        (("heap.game", "--part", "5/4"), "the second of four"),
        (("heap.game", "nim", "-D", "mist=1..3"), "a parameter mist; there is most"),
        (("no.game",), "E0001"),
        (("heap.game", "--out", "heap.game"), "not a file of a sweep"),
        (("heap.game", "--out", "no/out"), "no/out"),
    ],
)
def test_bad_input_is_said(words: tuple[str, ...], said: str, run: Run, heap: Path) -> None:
    done = run("sweep", *words)
    assert done.status == ExitCode.USAGE
    assert said in " ".join(done.err.split())


@pytest.mark.slow
def test_a_killed_sweep_goes_on(run: Run, heap: Path) -> None:
    words = ("sweep", "heap.game", "-D", "n=1..60", "-D", "most=2", "--out", "out.jsonl")
    words = (*words, "-j", "2", "--quiet")
    for lines in (3, 20):
        process = subprocess.Popen([sys.executable, "-m", "gamedsl", *words])
        while process.poll() is None:
            if heap.exists() and heap.read_bytes().count(b"\n") >= lines:
                os.kill(process.pid, signal.SIGKILL)
                break
            sleep(0.01)
        process.wait()
    assert run(*words).status == ExitCode.DONE
    assert [n for n, *_ in answers(heap.read_text())] == sorted(map(str, range(1, 61)))
