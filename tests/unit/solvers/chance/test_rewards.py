"""Rewards and discounts where play can return: published values, plain iteration, refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.chance import markov_chain
from gamedsl.solvers.exact.solved import SolvedGraph
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
    with pytest.raises(
        UnsupportedGameError, match=r"no finite value: .*go\(.* and Agent gets more and more"
    ):
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
        ("A", "reward A: 1", "", "A gets more and more"),
        ("A", "reward A: 1 if at == 0 else -1", " and at == 0", "add up to zero"),
        ("A", "reward A: -1", " and at > 2", "A pays more and more"),
        ("A, B", "reward A: -1, B: 1", " and turn == B", "A pays more and more"),
    ],
)
def test_values_that_are_not_finite_or_not_defined_are_refused_with_a_loop(
    players: str, reward: str, when: str, why: str
) -> None:
    text = LOOP.format(players=players, reward=reward, when=when)
    with pytest.raises(UnsupportedGameError, match=rf"moves (such as )?step, step.*{why}"):
        solved(text)


@pytest.mark.parametrize(
    ("players", "reward", "value"),
    [
        ("A", "reward A: 1 if at == 0 else -2", (1,)),
        ("A", "reward A: 1 if at == 0 else -1", (1,)),
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


TRAP = """game "A way home with traps"
players P
state:
    at: 0..6 = 0
move go(n in 0..6):
    require n in ways[at + 1]
    if at < 5: reward P: -1
    at = n
def ways = [[1, 2, 3, 5], [0, 4], [2], [0, 4], [], [6], [5]]
end:
    if at == 4: payoff P: {home}
endless: {endless}
"""


def test_the_shortest_way_is_found_beside_loops_that_cost_or_are_free() -> None:
    """2 is a trap that costs for ever; 5 and 6 go round for nothing; the way home costs 2."""
    solution = solved(TRAP.format(home=0, endless="P loses 3"))
    assert solution.value == (-2,)
    assert solution.best == ("go(1)", "go(3)")
    assert {move.name: str(move.value[0]) for move in solution.moves} == {
        "go(1)": "-2", "go(2)": "-inf", "go(3)": "-2", "go(5)": "-4",
    }  # fmt: skip
    assert solved(TRAP.format(home=0, endless="draw")).best == ("go(5)",)
    assert solved(TRAP.format(home=-1, endless="P loses 2")).value == (-3,)


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


# --- against every policy ------------------------------------------------------------------------


@st.composite
def costly(draw: st.DrawFn, movers: tuple[int, ...] = (0, 0, 0)) -> Any:
    """(mover, successors, payoff, rewards) per node of a game of one player whose rewards are never
    positive, with chance, and what endless play is worth."""
    n = draw(st.integers(2, 6))
    nodes: list[Any] = []
    for i in range(n):
        kind = draw(st.sampled_from((-4, -1, *movers))) if i else 0
        if kind == -4:
            nodes.append((-4, (), draw(st.integers(-3, 3)), ()))
            continue
        children = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True))
        rewards = draw(st.lists(st.integers(-2, 0), min_size=len(children), max_size=3))
        nodes.append((kind, tuple(children), 0, tuple(rewards[: len(children)])))
    return nodes, draw(st.integers(-4, 2))


def worth_of(nodes: Any, chosen: Any, endless: int) -> tuple[float, float]:
    """Node 0's value where `chosen` gives the edge of each node that moves, and how long play lasts
    on average: chances are followed for long."""
    ways = [
        [(c, r, 1 / len(below)) for c, r in zip(below, paid, strict=True)]
        if mover == -1
        else [(below[edge], paid[edge], 1.0)]
        if mover >= 0
        else []
        for (mover, below, _, paid), edge in zip(nodes, chosen, strict=True)
    ]
    reach = [{i} for i in range(len(nodes))]
    for _ in nodes:
        reach = [
            own.union(*(reach[c] for c, _, _ in way)) for own, way in zip(reach, ways, strict=True)
        ]
    settled: dict[int, float] = {}
    for i, (mover, _, payoff, _) in enumerate(nodes):
        if mover == -4:
            settled[i] = payoff
        elif all(i in reach[j] for j in reach[i]):
            is_free = all(not r for j in reach[i] for _, r, _ in ways[j])
            settled[i] = endless if is_free else float("-inf")
    if any(settled.get(j) == float("-inf") for j in reach[0]):
        return float("-inf"), float("inf")
    values = [settled.get(i, 0.0) for i in range(len(nodes))]
    plies = [float("inf") if i in settled and nodes[i][0] != -4 else 0.0 for i in range(len(nodes))]
    for _ in range(1_000):
        values = [
            settled[i] if i in settled else sum(p * (r + values[c]) for c, r, p in ways[i])
            for i in range(len(nodes))
        ]
        plies = [
            plies[i]
            if i in settled
            else (nodes[i][0] == 0) + sum(p * plies[c] for c, _, p in ways[i])
            for i in range(len(nodes))
        ]
    return values[0], plies[0]


@settings(max_examples=150)
@given(costly())
def test_best_play_is_that_of_the_best_policy_and_of_these_of_the_shortest(
    written: Any, game: Any
) -> None:
    nodes, endless = game
    made = [
        written.end(payoff)
        if mover == -4
        else replace(
            written.chance(*((f"1/{len(below)}", child) for child in below))
            if mover == -1
            else written.move(0, *below),
            rewards=tuple((Fraction(reward),) for reward in paid),
        )
        for mover, below, payoff, paid in nodes
    ]
    policies = product(*(range(len(below)) if mover == 0 else (0,) for mover, below, _, _ in nodes))
    found = [worth_of(nodes, policy, endless) for policy in policies]
    expected = max(worth for worth, _ in found)
    try:
        solution = solve(written.game(made, 1, endless=(Fraction(endless),)))
    except UnsupportedGameError as refusal:
        if expected > float("-inf") or "A pays more and more" not in refusal.reason:
            raise
        return
    assert solution.value is not None
    assert float(solution.value[0]) == pytest.approx(expected, abs=1e-8)
    assert isinstance(solution.solved, SolvedGraph)
    length = solution.solved.lengths[0]
    shortest = min(plies for worth, plies in found if worth == pytest.approx(expected, abs=1e-8))
    assert length is not None
    assert float(length) == pytest.approx(shortest, abs=1e-6)


QUICK = """game "Two ways"
players P
state:
    at: 0..3 = 0
