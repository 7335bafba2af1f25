"""Total rewards of play that returns without chance, by a kernel, here in Python, against nested
value iteration."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import pytest

import gamedsl
from gamedsl.model import UndefinedValueError, UnsupportedGameError
from gamedsl.solvers.graphs.extended import is_infinite
from gamedsl.solvers.graphs.graph import StateGraph, explore
from tests.unit.solvers.kernels.chance.test_interval import kernel_of

ENDLESS = Fraction(1, 2)


def wandering(seed: int) -> str:
    """Squares with two or three ways each, some of them paid; `kind` decides by whom: by nobody,
    by the mover to the opponent, by one player, for heights, or at random."""
    draw = random.Random(seed)
    last, kind = draw.randint(3, 8), draw.randrange(5)
    heights = [draw.randint(-2, 2) for _ in range(last + 1)]
    lines = [f'game "Wandering {seed}"', "players A, B", "", "state:", f"    at: 0..{last} = 0"]
    for square in range(last):
        for way in range(draw.randint(1, 3)):
            goal = draw.randint(0, last)
            lines += [
                "",
                f"move go{square}_{way}:",
                f"    require at == {square}",
                f"    at = {goal}",
            ]
            cost = draw.choice((0, 1, 1, 3))
            paid = {
                0: "0",
                1: f"(-{cost} if turn == A else {cost})",
                2: f"{cost}",
                3: f"{heights[square] - heights[goal]} - {draw.choice((0, 0, 1))}",
                4: f"{draw.randint(-1, 1)}",
            }[kind if goal != last else 2]
            lines += [f"    reward A: ({paid}) / 2, B: -({paid}) / 2"]
            lines += ["    again"] if draw.random() < 0.3 else []
    lines += ["", "end:", f"    if at == {last}: turn {draw.choice(['wins', 'loses'])}"]
    lines += ["", f"endless: payoff p: ({ENDLESS} if p == A else -{ENDLESS})", ""]
    return "\n".join(lines)


def limits_of_sums(graph: StateGraph, sign: int) -> list[float]:
    """The value of each state for the player who minimises the lower limit of `sign` times the
    sums: T. Brihaye et al., "Pseudopolynomial iterative algorithm to solve total-payoff games",
    Acta Informatica 54, 2017. Endless play is worth nothing, and endings so much more."""
    nodes = range(len(graph.states))
    ways: list[list[tuple[float, int]]] = [[] for _ in nodes]
    for node in nodes:
        for edge, child in enumerate(graph.successors[node]):
            reward = graph.reward(node, edge)
            paid = Fraction(0) if reward is None else reward[0]
            if child in graph.payoffs:
                paid += graph.payoffs[child][0] - ENDLESS
            ways[node].append((sign * paid, -1 if child in graph.payoffs else child))
    far = (len(nodes) + 1) * max(abs(paid) for row in ways for paid, _ in row) + 1
    maximises = [mover == (0 if sign == 1 else 1) for mover in graph.movers]
    outer = [-inf] * len(nodes)
    while True:
        stopped, inner = [max(0, value) for value in outer], [inf] * len(nodes)
        while True:
            after = list(inner)
            for node in nodes:
                if node not in graph.payoffs:
                    worth = [
                        paid + (0 if child < 0 else min(inner[child], stopped[child]))
                        for paid, child in ways[node]
                    ]
                    value = max(worth) if maximises[node] else min(worth)
                    after[node] = value if value >= -far else -inf
            if after == inner:
                break
            inner = after
        after = [value if value <= far else inf for value in inner]
        if after == outer:
            return [sign * value for value in outer]
        outer = after


def compare(seed: int) -> str:
    """`solved`, `no value` or `infinite`, as the kernel and nested value iteration agree;
    `refused` by the kernel."""
    game = gamedsl.load(wandering(seed), "python")
    graph = explore(game)
    if 0 in graph.payoffs:
        return "over"
    low, high = limits_of_sums(graph, 1), limits_of_sums(graph, -1)
    try:
        found = kernel_of(game).solve(game.initial_state())
    except UndefinedValueError as error:
        if "no finite value" in str(error):
            assert low[0] == high[0]
            assert is_infinite(low[0])  # type: ignore[arg-type]
            return "infinite"
        assert low[0] != high[0]
        return "no value"
    except UnsupportedGameError:
        return "refused"
    assert found.chance is not None
    if found.chance.error_bound:
        return "refused"
    for node, state in enumerate(graph.states):
        if node in graph.payoffs:
            continue
        if found.chance.bounds is None:
            entry = found.look_up(state)
            assert entry is not None
            bounds = entry[0][0], entry[0][0]
        else:
            bounds = found.chance.bounds(state)
        assert bounds[0] <= low[node] + ENDLESS <= high[node] + ENDLESS <= bounds[1], seed
        assert node or bounds[0] == bounds[1], seed
    return "solved"


def test_sums_are_those_of_nested_value_iteration_or_have_no_value_or_no_bound() -> None:
    agreed = {compare(seed) for seed in (0, 1, 2, 5, 9, 20, 21, 27)}
    assert agreed == {"solved", "no value", "infinite", "refused"}


def discounted(seed: int) -> str:
    """The same squares with a discount instead of a payoff of endless play."""
    lines = wandering(seed).splitlines()
    lines[1] += f"\ndiscount = {random.Random(seed).choice((1, 5, 9))}/10"
    return "\n".join(line for line in lines if not line.startswith("endless")) + "\n"


def swept(graph: StateGraph, discount: float) -> list[float]:
    """The first player's values, by value iteration in floating-point numbers."""
    values = [
        float(graph.payoffs[node][0]) if node in graph.payoffs else 0.0
        for node in range(len(graph.states))
    ]
    for _ in range(400):
        for node, successors in enumerate(graph.successors):
            if successors:
                worth = []
                for edge, child in enumerate(successors):
                    reward = graph.reward(node, edge)
                    worth.append(
                        (0.0 if reward is None else float(reward[0])) + discount * values[child]
                    )
                values[node] = (max if graph.movers[node] == 0 else min)(worth)
    return values


