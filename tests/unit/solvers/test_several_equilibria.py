"""What a game is worth that has several equilibria: of a team, and where interests differ."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import gamedsl
from gamedsl.reports.checks.findings import summary
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.best_moves import best_moves_data, best_moves_text
from gamedsl.solvers.advice.best_moves import BestMoves, equilibrium_moves
from gamedsl.solvers.equilibria import joint_plan
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Others, Status

CHOICES = (
    "state:\n    did[players]: Place | none = none\nsimultaneous go(p in Place):\n    did[me] = p\n"
)
END = "end:\n    if did[A] != none:\n        "
HANABI = """
game "Tiny Hanabi"
players A, B
param pay = [
    [[[10, 0, 0], [4, 8, 4], [10, 0, 0]], [[0, 0, 10], [4, 8, 4], [0, 0, 10]]],
    [[[0, 0, 10], [4, 8, 4], [0, 0, 0]], [[10, 0, 0], [4, 8, 4], [10, 0, 0]]]]
state:
    card[p in players]: 1..2 secret to p
    did[players]: 0..3 = 0
setup:
    chance card[A] in 1..2
    chance card[B] in 1..2
move choose(a in 1..3):
    did[turn] = a
end:
    if did[B] > 0: payoff p: pay[card[A]][card[B]][did[A]][did[B]]
"""
LEWIS = """
game "Signals"
param n = 2
players A, B
state:
    world: 1..n secret to A
    signal: 0..n = 0
    act: 0..n = 0
setup:
    chance world in 1..n
move say(m in 1..n):
    require signal == 0
    signal = m
move take(a in 1..n):
    require signal > 0
    act = a
end:
    if act > 0: payoff p: 1 if act == world else 0
