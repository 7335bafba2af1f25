"""Choices made at once: dominance and saddle points, against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers.exact.stages import copies, dominant, saddle_point, undominated, with_copies
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

STAGES = """\
game "Stages"
param last = 2
param matrix = [[[3, 3], [0, 5]], [[5, 0], [1, 1]]]
players Row, Column
state:
    stage: 0..last = 0
    chosen[players]: 0..2 = 0
    gained[players]: 0..20 = 0
simultaneous choose(c in 1..2):
    chosen[me] = c
move score:
    require chosen[Row] > 0
    gained[Row] += matrix[chosen[Row]][chosen[Column]][1]
    gained[Column] += matrix[chosen[Row]][chosen[Column]][2]
    for p in players: chosen[p] = 0
    stage += 1
    turn = Row
end:
    if stage == last: payoff p: gained[p]
"""


def staged(matrix: str, last: int = 1) -> Any:
    text = STAGES.replace("[[[3, 3], [0, 5]], [[5, 0], [1, 1]]]", matrix)
    text = text.replace("simultaneous choose(c in 1..2):\n", CHOOSE)
    return gamedsl.load(text, last=last)


CHOOSE = "simultaneous choose(c in 1..2):\n    require chosen[Row] == 0\n"


def test_the_prisoners_defect_which_is_the_only_equilibrium(games: Any) -> None:
    solution = solve(gamedsl.load(games / "prisoners_dilemma.game"))
    assert solution.value == (1, 1)
    assert solution.best == ("choose(defect)+choose(defect)",)
    assert (solution.solver, solution.status) == (SolverName.DOMINANCE, Status.STRONG)
    assert str(solution.kind).startswith("the only equilibrium")
    text = solution_text(solution, -2, None)
    assert text.endswith("""\