def compare_discounted(seed: int) -> None:
    """The kernel's bounds are those of value iteration."""
    game = gamedsl.load(discounted(seed), "python")
    graph = explore(game)
    if 0 in graph.payoffs:
        return
    found = kernel_of(game).solve(game.initial_state())
    wanted = swept(graph, float(game.facts.discount))
    for node, state in enumerate(graph.states):
        entry = found.look_up(state)
        assert entry is not None
        assert float(entry[0][0]) == pytest.approx(wanted[node], abs=2e-9), seed


def test_discounted_values_are_those_of_value_iteration() -> None:
    for seed in (1, 2, 28, 43):
        compare_discounted(seed)


def ring(begin: int, up: int, down: int) -> str:
    """A ring of 400 squares, half of them paid `up` and half `down`, with a way out where the ring
    begins, for A if play begins on an even square."""
    return f"""
game "Ring"
players A, B
state:
    at: 0..400 = {begin}
move go:
    require at < 400
    reward A: ({up} if at < 200 else {down}), B: -({up} if at < 200 else {down})
    at = (at + 1) % 400
move out:
    require at == 0
    at = 400
end:
    if at == 400: draw
endless: draw
"""


@pytest.mark.parametrize(
    ("begin", "up", "down", "wanted"),
    [(199, 1, -1, -199), (199, 2, -1, -198), (200, 1, -2, -400), (199, -1, 2, 399)],
)
def test_long_ways_pay_more_than_a_unit_holds(begin: int, up: int, down: int, wanted: int) -> None:
    game = gamedsl.load(ring(begin, up, down), "python")
    found = kernel_of(game).solve(game.initial_state())
    entry = found.look_up(game.initial_state())
    assert entry is not None
    assert entry[0][0] == wanted
