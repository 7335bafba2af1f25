"""`gamedsl solve`: what it says to people and to machines."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gamedsl.archive import equilibria
from gamedsl.cli.bodies import solve as body
from gamedsl.cli.options import completed_solver
from gamedsl.solvers.histories import observed_graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.running import forms

from .conftest import Run

DICE = """\
# One throw of a biased coin.
game "Coin"
players Ann, Bob
type Side = heads | tails

state:
    shown: none | Side = none

move toss:
    chance shown in {heads: 1/3, tails: 2/3}

move decline:
    shown = tails

end:
    if shown == heads: Ann wins
    if shown == tails: Bob wins
"""

ROUND = """\
# A walk on a ring of four places that need not end.
game "Ring"
players Ann, Bob

state:
    at: 0..3 = 0

move forward:
    at = (at + 1) % 4

move leave:
    require at == 3
    at = 2
    again

end:
    if at == 9 - 9 and stuck: draw

endless: draw
"""


def finite_json(text: str) -> Any:
    """Strict JSON: no NaN, no infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_report_says_what_both_do_with_what_they_see(run: Run) -> None:
    """Kuhn 1950: minus one eighteenth; a bluff with a third of the jacks."""
    solved = run("solve", "kuhn_poker")
    assert solved.status == 0
    assert solved.out.startswith("Kuhn poker: expected payoffs Ann: -1/18, Bob: 1/18\n")
    for line in (
        "  solved      weakly: all 58 histories, 12 information sets",
        "              with J after check, bet: fold",
        "              with Q after bet: call 1/3, fold 2/3",
    ):
        assert line in solved.out.splitlines()
    assert "Bob with K after bet: call" in run("solve", "kuhn_poker", "--policy").out.splitlines()
    assert "Ann, for any a from 0 to 1/3: with J: check 1 - a, bet a" in solved.out


def test_strategies_as_data_hold_every_information_set(run: Run) -> None:
    found = finite_json(run("solve", "kuhn_poker", "--json").out)
    assert (found["value"], found["status"]) == (["-1/18", "1/18"], "weak")
    assert found["extensive_form"] == {
        "histories": 58, "information_sets": [6, 6], "sequences": [13, 13]
    }  # fmt: skip
    assert len(found["strategies"]) == 12
    one = {"player": "Bob", "seen": ["card[Bob]=Q", "bet"], "reached": True}
    assert {**one, "choices": {"call": "1/3", "fold": "2/3"}} in found["strategies"]
    assert all(sum(map(Fraction, s["choices"].values())) == 1 for s in found["strategies"])


def test_choices_at_once_come_with_their_probabilities(run: Run) -> None:
    out = run("solve", "rock_paper_scissors").out
    assert "  A           at the start: throw(rock) 1/3, throw(paper) 1/3" in out
    assert "  rock      0, 0    -1, 1*  1*, -1" in out.splitlines()


def test_the_report_names_value_extent_length_and_best_moves(run: Run, pile: Path) -> None:
    solved = run("solve", pile)
    assert solved.status == 0
    assert solved.out.startswith("Pile: Ann wins\n")
    assert run("solve", pile, "-D", "n=4").out.startswith("Pile (n = 4): ")
    for line in (
        "  solved      strongly: all 10 positions (2 endings)",
        "  best moves  take(2)",
        "  length      3 plies of best play",
        "  Ann wins in 3 plies  2",
        "  Bob wins in 4 plies  1",
    ):
        assert line in solved.out.splitlines()


def test_values_are_drawn_on_the_board(run: Run) -> None:
    solved = run("solve", "tic_tac_toe", "--at", "a1 b1")
    assert "  3  + = =\n  2  + + =\n  1  X O =\n     a b c\n" in solved.out
    assert "  +  X wins in 5 plies\n  =  draw in 7 plies\n" in solved.out