"""


def meeting(places: str, players: str, pays: str) -> str:
    return f'game "Meeting"\nplayers {players}\ntype Place = {places}\n{CHOICES}{END}{pays}\n'


def of_two(places: str, scale: str = "1") -> str:
    return meeting(
        places,
        "A, B",
        f"payoff A: 0 if did[A] != did[B] else 2 if did[A] == right else 1, "
        f"B: 3 + {scale} * (0 if did[A] != did[B] else 2 if did[A] == right else 1)",
    )


def of_three(places: str) -> str:
    same = "did[A] == did[B] and did[B] == did[C]"
    pays = f"payoff p: 0 if not ({same}) else 2 if did[A] == right else 1"
    return meeting(places, "A, B, C", pays)


def sexes(players: str = "A, B", places: str = "opera | football") -> str:
    return meeting(
        places,
        players,
        "payoff A: 0 if did[A] != did[B] else 2 if did[A] == opera else 1, "
        "B: 0 if did[A] != did[B] else 1 if did[A] == opera else 2",
    )


def verdicts(text: str, *claims: str) -> list[bool | None]:
    lines = "".join(f"expect {claim}\n" for claim in claims)
    report = gamedsl.check(text + lines)
    assert not any(found.is_error for found in report.diagnostics), report
    return [verdict.ok for verdict in report.verdicts]


def best_of(text: str) -> BestMoves:
    game = gamedsl.load(text)
    return equilibrium_moves(game, ((game.initial_state(), None),), seconds=60, rng=Random(1))


@pytest.mark.parametrize("places", ["left | right", "right | left"])
def test_two_who_want_the_same_get_what_the_best_joint_plan_pays(places: str) -> None:
    text = of_two(places)
    solution = solve(gamedsl.load(text))
    assert (solution.value, solution.best) == ((2, 5), ("go(right)+go(right)",))
    assert (solution.others, solution.status) == (Others.NONE, Status.STRONG)
    assert solution.equilibria is not None
    assert solution.equilibria.equilibria[0].value == solution.value
    assert verdicts(text, "value: (2, 5)", "value: (1, 4)", "best: right+right") == [
        True, False, True,
    ]  # fmt: skip
    assert verdicts(text, "equilibria: 3", "only value: (2, 5)") == [True, True]
    found = best_of(text)
    assert found.is_proved
    assert [dict(one.choices)["go(right)"] for one in found.mixed] == [1, 1]


def test_a_team_may_count_in_other_units_but_not_the_other_way_round() -> None:
    assert solve(gamedsl.load(of_two("left | right", "1/2"))).value == (2, 4)
    assert solve(gamedsl.load(of_two("left | right", "-1"))).solver is not SolverName.TEAM


@pytest.mark.parametrize("places", ["left | right", "right | left"])
def test_three_who_want_the_same_get_what_the_best_joint_plan_pays(places: str) -> None:
    assert solve(gamedsl.load(of_three(places))).value == (2, 2, 2)
    assert verdicts(of_three(places), "value: (2, 2, 2)", "value: (1, 1, 1)") == [True, False]


def test_tiny_hanabi_is_worth_ten() -> None:
    solution = solve(gamedsl.load(HANABI))
    assert (solution.value, solution.solver) == ((10, 10), SolverName.TEAM)
    assert verdicts(HANABI, "value: (10, 10)", "value: (8, 8)") == [True, False]
    assert solution_data(solution)["others"] == "none"


@pytest.mark.parametrize("n", [2, 3])
def test_signals_that_mean_nothing_beforehand_are_agreed_on(n: int) -> None:
    assert solve(gamedsl.load(LEWIS, n=n)).value == (1, 1)


def test_what_a_team_cannot_know_bounds_what_it_gets() -> None:
    """One signal for three states of the world: two of three are told apart at most."""
    deaf = LEWIS.replace("say(m in 1..n)", "say(m in 1..2)").replace("n = 2", "n = 3")
    assert solve(gamedsl.load(deaf)).value == (Fraction(2, 3), Fraction(2, 3))


def test_a_search_for_a_joint_plan_that_is_cut_off_tells_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joint_plan, "MOST_WORK", 100)
    deaf = LEWIS.replace("say(m in 1..n)", "say(m in 1..2)").replace("n = 2", "n = 3")
    solution = solve(gamedsl.load(deaf))
    assert solution.status is Status.OPEN
    assert solution.value is not None
    low, high = (solution.value[0] + sign * solution.error_bound for sign in (-1, 1))
    assert low <= Fraction(2, 3) <= high <= 1
    assert verdicts(deaf, "value: (2/3, 2/3)") == [None]


def test_a_team_whose_play_can_return_is_one_player() -> None:
    """Both have to push at once; who waits for the other would wait for ever."""
    text = (
        'game "Push"\nplayers A, B\ntype Place = wait | push\n'
        "state:\n    did[players]: Place | none = none\n"
        "simultaneous go(p in Place):\n    did[me] = p\n"
        "end:\n    if did[A] == push and did[B] == push: payoff p: 1\n"
        "endless: payoff p: 0\n"
    )
    solution = solve(gamedsl.load(text))
    assert (solution.value, solution.plies) == ((1, 1), 1)
    assert "go(push)+go(push)" in solution.progress


def test_a_claim_about_a_value_is_true_of_any_equilibrium_that_is_listed() -> None:
    claims = ("value: (2, 1)", "value: (1, 2)", "value: (2/3, 2/3)", "value: 0.667")
    assert verdicts(sexes(), *claims) == [True] * 4
    assert verdicts(sexes(), "value: (5, 5)", "best: opera+opera") == [False, None]
    report = gamedsl.check(sexes() + "expect value: (1, 2)\nexpect plays: 4\n")
    assert "2 claims hold (1 about one of several equilibria)" in summary(report)
    assert report.verdicts[0].reason == "true of one of several equilibria"


def test_the_only_value_and_that_of_the_first_equilibrium_are_spelt_differently() -> None:
    claims = ("first value: (2, 1)", "first value: (1, 2)", "only value: (2, 1)")
    assert verdicts(sexes(), *claims) == [True, False, False]
    dilemma = sexes().replace("A: 0 if did[A] != did[B] else", "A: 5 if did[A] == football else")
    assert verdicts(dilemma, "only value: (5, 2)", "only value: (5, 1)") == [True, False]


@pytest.mark.parametrize("places", ["opera | football", "football | opera"])
def test_which_claims_hold_is_not_up_to_the_order_of_declarations(places: str) -> None:
    claims = ("value: (2, 1)", "value: (1, 2)", "only value: (2, 1)", "value: (0, 0)")
    assert verdicts(sexes(places=places), *claims) == [True, True, False, False]


def test_a_move_of_one_equilibrium_among_several_is_not_called_proved() -> None:
    game, found = gamedsl.load(sexes()), best_of(sexes())
    assert not found.is_proved
    text = " ".join(best_moves_text(game, game.initial_state(), found).split())
    assert "proved" not in text
    assert "the first of 3 equilibria" in text
    data = best_moves_data(game, game.initial_state(), found)
    assert (data["is_proved"], data["others"]) == (False, "listed")


def test_a_claim_that_does_not_hold_names_payoffs_once() -> None:
    report = gamedsl.check(of_two("left | right") + "expect value: (1, 4)\n")
    assert report.verdicts[0].observed == "(2, 5)"
    report = gamedsl.check(sexes() + "expect value: (5, 5)\n")
    assert report.verdicts[0].observed == "3 equilibria pay (2, 1), (1, 2), (2/3, 2/3)"
