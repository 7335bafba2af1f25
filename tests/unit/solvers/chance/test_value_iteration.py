"""Value iteration against brute force over all positional strategies, with exact equations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.solvers.chance import interval_iteration, markov_chain, value_iteration
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status


@st.composite
def stochastic(draw: st.DrawFn) -> Any:
    """(mover, successors, payoff) per node; a chance node's successors are equally likely."""
    n = draw(st.integers(2, 6))
    nodes: list[Any] = []
    for i in range(n):
        kind = draw(st.sampled_from((-4, -1, -1, 0, 0, 1, 1)))
        if kind == -4 and i > 0:
            nodes.append((-4, (), draw(st.integers(-2, 2))))
        else:
            children = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
            nodes.append((max(kind, -1), tuple(children), 0))
    return nodes


def build(written: Any, nodes: Any, endless: int) -> Any:
    made = []
    for mover, below, payoff in nodes:
        if mover == -4:
            made.append(written.end(payoff, -payoff))
        elif mover == -1:
            made.append(written.chance(*((f"1/{len(below)}", child) for child in below)))
        else:
            made.append(written.move(mover, *below))
    return written.game(made, 2, (Fraction(endless), Fraction(-endless)))


def strategies(nodes: Any, player: int) -> Any:
    own = [i for i, (mover, _, _) in enumerate(nodes) if mover == player]
    for choice in product(*(sorted(set(nodes[i][1])) for i in own)):
        yield dict(zip(own, choice, strict=True))


def chain_value(nodes: Any, way: dict[int, int], endless: int) -> Fraction:
    """Node 0's value when both have fixed their strategies, by Gauss and Jordan."""
    n = len(nodes)
    below = [nodes[i][1] if nodes[i][0] == -1 else (way[i],) if i in way else () for i in range(n)]
    ends = {i for i in range(n) if nodes[i][0] == -4}
    while more := {i for i in range(n) if i not in ends and ends.intersection(below[i])}:
        ends |= more
    rows = []
    for i in range(n):
        row = [Fraction(int(i == j)) for j in range(n)] + [Fraction(0)]
        if nodes[i][0] == -4:
            row[n] = Fraction(nodes[i][2])
        elif i not in ends:
            row[n] = Fraction(endless)
        else:
            for child in below[i]:
                row[child] -= Fraction(1, len(below[i]))
        rows.append(row)
    for column in range(n):
        pivot = next(r for r in range(column, n) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r in range(n):
            if r != column and rows[r][column]:
                share = rows[r][column]
                rows[r] = [x - share * y for x, y in zip(rows[r], rows[column], strict=True)]
    return rows[0][n]


def brute_value(nodes: Any, endless: int) -> Fraction:
    return max(
        min(chain_value(nodes, mine | yours, endless) for yours in strategies(nodes, 1))
        for mine in strategies(nodes, 0)
    )


@given(stochastic(), st.integers(-1, 1))
def test_values_are_those_of_the_best_pair_of_strategies(
    written: Any, nodes: Any, endless: int
) -> None:
    solution = solve(
        build(written, nodes, endless), options=SolveOptions(solver=SolverName.VALUE_ITERATION)
    )
    assert solution.is_exact
    assert solution.value is not None
    assert solution.value[0] == brute_value(nodes, endless)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stochastic(), st.integers(-1, 1))