def test_a_position_from_a_file_is_solved(run: Run, pile: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text(run("show", pile, "--at", "1", "--format", "state").out)
    assert "Bob wins" in run("solve", pile, "--state", state).out.splitlines()[0]


def test_the_json_is_complete_and_exact(run: Run, pile: Path) -> None:
    data = finite_json(run("solve", pile, "--json", "-D", "n=4").out)
    assert data["schema_version"] == 1
    assert data["game"] == "Pile"
    assert data["parameters"] == {"n": "4"}
    assert data["players"] == ["Ann", "Bob"]
    assert data["status"] == "strong"
    assert data["value"] == ["1", "-1"]
    assert data["error_bound"] == "0"
    assert data["outcome"] == "Ann wins"
    assert data["best"] == ["take(1)"]
    assert (data["progress"], data["undecided"]) == (["take(1)"], [])
    assert data["plies"] == 3
    assert data["line"][0] == "take(1)"
    assert data["moves"] == [
        {"move": "take(1)", "value": ["1", "-1"], "plies": 3, "best": True, "progress": True},
        {"move": "take(2)", "value": ["-1", "1"], "plies": 2, "best": False, "progress": False},
    ]
    assert data["solver"] == "backward induction"
    assert math.isfinite(data["seconds"])


def test_rationals_stay_exact(run: Run, game_file: Callable[..., Path]) -> None:
    path = game_file(DICE)
    data = finite_json(run("solve", path, "--json").out)
    assert data["value"] == ["-1/3", "1/3"]
    assert data["win_probability"] == "1/3"
    assert data["best"] == ["toss"]
    text = run("solve", path).out
    assert "Ann wins with probability 1/3" in text
    assert "  Ann: -1/3  toss\n  Ann: -1    decline\n" in text


def test_ties_of_three_players_are_told(run: Run) -> None:
    text = run("solve", "aima_three_player").out
    assert "depends on tie-breaking" in text
    data = finite_json(run("solve", "aima_three_player", "--json").out)
    assert data["value"] == ["1", "2", "6"]
    assert ["1", "5", "2"] in data["ties"]


def test_where_payoffs_are_not_opposed_no_move_is_said_to_draw_or_to_win(
    run: Run, game_file: Callable[..., Path]
) -> None:
    file = game_file("""\
game "A present"
players A, B
state:
    given: none | 0..2 = none
move give(n in 0..2):
    given = n
end:
    if given != none: payoff A: 1 - given, B: (3 if given == 2 else 0)
""")
    told = run("solve", file).out.splitlines()[-3:]
    assert told == [
        "  payoffs A: 1, B: 0 in 1 ply   0",
        "  payoffs A: 0, B: 0 in 1 ply   1",
        "  payoffs A: -1, B: 3 in 1 ply  2",
    ]


def test_a_lone_player_who_pays_for_moves_neither_wins_nor_loses(
    run: Run, game_file: Callable[..., Path]
) -> None:
    file = game_file("""\
game "A way that costs"
players Walker
state:
    paid: 0..3 = 0
move go(n in 1..3):
    paid = n
end:
    if paid > 0: payoff Walker: -paid
""")
    told = run("solve", file).out
    assert told.startswith("A way that costs: payoffs Walker: -1\n")
    assert "  payoffs Walker: -1 in 1 ply  1" in told
    assert "payoffs Walker: -1 in 1 ply" in run("best", file).out
    assert "the game is over: payoffs Walker: -1" in run("play", file, stdin="1\n").out
    assert "loses" not in told + run("solve", file, "--policy").out


def test_endless_play_is_named(run: Run, game_file: Callable[..., Path]) -> None:
    path = game_file(ROUND)
    data = finite_json(run("solve", path, "--json").out)
    assert (data["outcome"], data["plies"]) == ("endless draw", None)
    assert "endless draw" in run("solve", path).out


def test_the_policy_lists_every_position_with_a_choice(run: Run, pile: Path) -> None:
    data = finite_json(run("solve", pile, "--policy", "--json").out)
    assert len(data["policy"]) == 8
    first = data["policy"][0]
    assert first["state"]["variables"] == {"left": "5"}
    assert (first["value"], first["best"]) == (["1", "-1"], ["take(2)"])
    table = run("solve", pile, "--policy").out.splitlines()
    assert "left: 5 / Ann to move | Ann wins | take(2)" in table


def test_an_iterated_value_comes_with_its_bound(run: Run) -> None:
    data = finite_json(run("solve", "frozen_lake", "--json").out)
    value, bound = Fraction(data["value"][0]), Fraction(data["error_bound"])
    assert bound == 0 or abs(value) <= 1


@pytest.mark.parametrize("limit", [("--max-positions", "100"), ("--time", "600")])
def test_a_solution_out_of_reach_is_open(
    run: Run, monkeypatch: pytest.MonkeyPatch, limit: tuple[str, str]
) -> None:
    monkeypatch.setattr(body, "time_left", lambda seconds: 0.0)
    stopped = run("solve", "connect_small", *limit)
    assert stopped.status == 3
    assert "not solved" in stopped.out
    data = finite_json(run("solve", "connect_small", *limit, "--json").out)
    assert (data["status"], data["value"], data["outcome"], data["moves"]) == (
        "open",
        None,
        None,
        [],
    )


def test_a_solver_is_asked_for_by_name(run: Run) -> None:
    """Every algorithm of `solve` but native code has a name; what does not apply is refused."""
    assert completed_solver("") == [name.slug for name in SolverName if not name.is_native]
    assert len(set(completed_solver(""))) == sum(not name.is_native for name in SolverName)
    assert completed_solver("s") == ["stage-games", "strategy-improvement", "sequence-form"]
    assert completed_solver("cf") == ["cfr", "cfr+"]
    asked = run("solve", "rock_paper_scissors", "--solver", "sequence-form")
    assert "solved by   linear program on sequences" in asked.out
    former = run("solve", "rock_paper_scissors", "--solver", "linear-program-on-sequences")
    assert "note: --solver linear-program-on-sequences is named" in former.err
    assert former.out.splitlines()[0] == asked.out.splitlines()[0]
    refused = run("solve", "kuhn_poker", "--solver", "backward-induction")
    assert refused.status == 4
    unknown = run("solve", "nim", "--solver", "cfr++")
    assert unknown.status == 2
    assert "there is no solver 'cfr++'\n  help: did you mean cfr+? There are" in unknown.err
    assert max(map(len, unknown.err.splitlines())) <= 80
    assert "`gamedsl trace -a alpha-beta`" in run("solve", "nim", "--solver", "alpha-beta").err


def test_what_a_rule_of_regret_minimisation_learns_is_shown(run: Run) -> None:
    asked = ("solve", "kuhn_poker", "--solver", "external-sampling-mccfr", "--rounds", "300")
    found = run(*asked, "--seed", "4")
    assert found.status == 3
    assert re.search(r"learnt +exploitability [0-9., a-z\n]+300\s+rounds; seed 4\n", found.out)
    assert "  solved by   external-sampling MCCFR" in found.out
    learning = finite_json(run(*asked, "--json").out)["learning"]
    assert (learning["rounds"], learning["seed"]) == (300, 0)
    assert [mark["rounds"] for mark in learning["exploitability"]] == [10, 100, 300]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rounds", "5"), "--rounds is of regret minimisation"),
        (("--solver", "cfr+", "--seed", "1"), "nothing is sampled"),
        (("--solver", "cfr", "--rounds", "131073"), "131,073 rounds are too many"),
        (("--rationality", "2"), "--rationality is of quantal responses"),
        (("--solver", "quantal-response", "--rationality", "-1"), "-1 is negative"),
        (("--solver", "quantal-response", "--rationality", "1/0"), "a number is needed here"),
    ],
)
def test_rounds_and_seeds_that_are_of_no_use_are_refused(
    run: Run, options: tuple[str, ...], words: str
) -> None:
    refused = run("solve", "kuhn_poker", *options)
    assert refused.status == 2
    assert words in refused.err


