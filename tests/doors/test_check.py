"""`gamedsl check`: findings, claims, formats and several files."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli import process, progress
from gamedsl.cli.asked.answers import CheckOptions
from gamedsl.cli.bodies import check as bodies
from gamedsl.cli.progress import ProgressLine
from gamedsl.compiler.options import CompilerOptions
from gamedsl.conformance.explore import PlayTest, looked_at
from gamedsl.game import LoadedGame
from gamedsl.model import Model, UnsupportedGameError
from gamedsl.python import checking
from gamedsl.source import SourceFile

from .conftest import GAMES, PILE, Run

WRONG_CLAIM = PILE.replace("expect value: Ann wins", "expect value: Bob wins")
UNKNOWN_NAME = PILE.replace("k <= left", "k <= letf")
ENDLESS = PILE.replace("left -= k", "left = (left + k) % 6").partition("expect")[0]
WriteGame = Callable[..., Path]


def test_a_good_file_is_ok_in_one_line(run: Run, pile: Path) -> None:
    checked = run("check", pile)
    assert checked.status == 0
    assert checked.out == f"{pile}: ok; 2 claims hold; no error in all 10 positions\n"
    assert checked.err == "checked 1 file: ok\n"
    assert run("check", pile, "--quiet").err == ""


def test_an_error_is_shown_with_its_line_and_a_hint(run: Run, game_file: WriteGame) -> None:
    path = game_file(UNKNOWN_NAME)
    checked = run("check", path)
    assert checked.status == 1
    assert "error[E1001]" in checked.out
    assert f"{path}:10:18" in checked.out
    assert "did you mean `left`?" in checked.out


def test_a_claim_that_does_not_hold_is_an_error(run: Run, game_file: WriteGame) -> None:
    checked = run("check", game_file(WRONG_CLAIM))
    assert checked.status == 1
    assert "error[E4001]: this claim does not hold: claimed Bob wins; found: (1, -1)" in checked.out
    assert "1 claim holds" in checked.out


def test_an_undecided_claim_is_neither_yes_nor_no(run: Run) -> None:
    checked = run("check", "tic_tac_toe", "--max-positions", "50")
    assert checked.status == 3
    assert "warning[W4002]" in checked.out
    assert "tic_tac_toe: undecided, 8 warnings; no error" in checked.out
    assert checked.err == "checked 1 file: 1 undecided\n"
    found = json.loads(run("check", "tic_tac_toe", "--max-positions", "50", "--json").out)
    assert [(file["ok"], file["undecided"]) for file in found["files"]] == [(True, True)]


def test_a_claim_may_cost_no_more_than_is_left_of_the_time(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "time_left", lambda seconds: 0.0)
    checked = run("check", "othello_small", "--positions", "10", "--time", "10m")
    assert checked.status == 3
    assert "not verified: not solved, after" in checked.out


def test_claims_have_what_playing_leaves_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, given = [100.0], list[float | None]()

    def playing(*_: object, **__: object) -> PlayTest:
        clock[0] += 2
        return PlayTest(0, 0, False, 0, ())

    def verifier(*_: object, max_seconds: float | None, **__: object) -> None:
        given.append(max_seconds)
        raise UnsupportedGameError("enough is known", "")

    monkeypatch.setattr(checking, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(checking, "explore", playing)
    monkeypatch.setattr(checking, "Verifier", verifier)
    for seconds in (3, 1, None):
        with pytest.raises(UnsupportedGameError):
            checking.check("nim", max_seconds=seconds)
    assert given == [1, 0, None]


def test_each_file_has_its_time_and_all_have_it_together(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = [0.0]
    monkeypatch.setattr(process, "seconds_spent", lambda: spent[0])
    options = CheckOptions(time=3)
    for before, spent[0], left in [(0, 0, 3), (0, 1, 2), (0, 4, 0), (1, 1, 3), (1, 5, 1)]:
        assert bodies._with_time(options, before).time == left
    assert bodies._with_time(CheckOptions(), 1).time is None


def test_a_game_of_one_position_is_told_so(run: Run, game_file: WriteGame) -> None:
    over = PILE.replace("param n = 5", "param n = 0").partition("expect")[0]
    assert "no error in the only position\n" in run("check", game_file(over)).out


def test_what_was_not_looked_at_is_said(run: Run) -> None:
    checked = run("check", "tic_tac_toe", "--positions", "100")
    assert "no error in the nearest 13 positions and 500 random plays; 90 more" in checked.out
    assert "no error in all 5,478" in run("check", "tic_tac_toe", "--positions", "all").out
    assert run("check", "tic_tac_toe", "--positions", "many").status == 2


def test_an_error_far_from_the_start_is_found(run: Run, game_file: WriteGame) -> None:
    """Play that comes back to where it was only after some 3,000 positions."""
    far = (
        'game "Far"\nplayers A, B\nstate:\n    n: 0..3000 = 0\n'
        "move up:\n    n = n + 1 if n < 3000 else 2000\nend:\n    if stuck: draw\n"
    )
    assert "error[E3006]" in run("check", game_file(far)).out


def test_playing_finds_what_reading_does_not(run: Run, game_file: WriteGame) -> None:
    path = game_file(ENDLESS)
    checked = run("check", path)
    assert checked.status == 1
    assert "error[E3006]" in checked.out
    assert run("check", path, "--no-play").status == 0


def test_the_position_in_a_note_is_indented_under_it(run: Run, game_file: WriteGame) -> None:
    out = run("check", game_file(PILE.replace("    require k <= left\n", ""))).out
    assert (
        "   = note: before the last step:\n           left: 1\n           Ann to move\n   = help: "
    ) in out


def test_outcomes_that_clash_are_one_short_note_with_a_play(run: Run, game_file: WriteGame) -> None:
    clashing = PILE.replace(
        "    if left == 0: opponent wins\n",
        "    if left == 0: opponent wins 2\n    if left == 0: opponent wins\n"
        "    if stuck: turn wins\n",
    ).partition("expect")[0]
    path = game_file(clashing)
    checked = run("check", path)
    assert checked.status == 0
    assert (
        "note[W3101]: `opponent wins 2` on line 14 and `opponent wins` on line 15 can hold at "
        "once, with different payoffs: the first applies (1 more pair like this)\n"
        f" --> {path}:14:19\n"
        "  = note: the play that leads there: take(1), take(2), take(2)\n"
        "\n"
    ) in checked.out
    found = json.loads(run("check", path, "--json").out)["files"][0]["diagnostics"]
    notes = [(one["code"], one["line"]) for one in found if one["severity"] == "note"]
    assert notes == [("W3101", 14)]


def test_outcomes_that_clash_late_in_a_small_game_are_noted(run: Run, game_file: WriteGame) -> None:
    late = """\
