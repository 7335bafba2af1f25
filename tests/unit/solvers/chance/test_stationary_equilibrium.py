"""Equilibria of cyclic games against brute force over all policies, and the duel of three."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers.chance import markov_chain
from gamedsl.solvers.chance import stationary_equilibrium as module
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

TRUEL = """\
game "Truel"
param passes = 1
players Black, Gray, White
state:
    alive[players]: bool = true
def skill(p) = 1/3 if p == Black else 2/3 if p == Gray else 1
def next_alive(p) = first(q for q in [next(p), next(next(p)), p] where alive[q])
move shoot(p in players):
    require p != turn and alive[p]
    chance hit in {true: skill(turn), false: 1 - skill(turn)}
    if hit: alive[p] = false
    turn = next_alive(turn)
move into_the_air:
    require all(alive[p] for p in players) and (passes == 3 or passes == 1 and turn == Black)
    turn = next_alive(turn)
end:
    if count(alive[p] for p in players) == 1: payoff p: 1 if alive[p] else 0
endless: payoff p: 0
"""
DUEL = """\
game "Duel"
players A, B
state:
    winner: none | players = none
move shoot:
    chance hit in {true: 1/3, false: 2/3}
    if hit: winner = turn
end:
    if winner != none: payoff p: 1 if p == winner else 0
endless: payoff p: 0
"""
WEIGHTS = (Fraction(1, 3), Fraction(2, 3))
Policy = tuple[int, ...]


@pytest.mark.parametrize("passes", [1, 3])
def test_the_worst_of_three_duellists_fires_into_the_air(passes: int) -> None:
    """Kilgour 1975; marksmen of 1/3, 2/3 and 1 who shoot in this order, again and again."""
    solution = solve(gamedsl.load(TRUEL, passes=passes))
    assert solution.value == (Fraction(25, 63), Fraction(8, 21), Fraction(2, 9))
    assert solution.best == ("into_the_air",)
    worth = {move.name: move.value[0] for move in solution.moves}
    assert worth["shoot(White)"] == Fraction(59, 189)
    assert worth["shoot(Gray)"] == Fraction(50, 189)
    assert (solution.status, solution.solver) == (Status.STRONG, SolverName.STATIONARY)
    assert "a stationary equilibrium" in " ".join(solution_text(solution, 0, None).split())
    assert solution_data(solution)["kind"] == solution.kind


def test_who_has_to_shoot_aims_at_the_best() -> None:
    solution = solve(gamedsl.load(TRUEL, passes=0))
    assert solution.value == (Fraction(59, 189), Fraction(34, 63), Fraction(4, 27))
    assert solution.best == ("shoot(White)",)


def test_endless_play_of_probability_zero_does_not_decide_whether_interests_are_opposed() -> None:
    """Geometric series: 1/3 + 4/9 * 1/3 + ... = 3/5."""
    solution = solve(gamedsl.load(DUEL))
    assert solution.value == (Fraction(3, 5), Fraction(2, 5))
    assert (solution.solver, solution.kind) == (SolverName.VALUE_ITERATION, None)


def test_endless_play_that_somebody_can_bring_about_does() -> None:
    text = DUEL.replace("move shoot", "move wait:\n    winner = none\nmove shoot")
    solution = solve(gamedsl.load(text))
    assert solution.solver is SolverName.STATIONARY
    assert solution.value == (Fraction(3, 5), Fraction(2, 5))


def test_an_exit_is_weighed_against_staying_for_ever(written: Any) -> None:
    """Both nodes are A's: to change one alone gains nothing, to go round for ever does."""
    nodes = [
        written.move(0, 2, 1),
        written.move(0, 3, 0),
        written.end(1, 0, 0),
        written.end(0, 0, 0),
    ]
    endless = (Fraction(5), Fraction(0), Fraction(0))
    solution = solve(written.game(nodes, 3, endless))
    assert (solution.value, solution.plies) == (endless, None)
    assert solution.outcome == "endless play: payoffs A: 5, B: 0, C: 0"


