"""Formulas as a tree: the three printers, and whole games against definitions written by hand."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import gamedsl
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.explanations.as_latex import explain_latex
from gamedsl.reports.explanations.definition import explain
from gamedsl.reports.explanations.mathematics import Mathematics
from gamedsl.reports.formulas.as_latex import formula_latex
from gamedsl.reports.formulas.as_mathml import formula_html
from gamedsl.reports.formulas.as_text import line_text, text_of
from gamedsl.reports.formulas.tree import Formula, Line, nested, read, row
from gamedsl.source import SourceFile
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse

BY_HAND = {
    "tic_tac_toe": (
        "state = (turn, cell)",
        "cell[i] = empty for i ∈ square",
        "ACTIONS(state) = { mark(s) : s ∈ square, cell[s] = empty }",
        "RESULT(state, mark(s)) = state with cell[s] ← turn, turn ← next(turn)",
        "TERMINAL-TEST(state) ⇔ (∃ p ∈ players: line(cell, p, 3))",
        "  ∨ full(cell)",
        "  p gets 1, other(p) gets -1 for the first p ∈ players with line(cell, p, 3)",
        "  everybody gets 0 if full(cell)",
    ),
    "pig": (
        "score[i] = 0 for i ∈ players",
        "RESULT(s, hold) = s with score[turn] ← min(goal, score[turn] + pot), pot ← 0,"
        " turn ← next(turn)",
        "RESULT(s, roll) = s after these steps, in order:",
        "  die ∈ {1, ..., 6} is drawn by chance",
        "  if die = 1: pot ← 0",
        "  else:",
        "    pot ← min(goal, pot + die)",
        "    the same player moves again",
        "  turn ← next(turn), unless the same player moves again",
        "roll: P(die) = 1/6 for die ∈ {1, ..., 6}",
        "TERMINAL-TEST(s) ⇔ ∃ p ∈ players: score[p] = goal",
    ),
    "kuhn_poker": (
        "  card[Bob] ∈ Card with card[Bob] ≠ card[Ann] is drawn by chance",
        "facing_a_bet ⇔ stake[opponent] > stake[turn]",
        "  ∪ { call : facing_a_bet }",
        "RESULT(s, fold) = s with folded ← turn, turn ← next(turn)",
        "I(s, p) = { s' : o(s', p) = o(s, p), now and after every earlier move }",
        "o(s, Ann) = (turn, card[Ann], stake, checks, folded)",
        "o(s, Bob) = (turn, card[Bob], stake, checks, folded)",
    ),
    "hanoi": (
        "GOAL-TEST(s) ⇔ ∀ d ∈ {1, ..., discs}: peg[d] = pegs",
        "c(s, a, s') = 1",
        "the cost of a path is its number of steps",
    ),
    "prisoners_dilemma": ("s = choice", "|S| ≤ 9 by these sets alone"),
}
"""Lines of definitions, written from the rules of each game as AIMA writes them."""


@pytest.mark.parametrize("name", BY_HAND)
def test_a_game_has_the_definition_that_was_written_by_hand(name: str) -> None:
    game = gamedsl.load(name)
    sections = explain(game, game.initial_state(), None).sections
    lines = [line_text(line) for s in sections for line in (*s.formulas, *s.spelled)]
    lines += [value for section in sections for value in section.values]
    assert [line for line in BY_HAND[name] if line not in lines] == []


def of(text: str) -> Formula:
    """The formula of an expression in the language."""
    program, _ = parse(SourceFile("x.game", f"def f = {text}\n"))
    (declared,) = (d for d in program.declarations if isinstance(d, ast.DefDecl))
    return Mathematics(program.declarations, ("empty",)).formula(declared.value)


@pytest.mark.parametrize(
    ("text", "plain", "typeset"),
    [
        ("not a_b", "¬a_b", r"\lnot \mathit{a\_b}"),
        ("cell[s, 1] == empty", "cell[s, 1] = empty",
         r"\mathit{cell}_{s,\allowbreak\ 1} = \mathrm{empty}"),
        ("(a + b) / n", "(a + b) / n", r"\tfrac{a + b}{n}"),
        ("a // 2", "⌊a / 2⌋", r"\lfloor \tfrac{a}{2}\rfloor "),
        ("sum(n[p] for p in players)", "Σ(n[p] : p ∈ players)",
         r"\sum_{p \in  \mathit{players}} n_{p}"),
        ("1 if a else 2 if b else 3", "1 if a, else 2 if b, else 3",
         r"\begin{cases}1 & \text{if } a\\2 & \text{if } b\\3 & \text{otherwise}\end{cases}"),
        ("any(x > 0 for x in 1..9)", "∃ x ∈ {1, ..., 9}: x > 0",
         r"\exists  x \in  {\{1,\allowbreak\ \dots ,\allowbreak\ 9\}}\colon  x > 0"),
    ],
)  # fmt: skip
def test_an_expression_is_text_and_latex(text: str, plain: str, typeset: str) -> None:
    assert text_of(of(text)) == plain
    assert formula_latex(of(text)) == typeset.strip()


@pytest.mark.parametrize(
    "text",
    [
        "not a",
        "max(a, b) <= 3 * (c - 1)",
        "all(v[x] != p for x in square)",
        "a / b",
        "count(x for x in 1..3)",
    ],
)
def test_mathml_is_well_formed_and_shows_every_letter(text: str) -> None:
    page = ElementTree.fromstring(f"<p>{formula_html(of(text)).replace('&nbsp;', ' ')}</p>")
    shown = "".join("".join(page.itertext()).split())
    letters = [sign for sign in text_of(of(text)) if sign.isalnum()]
    assert all(letter in shown for letter in letters)


def test_a_long_formula_can_be_broken_between_its_elements() -> None:
    long = of(" and ".join(f"a{n} > b{n}" for n in range(12)))
    assert formula_html(long).count("</math> <math>") >= 11


def test_the_notation_of_the_textbook_is_read() -> None:
    assert formula_latex(read("ACTIONS(S0) = {}")) == r"\textsc{actions}(S_{0}) = \{ \}"
    assert (
        formula_latex(read("P(s' | s, a) = 1/3")) == r"P(s' \mid  s,\allowbreak\ a) = \tfrac{1}{3}"
    )
    assert formula_latex(read("|S| ≤ 9.1 × 10^23")) == r"|S| \le  9.1 \times  10^{23}"


def test_lines_below_a_colon_are_braced_unless_too_many() -> None:
    lines = [Line(row("x:")), Line(row("y"), 1), Line(row("z"), 1)]
    assert nested(lines)[0].is_braced
    assert not nested([*lines, *[Line(row("z"), 1)] * 20])[0].is_braced


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
@pytest.mark.parametrize("name", ["chess", "kuhn_poker", "hanoi", "grid_world"])
def test_latex_typesets_the_definition_with_plain_packages(name: str, tmp_path: Path) -> None:
    game = gamedsl.load(name)
    written = explain_latex(explain(game, game.initial_state(), None))
    (tmp_path / "game.tex").write_text(written, "ascii")
    made = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "game.tex"],
        cwd=tmp_path, capture_output=True, check=False, timeout=100,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout[-2000:]
    assert "verbatim" in written
    assert "chance" not in written or r"\sum_{" in written or name == "chess"


def test_the_page_has_formulas_and_no_script() -> None:
    game = gamedsl.load("pig")
    page = explain_html(explain(game, game.initial_state(), None), game)
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert page.count('class="braced"') == 2


def test_a_list_of_initial_values_has_an_item_for_each_cell() -> None:
    text = """game "Prices"
param prices = [3, 1]
def both = [4, 6]
players Ann
state:
    price[i in 1..2]: 0..9 = prices
    cost[a in 1..2]: 0..9 = both if a == 1 else prices
    rank[a in 1..2, b in 1..3]: 0..9 = both
    left[Kind]: 0..2 = [1, 2]
    sold: 0..9 = prices[2]
type Kind = tea | jam
move sell(k in Kind):
    require left[k] > 0
    left[k] -= 1
end:
    if stuck: draw
"""
    game = gamedsl.load(text)
    sections = explain(game, game.initial_state(), None).sections
    shown = {line_text(line) for section in sections for line in section.spelled}
    assert shown >= {
        "price[i] = prices[i] for i ∈ {1, 2}",
        "cost[a] = both[a] if a = 1, else prices[a] for a ∈ {1, 2}",
        "rank[a, b] = both[a] for a ∈ {1, 2}, b ∈ {1, 2, 3}",
        "left[i] = [1, 2][i] for i ∈ Kind",
        "sold = prices[2]",
    }