players Ann, Bob
state:
    n: 0..200 = 0
move pick(i in 1..200):
    n = i
end:
    if n > 0: Ann wins
    if n > 150 and n < 170: Bob wins
"""
    assert "`Ann wins` on line 7 and `Bob wins` on line 8" in run("check", game_file(late)).out


def test_a_win_on_a_full_board_clashes_with_nothing(run: Run) -> None:
    """`p wins`, and below it `draw`, is how everybody writes it."""
    assert run("check", "tic_tac_toe").out == (
        "tic_tac_toe: ok; 8 claims hold; no error in all 5,478 positions\n"
    )


def test_a_variable_that_no_rule_asks_for_is_one_note(run: Run, game_file: WriteGame) -> None:
    spare = PILE.replace("state:\n", "state:\n    spare: 0..3 = 1\n", 1)
    assert spare != PILE
    checked = run("check", game_file(spare)).out
    assert re.findall(r"\[(W\d+)\]", checked) == ["W1002"]


def test_a_draw_above_a_win_is_noted(run: Run, game_file: WriteGame) -> None:
    drawn = PILE.replace("    if left", "    if left < 1: draw\n    if left").partition("expect")[0]
    assert "`draw` on line 14 and `opponent wins` on line 15" in run("check", game_file(drawn)).out


def test_a_remark_marked_as_meant_is_left_out(run: Run, game_file: WriteGame) -> None:
    drawn = "    if left < 1: draw       # a rule of the house; meant: W3107, W3101\n    if left"
    text = PILE.replace("    if left", drawn).partition("expect")[0]
    for marked in (text, text.replace("W3107, W3101", "W3107 W3101")):
        assert "W3101" not in run("check", game_file(marked)).out
    assert "W3101" in run("check", game_file(text.replace(", W3101", ""))).out
    wrong = text.replace("left < 1", "letf < 1").replace("W3101", "E1001")
    assert "error[E1001]" in run("check", game_file(wrong)).out


def test_the_facts_are_printed_on_demand(run: Run, pile: Path) -> None:
    assert "perfect information" not in run("check", pile).out
    assert (
        "  traits   2 players, no chance, perfect information" in run("check", pile, "--facts").out
    )


def test_of_a_graph_points_edges_and_chains_are_counted(run: Run) -> None:
    told = run("check", "nine_mens_morris", "--facts", "--no-play").out
    assert "24 points, 32 edges, 16 chains" in told


def test_the_json_holds_diagnostics_claims_and_facts(run: Run, game_file: WriteGame) -> None:
    good, bad = game_file(WRONG_CLAIM, "claim.game"), game_file(UNKNOWN_NAME, "name.game")
    checked = run("check", good, bad, "--json")
    assert checked.status == 1
    data = json.loads(checked.out)
    assert (data["schema_version"], data["ok"]) == (1, False)
    claim, name = data["files"]
    assert claim["file"] == str(good)
    assert claim["diagnostics"] == []
    assert claim["expects"][0] == {
        "fact": "value",
        "line": 16,
        "expected": "Bob wins",
        "found": "(1, -1), Ann wins",
        "ok": False,
        "reason": None,
    }
    assert claim["expects"][1]["ok"] is True
    assert claim["facts"]["players"] == ["Ann", "Bob"]
    assert claim["explored"] == {
        "positions": 10,
        "waiting": 0,
        "complete": True,
        "plays": 0,
        "slow": False,
    }
    (found,) = name["diagnostics"]
    assert (found["code"], found["line"], found["column"]) == ("E1001", 10, 18)
    assert "did you mean `left`?" in f"{found['message']} {found['hint']}"
    assert name["facts"] is None


def test_the_json_of_every_shipped_game_is_valid(run: Run) -> None:
    files = sorted(GAMES.glob("*.game"))
    data = json.loads(run("check", *files, "--json", "--no-play").out)
    assert data["ok"] is True
    assert [entry["file"] for entry in data["files"]] == [str(file) for file in files]


def test_concise_output_is_one_line_a_finding(run: Run, game_file: WriteGame) -> None:
    path = game_file(UNKNOWN_NAME)
    out = run("check", path, "--format", "concise").out
    assert out.startswith(f"{path}:10:18: error[E1001] ")
    assert out.count("\n") == 1


def test_github_output_is_a_workflow_command(run: Run, game_file: WriteGame) -> None:
    path = game_file(UNKNOWN_NAME)
    out = run("check", path, "--format", "github").out
    assert out.startswith(f"::error file={path},title=E1001,line=10,col=18::")
    assert "did you mean `left`?" in out
    assert out.count("\n") == 1


def test_several_files_are_checked_at_the_same_time_in_order(run: Run) -> None:
    checked = run("check", "nim", "kuhn_poker", "tic_tac_toe", "-j", "2", "--no-play")
    names = [line.partition(":")[0] for line in checked.out.splitlines()]
    assert names == ["nim", "kuhn_poker", "tic_tac_toe"]
    assert checked.err == "checked 3 files: all ok\n"


GATE = "GATE_OF_CHECKS"
"""The variable with the path of a file that opens a gate by being there."""


def _checked_behind_a_gate(text: tuple[str, SourceFile], options: CheckOptions) -> object:
    for _ in range(6_000):
        if Path(os.environ[GATE]).exists():
            break
        time.sleep(0.01)
    return bodies.check_file(text, options)


def test_how_many_files_are_checked_is_told_while_they_are(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is checked here before a line of progress has been written."""
    gate, reached = tmp_path / "gate", ProgressLine.reached

    def opening(line: ProgressLine) -> str:
        gate.touch()
        return reached(line)

    monkeypatch.setenv(GATE, str(gate))
    monkeypatch.setattr(bodies, "_check_apart", _checked_behind_a_gate)
    monkeypatch.setattr(ProgressLine, "reached", opening)
    monkeypatch.setattr(progress, "REWRITE", 0.01)
    checked = run("check", "nim", "kuhn_poker", "-j", "2", "--no-play")
    assert checked.err.startswith("checked 0 of 2 files, after ")
    assert checked.err.endswith("checked 2 files: all ok\n")


