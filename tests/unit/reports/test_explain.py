"""The formal definition of a game: the textbook's functions and their values."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.game import shipped_games
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.explanations.as_latex import explain_latex
from gamedsl.reports.explanations.as_markdown import explain_markdown
from gamedsl.reports.explanations.as_text import explain_text
from gamedsl.reports.explanations.definition import explain
from gamedsl.reports.explanations.sections import Section, StateCounts

GAMES = Path(__file__).resolve().parents[3] / "games"


def sections(name: str, *moves: str) -> dict[str, Section]:
    game = gamedsl.load(name)
    state = game.initial_state()
    for move in moves:
        state = game.result(state, game.action_named(state, move))
    return {section.name: section for section in explain(game, state, None).sections}


@pytest.mark.parametrize("path", shipped_games(), ids=lambda path: path.stem)
def test_every_game_has_the_functions_of_the_textbook_in_letters_that_latex_has(
    path: Path,
) -> None:
    game = gamedsl.load(path)
    explanation = explain(game, game.initial_state(), None)
    names = [section.name for section in explanation.sections]
    wanted = ["S0", "PLAYER(s)", "ACTIONS(s)", "RESULT(s, a)", "TERMINAL-TEST(s)", "UTILITY(s, p)"]
    assert [name for name in names if name in wanted] == wanted
    assert game.name in explain_text(explanation)
    written = explain_latex(explanation).splitlines()
    formulas = [line for line in written if line.startswith("\\item")]
    assert formulas
    assert all(line.isascii() for line in formulas)


def test_values_are_those_of_the_chosen_state() -> None:
    found = sections("tic_tac_toe", "a1")
    assert found["PLAYER(s)"].values == ("PLAYER(s1) = O",)
    assert found["ACTIONS(s)"].values[0].startswith("ACTIONS(s1) = {mark(b1), mark(c1), ")
    assert found["RESULT(s, a)"].pictures[0].formula == "RESULT(s1, mark(b1))"
    assert found["TERMINAL-TEST(s)"].values == ("TERMINAL-TEST(s1) = false",)


def test_conditions_are_written_with_the_signs_of_mathematics() -> None:
    formulas = sections("nine_mens_morris")["ACTIONS(s)"].formulas
    place = next(formula for formula in formulas if "{ place(s)" in formula)
    assert place == (
        "ACTIONS(state) ⊇ { place(s) : s ∈ square, ¬mill ∧ hand[turn] > 0 ∧ at[s] = empty }"
    )


def test_chance_and_secrets_have_sections_of_their_own() -> None:
    found = sections("kuhn_poker")
    assert found["P(outcome | s)"].values[0] == "P(card[Ann]=J | S0) = 1/3"
    assert "card: each cell is seen by its player alone" in found["I(p)"].formulas
    assert "I(p)" not in sections("nim")


def test_information_sets_of_a_tree_are_listed_with_their_nodes() -> None:
    assert sections("myerson_poker")["I(p)"].formulas == ("blind = {red raise; black raise}",)


def test_the_sample_end_agrees_with_the_game() -> None:
    found = sections("aima_fig_5_2")["UTILITY(s, p)"]
    assert found.values == (
        "one end: z = S0 after a1, b1",
        "UTILITY(z, MAX) = 3",
        "UTILITY(z, MIN) = -3",
    )


def test_counts_are_told_or_said_to_be_incomplete() -> None:
    game = gamedsl.load("tic_tac_toe")
    state = game.initial_state()
    whole = explain_text(explain(game, state, StateCounts(5478, 958, 0, True)))
    assert "5,478 states can be reached, 958 of them terminal" in whole
    part = explain_text(explain(game, state, StateCounts(100, 0, 0, False)))
    assert "more than 100 states can be reached" in part


def test_markup_of_other_languages_is_escaped() -> None:
    game = gamedsl.load("pig")
    explanation = explain(game, game.initial_state(), None)
    assert "score\\_" not in explain_markdown(explanation)
    written = explain_latex(explanation)
    assert r"\{" in written
    assert written.count(r"\begin{verbatim}") == written.count(r"\end{verbatim}")
    page = explain_html(explanation, game)
    assert "S &lt;" not in page
    assert "<svg " in page
    assert "≤" in page


def test_rewards_have_a_section_and_the_payoff_its_formula() -> None:
    found = sections("grid_world")
    assert found["R(s, a, s')"].formulas == ("go: Robot gets living",)
    assert found["R(s, a, s')"].values[0] == "R(S0, go(N), s') = 0"
    assert "the sum of R(s, a, s') over its steps + UTILITY" in found["payoff"].formulas[0]
    game = gamedsl.load((GAMES / "grid_world.game").read_text("utf-8") + "discount = 9/10\n")
    written = explain_text(explain(game, game.initial_state(), None))
    assert "γ = 9/10" in written
    assert explain_latex(explain(game, game.initial_state(), None)).count("gamma") == 3
