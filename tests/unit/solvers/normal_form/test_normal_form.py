"""Equilibria of normal forms: published ones, and what every game must satisfy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from unittest.mock import patch

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.bimatrix import extreme_equilibria
from gamedsl.solvers.normal_form.dominance import is_always_worse, iterated_dominance
from gamedsl.solvers.normal_form.form import NormalForm, is_equilibrium, replies
from gamedsl.solvers.normal_form.isolated import _Search
from gamedsl.solvers.normal_form.lemke_howson import lemke_howson
from gamedsl.solvers.normal_form.solve import equilibria_of
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

Pair = tuple[int, int]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def bimatrix(*rows: Sequence[Pair]) -> NormalForm:
    places = product(range(len(rows)), range(len(rows[0])))
    payoffs = {
        (i, j): (Fraction(rows[i][j][0]), Fraction(rows[i][j][1])) for i, j in places
    }  # fmt: skip
    names = (tuple(f"r{i}" for i in range(len(rows))), tuple(f"c{j}" for j in range(len(rows[0]))))
    return NormalForm(("Row", "Column"), names, payoffs)


BATTLE = bimatrix([(2, 1), (0, 0)], [(0, 0), (1, 2)])
CHICKEN = bimatrix([(6, 6), (2, 7)], [(7, 2), (0, 0)])
STAG_HUNT = bimatrix([(4, 4), (0, 3)], [(3, 0), (3, 3)])
SHAPLEY = bimatrix([(1, 0), (0, 0), (0, 1)], [(0, 1), (1, 0), (0, 0)], [(0, 0), (0, 1), (1, 0)])


@pytest.mark.parametrize(
    ("form", "row", "values"),
    [
        (BATTLE, [1, 0, Fraction(2, 3)], [(2, 1), (1, 2), (Fraction(2, 3),) * 2]),
        (CHICKEN, [1, 0, Fraction(2, 3)], [(2, 7), (7, 2), (Fraction(14, 3),) * 2]),
        (STAG_HUNT, [1, 0, Fraction(3, 4)], [(4, 4), (3, 3), (3, 3)]),
        (SHAPLEY, [THIRD], [(THIRD, THIRD)]),
    ],
    ids=["battle of the sexes", "chicken", "stag hunt", "Shapley 1964"],
)
def test_published_games_have_all_their_equilibria(
    form: NormalForm, row: list[Fraction], values: list[tuple[Fraction, Fraction]]
) -> None:
    found = equilibria_of(form)
    assert [one.mixtures[0][0] for one in found.equilibria] == row
    assert [one.value for one in found.equilibria] == values
    assert found.why_more is None
    assert not found.is_degenerate


def test_a_trusted_go_between_makes_chicken_better() -> None:
    """R. Aumann 1974: no crash is ever told; 21/4 each, more than any equilibrium gives both."""
    found = equilibria_of(CHICKEN).correlated
    assert found is not None
    assert dict(found.chances) == {(0, 0): HALF, (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)}
    assert found.value == (Fraction(21, 4), Fraction(21, 4))


def test_a_mixture_can_be_better_than_a_strategy() -> None:
    form = bimatrix([(3, 1), (0, 0)], [(0, 0), (3, 1)], [(1, 2), (1, 0)])
    steps = equilibria_of(form).steps
    assert [(step.player, step.strategy) for step in steps] == [(0, 2)]
    assert len(steps[0].better) == 2
    assert not equilibria_of(bimatrix([(3, 1), (0, 0)], [(0, 0), (3, 1)], [(2, 2), (2, 0)])).steps


def test_a_step_of_dominance_says_now_only_where_the_steps_before_are_needed() -> None:
    """r1 is worse than r0 from the start, c1 only once r1 and r2 are gone."""
    form = bimatrix([(3, 1), (3, 0)], [(1, 0), (2, 1)], [(0, 0), (0, 1)])
    steps = iterated_dominance(form)[0]
    assert [(step.player, step.strategy) for step in steps] == [(0, 1), (0, 2), (1, 1)]
    assert [is_always_worse(form, step) for step in steps] == [True, True, False]


def test_weak_dominance_leaves_out_equal_and_never_better_strategies() -> None:
    form = bimatrix(((1, 1), (1, 0)), ((1, 1), (0, 0)), ((1, 1), (1, 0)))
    assert iterated_dominance(form)[1] == ((0, 1, 2), (0,))
    assert iterated_dominance(form, is_weak=True)[1] == ((2,), (0,))


def test_what_is_connected_in_a_degenerate_game_is_one_set() -> None:
    """Column is indifferent whatever Row does; Row plays either row where both are as good."""
    found = equilibria_of(bimatrix([(1, 1), (0, 1)], [(0, 1), (1, 1)]))
    assert found.is_degenerate
    assert {one.number_of_set for one in found.equilibria} == {0}
    assert len(found.equilibria) == 4


def test_two_algorithms_agree_on_games_made_at_random() -> None:
    random = Random(7)
    for _ in range(40):
        rows, columns = random.randint(1, 4), random.randint(1, 4)
        cells = [(random.randint(-3, 3), random.randint(-3, 3)) for _ in range(rows * columns)]
        form = bimatrix(*(cells[n * columns : (n + 1) * columns] for n in range(rows)))
        extreme = extreme_equilibria(form)
        assert extreme.pairs
        assert all(is_equilibrium(form, pair) for pair in extreme.pairs)
        assert len(extreme.pairs) % 2 or extreme.is_degenerate  # R. Wilson 1971
        for dropped in range(rows + columns):
            one = lemke_howson(form, dropped)
            assert is_equilibrium(form, one)
            assert one in extreme.pairs
        assert {one.mixtures for one in equilibria_of(form).equilibria} == set(extreme.pairs)


def travellers(most: int) -> NormalForm:
    """K. Basu, "The traveler's dilemma", 1994: claims from 2 on; who claims less gets 2 more."""
    claims = range(2, most + 1)

    def paid(own: int, other: int) -> Fraction:
        return Fraction(min(own, other) + 2 * ((own < other) - (own > other)))

    payoffs = {
        (i, j): (paid(one, other), paid(other, one))
        for (i, one), (j, other) in product(enumerate(claims), repeat=2)
    }
    return NormalForm(("A", "B"), (tuple(map(str, claims)),) * 2, payoffs)


def test_large_tables_of_two_are_looked_through_for_pure_equilibria() -> None:
    """A claim of 2 each is the only equilibrium; of a large table it is said that none of those
    that mix was looked for."""
    assert equilibria_of(travellers(9)).is_only
    found = equilibria_of(travellers(80))
    assert [one.value for one in found.equilibria] == [(2, 2)]
    assert found.why_more is not None
    assert "no equilibrium in mixed strategies was looked for" in found.why_more
    payoffs = {
        (i, j): (Fraction((i + j) % 2), Fraction((i + j + 1) % 2))
        for i, j in product(range(75), repeat=2)
    }
    names = (tuple(map(str, range(75))),) * 2
    with pytest.raises(UnsupportedGameError, match="none is in pure strategies"):
        equilibria_of(NormalForm(("A", "B"), names, payoffs))


def of_three(pay: str) -> NormalForm:
    payoffs = {
        (p, q, r): tuple(
            Fraction(value) for value in eval(pay, {"p": p, "q": q, "r": r, "Fraction": Fraction})
        )
        for p, q, r in product(range(2), repeat=3)
    }
    return NormalForm(("A", "B", "C"), (("0", "1"),) * 3, payoffs)


def test_three_matching_pennies_have_one_equilibrium() -> None:
    """J. Jordan 1993: A wants to match B, B to match C, and C to differ from A."""
    found = equilibria_of(of_three("(p == q, q == r, r != p)"))
    assert [one.mixtures for one in found.equilibria] == [((HALF, HALF),) * 3]
    assert found.is_only


def test_three_who_want_to_be_the_minority_are_found_but_for_connected_sets() -> None:
    found = equilibria_of(of_three("(q == r != p, p == r != q, p == q != r)"))
    mixtures = {one.mixtures for one in found.equilibria}
    assert ((HALF, HALF),) * 3 in mixtures
    assert sum(one.is_pure for one in found.equilibria) == 6
    assert all(is_equilibrium(found.form, one) for one in mixtures)


IRRATIONAL = (
    "(p == 0 and 1 - 3 * (q == r == 0),"
    " q == 0 and (p == 0) - Fraction(9, 10) * (r == 0) - Fraction(1, 50),"
    " r == 0 and (q == 0) - Fraction(9, 10) * (p == 0) - Fraction(1, 50))"
)
"""A is indifferent where both others choose 0 in one case of three; B and C want 0 if another
chooses it more often than about as often as the third. So p = 9/10 r + 1/50, q = 9/10 p + 1/50 and
q r = 1/3, which is no square of a fraction."""


def test_an_irrational_equilibrium_is_told_in_decimals_with_a_proven_error() -> None:
    found = equilibria_of(of_three(IRRATIONAL))
    assert found.is_only
    (one,) = found.equilibria
    assert 0 < one.error < Fraction(1, 10**11)
    p, q, r = (mixture[0] for mixture in one.mixtures)
    slack = 3 * one.error
    assert abs(p - Fraction(9, 10) * r - Fraction(1, 50)) <= slack
    assert abs(q - Fraction(9, 10) * p - Fraction(1, 50)) <= slack
    assert abs(q * r - THIRD) <= slack
    assert not is_equilibrium(found.form, one.mixtures)


def volunteers(count: int) -> NormalForm:
    """A. Diekmann, "Volunteer's dilemma", 1985: the good of all is worth 1, and costs one 1/2."""
    payoffs = {
        profile: tuple(Fraction(0 in profile) - HALF * (own == 0) for own in profile)
        for profile in product(range(2), repeat=count)
    }
    return NormalForm(tuple("ABCDE"[:count]), (("help", "wait"),) * count, payoffs)


@pytest.mark.parametrize(("count", "number"), [(3, 7), (4, 15), (5, 31)])
def test_volunteers_have_every_equilibrium_in_which_some_help_by_chance(
    count: int, number: int
) -> None:
    """Of any k of them one helps surely, or each waits with the probability 1/2 to the power
    1/(k - 1), and the others wait: one equilibrium for each set of players."""
    found = equilibria_of(volunteers(count))
    assert len(found.equilibria) == number == 2**count - 1
    assert found.why_more is None
    all_of_them = found.equilibria[-1]
    for _, wait in all_of_them.mixtures:
        assert abs(float(wait) - 0.5 ** (1 / (count - 1))) < 1e-11
    assert all(abs(payoff - HALF) <= all_of_them.value_error for payoff in all_of_them.value)


@pytest.mark.parametrize(("players", "choices", "games"), [(3, 2, 25), (4, 2, 8), (3, 3, 2)])
def test_games_made_at_random_have_an_odd_number_of_equilibria(
    players: int, choices: int, games: int
) -> None:
    """R. Wilson 1971: all but degenerate ones do. What is told in decimals is nearly one."""
    random, odd = Random(players * choices), 0
    for _ in range(games):
        payoffs = {
            profile: tuple(Fraction(random.randint(-1000, 1000)) for _ in range(players))
            for profile in product(range(choices), repeat=players)
        }
        names = (tuple(map(str, range(choices))),) * players
        found = equilibria_of(NormalForm(tuple("ABCD"[:players]), names, payoffs))
        assert found.why_more is None
        odd += len(found.equilibria) % 2
        for one in found.equilibria:
            for player, mixture in enumerate(one.mixtures):
                paid = replies(found.form, one.mixtures, player)
                kept = min(pay for pay, chance in zip(paid, mixture, strict=True) if chance)
                assert max(paid) - kept <= 4 * one.value_error
    assert odd == games


def test_players_who_do_not_mind_are_said_to_have_connected_sets() -> None:
    found = equilibria_of(of_three("(0, 0, 0)"))
    assert found.why_more is not None
    assert "connected" in found.why_more


GOOD = """\
game "A good for all, if two of three pay"
players A, B, C
state:
    pays[players]: bool | none = none
