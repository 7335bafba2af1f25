"""`gamedsl analyse` and `gamedsl puzzles`: reports on small games, and refusals of wrong input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.doors.conftest import Run

FIRST_WINS = """
game "Rush"
players A, B
board 3 wide 3 high
state:
    cell[square]: empty | players = empty
move mark(s in square):
    require cell[s] == empty and s != a3
    cell[s] = turn
end:
    if line(cell, A, 2): A wins
    if line(cell, B, 3): B wins
    if count(s for s in square where cell[s] == empty) == 1: draw
"""
"""The first player wins in three plies; a3 is a dead square."""


@pytest.fixture
def rush(tmp_path: Path) -> str:
    file = tmp_path / "rush.game"
    file.write_text(FIRST_WINS, "utf-8")
    return str(file)


def test_a_planted_first_player_win_and_a_dead_square_are_told(run: Run, rush: str) -> None:
    report = run("analyse", rush, "--time", "2", "-q")
    assert report.status == 0
    words = " ".join(report.out.split())
    assert "With best play: A wins (proved)." in words
    assert "No play uses these squares: a3." in words
    assert "Strong players" not in words
    assert "A scores" in words
    assert max(map(len, report.out.splitlines())) <= 80


def test_the_page_is_one_document_with_charts(run: Run, rush: str, tmp_path: Path) -> None:
    page = tmp_path / "rush.html"
    assert (
        run("analyse", rush, "--time", "1", "-q", "--format", "html", "-o", str(page)).status == 0
    )
    text = page.read_text("utf-8")
    pictures = [f"<svg{part.split('</svg>')[0]}</svg>" for part in text.split("<svg")[1:]]
    titles = {ElementTree.fromstring(picture)[0].text for picture in pictures}
    assert {"Results by strength", "Lengths of play", "Moves to choose from"} <= titles
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("game", "absent"),
    [
        ("kuhn_poker", {"tension", "openings"}),
        ("shut_the_box", {"tension", "depth"}),
        ("prisoners_dilemma", {"tension", "openings"}),
        ("aima_three_player", {"tension", "depth", "idle rules"}),
    ],
)
def test_measures_without_meaning_are_left_out_with_a_reason(
    run: Run, game: str, absent: set[str]
) -> None:
    report = run("analyse", game, "--time", "0.5", "-q", "--format", "json")
    assert report.status == 0
    data = json.loads(report.out)
    assert absent <= set(data["left_out"])
    assert all(data["left_out"].values())
    assert data["levels"][0]["results"]["plays"] >= 50


def test_a_sweep_compares_the_values_of_a_parameter(run: Run) -> None:
    report = run("analyse", "hexapawn", "--sweep", "width=2..3", "--time", "1", "-q")
    assert report.status == 0
    rows = [line.split()[0] for line in report.out.splitlines()[3:]]
    assert rows == ["2", "3"]


@pytest.mark.parametrize(
    ("sweep", "reason"),
    [
        ("width", "NAME=3..6"),
        ("width=3..x", "two whole numbers"),
        ("width=3..99", "1 to 20 values"),
        ("breadth=3..4", "breadth"),
        ("width=9,none", "none"),
    ],
)
def test_a_wrong_sweep_is_refused_with_the_reason(run: Run, sweep: str, reason: str) -> None:
    refused = run("analyse", "hexapawn", "--sweep", sweep, "--time", "0.2", "-q")
    assert refused.status == 2
    assert reason in " ".join(refused.err.split())


def test_a_game_that_is_over_is_refused(run: Run) -> None:
    refused = run("analyse", "tic_tac_toe", "--at", "a1 b1 a2 b2 a3", "-q")
    assert refused.status != 0
    assert "the game is over" in refused.err


def test_a_sheet_of_puzzles_has_solutions_at_the_end(run: Run, rush: str) -> None:
    sheet = run("puzzles", rush, "-n", "3", "--time", "2", "-q")
    assert sheet.status == 0
    positions, _, solutions = sheet.out.partition("\nsolutions\n")
    assert positions.count("to move and win") == 3
    assert solutions.count("mark(") >= 3
    data = json.loads(run("puzzles", rush, "-n", "3", "--time", "2", "-q", "-f", "json").out)
    assert [puzzle["plies"] is not None for puzzle in data["puzzles"]] == [True] * 3


def test_puzzles_of_opposed_interests_with_rewards_are_refused_with_the_reason(
    run: Run, game_file: Callable[..., Path]
) -> None:
    text = """
game "Coins"
players A, B
state:
    left: 0..4 = 4
move take(n in 1..2):
    require n <= left
    reward turn: n, opponent: -n
    left -= n
end:
    if left == 0: draw
"""
    refused = run("puzzles", game_file(text))
    assert refused.status == 4
    assert "payoffs at the end alone" in refused.err