def test_a_model_of_behaviour_is_told_as_one(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "k.solution"
    asked = ("solve", "kuhn_poker", "--solver", "quantal-response", "--rationality", "5/2")
    found = run(*asked, "--save", saved)
    assert found.status == 0
    told = "Kuhn poker: by a model of behaviour, not by best play: Ann ≈-0.0432"
    assert found.out.startswith(told)
    assert "  response    each probability in proportion to exp(5/2 x what" in found.out
    assert "no Nash\n              equilibrium: best replies would pay more" in found.out
    data = finite_json(run(*asked, "--json").out)
    response = data["response"]
    assert (data["status"], data["value"], response["rationality"]) == ("model", None, "5/2")
    assert float(response["residual"]) < 1e-12
    assert run("verify", saved).status == 0
    assert run("probe", saved).out.startswith(told)
    played = run("play", "kuhn_poker", "--solution", saved)
    assert "Bob plays by a model of behaviour, which mixes by chance" in played.out


def test_a_file_for_which_there_is_no_memory_is_left_undecided(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "k.solution"
    assert run("solve", "kuhn_poker", "--save", saved).status == 0
    monkeypatch.setattr(observed_graph, "REPORT_EVERY", 1)
    monkeypatch.setattr(equilibria, "usable_bytes", lambda: -1)
    asked = run("probe", saved)
    assert asked.status == 3
    assert "the work does not fit in 0 bytes of memory" in asked.err


def test_crossings_of_the_branch_are_told(run: Run) -> None:
    found = run("solve", "chicken", "--solver", "quantal-response", "--rationality", "3")
    assert "straight on\n              at 1.37, where other branches cross it" in found.out


def test_bounds_are_said_where_they_are_not_equal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where what was learnt does not show which equations hold."""
    monkeypatch.setattr(forms, "exact_candidates", lambda *_: iter(()))
    near = run("solve", "kuhn_poker", "--solver", "regret-minimisation")
    assert near.status == 3
    assert near.out.startswith("Kuhn poker: not solved: Ann gets between -0.0")
    assert "  not solved  exactly, but between proven bounds; all 58 histories" in near.out
    assert (
        "  Bob         with K after check: bet" in near.out or "with K after bet: call" in near.out
    )


def test_the_hardest_positions_of_a_puzzle_are_counted_and_drawn(run: Run) -> None:
    done = run("solve", "hanoi", "-D", "discs=2", "--goal", "hardest")
    assert (done.status, max(map(len, done.out.splitlines()))) == (0, 59)
    table = done.out.partition("by plies of best play:\n\n")[2].partition("\n\n")[0]
    rows = [line.split() for line in table.splitlines()[1:]]
    assert rows == [["0", "1"], ["1", "2"], ["2", "2"], ["3", "4"], ["all", "9"]]
    assert "longest: Solver wins after 3 plies, 4 positions, 3 of them:" in done.out
    assert "   ===     |      |" in done.out
    data = json.loads(run("solve", "hanoi", "-D", "discs=2", "--goal", "hardest", "--json").out)
    (won,) = data["lengths"]
    assert won["positions"] == {"0": 1, "1": 2, "2": 2, "3": 4}
    assert (won["value"], won["plies"], won["endless"], len(won["hardest"])) == (["1"], 3, 0, 4)
    assert "lengths" not in json.loads(run("solve", "hanoi", "-D", "discs=2", "--json").out)


def test_positions_are_not_counted_by_length_unless_all_are_solved(run: Run) -> None:
    stopped = run("solve", "eight_puzzle", "--goal", "hardest", "--max-positions", "1000")
    assert (stopped.status, "longest" in stopped.out) == (3, False)
    by_chance = run("solve", "piglet", "--goal", "hardest")
    assert (by_chance.status, by_chance.out) == (4, "")
    assert "chance has a part in it" in by_chance.err


@pytest.mark.parametrize("other", [["--policy"], ["--save", "never.solution"]])
def test_a_value_alone_is_not_asked_for_with_what_is_about_every_position(
    run: Run, other: list[str]
) -> None:
    refused = run("solve", "tic_tac_toe", "--goal", "value", *other)
    assert (refused.status, refused.out) == (2, "")
    assert f"{other[0]} is about every position" in refused.err
    assert not Path("never.solution").exists()


def test_grundy_values_and_what_they_are_made_of(run: Run) -> None:
    solved = run("solve", "nim", "--goal", "grundy")
    assert solved.status == 0
    assert solved.out.startswith("Nim: Grundy value 2\n")
    assert "sum         2 = 3 xor 4 xor 5, of parts that no move joins:" in solved.out
    assert "best moves  take(1, 2)\n" in solved.out
    data = json.loads(run("solve", "nim", "--goal", "grundy", "--json", "--at", "take(1,2)").out)
    assert (data["grundy"], data["outcome_class"]) == (0, "P")
    assert data["parts"][0] == {"value": 1, "cells": ["left[1]"]}
    assert {"action": "take(1, 1)", "grundy": 1} in data["moves"]


def test_left_is_called_left_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "col.game"
    path.write_text(
        'game "Col"\nplayers Left, Right\nstate:\n    n: 0..3 = 3\nmove take(k in 1..2):\n'
        "    require n >= k and (k == 1 or turn == Left)\n    n -= k\n"
        "end:\n    if stuck: turn loses\n"
    )
    assert (
        "class       L: Left wins, whoever begins"
        in run("solve", str(path), "--goal", "grundy").out
    )


def test_the_outcome_class_of_a_game_in_which_moves_differ(run: Run) -> None:
    solved = run("solve", "domineering", "--goal", "grundy")
    assert solved.status == 0
    assert "class       R: Horizontal (Right) wins, whoever begins" in solved.out
    undecided = run("solve", "domineering", "--goal", "grundy", "--max-positions", "5")
    assert undecided.status == 3


def test_games_without_grundy_values_are_refused(run: Run, tmp_path: Path) -> None:
    refused = run("solve", "nim_misere", "--goal", "grundy")
    assert refused.status == 4
    assert "normal play is not proved" in refused.err
    kept = run("solve", "nim", "--goal", "grundy", "--save", tmp_path / "nim.gds")
    assert kept.status == 2


def test_plans_say_what_their_parts_are_for(run: Run) -> None:
    out = run("solve", "beer_and_quiche").out
    assert (
        "  plans       what their parts are for: Sender with weak - with strong; Receiver\n"
        "              after beer - after quiche\n"
    ) in out
    assert "plans" not in run("solve", "battle_of_the_sexes").out


def test_backward_induction_of_several_interests_is_called_subgame_perfect(run: Run) -> None:
    out = " ".join(run("solve", "centipede").out.split())
    assert "kind a subgame-perfect equilibrium: " in out
    assert "all in pure strategies pay the same" in out
    assert "subgame-perfect" not in run("solve", "tic_tac_toe", "--at", "a1 b1 a2 b2").out


def test_no_answer_depends_on_the_number_of_threads(run: Run) -> None:
    one, several = (run("solve", "hanoi", "--threads", number, "--json") for number in "13")
    first, second = finite_json(one.out), finite_json(several.out)
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert run("solve", "hanoi", "--threads", "-1").status == 2


def test_a_long_fraction_stands_in_the_headline_alone(run: Run) -> None:
    said = run("solve", "piglet", "-D", "goal=10").out
    headline, _, rest = said.partition("\n\n")
    assert "(exactly" in headline
    (value,) = (line for line in rest.splitlines() if line.startswith("  value"))
    assert "A ≈0.044959, B ≈-0.044959" in value
