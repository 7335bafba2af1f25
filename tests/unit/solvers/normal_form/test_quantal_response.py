"""Quantal responses: fixed points found otherwise, limits, and what is proved of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, log

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form import quantal_response as module
from gamedsl.solvers.normal_form.quantal_response import QuantalResponse, quantal_response
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

TINY = Fraction(1, 10**11)


def form_of(players: Sequence[str], sizes: Sequence[int], payoffs: str) -> ExtensiveForm:
    names, counts = (" ".join(map(str, own)) for own in (map('"{}"'.format, players), sizes))
    return extensive_form(gamedsl.load(f'NFG 1 R "T"\n{{ {names} }} {{ {counts} }} {payoffs}'))


def two(*payoffs: int) -> ExtensiveForm:
    """Payoffs (row, column) of the cells, the first row's left to right, then the second's."""
    cells = [payoffs[n : n + 2] for n in (0, 4, 2, 6)]
    return form_of("AB", (2, 2), " ".join(str(payoff) for cell in cells for payoff in cell))


def firsts(response: QuantalResponse) -> list[float]:
    """How likely each player's first action is."""
    return [float(own[0][0]) for own in response.profile]


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that changes its sign once is 0, by halving."""
    rises = function(high) > 0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if (function(middle) > 0) == rises else (middle, high)
    return low


def logit(gain: float) -> float:
    return 1 / (1 + exp(-gain))


@pytest.mark.parametrize("precision", ["1/4", "1", "5", "40"])
def test_asymmetric_matching_pennies_has_its_only_fixed_point(precision: str) -> None:
    """J. Ochs 1995, A. McKelvey and T. Palfrey 1995: 9 or 1 where pennies match, 1 where they do
    not; one unknown is left when the column's response is put into the row's."""
    rationality = Fraction(precision)
    found = quantal_response(two(9, 0, 0, 1, 0, 1, 1, 0), rationality)
    weight = float(rationality)

    def column(p: float) -> float:
        return logit(weight * (1 - 2 * p))

    p = root(lambda p: p - logit(weight * (10 * column(p) - 1)), 0, 1)
    assert firsts(found) == pytest.approx([p, column(p)], abs=1e-11)
    assert found.residual < TINY


def test_great_precision_leads_to_the_equilibrium() -> None:
    found = quantal_response(two(9, 0, 0, 1, 0, 1, 1, 0), Fraction(100_000))
    assert firsts(found) == pytest.approx([0.5, 0.1], abs=1e-4)
    assert max(found.gains) < Fraction(1, 10**4)
    dilemma = quantal_response(two(3, 3, 0, 5, 5, 0, 1, 1), Fraction(100))
    assert firsts(dilemma) == [0, 0]
    assert 0 < dilemma.residual < TINY


def test_of_two_conventions_the_principal_branch_leads_to_the_one_with_less_risk() -> None:
    """J. Harsanyi and R. Selten 1988: (hare, hare) risk-dominates; at lambda = 4 there are three
    fixed points p = logit(4 (4 p - 3)), and the least is on the branch (Turocy 2005)."""
    found = quantal_response(two(4, 4, 0, 3, 3, 0, 3, 3), Fraction(4))

    def off(p: float) -> float:
        return p - logit(4 * (4 * p - 3))

    assert off(0) < 0 < off(0.5)
    assert off(0.9) < 0 < off(1)
    assert firsts(found) == pytest.approx([root(off, 0, 0.5)] * 2, abs=1e-11)


@pytest.mark.parametrize("name", ["matching_pennies", "rock_paper_scissors", "shapley"])
def test_where_players_and_actions_are_alike_all_is_chosen_alike(name: str) -> None:
    form = extensive_form(gamedsl.load(name))
    for precision in (0, 1, 50):
        found = quantal_response(form, Fraction(precision))
        shares = [share for own in found.profile for local in own for share in local]
        assert max(shares) - min(shares) < TINY
        assert found.residual < TINY


def test_where_branches_cross_players_who_are_alike_go_on_so() -> None:
    """Chicken: p = logit(lambda (2 - 3 p)) if both do the same; the branch is crossed where the
    slope of the response, 3 lambda p (1 - p), comes to 1."""
    found = quantal_response(two(6, 6, 2, 7, 7, 2, 0, 0), Fraction(3))
    assert firsts(found) == pytest.approx([root(lambda p: p - logit(3 * (2 - 3 * p)), 0, 1)] * 2)
    (crossed,) = found.crossings
    p = root(lambda p: p - logit(crossed * (2 - 3 * p)), 0, 1)
    assert 3 * crossed * p * (1 - p) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("precision", [1, 4, 30])
def test_three_volunteers_have_the_fixed_point_of_one_unknown(precision: int) -> None:
    """Volunteer's dilemma (Diekmann 1985): 1 for all if anybody pays 1/5 for it."""
    cells = [
        [5 - own if any(profile) else 0 for own in profile]
        for profile in ((a, b, c) for c in (1, 0) for b in (1, 0) for a in (1, 0))
    ]
    payoffs = " ".join(f"{paid}/5" for cell in cells for paid in cell)
    found = quantal_response(form_of("ABC", (2, 2, 2), payoffs), Fraction(precision))
    p = root(lambda p: p - logit(precision * ((1 - p) ** 2 - 0.2)), 0, 1)
    assert firsts(found) == pytest.approx([p] * 3, abs=1e-11)


