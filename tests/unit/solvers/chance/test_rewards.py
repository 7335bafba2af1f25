"""Rewards and discounts where play can return: published values, plain iteration, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.chance import markov_chain
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status

GAMES = Path(__file__).resolve().parents[4] / "games"
GRID = """game "A world of 4x3"
players Agent
param living = -1/25
board 4 wide 3 high where (column, row) != (2, 2)
directions N, E, S, W

state:
    at: square = a1

move go(d in directions):
    chance way in {d: 8/10, left(d): 1/10, right(d): 1/10}
    if at + way != none: at = at + way
    reward Agent: living

def left(d) = W if d == N else N if d == E else E if d == S else S
def right(d) = E if d == N else S if d == E else W if d == S else N

end:
    if at == d3: payoff Agent: 1
    if at == d2: payoff Agent: -1
"""


def solved(text: str, **parameters: object) -> Solution:
    return solve(gamedsl.load(text, **parameters))


def test_the_world_of_4_by_3_has_the_utilities_of_the_textbook() -> None:
    """AIMA 4th ed., figure 17.3 (3rd ed. too); state (1,1) is a1."""
    solution = solved(GRID)
    game = gamedsl.load(GRID)
    at = game.model.variables[0]
    found = {}
    for state in solution.solved.states if solution.solved else ():
        if state.pending is None:
            square = at.domain.values[state.cells[0] or 0]
            found[str(square)] = f"{float(solution.value_at(state)[0]):.3f}"
    assert found == {
        "a1": "0.705", "b1": "0.655", "c1": "0.611", "d1": "0.388",
        "a2": "0.762", "c2": "0.660", "d2": "-1.000",
        "a3": "0.812", "b3": "0.868", "c3": "0.918", "d3": "1.000",
    }  # fmt: skip
    assert solution.status is Status.STRONG
    assert solution.is_exact


@pytest.mark.parametrize(
    ("living", "best"), [("-1/25", "go(N)"), ("-2", "go(E)"), ("-1/1000", "go(N)")]
)
def test_what_living_costs_decides_the_way(living: str, best: str) -> None:
    """AIMA 4th ed., figure 17.2 (b): where living is torture, the shortest way out, however bad."""
    assert solved(GRID, living=Fraction(living)).best == (best,)


def test_where_living_pays_the_sum_has_no_limit_and_a_loop_says_so() -> None:
    with pytest.raises(UnsupportedGameError, match=r"need have no sum: .*go\(.* repeated for ever"):
        solved(GRID, living=Fraction(1, 100))
    text = GRID + "discount = 9/10\n"
    assert solved(text, living=Fraction(1, 100)).status is Status.STRONG


def test_bounds_are_proved_where_exact_numbers_are_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = solved(GRID).value
    monkeypatch.setattr(markov_chain, "MOST_UNKNOWNS", 0)
    for text in (GRID, GRID + "discount = 99/100\n"):
        solution = solved(text)
        assert solution.status is Status.STRONG
        assert 0 < solution.error_bound < Fraction(1, 10**9)
        if text is GRID:
            assert exact is not None
            assert solution.value is not None
            assert abs(solution.value[0] - exact[0]) <= solution.error_bound


def test_the_frozen_lake_is_worth_0_542_at_a_discount_of_99_100() -> None:
    """Published many times for FrozenLake-v1, 4x4; the goal pays with the last step there."""
    text = (GAMES / "frozen_lake.game").read_text("utf-8")
    text = text.replace("payoff Walker: 1", "draw").replace("expect value: 14/17", "")
    step = "    if at + slip != none: at = at + slip\n"
    text = text.replace(step, step + "    if ground[at] == goal: reward Walker: 1\n")
    found = solved(text + "\ndiscount = 99/100\n").value
    assert found is not None
    assert float(found[0]) == pytest.approx(0.54202593, abs=1e-8)


COIN = """game "Heads at last"
players P, Q
discount = {discount}
state:
    tails: 0..2 = 0
    over: bool = false
move toss:
    reward P: 1, Q: {q}
    chance heads in bool
    if heads: over = true
    else: tails = min(2, tails + 1)
end:
    if over: payoff P: 0, Q: 3
"""


@pytest.mark.parametrize(
    ("discount", "q", "value"),
    [("1", "2", (2, 7)), ("1/2", "1", (Fraction(4, 3), Fraction(4, 3) + 1)), ("1", "-1", (2, 1))],
)
def test_expected_sums_are_exact_where_nobody_has_a_choice(
    discount: str, q: str, value: tuple[Fraction, ...]
) -> None:
    assert solved(COIN.format(discount=discount, q=q)).value == value


LOOP = """game "Round and round"
players {players}
state:
    at: 0..2 = 0
move step:
    require at < 2
    {reward}
    at = 1 - at
move leave:
    require at < 2{when}
    at = 2
end:
    if at == 2: draw
