"""Colours where a person reads: of players, of their men, of what is won and lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.pictures.tints import BOLD, LOST, PLAIN, WON, tint_of, tinted
from tests.doors.conftest import Run

CODES = re.compile(r"\x1b\[[\d;]*m")
RED = tint_of(("Red", "Yellow"), 0)


@pytest.fixture
def coloured(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("FORCE_COLOR", "1")
    return run


SHOWN = (
    ("tic_tac_toe", "b2"), ("hex", "b2 a1"), ("nine_mens_morris", "a1 d1"), ("phantom_line", "b1"),
    ("kalah", "5"), ("kuhn_poker", ""), ("othello_small", "b1"), ("l_game", ""),
    ("dobutsu_shogi", ""), ("aima_fig_5_2", "a1"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "moves"), SHOWN)
def test_colours_take_no_room(name: str, moves: str) -> None:
    game = gamedsl.load(name)
    state = game.position(moves) if moves else game.initial_state()
    shown = game.show(state, has_colours=True)
    assert CODES.sub("", shown) == game.show(state)


def test_men_and_the_name_of_who_moves_have_the_colour_of_the_player() -> None:
    game = gamedsl.load("connect_four")
    shown = game.show(game.position("4"), has_colours=True)
    assert tinted("R", RED) in shown
    assert shown.endswith(f"{tinted('Yellow', BOLD)} to move")
    points = gamedsl.load("nine_mens_morris")
    assert tinted("W", BOLD) in points.show(points.position("a1"), has_colours=True)


def test_a_colour_that_cannot_be_read_everywhere_is_none() -> None:
    assert tint_of(("White", "Black"), 0) == BOLD
    assert tinted("p", tint_of(("White", "Black"), 1)) == "p"
    assert len({tint_of(("A", "B", "C", "D"), place) for place in range(4)}) == 4


def test_what_wins_and_what_loses_is_coloured_wherever_it_is_told(coloured: Run) -> None:
    solved = coloured("solve", "nim", "-D", "sizes=[1,2]").out
    assert f"  {WON}A wins in 3 plies{PLAIN}  take(2, 1)\n" in solved
    assert f"  {LOST}B wins in 2 plies{PLAIN}  take(1, 1)  take(2, 2)\n" in solved
    best = coloured("best", "tic_tac_toe", "--at", "a1 b1").out
    assert f"value         {WON}X wins{PLAIN} (proved" in best
    assert f"  mark(a2)    {WON}X wins in 5 plies{PLAIN}: mark(a2)" in best
    alone = coloured("solve", "hanoi", "-D", "discs=1").out
    assert f"  {WON}Solver wins in 1 ply{PLAIN}    carry(1, 3)" in alone
    assert LOST not in coloured("solve", "prisoners_dilemma").out


def test_a_play_has_the_colours_of_its_players(coloured: Run) -> None:
    out = coloured("play", "connect_four", "--opponent", "random", "--seed", "1", stdin="4\n").out
    assert f"{tinted('Yellow', BOLD)} plays drop(" in out
    assert tinted("R", RED) in out


def test_what_goes_into_a_file_has_none(coloured: Run, tmp_path: Path) -> None:
    assert tinted("X", tint_of(("X", "O"), 0)) in coloured("show", "tic_tac_toe", "--at", "b2").out
    file = tmp_path / "board.txt"
    coloured("show", "tic_tac_toe", "--at", "b2", "-o", str(file))
    assert "\x1b" not in file.read_text()