@pytest.mark.parametrize("name", ["kuhn_poker", "inspection", "beer_and_quiche", "monty_hall"])
def test_in_trees_every_decision_responds_to_what_its_actions_pay(name: str) -> None:
    """What actions pay is asked of `FormPlay`, which knows nothing of logarithms."""
    form = extensive_form(gamedsl.load(name))
    found = quantal_response(form, Fraction(2))
    assert found.residual < TINY
    play = FormPlay(form, found.profile)
    for player, own in enumerate(form.sets):
        for one in own:
            choice = play.at(one.history, player)
            assert choice is not None
            assert choice.worths is not None
            weights = [exp(2 * float(worth - choice.worths[0])) for worth in choice.worths]
            shares = [float(share) for _, share in choice.local.choices]
            assert shares == pytest.approx([w / sum(weights) for w in weights], abs=1e-9)


def test_an_action_that_is_never_needed_is_still_taken_by_mistake() -> None:
    """The centipede with great precision: decisions that play next to never comes to are known."""
    found = quantal_response(extensive_form(gamedsl.load("centipede")), Fraction(10_000))
    assert all(local[0] == 1 for own in found.profile for local in own)
    assert 0 < found.residual < TINY


def test_behaviour_that_is_no_response_is_found_out() -> None:
    form = two(3, 3, 0, 5, 5, 0, 1, 1)
    _, residual = module._Responses(form).told([log(0.5)] * 4, Fraction(1))
    assert float(residual) == pytest.approx(logit(1.5) - 0.5, abs=1e-12)
    assert residual > Fraction(logit(1.5) - 0.5) - TINY


def test_lambda_below_0_and_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    form = extensive_form(gamedsl.load("kuhn_poker"))
    with pytest.raises(ValueError, match="0 or more, found -1/2"):
        quantal_response(form, Fraction(-1, 2))
    monkeypatch.setattr(module, "MOST_TERMS", 100)
    with pytest.raises(UnsupportedGameError, match=r"pairs of actions on the way .* at most 100"):
        quantal_response(form, Fraction(1))
    monkeypatch.setattr(module, "MOST_CHOICES", 23)
    with pytest.raises(UnsupportedGameError, match=r"24 actions .* at most 23"):
        quantal_response(form, Fraction(1))


def test_the_time_is_asked_for_on_the_way() -> None:
    def tick() -> None:
        raise OutOfTimeError(0, 0)

    with pytest.raises(OutOfTimeError):
        quantal_response(two(3, 3, 0, 5, 5, 0, 1, 1), Fraction(1), tick)


def test_the_answer_is_called_a_model_and_no_value_is_claimed() -> None:
    game = gamedsl.load("kuhn_poker")
    found = solve(
        game, options=SolveOptions(solver=SolverName.QUANTAL_RESPONSE, rationality=Fraction(5, 2))
    )
    assert (found.status, found.value, found.best) == (Status.MODEL, None, ())
    assert found.response is not None
    assert found.response.rationality == Fraction(5, 2)
    assert found.kind is not None
    assert "no Nash equilibrium: best replies would pay more" in found.kind
    pennies = solve(
        gamedsl.load("matching_pennies"), options=SolveOptions(solver=SolverName.QUANTAL_RESPONSE)
    )
    assert pennies.kind is not None
    assert "here it is a Nash equilibrium, too" in pennies.kind