simultaneous give(x in bool):
    pays[me] = x
def is_there = count(pays[q] for q in players) >= 2
end:
    if pays[A] != none: payoff p: (2 if is_there else 0) - (1 if pays[p] else 0)
"""


def test_a_list_that_may_be_incomplete_is_counted_as_at_least_so_many() -> None:
    """Two of three toss a coin, and the third does anything: a segment with its two ends listed."""
    solution = solve(gamedsl.load(GOOD))
    assert solution.outcome == "at least 10 equilibria; the first pays A 0, B 0, C 0"


def test_a_point_of_a_connected_set_is_not_proved_isolated_on_box_after_box() -> None:
    """The boxes on which the operator contracts begin at a size to which bisection leads."""
    game = gamedsl.load(GOOD)
    with patch.object(
        _Search, "_contraction", autospec=True, side_effect=_Search._contraction
    ) as on:
        solve(game)
    assert on.call_count < 300


def test_a_later_stage_without_exact_payoffs_is_refused_and_a_first_one_has_an_error() -> None:
    text = """
game "Irrational"
players A, B, C
param later = 0
state:
    did[players]: -1..1 = -1
    begun: bool = false
move begin:
    require later == 1 and not begun
    begun = true
simultaneous choose(n in 0..1):
    require later == 0 or begun
    did[me] = n
