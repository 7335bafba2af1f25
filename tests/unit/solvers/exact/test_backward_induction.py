"""Backward induction against brute force and against the textbook."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.steps import WordSteps
from gamedsl.solvers.exact import ties
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

THREE_PLAYERS = """\
game "AIMA figure 5.4, three players"
players A, B, C

tree:
    A:
        left -> B:
            left  -> C: left -> (1, 2, 6), right -> (4, 2, 3)
            right -> C: left -> (6, 1, 2), right -> (7, 4, 1)
        right -> B:
            left  -> C: left -> (5, 1, 1), right -> (1, 5, 2)
            right -> C: left -> (7, 7, 1), right -> (5, 4, 5)
"""


@st.composite
def acyclic(draw: st.DrawFn, n_players: int, zero_sum: bool = False, chance: bool = True) -> Any:
    """(mover, successors, payoffs) per node; successors have higher numbers."""
    n = draw(st.integers(2, 9))
    nodes = []
    for i in range(n):
        below = st.integers(i + 1, n - 1)
        is_end = i == n - 1 or (i > 0 and draw(st.integers(0, 3)) == 0)
        if is_end:
            values = [draw(st.integers(-2, 2)) for _ in range(n_players)]
            nodes.append((-4, (), (values[0], -values[0]) if zero_sum else tuple(values)))
        else:
            mover = draw(st.integers(-1 if chance else 0, n_players - 1))
            nodes.append((mover, tuple(draw(st.lists(below, min_size=1, max_size=3))), ()))
    return nodes


def build(written: Any, nodes: Any, n_players: int) -> Any:
    made = []
    for mover, successors, payoffs in nodes:
        if mover == -4:
            made.append(written.end(*payoffs))
        elif mover == -1:
            share = f"1/{len(successors)}"
            made.append(written.chance(*((share, child) for child in successors)))
        else:
            made.append(written.move(mover, *successors))
    return written.game(made, n_players)


def max_n(nodes: Any, i: int) -> tuple[Fraction, ...]:
    """The page's recursion: no memory, first best action."""
    mover, successors, payoffs = nodes[i]
    if mover == -4:
        return tuple(map(Fraction, payoffs))
    below = [max_n(nodes, child) for child in successors]
    if mover == -1:
        return tuple(sum(column, Fraction(0)) / len(below) for column in zip(*below, strict=True))
    return max(below, key=lambda vector: vector[mover])


def possible(nodes: Any, i: int) -> set[tuple[Fraction, ...]]:
    """Every result of subgame-perfect play: choose results below first, then a best action."""
    mover, successors, payoffs = nodes[i]
    if mover == -4:
        return {tuple(map(Fraction, payoffs))}
    found = set()
    for below in product(*(possible(nodes, child) for child in successors)):
        if mover == -1:
            columns = zip(*below, strict=True)
            found.add(tuple(sum(column, Fraction(0)) / len(below) for column in columns))
        else:
            best = max(vector[mover] for vector in below)
            found |= {vector for vector in below if vector[mover] == best}
    return found


def length(nodes: Any, i: int) -> tuple[int, int]:
    """(value to player 0, plies) where a side that is not behind hurries and the other delays."""
    mover, successors, payoffs = nodes[i]
    if mover == -4:
        return payoffs[0], 0
    sign = 1 if mover == 0 else -1
    below = [length(nodes, child) for child in successors]
    value = sign * max(sign * v for v, _ in below)
    plies = [n for v, n in below if v == value]
    return value, 1 + (min(plies) if sign * value >= 0 else max(plies))


@given(acyclic(2, zero_sum=True))
def test_two_player_values_are_those_of_plain_recursion(written: Any, nodes: Any) -> None:
    solution = solve(build(written, nodes, 2))
    assert solution.value == max_n(nodes, 0)
    assert solution.ties is None


