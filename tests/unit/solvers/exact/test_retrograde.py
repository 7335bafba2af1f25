"""Retrograde analysis against brute force over all positional strategies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status


@st.composite
def cyclic(draw: st.DrawFn, movers: tuple[int, ...] = (0, 1)) -> Any:
    """(mover, successors, payoff) per node; at least one node is not an ending."""
    n = draw(st.integers(2, 7))
    nodes: list[Any] = []
    for i in range(n):
        if i > 0 and draw(st.integers(0, 2)) == 0:
            nodes.append((-4, (), draw(st.integers(-2, 2))))
        else:
            children = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
            nodes.append((draw(st.sampled_from(movers)), tuple(children), 0))
    return nodes


def build(written: Any, nodes: Any, endless: int, n_players: int = 2) -> Any:
    made = [
        written.end(*(payoff, -payoff)[:n_players]) if mover == -4 else written.move(mover, *below)
        for mover, below, payoff in nodes
    ]
    worth = (Fraction(endless), Fraction(-endless))[:n_players]
    return written.game(made, n_players, worth)


def strategies(nodes: Any, player: int) -> Any:
    own = [i for i, (mover, _, _) in enumerate(nodes) if mover == player]
    for choice in product(*(nodes[i][1] for i in own)):
        yield dict(zip(own, choice, strict=True))


def outcome(nodes: Any, start: int, way: dict[int, int], endless: int) -> int:
    seen = set()
    while nodes[start][0] != -4:
        if start in seen:
            return endless
        seen.add(start)
        start = way[start]
    return int(nodes[start][2])


def brute_value(nodes: Any, start: int, endless: int) -> int:
    """Positional strategies suffice in these games, so all pairs of them decide the value."""
    return max(
        min(outcome(nodes, start, mine | yours, endless) for yours in strategies(nodes, 1))
        for mine in strategies(nodes, 0)
    )


def brute_plies(nodes: Any, values: dict[int, int], endless: int) -> list[float]:
    """Bellman's equation for the length of play along moves that keep the value."""
    plies: list[float] = [0 if node[0] == -4 else inf for node in nodes]
    for _ in nodes:
        for i, (mover, below, _) in enumerate(nodes):
            if mover == -4 or i not in values:
                continue
            kept = [plies[child] for child in below if values[child] == values[i]]
            sign = 1 if mover == 0 else -1
            behind = sign * (values[i] - endless) < 0 or (
                values[i] == endless and sign * endless < 0
            )
            plies[i] = 1 + (max(kept) if behind else min(kept))
    return plies


@given(cyclic(), st.integers(-1, 1))
def test_values_are_those_of_the_best_pair_of_strategies(
    written: Any, nodes: Any, endless: int
) -> None:
    game = build(written, nodes, endless)
    solution = solve(game, options=SolveOptions(solver=SolverName.RETROGRADE))
    assert solution.solved is not None
    for node, state in enumerate(solution.solved.graph.states):
        number = state.cells[0]
        expected = brute_value(nodes, number, endless)
        assert solution.solved.values[node] == (expected, -expected)


@pytest.mark.parametrize("players", [1, 2])
@given(nodes=cyclic(), endless=st.integers(-1, 1))
def test_plies_are_those_of_best_play(written: Any, players: int, nodes: Any, endless: int) -> None:
    """Who is ahead hurries and who is behind delays, one player as two."""
    nodes = [(min(mover, players - 1), *rest) for mover, *rest in nodes]
    game = build(written, nodes, endless, players)
    solution = solve(game, options=SolveOptions(solver=SolverName.RETROGRADE))
    assert solution.solved is not None
    graph = solution.solved.graph
    reached = [state.cells[0] for state in graph.states]
    firsts = [int(payoffs[0]) for payoffs in solution.solved.values]
    values = dict(zip(reached, firsts, strict=True))
    expected = brute_plies(nodes, values, endless)
    for node, number in enumerate(reached):
        found = solution.solved.plies[node]
        assert (inf if found is None else found) == expected[number]


