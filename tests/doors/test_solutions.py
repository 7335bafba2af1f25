"""`gamedsl solve --save`, `gamedsl probe` and `gamedsl verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamedsl.archive.checkpoints import place_of
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.cli.boundary import CommandError
from gamedsl.cli.saved import opening
from tests.doors.conftest import GAMES, Run

pytest.importorskip("llvmlite")


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "hexapawn.solution"
    found = run("solve", "hexapawn", "--save", str(path))
    assert found.status == 0
    assert "gamedsl probe" in found.err
    return path


def test_a_saved_solution_is_asked_about_a_position(run: Run, kept: Path) -> None:
    found = run("probe", str(kept), "--at", "step(b1)")
    assert found.status == 0
    assert "capture(a3, E)  capture(c3, W)" in found.out
    assert "White wins in 2 plies" in found.out


def test_a_saved_solution_is_asked_about_a_state(run: Run, kept: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    run("show", "hexapawn", "--format", "state", "--at", "step(b1)", "-o", str(state))
    for behind in ((), ("--at", "capture(a3, E)")):
        told = run("probe", str(kept), "--state", str(state), *behind)
        assert told.out == run("probe", str(kept), "--at", " ".join(["step(b1)", *behind[1:]])).out
    refused = run("probe", str(kept), "--state", str(tmp_path / "none.json"))
    assert (refused.status, "no such file" in refused.err) == (2, True)


def test_it_says_the_same_as_solving_does(run: Run, kept: Path) -> None:
    solved = json.loads(run("solve", "hexapawn", "--json").out)
    probed = json.loads(run("probe", str(kept), "--json").out)
    other = {"seconds": 0, "solver": "some"}
    assert probed | other == solved | other
    title = run("solve", "hexapawn").out.splitlines()[0]
    assert run("probe", str(kept)).out.splitlines()[0] == title == "Hexapawn: Black wins"


def test_a_saved_solution_is_verified(run: Run, kept: Path) -> None:
    found = run("verify", str(kept))
    assert (found.status, "verified: all 135 positions" in found.out) == (0, True)
    data = json.loads(run("verify", str(kept), "--positions", "10", "--json").out)
    assert (data["looked_at"], data["is_right"]) == (10, True)


def test_a_damaged_file_is_refused(run: Run, kept: Path) -> None:
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)
    found = run("verify", str(kept))
    assert found.status == 1
    assert "damaged" in found.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("probe", "nosuch.solution"), 2, "cannot be read: No such file"),
        (("verify", GAMES / "nim.game"), 1, "it is no solution that gamedsl has written"),
        (("solve", "hexapawn", "--save", "no/such/x"), 2, "cannot be written: No such file"),
        (("solve", "hexapawn", "--save", "."), 2, "cannot be written: it is a folder"),
        (("solve", "hexapawn", "--save", "x", "--engine", "interpreter"), 4, "not supported"),
        (("solve", "monty_hall", "--save", "x"), 4, "leave out --save"),
    ],
)
def test_what_cannot_be_done_is_said(
    run: Run, words: tuple[str, ...], code: int, said: str
) -> None:
    found = run(*words)
    assert found.status == code
    assert said in " ".join(found.err.split())


def test_no_file_is_lost_that_is_no_solution(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "mine.game"
    text = (GAMES / "hexapawn.game").read_text()
    rules.write_text(text)
    found = run("solve", str(rules), "--save", str(rules))
    assert (found.status, found.out) == (2, "")
    assert "it is there, and no solution" in " ".join(found.err.split())
    assert rules.read_text() == text


def test_a_move_that_is_not_legal_is_refused(run: Run, kept: Path) -> None:
    found = run("probe", str(kept), "--at", "step(a9)")
    assert found.status == 2
    assert "not legal" in found.err or "is not" in found.err


def test_work_that_is_out_of_time_is_gone_on_with(run: Run, tmp_path: Path) -> None:
    path, whole = tmp_path / "cut.solution", tmp_path / "whole.solution"
    words = ("solve", "connect_small", "--engine", "native", "--save")
    assert run(*words, str(whole)).status == 0
    found = run(*words, str(path), "--max-positions", "4500")
    assert found.status == 3
    assert "cut.solution.checkpoint; --resume goes on with it" in found.err
    refused = run(*words, str(path))
    assert (refused.status, "remove it to begin anew" in refused.err) == (2, True)
    assert run(*words, str(path), "--resume").status == 0
    assert path.read_bytes() == whole.read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, whole.name]


def test_going_on_where_nothing_was_kept_begins_anew(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.solution"
    found = run("solve", "hexapawn", "--save", str(path), "--resume")
    assert (found.status, "so this begins anew" in found.err) == (0, True)
    refused = run("solve", "hexapawn", "--resume")
    assert (refused.status, "--save OUT" in refused.err) == (2, True)


def test_a_saved_solution_plays_the_other_side(run: Run, kept: Path) -> None:
    found = run("play", "hexapawn", "--solution", str(kept), stdin="step(b1)\nquit\n")
    assert found.status == 0
    assert "Black plays by the solution" in found.out
    assert "Black plays capture(" in found.out
    assert "solving" not in found.err


def test_a_saved_solution_says_what_is_best(run: Run, kept: Path) -> None:
    words = ("best", "hexapawn", "--at", "step(b1)", "--json")
    solved, looked_up = run(*words), run(*words, "--solution", str(kept))
    assert (solved.status, looked_up.status) == (0, 0)
    other = {"seconds": 0, "solver": "some"}
    assert json.loads(looked_up.out) | other == json.loads(solved.out) | other


@pytest.mark.parametrize("command", ["best", "play"])
@pytest.mark.parametrize(
    ("game", "said"),
    [
        (("nim",), "it is of other rules: Hexapawn"),
        (("hexapawn", "-D", "width=4"), "Hexapawn -D width=3"),
    ],
)
def test_a_solution_of_another_game_is_refused(
    run: Run, kept: Path, command: str, game: tuple[str, ...], said: str
) -> None:
    found = run(command, *game, "--solution", str(kept))
    assert (found.status, said in found.err) == (1, True)


def test_what_players_do_by_what_they_have_seen_is_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.solution"
    assert run("solve", "kuhn_poker", "--save", str(path)).status == 0
    verified = run("verify", str(path))
    assert verified.status == 0
    assert "all 12 information sets nobody gains anything" in " ".join(verified.out.split())
    assert all(len(line) <= 80 for line in verified.out.splitlines()[1:])
    data = json.loads(run("verify", str(path), "--json").out)
    assert (data["is_right"], data["gains"]) == (True, ["0", "0"])
    assert "with K after bet: call" in run("probe", str(path)).out
    for option in ("--at", "--state"):
        asked = run("probe", str(path), option, "bet")
        assert (asked.status, "gamedsl best" in asked.err) == (2, True)
        assert asked.err.count("error") == 1
    deal = "card[Ann]=J card[Bob]=K"
    told = run("best", "kuhn_poker", "--solution", str(path), "--at", f"{deal} bet")
    assert (told.status, "with K after bet: call" in told.out) == (0, True)


def test_what_was_learnt_is_kept_though_the_game_is_not_solved(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "near.solution"
    asked = ("solve", "kuhn_poker", "--solver", "cfr", "--rounds", "50", "--save", str(path))
    assert run(*asked).status == 3
    assert "nobody gains more than 0." in " ".join(run("verify", str(path)).out.split())


def test_work_with_a_wrong_value_is_found_by_the_rules(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cut.solution"
    words = ("solve", "connect_small", "--engine", "native", "--save", str(path))
    assert run(*words, "--max-positions", "4500").status == 3
    kept = place_of(path)
    file = SolutionFile(kept)
    facts, table = file.facts, [*file.arrays["table"]]
    shift = facts["stored"]["shift"] + facts["stored"]["class_bits"]
    settled = [n for n, number in enumerate(table) if number >> shift > 1]
    for place in settled:
        table[place] += 2 << shift  # two plies more
    write_solution(kept, facts, {"table": table})
    found = run(*words, "--resume")
    assert (found.status, path.exists()) == (1, False)
    assert "what comes of it is wrong: " in " ".join(found.err.split())
    assert "remove it, and solve without --resume" in found.err


def test_an_output_that_nobody_reads_is_no_fault_of_the_solution(kept: Path) -> None:
    with pytest.raises(BrokenPipeError), opening(kept):
        raise BrokenPipeError
    with pytest.raises(CommandError, match="cannot be read: gone"), opening(kept):
        raise OSError(5, "gone")