payoffs of Row, Column; * marks a best reply, [ ] an equilibrium:

           silence  defect
  silence  3, 3     0, 5*
  defect   5*, 0    [1*, 1*]""")
    assert "1. Row: silence is always worse than defect" in text


def test_a_dilemma_repeated_twice_is_defected_in_twice() -> None:
    solution = solve(staged("[[[3, 3], [0, 5]], [[5, 0], [1, 1]]]", 2))
    assert solution.value == (2, 2)
    assert str(solution.kind).startswith("the only subgame-perfect equilibrium")


def test_a_saddle_point_is_the_value_where_interests_are_opposed() -> None:
    """No row and no column of the first is dominated; 2 is the least of its row and the greatest
    of its column."""
    game = gamedsl.load(
        'game "Saddle"\nplayers A, B\nparam m = [[4, 1, 0], [3, 2, 3], [0, 1, 4]]\n'
        "state:\n    c[players]: 0..3 = 0\nsimultaneous choose(k in 1..3):\n    c[me] = k\n"
        "end:\n    if c[A] > 0: A wins m[c[A]][c[B]]\n"
    )
    solution = solve(game)
    assert solution.value == (2, -2)
    assert solution.best == ("choose(2)+choose(2)",)
    assert "no equilibrium with another value" in str(solution.kind)


def test_all_equilibria_of_a_stage_are_found_and_the_first_is_followed() -> None:
    """The battle of the sexes, once and twice."""
    battle = "[[[2, 1], [0, 0]], [[0, 0], [1, 2]]]"
    once, twice = solve(staged(battle)), solve(staged(battle, 2))
    assert once.equilibria is not None
    assert [one.value[0] for one in once.equilibria.equilibria] == [2, 1, Fraction(2, 3)]
    assert (once.value, once.solver) == ((2, 1), SolverName.NORMAL_FORM)
    assert once.alternatives == ((1, 2), (Fraction(2, 3), Fraction(2, 3)))
    assert twice.value == (4, 2)
    assert "later positions have several equilibria" in str(twice.kind)


def test_where_no_equilibrium_is_found_the_position_and_the_choices_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gamedsl.solvers.normal_form.solve.MOST_PROFILES_OF_TWO", 3)
    with pytest.raises(UnsupportedGameError) as refused:
        solve(staged("[[[2, 1], [0, 0]], [[0, 0], [1, 2]]]"))
    assert "several choices are left (2 to Row and 2 to Column)" in str(refused.value.reason)
    assert "4 ways together" in str(refused.value.reason)
    assert "perft" in str(refused.value.instead)


def test_stages_between_opponents_are_decided_by_chance(games: Any) -> None:
    """Goofspiel: 3 first, of which nobody need think twice; behind 3 against 1 both mix."""
    solution = solve(gamedsl.load(games / "goofspiel.game"))
    assert (solution.value, solution.solver) == ((0, 0), SolverName.STAGES)
    assert solution.best == ("offer(3)+offer(3)",)
    assert solution.status is Status.STRONG
    mixed = {one.seen: dict(one.choices) for one in solution.strategies if one.player == 0}
    assert mixed[("offer(3)+offer(1)",)] == {"offer(1)": Fraction(2, 3), "offer(2)": Fraction(1, 3)}
    game = solution.solved.game if solution.solved else None
    assert game is not None
    assert solution.mixture(game.initial_state()) is None
    unequal = game.result(game.initial_state(), (2, 0))
    mixture = solution.mixture(unequal)
    assert mixture is not None
    assert [chance for _, chance in mixture[0]] == [Fraction(2, 3), Fraction(1, 3)]


def test_a_game_that_only_chance_decides_has_a_probability_of_winning(games: Any) -> None:
    solution = solve(gamedsl.load(games / "matching_pennies.game"))
    assert solution.win_probability == Fraction(1, 2)
    assert (solution.best, solution.plies) == ((), None)


def test_rewards_of_choices_made_at_once_count() -> None:
    game = gamedsl.load(
        'game "Costs"\nplayers A, B\nstate:\n    c[players]: 0..2 = 0\n'
        "simultaneous choose(k in 1..2):\n    reward me: k\n    c[me] = k\n"
        "end:\n    if c[A] > 0: payoff p: 0\n"
    )
    solution = solve(game)
    assert (solution.value, solution.best) == ((2, 2), ("choose(2)+choose(2)",))


def test_play_that_returns_has_no_last_stage() -> None:
    game = gamedsl.load(
        'game "Round"\nplayers A, B\nstate:\n    c[players]: 0..1 = 0\n'
        "simultaneous choose(k in 0..1):\n    c[me] = k\n"
        "end:\n    if c[A] == 1 and c[B] == 1: A wins\nendless: draw\n"
    )
    with pytest.raises(UnsupportedGameError, match="no last stage"):
        solve(game, options=SolveOptions(solver=SolverName.STAGES))
    assert solve(game).solver is SolverName.STRATEGY_IMPROVEMENT


def test_solvers_of_single_moves_are_refused_by_name(games: Any) -> None:
    game = gamedsl.load(games / "prisoners_dilemma.game")
    for solver in (SolverName.BACKWARD_INDUCTION, SolverName.VALUE_ITERATION):
        with pytest.raises(UnsupportedGameError, match="no single player to move"):
            solve(game, options=SolveOptions(solver=solver))


matrices = st.integers(1, 3).flatmap(
    lambda rows: st.integers(1, 3).flatmap(
        lambda columns: st.lists(
            st.tuples(st.integers(-2, 2), st.integers(-2, 2)),
            min_size=rows * columns,
            max_size=rows * columns,
        ).map(lambda cells: (rows, columns, cells))
    )
)


def stage(drawn: Any, zero_sum: bool = False) -> Any:
    rows, columns, cells = drawn
    choices = (tuple(range(rows)), tuple(range(columns)))
    pairs = [(a, -a) if zero_sum else (a, b) for a, b in cells]
    vectors = [tuple(map(Fraction, pair)) for pair in pairs]
    return choices, dict(zip(product(*choices), vectors, strict=True))


def equilibria(choices: Any, payoffs: Any) -> set[Any]:
    return {
        (i, j)
        for i, j in payoffs
        if all(payoffs[k, j][0] <= payoffs[i, j][0] for k in choices[0])
        and all(payoffs[i, k][1] <= payoffs[i, j][1] for k in choices[1])
    }


@given(matrices)
def test_every_equilibrium_is_left_and_one_that_is_left_alone_is_the_only_one(drawn: Any) -> None:
    choices, payoffs = stage(drawn)
    left = undominated(choices, payoffs)
    assert equilibria(choices, payoffs) <= set(product(*left))
    if all(len(actions) == 1 for actions in left):
        assert equilibria(choices, payoffs) == set(product(*left))


@given(matrices, st.data())
def test_dominance_among_first_copies_is_dominance_among_all(drawn: Any, data: Any) -> None:
    (rows, columns), small = stage(drawn)
    twins = data.draw(st.lists(st.sampled_from(rows), min_size=len(rows), max_size=5))
    choices = tuple(range(len(twins))), columns
    payoffs = {(i, j): small[twins[i], j] for i, j in product(*choices)}
    alike = copies(choices, payoffs)
    listed = tuple(map(tuple, alike))
    assert with_copies(listed, alike) == choices
    assert len(listed[0]) <= len(set(twins))
    for by_dominance in (undominated, dominant):
        assert with_copies(by_dominance(listed, payoffs), alike) == by_dominance(choices, payoffs)


@given(matrices)
def test_saddle_points_are_the_equilibria_of_opposed_interests(drawn: Any) -> None:
    choices, payoffs = stage(drawn, zero_sum=True)
    found = saddle_point(choices, payoffs)
    known = equilibria(choices, payoffs)
    assert found in known if known else found is None


AUCTION = """game "Second price"
players A, B
param worth = [3, 2]
state:
    bid[players]: -1..4 = -1
    left: 0..1 = 1
simultaneous offer(n in 0..4):
    require bid[me] < 0
    bid[me] = n
move settle:
    require bid[A] >= 0
    left = 0
    turn = A
end:
    if left == 0:
        if bid[A] >= bid[B]: payoff A: worth[1] - bid[B], B: 0
        payoff A: 0, B: worth[2] - bid[A]
"""


def test_bidding_what_it_is_worth_is_weakly_dominant_at_the_second_price() -> None:
    """W. Vickrey, "Counterspeculation, auctions, and competitive sealed tenders", 1961. Ties go to
    A, so that one less, or one more, is as good to the bidder, and not to the other."""
    solution = solve(gamedsl.load(AUCTION))
    assert "offer(3)+offer(2)" in solution.best
    assert set(solution.best) == {f"offer({a})+offer({b})" for a in (2, 3) for b in (2, 3)}
    assert set(solution.alternatives) == {(0, 0)}
    assert solution.value == (1, 0)
    assert solution.solver is SolverName.DOMINANT
    assert "weakly dominant" in str(solution.kind)
    assert "there may be other equilibria" in str(solution.kind)


def test_who_has_no_dominant_choice_may_have_a_connected_set_of_equilibria() -> None:
    """Column's choices are the same to Column, and which is better for Row depends on them."""
    found = solve(staged("[[[3, 1], [0, 1]], [[2, 1], [1, 1]]]")).equilibria
    assert found is not None
    assert found.is_degenerate
    assert found.has_sets