move go(n in 0..3):
    require n > at
    {reward}
    at = n
end:
    if at == 3: payoff P: 1
discount = {discount}
"""


def test_of_moves_that_pay_the_same_the_quickest_makes_progress() -> None:
    solution = solved(QUICK.format(reward="reward P: at - n", discount=1))
    assert solution.best == ("go(1)", "go(2)", "go(3)")
    assert solution.progress == ("go(3)",)
    assert solution.principal_variation == ("go(3)",)
    assert solution.plies == 1


LUCK = """game "By luck or by steps"
players P, Q
state:
    left: 0..2 = 2
    won: none | players = none
move walk:
    require turn == P
    left -= 1
    if left == 0: won = P
move gamble:
    require turn == P
    chance hit in {{true: {luck}, false: 1 - {luck}}}
    if hit: won = P
move wait:
    require turn == Q
end:
    if won == P: P wins
endless: draw
"""


@pytest.mark.parametrize(
    ("luck", "progress"),
    [("1/3", ("walk",)), ("3/4", ("gamble",)), ("1/2", ("walk", "gamble"))],
)
def test_by_chance_the_expected_length_tells_equal_values_apart(
    luck: str, progress: tuple[str, ...]
) -> None:
    """Walking takes three plies, trying one in every two: 2 / luck - 1 on average."""
    solution = solved(LUCK.format(luck=luck))
    assert solution.best == ("walk", "gamble")
    assert solution.progress == progress


def test_by_chance_too_a_loser_delays(written: Any) -> None:
    loss, coin = written.end(-1, 1), written.chance(("1/2", 1), ("1/2", 3))
    solution = solve(written.game([written.move(0, 1, 2), loss, coin, written.move(1, 1)], 2))
    assert solution.best == ("0.0", "0.1")
    assert solution.progress == ("0.1",)


@settings(max_examples=100)
@given(costly(movers=(0, 0, 1, 1)))
def test_two_players_get_what_their_best_policies_guarantee(written: Any, game: Any) -> None:
    nodes, endless = game
    made = [
        written.end(payoff, -payoff)
        if mover == -4
        else replace(
            written.chance(*((f"1/{len(below)}", child) for child in below))
            if mover == -1
            else written.move(mover, *below),
            rewards=tuple((Fraction(reward), Fraction(-reward)) for reward in paid),
        )
        for mover, below, payoff, paid in nodes
    ]
    own, others = (
        list(product(*(range(len(n[1])) if n[0] == player else (0,) for n in nodes)))
        for player in (0, 1)
    )
    expected = max(
        min(worth_of(nodes, tuple(map(max, one, other)), endless)[0] for other in others)
        for one in own
    )
    try:
        solution = solve(written.game(made, 2, endless=(Fraction(endless), Fraction(-endless))))
    except UnsupportedGameError as refusal:
        if expected > float("-inf") and "is proved" not in refusal.reason:
            raise
        return
    assert solution.value is not None
    assert float(solution.value[0]) == pytest.approx(expected, abs=1e-8)


TOLL = """game "Toll road"
players A, B
state:
    at: 0..4 = 0
move go(n in 0..4):
    require (at == 0 and n in {1, 2}) or (at == 1 and n in {0, 3}) or (at == 2 and n in {0, 4})
    if n == 0 and at == 1: reward A: -1, B: 1
    at = n
end:
    if at == 3: A wins
    if at == 4: B wins
endless: draw
"""


def test_free_loops_beside_loops_that_cost_are_solved_for_two() -> None:
    """By 1, B would go back for ever at A's cost; by 2, B wins rather than going round freely."""
    solution = solved(TOLL)
    assert solution.value == (-1, 1)
    assert solution.best == ("go(2)",)
    assert [str(move.value[0]) for move in solution.moves] == ["-2", "-1"]
