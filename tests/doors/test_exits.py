"""Every exit status is reached and documented, and nothing ever ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

import gamedsl.cli.bodies.solve
from gamedsl.cli.exits import ExitCode
from gamedsl.compiler import object_code
from gamedsl.solvers.options import SolveOptions

from .conftest import PILE, ROOT, Run


def test_every_status_is_documented() -> None:
    page = (ROOT / "docs" / "machine_interface.md").read_text("utf-8")
    for code in ExitCode:
        assert f"| {int(code)} | `{code.name}` |" in page


def test_0_for_done(run: Run, pile: Path) -> None:
    assert run("solve", pile).status == 0


def test_1_for_a_game_with_errors(run: Run, game_file: Callable[..., Path]) -> None:
    failed = run("solve", game_file(PILE.replace("left -= k", "lost -= k")))
    assert failed.status == 1
    assert "error[E1001]" in failed.err
    assert failed.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve",),
        ("solve", "no_such_file.game"),
        ("solve", "nim", "--jsn"),
        ("perft", "nim", "many"),
        ("solve", "nim", "-D", "sizes"),
        ("solve", "nim", "-D", "sizes=[1, x]"),
        ("check", "no_such_file.game"),
    ],
)
def test_2_for_a_wrong_command_line(run: Run, arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)
    assert refused.status == 2
    assert refused.err or refused.out


def test_a_choice_that_there_is_not_is_answered_with_all(run: Run) -> None:
    refused = run("solve", "nim", "--goal", "vlue")
    assert refused.status == 2
    assert "'--goal': 'vlue' is not one of 'value', 'play', " in refused.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such file or directory"),
        ("{turn", "this is not JSON"),
        ('{"turn": "Eve"}', "`turn` is one of Ann, Bob, not 'Eve'"),
        ('{"variables": {"lft": 1}}', "no variable `lft`; did you mean `left`?"),
    ],
)
def test_2_for_a_state_that_cannot_be_read(
    run: Run, pile: Path, tmp_path: Path, text: str | None, words: str
) -> None:
    path = tmp_path / "state.json"
    if text is not None:
        path.write_text(text, "utf-8")
    refused = run("solve", pile, "--state", path)
    assert refused.status == 2
    assert words in refused.err
    assert "Errno" not in refused.err


@pytest.mark.parametrize("game", ["tic_tac_toe", "go"])
def test_3_for_giving_up(run: Run, game: str) -> None:
    gave_up = run("solve", game, "--max-positions", "10", "--json")
    assert gave_up.status == 3
    assert json.loads(gave_up.out)["status"] == "open"


def test_4_for_a_game_that_no_solver_applies_to(run: Run) -> None:
    refused = run("solve", "nim_misere", "--goal", "grundy", "--json")
    assert refused.status == 4
    assert refused.out == ""
    assert "normal play is not proved" in refused.err


def test_70_for_a_bug(run: Run, pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> NoReturn:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(gamedsl.cli.bodies.solve, "solve", broken)
    failed = run("solve", pile)
    assert failed.status == 70
    assert "internal error: ZeroDivisionError: on purpose" in failed.err
    assert "Traceback" not in failed.err
    monkeypatch.setenv("GAMEDSL_DEBUG", "1")
    assert "Traceback" in run("solve", pile).err


def test_130_for_an_interruption_says_what_was_reached(
    run: Run, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object, __: object, options: SolveOptions) -> NoReturn:
        assert options.progress is not None
        options.progress(5000, 20)
        raise KeyboardInterrupt

    monkeypatch.setattr(gamedsl.cli.bodies.solve, "solve", interrupted)
    stopped = run("solve", pile)
    assert stopped.status == 130
    assert "interrupted: solving: 5,000 positions, 20 waiting" in stopped.err


def test_an_interrupt_that_python_wraps_is_none_of_our_bugs(
    run: Run, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def imported(*_: object, **__: object) -> NoReturn:
        type("Imported", (), {"name": Interrupted()})
        raise AssertionError

    monkeypatch.setattr(gamedsl.cli.bodies.solve, "solve", imported)
    stopped = run("solve", pile)
    assert (stopped.status, "bug" in stopped.err) == (130, False)
    assert "interrupted" in stopped.err


def test_no_room_for_llvm_is_no_bug(run: Run, pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binding = pytest.importorskip("llvmlite.binding")

    def load() -> NoReturn:
        try:
            raise OSError("libllvmlite.so: failed to map segment from shared object")
        except OSError:
            raise OSError("Could not find/load shared object file")  # noqa: B904

    object_code.llvm.cache_clear()
    object_code.target_machine.cache_clear()
    monkeypatch.setattr(binding, "get_process_triple", load)
    found = run("solve", pile, "--engine", "native")
    object_code.llvm.cache_clear()
    assert (found.status, "out of memory" in found.err, "bug" in found.err) == (3, True, False)


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "gamedsl", "games"],
        cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == ""


def test_colour_only_where_it_is_wanted(run_apart: Run, game_file: Callable[..., Path]) -> None:
    path = game_file(PILE.replace("left -= k", "lost -= k"))
    assert "\x1b[" not in run_apart("check", path).out
    assert "\x1b[" in run_apart("check", path, FORCE_COLOR="1").out
    assert run_apart("solve", "nim", FORCE_COLOR="1").out.startswith(
        "\x1b[1mNim: A wins\x1b[0m\n\n"
    )
    assert "\x1b[" not in run_apart("solve", "nim").out
    assert "\x1b[" not in run_apart("check", path, FORCE_COLOR="1", NO_COLOR="1").out
