"""Small pieces of reports: numbers and outcomes as words, boards, outlines, differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.reports.boards.grid import grid_text
from gamedsl.reports.counts.perft import rate_text
from gamedsl.reports.differences import differences
from gamedsl.reports.dump import dump
from gamedsl.reports.json_text import json_text
from gamedsl.reports.paragraphs import comparisons_whole, fill, labelled, listed
from gamedsl.reports.phrases import (
    bound_text,
    compiling_words,
    decimal_text,
    symbol,
    value_words,
)
from gamedsl.reports.solutions.move_values import Setting, signs_and_words
from gamedsl.solvers.solution import MoveValue
from gamedsl.source.plurals import count

TWO = ("Ann", "Bob")
EXACT = Fraction(0)


def payoffs(*numbers: int | str) -> tuple[Fraction, ...]:
    return tuple(Fraction(number) for number in numbers)


@pytest.mark.parametrize(
    ("values", "players", "by_chance", "words"),
    [
        (payoffs(0, 0), TWO, False, "draw"),
        (payoffs(-1, 1), TWO, False, "Bob wins"),
        (payoffs(3, -3), TWO, False, "Ann wins 3"),
        (payoffs("1/3", "-1/3"), TWO, True, "Ann: 1/3"),
        (payoffs("1/3", "1/3"), TWO, True, "Ann: 1/3, Bob: 1/3"),
        (payoffs(1, 2, 6), ("A", "B", "C"), False, "payoffs A: 1, B: 2, C: 6"),
    ],
)
def test_payoffs_are_put_into_words(
    values: tuple[Fraction, ...], players: tuple[str, ...], by_chance: bool, words: str
) -> None:
    assert value_words(values, players, EXACT, by_chance) == words


@pytest.mark.parametrize(
    ("values", "by_chance", "words"),
    [
        (payoffs(0, 0), False, "payoffs Ann: 0, Bob: 0"),
        (payoffs(-1, 1), False, "payoffs Ann: -1, Bob: 1"),
        (payoffs("1/3", "-1/3"), True, "Ann: 1/3, Bob: -1/3"),
    ],
)
def test_beside_payoffs_that_are_not_opposed_all_are_written_alike(
    values: tuple[Fraction, ...], by_chance: bool, words: str
) -> None:
    assert value_words(values, TWO, EXACT, by_chance, is_opposed=False) == words


@pytest.mark.parametrize(
    ("values", "mover", "sign"),
    [
        (payoffs(0, 0), 0, "="),
        (payoffs(1, -1), 0, "+"),
        (payoffs(1, -1), 1, "-"),
        (payoffs(2, -2), 0, "2,-2"),
        (payoffs(1, 1), 0, "1,1"),
    ],
)
def test_a_sign_on_the_board_is_the_movers_and_never_ambiguous(
    values: tuple[Fraction, ...], mover: int, sign: str
) -> None:
    assert symbol(values, mover, EXACT, by_chance=False) == sign


def test_the_plies_of_a_number_are_told_apart_from_it() -> None:
    moves = [
        MoveValue(n, f"m{n}", payoffs(3, 1), n, is_best=True, makes_progress=True) for n in (1, 2)
    ]
    setting = Setting(("A", "B"), 0, by_chance=False, error_bound=Fraction(0), ground=None)
    signs = [sign for sign, _ in signs_and_words(moves, setting).values()]
    assert sorted(signs) == ["3,1(1)", "3,1(2)"]


@pytest.mark.parametrize(
    ("values", "signs"),
    [
        ([payoffs(4, 0, 4, 0), payoffs(2, 2, 2, 2), payoffs(0, 0, 0, 0)], ["4", "2", "="]),
        ([payoffs(4, 0, 4, 0), payoffs(4, 0, 2, 2)], ["4,0,4,0", "4,0,2,2"]),
    ],
)
def test_of_many_players_the_movers_payoff_is_the_sign_where_it_says_all(
    values: list[tuple[Fraction, ...]], signs: list[str]
) -> None:
    setting = Setting(tuple("NESW"), 0, by_chance=False, error_bound=EXACT, ground=None)
    moves = [
        MoveValue(n, f"m{n}", value, 5, is_best=n == 0, makes_progress=True)
        for n, value in enumerate(values)
    ]
    assert [sign for sign, _ in signs_and_words(moves, setting).values()] == signs


def test_an_exact_expectation_fits_into_a_square() -> None:
    assert symbol(payoffs(Fraction(-1, 18), Fraction(1, 18)), 0, EXACT, by_chance=True) == "-1/18"
    long = Fraction(44135443478, 185659646372)
    assert symbol((long, -long), 0, EXACT, by_chance=True) == "≈0.238"


def test_colours_take_no_columns() -> None:
    board = gamedsl.load("tic_tac_toe").model.board
    assert board is not None
    words = {"a1": "X", "b1": "+3", "c1": "-"}
    painted = grid_text(board, words, {"b1": "\033[32m"})
    assert "\033[32m+3\033[0m" in painted
    plain = painted.replace("\033[32m", "").replace("\033[0m", "")
    assert plain == grid_text(board, words)


def test_an_error_bound_is_never_rounded_down() -> None:
    assert bound_text(Fraction(1001, 10**12)) == "1.1e-9"
    assert bound_text(Fraction(0)) == "0"


def test_decimals_are_exact_to_their_last_digit() -> None:
    assert decimal_text(Fraction(1, 3)) == "0.333333333333"
    assert decimal_text(Fraction(-1, 8)) == "-0.125000000000"


def test_nouns_agree_with_their_numbers() -> None:
    assert (count(1, "ply"), count(2, "ply"), count(5478, "position")) == (
        "1 ply",
        "2 plies",
        "5,478 positions",
    )


def test_a_masked_board_leaves_its_gaps_blank() -> None:
    board = gamedsl.load("checkers").model.board
    assert board is not None
    lines = grid_text(board, {"a1": "x"}).splitlines()
    assert lines[-2] == "1  x   .   .   ."
    assert lines[-3] == "2    .   .   .   ."
    assert lines[-1] == "   a b c d e f g h"


def test_names_are_never_broken_over_lines() -> None:
    names = [f"take({number}, 1)" for number in range(20)]
    text = labelled("moves", listed(names), 8)
    assert len(text.splitlines()) > 1
    assert all(line.count("(") == line.count(")") for line in text.splitlines())
    assert listed(names, 2) == "take(0, 1)  take(1, 1)  ... and 18 more".replace(", ", ",\xa0")


def test_lists_in_brackets_are_kept_whole_and_prose_is_not() -> None:
    before = "x" * 70
    for text in ("{1, ..., len(n)}", "(-1/18, 1/18)", "mark(with a space)"):
        assert fill(f"{before} {text}").splitlines() == [before, text]
    assert fill(f"{before} (as it is told)").splitlines() == [f"{before} (as it is", "told)"]


def test_formulas_are_broken_beside_no_comparison() -> None:
    formula = comparisons_whole("x" * 70 + ", n ≤ left[h], ∃ s ∈ squares")
    assert fill(formula).splitlines() == ["x" * 70 + ",", "n ≤ left[h], ∃ s ∈ squares"]


def test_json_refuses_what_is_not_finite() -> None:
    assert json_text({"a": 1}).startswith('{\n  "schema_version": 1,')
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"a": float("nan")})


@dataclass(frozen=True, slots=True)
class Leaf:
    word: str


@dataclass(frozen=True, slots=True)
class Branch:
    name: str
    leaves: tuple[Leaf, ...]
    table: dict[str, Leaf]


def test_an_outline_has_a_line_a_node() -> None:
    tree = Branch("b", (Leaf("x"), Leaf("y")), {"k": Leaf("z")})
    assert dump(tree) == (
        "Branch name='b'\n"
        "    leaves:\n"
        "        1: Leaf word='x'\n"
        "        2: Leaf word='y'\n"
        "    table:\n"
        "        k: Leaf word='z'\n"
    )


def test_differences_are_a_unified_diff() -> None:
    assert differences("a\nb\n", "a\nc\n", "f") == (
        "--- f\n+++ f (formatted)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    )


def test_time_for_compiling_is_told_apart() -> None:
    assert compiling_words(0.05) == ""
    assert rate_text(3000, 2.5, 1.0) == "2.50 s, of these 1.00 s compiling, 2,000 plays a second"
    assert rate_text(3000, 2.0) == "2.00 s, 1,500 plays a second"
    solution = replace(gamedsl.solve("nim"), seconds=3.0, compiling=0.75)
    assert "solved by   backward induction, 3.00 s, of these 0.75 s compiling" in str(solution)


def test_where_interests_are_not_opposed_nothing_is_a_draw() -> None:
    apart = gamedsl.load("battle_of_the_sexes")
    assert "game over: Row 0, Column 0" in str(apart.view(apart.position("opera+football")))
    throws = gamedsl.load("rock_paper_scissors")
    assert "game over: draw" in str(throws.view(throws.position("rock+rock")))