def zero(p) = 1 if did[p] == 0 else 0
end:
    if did[A] >= 0:
        payoff A: zero(A) * (1 - 3 * zero(B) * zero(C)), B: zero(B) * (zero(A) - 9/10 * zero(C) -
            1/50), C: zero(C) * (zero(B) - 9/10 * zero(A) - 1/50)
"""
    solution = solve(gamedsl.load(text))
    assert 0 < solution.error_bound < Fraction(1, 10**10)
    assert "irrational" in solution_text(solution, -1, None)
    data = solution_data(solution)["equilibria"]
    assert isinstance(data, dict)
    assert data["found"][0]["error_bound"].endswith("e-13")
    with pytest.raises(UnsupportedGameError, match="irrational"):
        solve(gamedsl.load(text, later=1))


BEER = """
game "Beer and quiche"
players Sender, Receiver
tree:
    chance:
        1/10 weak -> Sender:
            beer   -> Receiver [beer]: duel -> (0, 1), leave -> (2, 0)
            quiche -> Receiver [quiche]: duel -> (1, 1), leave -> (3, 0)
        9/10 strong -> Sender:
            beer   -> Receiver [beer]: duel -> (1, 0), leave -> (3, 1)
            quiche -> Receiver [quiche]: duel -> (0, 0), leave -> (2, 1)