def test_bounds_hold_where_exact_numbers_are_too_long(
    written: Any, monkeypatch: pytest.MonkeyPatch, nodes: Any, endless: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(value_iteration, "EXACT_BITS", 0)
        patch.setattr(markov_chain, "MOST_UNKNOWNS", -1)
        solution = solve(
            build(written, nodes, endless), options=SolveOptions(solver=SolverName.VALUE_ITERATION)
        )
    assert solution.value is not None
    assert abs(solution.value[0] - brute_value(nodes, endless)) <= solution.error_bound
    assert solution.error_bound <= Fraction(2, 10**9)
    assert solution.status is Status.STRONG


@given(stochastic(), st.integers(-1, 1))
def test_the_choices_of_both_sides_achieve_the_value(
    written: Any, nodes: Any, endless: int
) -> None:
    solution = solve(
        build(written, nodes, endless), options=SolveOptions(solver=SolverName.VALUE_ITERATION)
    )
    solved = solution.solved
    assert solved is not None
    way = {}
    for node, state in enumerate(solved.graph.states):
        if solved.choices[node] >= 0:
            way[state.cells[0]] = nodes[state.cells[0]][1][solved.choices[node]]
    for i, (mover, below, _) in enumerate(nodes):
        if mover >= 0 and i not in way:
            way[i] = below[0]
    if len({n for n, s in enumerate(solved.graph.states)}) > 1:
        assert chain_value(nodes, way, endless) == solved.values[0][0]


def test_who_could_wait_for_ever_cannot_live_on_the_horizon(written: Any) -> None:
    """A, at 0, may wander, take 1/5 at once, or gamble at 1 and then lose what is left to B.

    Games cut off after n plies are worth 1/2 to A for every n, since A can gamble on the last
    ply; endless play is worth 0, so that 1/5 is the best.
    """
    nodes = [
        written.move(0, 0, 1, 2),
        written.chance(("1/2", 3), ("1/2", 4)),
        written.end(Fraction(1, 5), Fraction(-1, 5)),
        written.end(1, -1),
        written.move(1, 5),
        written.move(1, 6),
        written.end(-1, 1),
    ]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.value == (Fraction(1, 5), Fraction(-1, 5))
    assert solution.best == ("0.0", "0.2"), "waiting a while costs nothing"
    assert solution.principal_variation == ("0.2",), "waiting for ever would"


def test_staying_for_ever_is_a_choice_though_no_single_move_is_better(written: Any) -> None:
    nodes = [
        written.chance(("1/2", 1), ("1/2", 2)),
        written.move(1, 2, 3),
        written.move(1, 0, 1, 3),
        written.end(5, -5),
    ]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.value == (0, 0)


def test_pig_to_ten_has_the_published_probability(games: Any) -> None:
    solution = solve(gamedsl.load(games / "pig.game", goal=10))
    assert solution.solver is SolverName.VALUE_ITERATION
    assert solution.win_probability is not None
    assert abs(solution.win_probability - Fraction("0.709424322598")) < Fraction(1, 10**12)
    assert solution.value is not None
    assert solution.value[0] == 2 * solution.win_probability - 1
    assert solution.outcome == "A wins with probability ≈0.709424 (exactly 7776/10961)"


def test_pig_is_solved_within_a_bound_where_fractions_are_not_wanted(
    games: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_iteration, "EXACT_BITS", 0)
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", -1)
    solution = solve(gamedsl.load(games / "pig.game", goal=6))
    monkeypatch.undo()
    exact = solve(gamedsl.load(games / "pig.game", goal=6)).value
    assert exact is not None
    assert solution.value is not None
    assert 0 < solution.error_bound <= Fraction(2, 10**9)
    assert abs(solution.value[0] - exact[0]) <= solution.error_bound
    assert solution.outcome.startswith("A wins with probability ≈0.")


@pytest.mark.parametrize(
    ("goal", "probability"), [(2, "4/7"), (3, "6/11"), (5, "0.532987013"), (10, "0.522479408")]
)
def test_piglet_has_the_published_probabilities(goal: int, probability: str) -> None:
    """Neller and Presser, "Optimal play of the dice game Pig", UMAP Journal 25 (2004)."""
    text = f"""\
game "Piglet"
players A, B

state:
    score[players]: 0..{goal} = 0
    pot: 0..{goal} = 0

move flip:
    chance side in 0..1
    if side == 0:
        pot = 0
    else:
        pot = min({goal}, pot + 1)
        again

move hold:
    score[turn] = min({goal}, score[turn] + pot)
    pot = 0

end:
    for p in players:
        if score[p] == {goal}: p wins

endless: draw
"""
    solution = solve(gamedsl.load(text))
    assert solution.win_probability is not None
    assert abs(solution.win_probability - Fraction(probability)) < Fraction(1, 10**9)


def test_where_draws_have_a_share_no_win_probability_is_claimed(written: Any) -> None:
    nodes = [
        written.chance(("1/2", 0), ("1/4", 1), ("1/4", 2)),
        written.end(1, -1),
        written.end(0, 0),
    ]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.win_probability is None
    assert solution.outcome == "expected payoffs A: 1/2, B: -1/2"


def test_where_endless_play_has_a_share_no_win_probability_is_claimed(written: Any) -> None:
    nodes = [
        written.chance(("1/2", 1), ("1/2", 2)),
        written.end(1, -1),
        written.move(1, 2),
    ]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.value == (Fraction(1, 2), Fraction(-1, 2))
    assert solution.win_probability is None


def test_a_looser_tolerance_gives_a_wider_bound(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_iteration, "EXACT_BITS", 0)
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", -1)
    nodes = [
        written.chance(("97/100", 0), ("1/100", 1), ("2/100", 2)),
        written.end(1, -1),
        written.end(-1, 1),
    ]
    game = written.game(nodes, 2, (Fraction(0), Fraction(0)))
    loose = solve(game, options=SolveOptions(tolerance=Fraction(1, 100)))
    tight = solve(game, options=SolveOptions(tolerance=Fraction(1, 10**6)))
    for solution in (loose, tight):
        assert solution.value is not None
        assert abs(solution.value[0] + Fraction(1, 3)) <= solution.error_bound
    assert Fraction(1, 10**6) < loose.error_bound <= Fraction(1, 99)
    assert tight.error_bound <= Fraction(2, 10**6)


def test_bounds_that_do_not_meet_leave_the_game_open_with_its_bound(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chain so slow that the work allowed is not enough."""
    monkeypatch.setattr(value_iteration, "EXACT_BITS", 0)
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", -1)
    monkeypatch.setattr(interval_iteration, "MOST_STEPS", 0)
    slow = written.chance(("9999/10000", 0), ("1/20000", 1), ("1/20000", 2))
    nodes = [slow, written.end(1, -1), written.end(-1, 1)]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.status is Status.OPEN
    assert solution.value is not None
    assert abs(solution.value[0]) <= solution.error_bound
    assert solution.error_bound > Fraction(1, 10)
    assert solution.outcome == "not solved: A gets between -0.996008 and 0.996008"


def test_bounds_that_reach_distant_positions_late_are_waited_for(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sweep takes the bounds of the exit one position further, and 40 are between."""
    monkeypatch.setattr(value_iteration, "EXACT_BITS", 0)
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", -1)
    line = range(2, 42)
    nodes = [written.chance(("1/2", 1), *(("1/80", node) for node in line)), written.end(1, -1)]
    nodes += [written.move(0, 0 if node == 2 else node - 1, node) for node in line]
    solution = solve(written.game(nodes, 2, (Fraction(-1), Fraction(1))))
    assert solution.status is Status.STRONG
    assert solution.value is not None
    assert abs(solution.value[0] - 1) <= solution.error_bound


def test_policies_that_are_bad_still_give_bounds_that_hold(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        value_iteration, "candidate_policies", lambda game, *_: [(0,) * len(game.nodes)]
    )
    nodes = [
        written.move(0, 1, 2),
        written.chance(("1/2", 0), ("1/2", 3)),
        written.end(1, -1),
        written.end(-1, 1),
    ]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.status is Status.OPEN
    assert solution.value is not None
    assert abs(solution.value[0] - 1) <= solution.error_bound