WAITING = """\
# Everybody likes it best if the next one goes, and would rather go than see the third go.
game "Waiting"
players A, B, C
state:
    gone: none | players = none
move go:
    gone = turn
move wait:
    gone = none
end:
    if gone != none: payoff p: 1 if p == gone else 2 if next(p) == gone else 0
endless: payoff p: 0
"""


HIDDEN = """\
game "Hidden"
players A, B, C
state:
    coin: 0..2 = 0 secret to A
    guess: 0..2 = 0
setup:
    chance coin in 1..2
move call(n in 1..2):
    guess = n
end:
    if guess > 0: payoff p: guess if p == A else 0
"""


def test_why_solve_refuses_is_said_beforehand(run: Run, game_file: WriteGame) -> None:
    assert "`solve` refuses" not in run("check", "kuhn_poker", "rock_paper_scissors").out
    assert "`solve` refuses" not in run("check", game_file(HIDDEN)).out
    refused = run("check", game_file(WAITING)).out
    assert "`solve` refuses: play of Waiting can go round (from the first position" in refused
    solved = WAITING.replace("2 if next(p) == gone", "0 if next(p) == gone")
    assert "`solve` refuses" not in run("check", game_file(solved)).out


ROUND_AND_ROUND = """game "Round and round"
players P

state:
    at: 0..3 = 0

move step(k in 1..2):
    require at < 3
    at += k if at == 0 else -1
    reward P: PAID

end:
    if at == 0 and stuck: draw
"""


