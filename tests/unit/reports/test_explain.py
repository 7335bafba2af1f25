"""The formal definition of a game: the textbook's functions and their values."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.explanations.as_latex import explain_latex
from gamedsl.reports.explanations.as_markdown import explain_markdown
from gamedsl.reports.explanations.as_text import explain_text
from gamedsl.reports.explanations.definition import explain
from gamedsl.reports.explanations.names import Edition
from gamedsl.reports.explanations.sections import Explanation, Section, StateCounts
from gamedsl.reports.explanations.variables import set_formula
from gamedsl.reports.formulas.as_text import text_of
from tests.stages import SHIPPED

GAMES = Path(__file__).resolve().parents[3] / "games"


def sections(name: str, *moves: str) -> dict[str, Section]:
    game = gamedsl.load(name)
    state = game.initial_state()
    for move in moves:
        state = game.result(state, game.action_named(state, move))
    return named(explain(game, state, None))


def named(explanation: Explanation) -> dict[str, Section]:
    """The sections by name, whatever a state is called."""
    return {s.name.replace("(state", "(s"): s for s in explanation.sections}


def of_text(text: str, edition: Edition = Edition.THIRD) -> dict[str, Section]:
    """The sections of a game that is written here."""
    game = gamedsl.load(text)
    return named(explain(game, game.initial_state(), None, edition))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_has_the_functions_of_the_textbook_in_letters_that_latex_has(name: str) -> None:
    game = gamedsl.load(name)
    explanation = explain(game, game.initial_state(), None)
    names = list(named(explanation))
    actions = "ACTIONS(s, me)" if game.facts.is_simultaneous else "ACTIONS(s)"
    wanted = ["S0", "PLAYER(s)", actions, "RESULT(s, a)", "TERMINAL-TEST(s)", "UTILITY(s, p)"]
    assert [name for name in names if name in wanted] == wanted
    assert game.name in explain_text(explanation)
    written = explain_latex(explanation).splitlines()
    formulas = [line for line in written if line.startswith("\\formulaline")]
    assert formulas
    assert all(line.isascii() for line in written)


def test_values_are_those_of_the_chosen_state() -> None:
    found = sections("tic_tac_toe", "a1")
    assert found["PLAYER(s)"].values == ("PLAYER(s1) = O",)
    assert found["ACTIONS(s)"].values[0].startswith("ACTIONS(s1) = {mark(b1), mark(c1), ")
    assert found["RESULT(s, a)"].pictures[0].formula == "RESULT(s1, mark(b1))"
    assert found["TERMINAL-TEST(s)"].values == ("TERMINAL-TEST(s1) = false",)


def test_conditions_are_written_with_the_signs_of_mathematics() -> None:
    formulas = sections("nine_mens_morris")["ACTIONS(s)"].lines
    place = next(formula for formula in formulas if "{ place(s)" in formula)
    assert place.endswith("{ place(s) : s ∈ square, ¬mill, hand[turn] > 0, at[s] = empty }")


def test_chance_and_secrets_have_sections_of_their_own() -> None:
    found = sections("kuhn_poker")
    assert found["P(s' | s, a)"].values[0] == "P(card[Ann]=J | S0) = 1/3"
    assert "card: each cell is seen by its player alone" in found["I(p)"].lines
    assert "I(p)" not in sections("nim")


def test_information_sets_of_a_tree_are_listed_with_their_nodes() -> None:
    assert sections("myerson_poker")["I(p)"].lines == ("blind = {red raise; black raise}",)


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
    pig = gamedsl.load("pig")
    part = explain_text(explain(pig, pig.initial_state(), StateCounts(100, 0, 0, False)))
    assert "more than 100 states and chance events can be reached" in part


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
    assert found["R(s, a, s')"].lines == ("go: Robot gets living",)
    assert found["R(s, a, s')"].values[0] == "R(S0, go(N), s') = 0"
    assert found["R(s, a, s')"].values[4] == "R(RESULT(S0, go(N)), way=W, s') = -1/25"
    assert "the sum of R(s, a, s') over its steps + UTILITY" in found["payoff"].lines[0]
    game = gamedsl.load((GAMES / "grid_world.game").read_text("utf-8") + "discount = 9/10\n")
    written = explain_text(explain(game, game.initial_state(), None))
    assert "γ = 9/10" in written
    assert explain_latex(explain(game, game.initial_state(), None)).count("gamma") == 3


RACE = """game "Race"
param goal = 7
players A, B