"""


@pytest.mark.parametrize(
    ("players", "reward", "when", "why"),
    [
        ("A", "reward A: 1", "", "not every way round costs"),
        ("A", "reward A: 1 if at == 0 else -1", "", "not every way round costs"),
        ("A", "reward A: -1", " and at > 2", "no way to end play for sure"),
        ("A, B", "reward A: -1, B: 1", " and turn == B", "no way to end play for sure"),
    ],
)
def test_a_sum_that_need_not_converge_is_refused_with_a_loop(
    players: str, reward: str, when: str, why: str
) -> None:
    text = LOOP.format(players=players, reward=reward, when=when)
    with pytest.raises(UnsupportedGameError, match=rf"moves such as step, step.*{why}"):
        solved(text)


@pytest.mark.parametrize(
    ("players", "reward", "value"),
    [
        ("A", "reward A: 1 if at == 0 else -2", (1,)),
        ("A", "if at == 0: reward A: 3\n    else: reward A: -4", (3,)),
        ("A, B", "reward A: -1, B: 1", (0, 0)),
    ],
)
def test_a_sum_is_found_where_going_round_costs_who_can_end_it(
    players: str, reward: str, value: tuple[int, ...]
) -> None:
    assert solved(LOOP.format(players=players, reward=reward, when="")).value == value


def test_endless_play_needs_a_word_only_where_a_loop_pays_nobody() -> None:
    free = LOOP.format(players="A", reward="if at == 0 and false: reward A: 1", when="")
    with pytest.raises(GameRuleError, match="play can go on for ever"):
        solved(free)
    assert solved(free + "endless: A loses\n").value == (0,)
    assert solved(free + "endless: A wins 2\n").value == (2,)
    assert solved(free + "discount = 1/2\n").value == (0,)


# --- against plain iteration ---------------------------------------------------------------------


@st.composite
def paid(draw: st.DrawFn) -> Any:
    """(mover, successors, payoff, costs of the first player) per node, and a discount. Chance leads
    on, and every choice costs the first player something."""
    n = draw(st.integers(2, 6))
    nodes: list[Any] = []
    for i in range(n):
        kinds = (-4, -1, -1, 0, 0, 1) if i else (0, 1)  # chance of `setup` does not come again
        kind = -4 if i == n - 1 else draw(st.sampled_from(kinds))
        if kind == -4:
            nodes.append((-4, (), draw(st.integers(-3, 3)), ()))
            continue
        least = i + 1 if kind == -1 else 0
        children = draw(st.lists(st.integers(least, n - 1), min_size=1, max_size=3))
        costs = draw(st.lists(st.integers(1, 4), min_size=len(children), max_size=len(children)))
        nodes.append((kind, tuple(children), 0, tuple(costs)))
    return nodes, draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(9, 10))))


def build(written: Any, nodes: Any, discount: Fraction) -> Any:
    made = []
    for mover, below, payoff, costs in nodes:
        if mover == -4:
            made.append(written.end(payoff, -payoff))
            continue
        node = (
            written.chance(*((f"1/{len(below)}", child) for child in below))
            if mover == -1
            else written.move(mover, *below)
        )
        rewards = tuple((Fraction(-cost), Fraction(cost)) for cost in costs)
        made.append(type(node)(mover, below, node.weights, (), rewards))
    return written.game(made, 2, discount=discount)


def iterated(nodes: Any, discount: float) -> float:
    """Node 0's value by plain value iteration."""
    values = [float(payoff) for _, _, payoff, _ in nodes]
    is_opening = {i for i in range(len(nodes)) if nodes[0][0] == -1 and i == 0}
    while more := {
        c for i in is_opening for c in nodes[i][1] if nodes[c][0] == -1 and c not in is_opening
    }:
        is_opening |= more
    for _ in range(3_000):
        before = list(values)
        for i, (mover, below, _, costs) in enumerate(nodes):
            if mover == -4:
                continue
            worths = [
                before[c] * (1.0 if nodes[c][0] == -1 or i in is_opening else discount) - cost
                for c, cost in zip(below, costs, strict=True)
            ]
            values[i] = (
                sum(worths) / len(worths)
                if mover == -1
                else max(worths)
                if mover == 0
                else min(worths)
            )
        if max(abs(a - b) for a, b in zip(values, before, strict=True)) < 1e-13:
            break
    return values[0]


@settings(max_examples=60)
@given(paid())
def test_policy_iteration_agrees_with_plain_iteration(written: Any, game: Any) -> None:
    nodes, discount = game
    try:
        solution = solve(build(written, nodes, discount))
    except UnsupportedGameError as refusal:
        is_for_cause = discount == 1 and "for ever" in refusal.reason
        if not is_for_cause:
            raise
        return
    assert solution.value is not None
    assert float(solution.value[0]) == pytest.approx(iterated(nodes, float(discount)), abs=1e-8)