def test_that_rewards_add_up_to_no_number_is_said_beforehand(
    run: Run, game_file: WriteGame
) -> None:
    refused = run("check", game_file(ROUND_AND_ROUND.replace("PAID", "1")))
    assert "`solve` refuses: best play of Round and round has no finite value" in refused.out
    less = run("check", game_file("discount = 1/2\n" + ROUND_AND_ROUND.replace("PAID", "1")))
    assert (less.status, "`solve` refuses" in less.out) == (0, False)


def test_a_clean_game_is_one_green_line(
    run: Run, pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run("check", pile).out == (
        f"\033[32m{pile}: ok; 2 claims hold; no error in all 10 positions\033[0m\n"
    )


def test_claims_are_verified_by_the_engine_that_solve_would_take(
    run: Run, game_file: WriteGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines: list[str] = []

    def load(model: Model, engine: str, options: CompilerOptions) -> LoadedGame:
        engines.append(engine)
        return LoadedGame(model, engine, options)

    monkeypatch.setattr(checking, "LoadedGame", load)
    path = game_file(PILE + "expect longest with n = 4: 4\n")
    assert "3 claims hold" in run("check", path).out
    assert engines == ["auto", "auto"]


def test_claims_about_other_parameters_are_left_out(run: Run, game_file: WriteGame) -> None:
    path = game_file(PILE + "expect value with n = 6: Bob wins\n")
    checked = run("check", path, "-D", "n=6")
    assert checked.status == 0
    assert "1 claim holds; 2 claims left out: about other parameters" in checked.out
    assert "3 claims hold;" in run("check", path, "-D", "n=5").out


def test_standard_input_can_be_checked(run: Run) -> None:
    assert run("check", "-", stdin=PILE).out.startswith("-: ok")


def test_bytes_that_are_no_text_are_a_finding(run: Run) -> None:
    checked = run("check", "-", stdin=b"\xff\xfe\x00g")
    assert checked.status == 1
    assert "error[E0002]" in checked.out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("require ", "let z = j\n    require "), "`j` is an index of `worth`, and unknown here"),
        (("require ", "let z = j\n    require "), "go over its values: `for j in ...`"),
        (
            ("left -= k", "left, taken = 1"),
            "here, and there is 1 value",
        ),
        (("left -= k", "left -= k + f(3)"), "ask before the call that `n > 1`"),
    ],
)
def test_a_hint_says_what_helps(
    run: Run, game_file: WriteGame, change: tuple[str, str], said: str
) -> None:
    text = PILE.replace("state:", "state:\n    worth[j in 1..2]: 0..1 = 0", 1)
    text += "\ndef f(n in 0..5) = 0 if n == 0 else f(n - 2)\n" * ("f(3)" in change[1])
    checked = run("check", game_file(text.replace(*change)))
    assert said in checked.out + checked.err


@pytest.mark.parametrize(
    ("positions", "waiting", "is_whole", "said"),
    [
        (101, 7, False, "the nearest 101 positions"),
        (101, 0, False, "101 positions"),
        (101, 0, True, "all 101 positions"),
        (1, 7, False, "the nearest 1 position"),
        (1, 0, True, "the only position"),
    ],
)
def test_the_nearest_positions_are_named_so_only_where_there_are_others(
    positions: int, waiting: int, is_whole: bool, said: str
) -> None:
    assert looked_at(positions, waiting, is_whole, 0) == said


CLAIMS = 'include "anything.game"\n\nexpect value: Ann wins\nexpect states: 10\n'


