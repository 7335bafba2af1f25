"""`gamedsl exercise`: set, hinted at, marked, and nothing given away before it is asked for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import gamedsl
from gamedsl.python.exercises import right_answer
from gamedsl.reports.exercises import Exercise, ExerciseKind

from .conftest import ROOT, Run

FOLDER = ROOT / "docs" / "textbook" / "exercises"
ALL = gamedsl.exercises()
ANSWERED = [one for one in ALL if one.kind is not ExerciseKind.RULES]
WRONG = {
    "best_first": "b b3, c c2, c c3",
    "bet_on_a_coin": "5/3",
    "coin_on_the_table": "heads high raise, tails high raise",
    "deep_cuts": "a q q2, b s s1",
    "deep_cuts_sorted": "b s s1, b s s2",
    "dice_or_not": "2",
    "five_marks": "X wins",
    "five_pins": "two(2)",
    "first_cuts": "b b2, b b3, c c2, c c3",
    "first_move": "take(1), take(2)",
    "four_branches": "b b2",
    "four_branches_sorted": "a a2, b b2, d d2",
    "gift": "(3, 1)",
    "hidden_penny": "show(heads); show(tails)",
    "high_or_low": "high bet; low bet",
    "last_counter_loses": "Bob wins",
    "round_and_round": "Bob wins",
    "second_throw": "7/2",
    "three_cards": "J Q bet, J K bet; Q J bet, Q K bet; K J bet, K Q bet",
    "three_heaps": "take(1, 1)",
    "three_of_them": "(1, 5, 3)",
    "three_plies": "none",
    "two_fingers": "0",
    "two_heaps": "take(left, 3)",
    "two_jugs": "6",
    "two_plies": "81",
}
"""What somebody could think."""


def named(exercise: Exercise) -> str:
    return exercise.name


@pytest.mark.parametrize("exercise", ANSWERED, ids=named)
def test_the_right_answer_is_right_and_is_shown_only_when_asked_for(
    run: Run, exercise: Exercise
) -> None:
    answer = right_answer(exercise)
    assert answer
    right = run("exercise", exercise.name, answer)
    assert (right.status, right.out) == (0, "Right.\n")
    wrong = run("exercise", exercise.name, WRONG[exercise.name])
    assert wrong.status == 1
    assert wrong.out.startswith("Not right.\n")
    shown = run("exercise", exercise.name)
    assert shown.status == 0
    assert exercise.because not in shown.out
    hinted = [
        run("exercise", exercise.name, "--hint", str(n + 1)).out for n in range(len(exercise.hints))
    ]
    told = wrong.out + shown.out + "".join(hinted)
    if exercise.kind is not ExerciseKind.CLAIM:
        assert answer not in told
    solved = run("exercise", exercise.name, "--solution")
    assert solved.out.startswith(f"{answer}\n\n")
    assert len(solved.out.split("\n\n", 1)[1]) > 20


@pytest.mark.parametrize("exercise", ALL, ids=named)
def test_an_exercise_fits_a_terminal_and_nothing_in_its_rules_gives_it_away(
    exercise: Exercise,
) -> None:
    assert max(map(len, str(exercise).splitlines())) <= 80
    assert exercise.hints
    assert exercise.because
    if exercise.game is not None:
        text = exercise.game.read_text("utf-8")
        assert "expect" not in text
        assert "#" not in text
        assert "[" not in text.partition("tree:")[2]  # names of information sets


def test_rules_are_marked_by_claims_that_are_kept_apart(run: Run) -> None:
    for exercise in ALL:
        if exercise.solution is not None:
            assert run("exercise", exercise.name, exercise.solution).status == 0
    wrong = run("exercise", "race", FOLDER / "mine.game")
    assert wrong.status == 1
    assert wrong.out.endswith("Not right.\n")
    assert "expect" not in wrong.out
    data = json.loads(run("exercise", "race", FOLDER / "mine.game", "--json").out)
    assert (data["is_right"], data["kind"]) == (False, "rules")
    assert any("does not hold" in one for one in data["remarks"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("first_cut",), "did you mean `first_cuts`?"),
        (("first_cuts", "--hint", "9"), "hints 1 to 2"),
        (("first_cuts", "b"), "play goes on there"),
        (("first_cuts", "z z1"), "not legal here"),
        (("high_or_low", "high"), "Bob does not move there"),
        (("bet_on_a_coin", ""), "say what `value` is"),
        (("bet_on_a_coin", "1 # or more"), "say what `value` is"),
        (("bet_on_a_coin", "MIN"), "as in `MAX wins`"),
        (("first_move", "take 9"), "as in `take(1)`"),
        (("three_of_them", "many"), "as in `(1, 2, 3)`"),
        (("race", "nowhere.game"), "there is no file `nowhere.game`"),
        (("nowhere.toml",), "there is no file `nowhere.toml`"),
    ],
)
def test_what_cannot_be_understood_is_said(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("exercise", *arguments)
    assert done.status == 2
    assert said in done.out + done.err


CLAIM = 'title = "T"\ntext = "W"\nkind = "claim"\ngame = "a.game"\nasks = "plies"\nanswer = "9"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CLAIM.replace('"claim"', '"riddle"'), '`kind` is one of "rules", "claim"'),
        (CLAIM.replace('asks = "plies"\n', ""), "needs `asks`"),
        (CLAIM + "hints = 3\n", "`hints` is a list of strings"),
        (CLAIM + 'player = "X"\n', "`player` means nothing"),
        (CLAIM.replace("a.game", "b.game"), "there is no file `b.game` beside it"),
        (CLAIM + "= 4\n", "line 7"),
        (CLAIM + f"deep = {'[' * 200_000}{']' * 200_000}\n", "nested far deeper than an exercise"),
        (CLAIM + f"long = {'9' * 5_000}\n", "a number of more digits than can be read"),
        (CLAIM.replace('"claim"', '["claim"]'), "`kind` is one of"),
    ],
)
def test_a_file_of_ones_own_is_set_and_its_mistakes_are_named(
    run: Run, tmp_path: Path, text: str, said: str
) -> None:
    shutil.copy(ROOT / "games" / "tic_tac_toe.game", tmp_path / "a.game")
    file = tmp_path / "mine.toml"
    file.write_text(CLAIM, "utf-8")
    assert run("exercise", file, "9").out == "Right.\n"
    file.write_text(text, "utf-8")
    done = run("exercise", file, "9")
    assert done.status == 2
    assert said in done.err


def test_a_game_that_does_not_fit_its_task_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    shutil.copy(ROOT / "games" / "connect_four.game", tmp_path / "large.game")
    head = 'title = "T"\ntext = "W"\ngame = "large.game"\n'
    file.write_text(head + 'kind = "cuts"\n', "utf-8")
    assert run("exercise", file, "none").status == 3
    file.write_text(head + 'kind = "information sets"\nplayer = "Nobody"\n', "utf-8")
    refused = run("exercise", file, "none")
    assert (refused.status, "has no player Nobody" in refused.err) == (4, True)


def test_an_answer_is_read_as_people_write_it(run: Run) -> None:
    assert run("exercise", "first_move", "take 1").out == "Right.\n"
    assert run("exercise", "three_of_them", "3 1 4").out == "Right.\n"


def test_a_wrong_move_is_refuted_by_a_play(run: Run) -> None:
    wrong = run("exercise", "first_move", "take 2")
    assert wrong.status == 1
    assert "take(2) is worth -1 to Ann" in wrong.out
    assert ": take(2) take(3) take(1)" in " ".join(wrong.out.split())
    assert "take(1) is worth" not in wrong.out


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("last_counter_loses", "Bob wins", "Ann can do better than that: best play begins take(1)"),
        ("five_marks", "X wins", "O can do better than that: best play begins mark(a2)"),
        ("second_throw", "7/2", "Ann can do better than that."),
        ("second_throw", "9/2", "Ann cannot do so well."),
        ("gift", "3 1", "Ann and Bob cannot do so well."),
        ("two_jugs", "6", "6 is too large."),
        ("two_plies", "9", "9 is too small."),
    ],
)
def test_a_wrong_prediction_is_refuted(run: Run, name: str, answer: str, said: str) -> None:
    assert said in run("exercise", name, answer).out


def test_everything_about_exercises_is_data_too(run: Run) -> None:
    listed = json.loads(run("exercise", "--json").out)["exercises"]
    assert [each["exercise"] for each in listed] == [each.name for each in ALL]
    task = json.loads(run("exercise", "first_cuts", "--json").out)
    assert (task["kind"], task["hints"]) == ("cuts", 2)
    assert task["rules"].startswith("game ")
    assert not {"hint", "solution", "because"} & set(task)
    hinted = json.loads(run("exercise", "first_cuts", "--hint", "1", "--json").out)
    assert hinted["hint"].startswith("After the first branch")
    solved = json.loads(run("exercise", "race", "--solution", "--json").out)
    assert (solved["rules"], "game " in solved["solution"]) == (None, True)
