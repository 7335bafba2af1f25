"""Engines, playouts and the cache on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.doors.conftest import PILE, Run

REFUSED = (
    'game "Shares"\nplayers A, B\n\nstate:\n    left: 0..3 = 3\n'
    "    taken[1..3]: bool = false\n\n"
    "move take:\n    require left > 0\n    taken[left] = true\n    left -= 1\n\n"
    "end:\n    if left == 0:\n"
    "        payoff A: sum(1 / n for n in 1..3 where taken[n]), B: 0\n"
)


@pytest.mark.parametrize("engine", ["auto", "interpreter", "python"])
def test_perft_counts_the_same_on_every_engine(run: Run, engine: str) -> None:
    ran = run("perft", "tic_tac_toe", "4", "--engine", engine)
    assert (ran.status, ran.out.split()) == (0, ["1", "9", "2", "72", "3", "504", "4", "3,024"])


def test_solve_and_play_take_an_engine(run: Run) -> None:
    assert "wins in 11 plies" in run("solve", "nim", "--engine", "python").out
    assert run("play", "nim", "--engine", "interpreter", stdin="quit\n").status == 0


def test_what_cannot_be_compiled_is_played_by_the_interpreter_with_a_note(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "sizes.game"
    file.write_text(REFUSED)
    ran = run("perft", file, "1")
    assert (ran.status, ran.out.split()) == (0, ["1", "1"])
    assert "played by the interpreter" in ran.err
    assert "(line 15)" in ran.err
    asked = run("perft", file, "1", "--engine", "python")
    assert asked.status == 4
    assert "not compiled yet" in asked.err


def test_playouts_tell_how_plays_end_and_repeat_with_the_seed(run: Run) -> None:
    ran = run("playouts", "tic_tac_toe", "-n", "200", "--seed", "5", "--engine", "python")
    assert ran.status == 0
    assert "200 random plays" in ran.out
    assert run("playouts", "tic_tac_toe", "-n", "200", "--seed", "5").out == ran.out


def test_playouts_as_json_add_up(run: Run) -> None:
    data = json.loads(run("playouts", "pig", "-n", "50", "--json").out)
    assert sum(ending["count"] for ending in data["endings"]) + data["unfinished"] == 50
    assert data["plies"]["shortest"] <= data["plies"]["longest"]


@pytest.mark.parametrize("command", ["solve", "best", "perft", "play", "tree", "explain"])
def test_quiet_leaves_the_note_about_the_interpreter_out(
    run: Run, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "sizes.game"
    file.write_text(REFUSED)
    own = ["1"] if command == "perft" else []
    told = run(command, file, *own, stdin="quit\n")
    assert "played by the interpreter" in told.err
    quiet = run(command, file, *own, "--quiet", stdin="quit\n")
    assert "played by the interpreter" not in quiet.err
    assert re.sub(r"[\d.]+ s\b", "", quiet.out) == re.sub(r"[\d.]+ s\b", "", told.out)


def test_playouts_of_what_is_not_compiled_are_the_interpreters(run: Run) -> None:
    data = json.loads(run("playouts", "centipede", "-n", "400", "--json").out)
    first = next(end["count"] for end in data["endings"] if end["payoffs"] == ["4", "1"])
    assert 160 <= first <= 240  # A takes or passes, each as likely
    thrown = json.loads(run("playouts", "myerson_poker", "-n", "100", "--json").out)
    assert thrown["plies"]["shortest"] == 1  # the card drawn is no ply
    assert run("playouts", "nim", "-n", "9", "--engine", "interpreter").status == 0


def test_playouts_refuse_what_they_cannot_do(run: Run) -> None:
    refused = run("playouts", "-", stdin=f"{PILE}\ndiscount = 1/2\n")
    assert (refused.status, "discounts its payoffs" in refused.err) == (4, True)


def test_playouts_are_broken_off_within_what_memory_can_hold(run: Run) -> None:
    ran = run("playouts", "chess", "-n", "1", "--longest", "9999999999999999999999")
    assert ran.status == 2
    assert "--longest" in ran.err


def test_the_source_is_shown_with_the_lines_of_the_game(run: Run) -> None:
    ran = run("show", "tic_tac_toe", "--format", "source")
    assert ran.status == 0
    assert "# " in ran.out
    assert "def legal(" in ran.out


def test_the_cache_is_shown_and_cleared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "gamedsl" / "native").mkdir(parents=True)
    (tmp_path / "gamedsl" / "native" / "game_0.py").write_bytes(bytes(2500))
    assert run("cache").out.startswith("1 game, 2.5 kB in ")
    assert "deleted: 1 game" in run("cache", "--clear").out
    assert "0 games" in run("cache").out


@pytest.mark.parametrize("asked", [["perft", "4", "--engine", "native"], ["playouts", "-n", "9"]])
def test_errors_that_kernels_meet_name_the_action_and_the_state(
    run: Run, tmp_path: Path, asked: list[str]
) -> None:
    file = tmp_path / "heap.game"
    file.write_text(
        'game "Heap"\nplayers A, B\n\nstate:\n    left: 0..9 = 9\n\n'
        "move take(n in 1..4):\n    left -= n\n\nend:\n    if left == 0: turn loses\n"
    )
    ran = run(asked[0], file, *asked[1:])
    assert ran.status == 1
    assert "while carrying out take(4)" in ran.err
    assert "left: 3" in ran.err