STOCHASTIC = """\
game "Fishers"
players A, B
param patience = 9/10
state:
    stock: 0..2 = 2
move leave:
    stock = min(2, stock + 1)
move catch(n in 1..2):
    require n <= stock
    reward turn: n
    stock -= n
    if stock > 0:
        chance born in {0: 1/4, 1: 3/4}
        stock = min(2, stock + born)
end:
    if stock == 0: payoff p: 0
discount = patience
"""


@pytest.mark.parametrize("patience", ["9/10", "1/10"])
def test_rewards_of_several_players_are_discounted(patience: str) -> None:
    """Each value follows from those behind it, and no other action has a better one."""
    game = gamedsl.load(STOCHASTIC, patience=patience)
    solution = solve(game)
    assert solution.solver is SolverName.STATIONARY
    solved = solution.solved
    assert solved is not None
    discount = Fraction(patience)
    for state in solved.states:
        action = solution.choice(state)
        if action is None:
            continue
        mover = int(game.current_player(state))
        worth = {}
        for one in game.legal_actions(state):
            rest = solution.value_at(game.result(state, one))
            gain = game.rewards(state, one)
            worth[one] = tuple(g + discount * r for g, r in zip(gain, rest, strict=True))
        assert solution.value_at(state) == worth[action]
        assert worth[action][mover] == max(value[mover] for value in worth.values())


def test_rewards_without_end_that_are_not_discounted_are_refused() -> None:
    text = STOCHASTIC.replace("discount = patience", "endless: payoff p: 0")
    with pytest.raises(UnsupportedGameError, match="no value is agreed on"):
        solve(gamedsl.load(text))


# Each of three likes it best if the next one leaves, and would rather leave than see the third go.
WAITING = ((1, 0, 2), (2, 1, 0), (0, 2, 1))


def waiting(written: Any) -> Any:
    nodes = [written.move(i, 3 + i, (i + 1) % 3) for i in range(3)]
    return written.game(
        [*nodes, *(written.end(*payoffs) for payoffs in WAITING)], 3, (Fraction(0),) * 3
    )


def test_where_nobody_can_keep_to_anything_the_loop_is_shown(written: Any) -> None:
    with pytest.raises(UnsupportedGameError) as refused:
        solve(waiting(written))
    assert "from the first position, the moves 0.1, 1.1, 2.1 lead back" in refused.value.reason
    assert "there is no choice of one action" in refused.value.reason
    assert "a counter" in str(refused.value.instead)