"""


def test_beer_and_quiche_has_two_sets_of_pooling_equilibria() -> None:
    """I. Cho and D. Kreps 1987: both types eat the same, and the other meal means a duel, half of
    the time at least."""
    solution = solve(gamedsl.load(BEER))
    assert solution.solver is SolverName.NORMAL_FORM
    found = solution.equilibria
    assert found is not None
    assert len(found.equilibria) == 4
    for one in found.equilibria:
        told = {(local.player, *local.drawn, *local.seen[-1:]): local for local in one.behaviour}
        weak, strong = (dict(told[0, kind].choices) for kind in ("weak", "strong"))
        assert weak == strong
        other = "beer" if weak["quiche"] else "quiche"
        assert dict(told[1, other].choices)["duel"] in {HALF, 1}
    assert sorted({(one.number_of_set, one.value) for one in found.equilibria}) == [
        (0, (Fraction(29, 10), Fraction(9, 10))),
        (1, (Fraction(21, 10), Fraction(9, 10))),
    ]
    text = solution_text(solution, -1, None)
    assert "Sender with weak: beer, with strong: beer" in text.replace("\n" + " " * 14, " ")
    assert "[29/10*, 9/10*]" in text


def test_the_answer_as_data_has_all_equilibria() -> None:
    data = solution_data(solve(gamedsl.load(BEER)))["equilibria"]
    assert isinstance(data, dict)
    assert data["complete"] is True
    assert [one["set"] for one in data["found"]] == [0, 0, 1, 1]


def test_plans_without_number_are_refused_by_name_and_else_learnt() -> None:
    branches = ", ".join(f"a{n} -> ({n}, {n * n})" for n in range(3))
    leaves = "\n".join(f"        1/11 c{n} -> B [b{n}]: {branches}" for n in range(11))
    text = f'game "Wide"\nplayers A, B\ntree:\n    chance:\n{leaves}\n'
    game = gamedsl.load(text.replace("1/11 c0 -> B [b0]", "1/11 c0 -> B [b1]"))
    with pytest.raises(UnsupportedGameError, match="more than 1,000 plans"):
        solve(game, options=SolveOptions(solver=SolverName.NORMAL_FORM))
    found = solve(game)
    assert found.solver is SolverName.REGRETS
    assert "guarantee" in str(found.kind)


def test_where_the_time_is_up_one_equilibrium_is_found_and_said_to_be_one_of_more() -> None:
    def up() -> None:
        raise OutOfTimeError(0, 0)

    pennies = bimatrix([(1, -1), (-1, 1)], [(-1, 1), (1, -1)])
    found = equilibria_of(pennies, up)
    assert str(found.why_more).startswith("the time was up")
    assert [one.value for one in found.equilibria] == [(0, 0)]


def test_a_lone_player_has_equilibria_too() -> None:
    solution = solve(
        gamedsl.load("monty_hall", "python"), options=SolveOptions(solver=SolverName.NORMAL_FORM)
    )
    assert solution.outcome == "3 equilibria; they all pay Guest 2/3"