@given(cyclic(), st.integers(-1, 1))
def test_the_choices_of_both_sides_achieve_the_value(
    written: Any, nodes: Any, endless: int
) -> None:
    solution = solve(
        build(written, nodes, endless), options=SolveOptions(solver=SolverName.RETROGRADE)
    )
    solved = solution.solved
    assert solved is not None
    way = {
        state.cells[0]: nodes[state.cells[0]][1][solved.choices[node]]
        for node, state in enumerate(solved.graph.states)
        if solved.choices[node] >= 0
    }
    assert outcome(nodes, 0, way, endless) == solved.values[0][0]


@given(cyclic(movers=(0,)), st.integers(-1, 1))
def test_a_single_player_gets_the_most_and_all_moves_to_it_are_best(
    written: Any, nodes: Any, endless: int
) -> None:
    solution = solve(
        build(written, nodes, endless, 1), options=SolveOptions(solver=SolverName.RETROGRADE)
    )
    best = max(outcome(nodes, 0, way, endless) for way in strategies(nodes, 0))
    assert solution.value == (best,)
    assert [move.is_best for move in solution.moves] == [
        brute_value(nodes, child, endless) == best for child in nodes[0][1]
    ]
    kept = [move.plies for move in solution.moves if move.makes_progress]
    assert set(kept) == {solution.plies}


def test_an_endless_draw_is_not_a_finished_one(written: Any) -> None:
    walk = [written.move(0, 1), written.move(1, 0, 2), written.end(3, -3)]
    solution = solve(written.game(walk, 2, (Fraction(0), Fraction(0))))
    assert (solution.outcome, solution.plies, solution.solver) == (
        "endless draw", None, SolverName.RETROGRADE,
    )  # fmt: skip
    finished = [written.move(0, 1), written.move(1, 0, 2), written.end(0, 0)]
    solution = solve(written.game(finished, 2, (Fraction(0), Fraction(0))))
    assert (solution.outcome, solution.plies) == ("draw", 2)


def test_a_winner_makes_progress_though_it_could_go_round(written: Any) -> None:
    nodes = [written.move(0, 0, 1), written.move(0, 0, 2), written.end(1, -1)]
    solution = solve(written.game(nodes, 2, (Fraction(0), Fraction(0))))
    assert solution.best == ("0.0", "0.1")
    assert solution.principal_variation == ("0.1", "1.1")
    assert solution.plies == 2
    assert solution.status is Status.STRONG


def test_endless_play_that_nobody_declared_is_an_error_with_the_play(written: Any) -> None:
    nodes = [written.move(0, 1), written.move(1, 2, 3), written.move(0, 1), written.end(1, -1)]
    with pytest.raises(GameRuleError, match="play can go on for ever") as caught:
        solve(written.game(nodes, 2))
    assert caught.value.code == "E3006"
    assert "after 0.0, the moves 1.0, 2.0 lead back" in caught.value.message


@pytest.mark.parametrize("ending", [(1, 2), (1, 2, 3)])
def test_cyclic_games_of_general_sum_have_no_retrograde_analysis(
    written: Any, ending: tuple[int, ...]
) -> None:
    nodes = [written.move(0, 0, 1), written.end(*ending)]
    endless = tuple(Fraction(0) for _ in ending)
    with pytest.raises(UnsupportedGameError, match="no other game has a value"):
        solve(
            written.game(nodes, len(ending), endless),
            options=SolveOptions(solver=SolverName.RETROGRADE),
        )


def test_a_constant_sum_is_as_good_as_zero(written: Any) -> None:
    nodes = [written.move(0, 0, 1), written.end(7, 3)]
    solution = solve(written.game(nodes, 2, (Fraction(5), Fraction(5))))
    assert solution.value == (7, 3)
    assert solution.outcome == "payoffs A: 7, B: 3"