state:
    at: 0..goal = 0
    step[k in 1..2, j in k..2]: 0..k = 1
    worth[players]: 0..3 = 2
    seen: bool = false

def far(k, j) = (
    at + step[k, j] <= goal
)

setup:
    chance turn in players

move run(k in 1..2, j in 1..2 where k <= j):
    let there = at + k
    require there <= goal and far(k, j)
    at = there
    if at == goal: again

otherwise

move rest(k in 1..2):
    require at != goal
    at, seen = at + 1, true

end:
    if at == goal: turn wins worth[turn]
"""


def test_the_weights_of_a_chance_event_are_said() -> None:
    draw = "chance turn in players"
    for words, formula in (
        ("", "P(turn) = 1 / |players| for turn ∈ players"),
        (" where turn != A", "P(turn) = 1 / n for the n values turn ∈ players with turn ≠ A"),
        (" weighted 1 + 1", "P(turn) ∝ 1 + 1 for turn ∈ players"),
    ):
        section = of_text(RACE.replace(draw, draw + words))["P(s' | s, a)"]
        assert section.lines[1] == f"setup: {formula}"


def test_actions_are_a_set_by_groups_and_no_actions_are_left_at_the_end() -> None:
    assert of_text(RACE)["ACTIONS(s)"].lines == (
        "ACTIONS(s) = the first of these sets that is not empty:",
        "  1. { run(k, j) : k ∈ {1, 2}, j ∈ {1, 2} with k ≤ j, there ≤ goal, far(k, j) }"
        " where there = at + k",
        "  2. { rest(k) : k ∈ {1, 2}, at ≠ goal }",
        "ACTIONS(s) = {} where TERMINAL-TEST(s) holds",
    )


def test_the_parts_of_a_state_are_sets_and_constants_are_none_of_them() -> None:
    formulas = of_text(RACE)["S"].lines
    assert "s = (turn, at, seen)" in formulas
    assert "at ∈ {0, ..., 7}" in formulas
    assert "seen ∈ {false, true}" in formulas
    place = formulas.index("constants, no part of the state, for nothing assigns them:")
    assert formulas[place + 1 :] == (
        "  step[k, j] ∈ {0, ..., k} for k ∈ {1, 2}, j ∈ {k, ..., 2} (3 cells)",
        "  worth : {A, B} → {0, 1, 2, 3}",
    )
    assert "at ∈ square" in sections("grid_world")["S"].lines


def test_a_square_or_none_is_a_set_of_that() -> None:
    formulas = sections("checkers")["S"].lines
    assert "chain ∈ square ∪ {none}" in formulas
    assert "king : square → {false, true}" in formulas


def test_who_moves_first_is_chance_where_the_lot_decides() -> None:
    found = of_text(RACE)["PLAYER(s)"]
    assert found.lines == (
        "PLAYER(s) = chance where a chance event is due, else turn, a part of s",
        "turn is drawn by chance before play begins",
        "turn passes A → B → A",
        "but after run the same player may move again",
    )
    assert found.values == (
        "PLAYER(S0) = chance",
        "PLAYER(s1) = A, where s1 = S0 after turn=A",
    )


def test_a_quoted_definition_ends_with_its_last_bracket() -> None:
    code = of_text(RACE)["ACTIONS(s)"].code
    assert code == "def far(k, j) = (\n    at + step[k, j] <= goal\n)\n"


def test_results_and_endings_are_formulas_where_a_row_of_changes_says_it() -> None:
    found = of_text(RACE)
    assert found["RESULT(s, a)"].lines == (
        "RESULT(s, rest(k)) = s with at ← at + 1, seen ← true, turn ← next(turn)",
        "(x ← e: x becomes what e is in s)",
    )
    assert found["TERMINAL-TEST(s)"].lines == ("TERMINAL-TEST(s) ⇔ at = goal",)
    assert found["UTILITY(s, p)"].lines[:2] == (
        "UTILITY(s, p) = what p gets:",
        "  turn gets worth[turn], opponent gets -worth[turn] if at = goal",
    )


def test_what_is_true_or_false_stands_in_brackets_behind_an_arrow() -> None:
    changed = RACE.replace("at + 1, true", "at + 1, at == 2")
    first = of_text(changed)["RESULT(s, a)"].lines[0]
    assert "at ← at + 1, seen ← (at = 2), turn" in first


def test_no_formula_says_what_a_later_change_would_belie() -> None:
    changed = RACE.replace("at, seen = at + 1, true", "at += 1\n    seen = at > 2")
    assert of_text(changed)["RESULT(s, a)"].lines == ()


def test_a_loop_with_two_outcomes_is_no_list_of_cases() -> None:
    end = "for p in players:\n        if at == goal: p wins\n        if at == 3: p loses"
    found = of_text(RACE.replace("if at == goal: turn wins worth[turn]", end))
    assert not any("gets" in formula for formula in found["UTILITY(s, p)"].lines)
    assert found["TERMINAL-TEST(s)"].lines == (
        "TERMINAL-TEST(s) ⇔ (∃ p ∈ players: at = goal)",
        "  ∨ (∃ p ∈ players: at = 3)",
    )


def test_choices_made_at_once_are_each_players_own() -> None:
    found = sections("rock_paper_scissors")
    assert found["ACTIONS(s, me)"].values == (
        "ACTIONS(S0, A) = {throw(rock), throw(paper), throw(scissors)}",
        "ACTIONS(S0, B) = {throw(rock), throw(paper), throw(scissors)}",
    )
    assert found["RESULT(s, a)"].pictures[0].formula == "RESULT(S0, throw(rock)+throw(rock))"


def test_a_state_has_one_name_and_another_where_the_file_has_taken_it() -> None:
    game = gamedsl.load("tic_tac_toe")
    written = explain_text(explain(game, game.initial_state(), None))
    assert "ACTIONS(state) = { mark(s) : s ∈ square, cell[s] = empty }" in written
    assert "PLAYER(s)" not in written
    chess = gamedsl.load("chess")
    assert "PLAYER(state)" in explain_text(explain(chess, chess.initial_state(), None))


def test_the_fourth_edition_has_its_names() -> None:
    found = of_text(RACE, Edition.FOURTH)
    assert found["TO-MOVE(s)"].values[0] == "TO-MOVE(S0) = chance"
    assert found["IS-TERMINAL(s)"].values == ("IS-TERMINAL(S0) = false",)
    assert found["ACTIONS(s)"].lines[-1] == "ACTIONS(s) = {} where IS-TERMINAL(s) holds"


def test_a_single_player_who_can_only_win_loses_nothing() -> None:
    found = of_text(
        'game "Walk"\nplayers A\nstate:\n    left: 0..5 = 5\nmove go:\n    left -= 1\n'
        "end:\n    if left == 0: A wins 5\n"
    )
    assert found["UTILITY(s, p)"].lines[-1] == "UTILITY(s, p) = 5"


@pytest.mark.parametrize("name", ["chess", "checkers", "kalah"])
def test_nothing_is_wider_than_a_terminal(name: str) -> None:
    game = gamedsl.load(name)
    lines = explain_text(explain(game, game.initial_state(), None)).splitlines()
    assert max(map(len, lines)) <= 80


def test_a_name_in_brackets_is_never_broken() -> None:
    game = gamedsl.load("dots_and_boxes")
    lines = explain_text(explain(game, game.initial_state(), None)).splitlines()
    assert not any(line.rstrip().endswith(("(0,", "(1,", "(2,")) for line in lines)


def test_a_long_run_of_numbers_is_written_by_its_ends_and_leaves_out_nothing_else() -> None:
    assert text_of(set_formula((*range(100_000), True))) == "{0, ..., 99999, true}"


@pytest.mark.parametrize(("win", "loss", "rest"), [(1, -1, "-"), (3, 1, "4 - "), (-1, -5, "-6 - ")])
def test_the_second_utility_follows_from_a_constant_sum(win: int, loss: int, rest: str) -> None:
    text = (
        "players Red, Yellow\nstate:\n    left: 0..3 = 3\nmove take(n in 1..2):\n"
        "    require n <= left\n    left -= n\nend:\n"
        f"    if left == 0 and turn == Red: payoff Red: {win}, Yellow: {loss}\n"
        f"    if left == 0: payoff Red: {loss}, Yellow: {win}\n"
    )
    lines = [text_of(line.formula) for line in of_text(text)["UTILITY(s, p)"].formulas]
    assert lines[-1] == f"UTILITY(s, Yellow) = {rest}UTILITY(s, Red)"