def test_the_claims_of_another_file_are_verified_of_each(run: Run, game_file: WriteGame) -> None:
    claims = game_file(CLAIMS, "claims.game")
    right, wrong = game_file(PILE, "right.game"), game_file(WRONG_CLAIM, "wrong.game")
    checked = run("check", "--claims", claims, right, wrong)
    assert checked.status == 0, checked.out
    assert f"{wrong}: ok; 2 claims hold; no error in all 10 positions; claims of" in checked.out
    other = game_file(PILE.replace("param n = 5", "param n = 7"), "other.game")
    failed = run("check", "--json", "--claims", claims, other)
    assert failed.status == 1
    report = json.loads(failed.out)["files"][0]
    assert (report["file"], report["claims"]) == (str(other), str(claims))
    assert [claim["expected"] for claim in report["expects"]] == [None, None]


def test_mistakes_in_a_text_are_told_where_they_are_with_claims_from_elsewhere(
    run: Run, game_file: WriteGame
) -> None:
    file = game_file(UNKNOWN_NAME)
    checked = run("check", "--claims", game_file(CLAIMS, "claims.game"), file)
    assert checked.status == 1
    assert f"{file}:10:18" in checked.out


def test_an_error_met_in_play_is_told_of_the_rules_and_not_of_the_claims(
    run: Run, game_file: WriteGame
) -> None:
    file = game_file(PILE.replace("require k <= left", "require k < left"), "idle.game")
    checked = run("check", "--claims", game_file(CLAIMS, "claims.game"), file)
    assert checked.status == 1
    assert "error[E3003]" in checked.out
    assert f"--> {file}" in checked.out


def test_claims_that_include_no_game_are_refused(run: Run, game_file: WriteGame) -> None:
    checked = run("check", "--claims", game_file(PILE, "claims.game"), game_file(PILE))
    assert checked.status == 1
    assert "E0009" in checked.out
    assert run("check", "--claims", "nowhere.game", game_file(PILE)).status != 0


def test_a_tree_whose_only_branch_cannot_be_read_is_told_at_this_branch(
    run: Run, game_file: WriteGame
) -> None:
    file = game_file('game "Twig"\nplayers Ann, Bob\n\ntree:\n    Ann:\n        a -> (1/2 1/2)\n')
    checked = run("check", file)
    assert checked.status == 1
    assert "error[E0100]" in checked.out
    assert f"{file}:6:19" in checked.out


RACE = """\
game "Race"
players A, B, C
state:
    at[players]: 0..2 = 0
move on:
    at[turn] += 1
move back:
    at[turn] = max(0, at[turn] - 1)
end:
    for p in players:
        if at[p] == 2: p wins
"""


def test_the_hints_for_three_players_are_lines_that_pass() -> None:
    of_wins = str(gamedsl.check(RACE))
    share = re.search(r"gets: `(payoff .*)`", of_wins)
    assert share is not None
    paid = RACE.replace("p wins", share[1])
    endless = re.search(r"write `(endless: .*?)`", str(gamedsl.check(paid)))
    assert endless is not None
    assert gamedsl.check(f"{paid}{endless[1]}\n").is_ok


@pytest.mark.parametrize(
    ("claim", "limits", "engine"),
    [
        ("perft 1", {}, "interpreter"),
        ("perft 3", {}, "interpreter"),
        ("perft 3", {"MOST_CLAIMED": 0}, "auto"),
        ("perft 3", {"MOST_POSITIONS": 0}, "auto"),
        ("perft 3 turns", {}, "auto"),
        ("longest", {}, "auto"),
    ],
)
def test_a_claim_about_few_moves_compiles_no_second_game(
    monkeypatch: pytest.MonkeyPatch, claim: str, limits: dict[str, int], engine: str
) -> None:
    engines: list[str] = []

    def loaded(model: Model, name: str, options: CompilerOptions) -> LoadedGame:
        engines.append(name)
        return LoadedGame(model, name, options)

    monkeypatch.setattr(checking, "LoadedGame", loaded)
    for name, limit in limits.items():
        monkeypatch.setattr(checking, name, limit)
    text = (
        'game "Take"\nplayers A, B\nparam size = 3\nstate:\n    left: 0..9 = size\n'
        "move take:\n    require left > 0\n    left -= 1\nend:\n    if left == 0: turn wins\n"
    )
    number = 4 if claim == "longest" else 1
    report = gamedsl.check(f"{text}expect {claim} with size = 4: {number}\n")
    assert report.is_ok, str(report)
    assert engines == ["auto", engine]
    assert not gamedsl.check(f"{text}expect {claim} with size = 4: 2\n").is_ok