@given(acyclic(3))
def test_max_n_takes_the_first_best_action(written: Any, nodes: Any) -> None:
    assert solve(build(written, nodes, 3)).value == max_n(nodes, 0)


@given(acyclic(3))
def test_alternatives_are_all_other_results_of_breaking_ties(written: Any, nodes: Any) -> None:
    solution = solve(build(written, nodes, 3))
    assert {solution.value, *solution.alternatives} == possible(nodes, 0)
    assert (solution.ties is None) == (len(possible(nodes, 0)) == 1)


@given(acyclic(2, zero_sum=True, chance=False))
def test_who_is_ahead_hurries_and_who_is_behind_delays(written: Any, nodes: Any) -> None:
    solution = solve(build(written, nodes, 2))
    value, plies = length(nodes, 0)
    assert solution.value == (value, -value)
    assert solution.plies == plies == len(solution.principal_variation)


@given(acyclic(2, zero_sum=True))
def test_value_iteration_agrees_where_nothing_returns(written: Any, nodes: Any) -> None:
    game = build(written, nodes, 2)
    assert (
        solve(game, options=SolveOptions(solver=SolverName.VALUE_ITERATION)).value
        == solve(game).value
    )


@given(acyclic(2, zero_sum=True, chance=False))
def test_retrograde_analysis_agrees_where_nothing_returns(written: Any, nodes: Any) -> None:
    game = build(written, nodes, 2)
    first, second = solve(game, options=SolveOptions(solver=SolverName.RETROGRADE)), solve(game)
    assert (first.value, first.plies, first.best) == (second.value, second.plies, second.best)


def test_the_three_player_figure_ties_at_the_root() -> None:
    solution = solve(gamedsl.load(THREE_PLAYERS))
    assert solution.value == (1, 2, 6)
    assert solution.outcome == "payoffs A: 1, B: 2, C: 6"
    assert solution.alternatives == ((1, 5, 2),)
    assert solution.ties == "depends on tie-breaking: other ties lead to (1, 5, 2)"
    assert solution.best == ("left", "right")


def test_tic_tac_toe_is_a_draw_after_every_first_move(games: Any) -> None:
    solution = solve(gamedsl.load(games / "tic_tac_toe.game"))
    assert solution.status is Status.STRONG
    assert (solution.outcome, solution.plies) == ("draw", 9)
    assert (solution.positions, solution.terminals, solution.chance_nodes) == (5478, 958, 0)
    assert len(solution.best) == len(solution.moves) == 9


def test_each_state_is_asked_for_once(games: Any, monkeypatch: Any) -> None:
    """What can follow it comes in one answer."""
    asked = []
    after = WordSteps.after

    def counted(steps: WordSteps, key: Any) -> Any:
        asked.append(key)
        return after(steps, key)

    monkeypatch.setattr(WordSteps, "after", counted)
    solve(gamedsl.load(games / "tic_tac_toe.game"))
    assert len(asked) == len(set(asked)) == 5478


def test_a_sure_half_loses_to_a_better_gamble(written: Any) -> None:
    game = written.game(
        [
            written.move(0, 1, 2),
            written.end(Fraction(1, 2)),
            written.chance(("1/3", 3), ("2/3", 4)),
            written.end(0),
            written.end(Fraction(4, 5)),
        ],
        1,
    )
    solution = solve(game)
    assert solution.value == (Fraction(8, 15),)
    assert (solution.best, solution.plies) == (("0.1",), None)
    assert solution.outcome == "expected payoffs A: 8/15"


def test_ties_too_many_to_list_are_said_to_be_many(written: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(ties, "MOST_VECTORS", 2)
    ends = [written.end(0, 0, number) for number in range(3)]
    solution = solve(written.game([written.move(0, 1, 2, 3), *ends], 3))
    assert solution.value == (0, 0, 0)
    assert solution.alternatives == ()
    assert solution.ties == "may depend on tie-breaking; there are too many ties to list"