def test_where_not_every_policy_was_tried_none_is_said_to_have_been_found(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_POLICIES", 7)
    with pytest.raises(UnsupportedGameError, match="no choice was found"):
        solve(waiting(written))


def test_what_cannot_be_worked_out_is_not_said_not_to_be_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A single policy, as nobody has a choice: it is an equilibrium, whatever its numbers are."""
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", 0)
    text = TRUEL.replace("require p != turn and alive[p]", "require p == next_alive(turn)")
    with pytest.raises(UnsupportedGameError) as refused:
        solve(gamedsl.load(text, passes=0))
    assert "not worked out in exact numbers" in refused.value.reason
    assert "no choice" not in refused.value.reason


@st.composite
def cyclic(draw: st.DrawFn) -> tuple[list[Any], int]:
    """(mover, successors, payoffs) a node, and the number of players."""
    players = draw(st.integers(2, 3))
    n = draw(st.integers(2, 6))
    nodes: list[Any] = []
    for i in range(n):
        if i > 0 and draw(st.integers(0, 2)) == 0:
            nodes.append((-4, (), tuple(draw(st.integers(-2, 2)) for _ in range(players))))
        else:
            mover = draw(st.integers(-1, players - 1))
            count = 2 if mover < 0 else draw(st.integers(1, 2))
            below = draw(st.lists(st.integers(0, n - 1), min_size=count, max_size=count))
            nodes.append((mover, tuple(below), ()))
    return nodes, players


def build(written: Any, nodes: Any, players: int) -> Any:
    made = []
    for mover, below, payoffs in nodes:
        if mover == -4:
            made.append(written.end(*payoffs))
        elif mover == -1:
            made.append(
                written.chance(*((str(w), child) for w, child in zip(WEIGHTS, below, strict=True)))
            )
        else:
            made.append(written.move(mover, *below))
    return written.game(made, players, (Fraction(0),) * players)


def policies(nodes: Any, base: Policy, player: int | None) -> Any:
    """All policies; or all that differ from one at a player's nodes alone."""
    ways = [
        range(len(below)) if mover >= 0 and player in (None, mover) else (base[node],)
        for node, (mover, below, _) in enumerate(nodes)
    ]
    return product(*ways)


def worth(nodes: Any, policy: Policy, player: int) -> list[Fraction]:
    """A player's payoff from every node, endless play being worth nothing, by elimination."""
    n = len(nodes)
    ends = {i for i, node in enumerate(nodes) if node[0] == -4}
    steps = [
        {}
        if mover == -4
        else {below[policy[i]]: Fraction(1)}
        if mover >= 0
        else {c: sum(w for w, d in zip(WEIGHTS, below, strict=True) if d == c) for c in below}
        for i, (mover, below, _) in enumerate(nodes)
    ]
    alive = set(ends)
    for _ in range(n):
        alive |= {i for i in range(n) if any(child in alive for child in steps[i])}
    rows = []
    for i in range(n):
        row = [Fraction(int(i == j)) for j in range(n)]
        for child, share in steps[i].items() if i in alive else ():
            row[child] -= share
        rows.append([*row, Fraction(nodes[i][2][player] if i in ends else 0)])
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def is_equilibrium(nodes: Any, policy: Policy, players: int) -> bool:
    for player in range(players):
        mine = worth(nodes, policy, player)
        for other in policies(nodes, policy, player):
            theirs = worth(nodes, other, player)
            if any(b > a for a, b in zip(mine, theirs, strict=True)):
                return False
    return True


@given(cyclic())
def test_nobody_gains_by_any_other_policy_and_a_refusal_means_that_somebody_always_does(
    written: Any, drawn: Any
) -> None:
    nodes, players = drawn
    every = list(policies(nodes, (0,) * len(nodes), None))
    try:
        solution = solve(
            build(written, nodes, players), options=SolveOptions(solver=SolverName.STATIONARY)
        )
    except UnsupportedGameError:
        assert prod(len(below) or 1 for _, below, _ in nodes) <= module.MOST_POLICIES
        return
    solved = solution.solved
    assert solved is not None
    numbers = [state.cells[0] for state in solved.graph.states]
    policy = [0] * len(nodes)
    for node, number in enumerate(numbers):
        policy[number] = max(solved.choices[node], 0)
    reached = [nodes[i] if i in numbers else (-4, (), (0,) * players) for i in range(len(nodes))]
    assert tuple(policy) in every
    assert is_equilibrium(reached, tuple(policy), players)
    for player in range(players):
        values = worth(reached, tuple(policy), player)
        assert [solved.values[k][player] for k in range(len(numbers))] == [
            values[number] for number in numbers
        ]


@given(cyclic())
def test_what_has_no_equilibrium_is_refused(written: Any, drawn: Any) -> None:
    nodes, players = drawn
    every = policies(nodes, (0,) * len(nodes), None)
    if not any(is_equilibrium(nodes, policy, players) for policy in every):
        with pytest.raises(UnsupportedGameError):
            solve(
                build(written, nodes, players), options=SolveOptions(solver=SolverName.STATIONARY)
            )


def test_where_no_likely_policy_is_at_hand_every_one_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = gamedsl.load(TRUEL)
    expected = solve(game)
    monkeypatch.setattr(module._Arena, "_starts", lambda _: iter(()))
    assert solve(game).value == expected.value
