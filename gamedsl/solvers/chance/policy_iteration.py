"""Components in which rewards are paid or payoffs discounted: policies, values and proven bounds.

In: a component whose sums of rewards converge (`convergence`), and the values of its exits. Out:
policies with their exact values, which satisfy Bellman's equation; or bounds between which its
solution lies. (R. Howard, "Dynamic Programming and Markov Processes", 1960; for two players L.
Shapley, "Stochastic games", PNAS 39, 1953; AIMA 4th ed., sections 17.2 and 17.6.)

Bellman's equation v = T v has one solution here, and T is monotone with T^n v tending to it from
everywhere (Bertsekas and Tsitsiklis 1991, as cited in `convergence`). So values that satisfy it are
the values, and w >= T w bounds them from above, w <= T w from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.chance.component_game import ComponentGame, Side
from gamedsl.solvers.chance.markov_chain import markov_chain_values
from gamedsl.solvers.chance.policies import Policy

MOST_STEPS = 20_000_000
"""Edges looked at in one iteration with floating-point numbers."""
NOISE = 1e-14
"""Changes below this part of the largest value are taken for rounding."""
MOST_IMPROVEMENTS = 60
SLACKS = (1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)
"""What bounds may lose in a step, as a part of the largest value: more than rounding does."""


class _Floats:
    """A component in floating-point numbers."""

    def __init__(self, game: ComponentGame, exit_values: Sequence[float]) -> None:
        self.game = game
        self.exits = exit_values
        self.steps = [
            [
                (
                    child,
                    float(game.reward(node, edge)),
                    float(game.rest(node, edge)),
                    game.weights[node][edge] / game.totals[node],
                )
                for edge, child in enumerate(children)
            ]
            for node, children in enumerate(game.edges)
        ]

    def worths(self, node: int, values: Sequence[float]) -> list[float]:
        """What each edge of a node is worth."""
        return [
            reward + lasting * values[child] if child >= 0 else self.exits[~child]
            for child, reward, lasting, _ in self.steps[node]
        ]

    def value(self, node: int, values: Sequence[float]) -> float:
        """T v at a node."""
        worths, side = self.worths(node, values), self.game.sides[node]
        if side is Side.NATURE:
            return sum(
                step[3] * worth for step, worth in zip(self.steps[node], worths, strict=True)
            )
        return max(worths) if side is Side.MAX else min(worths)

    def iterate(self, values: list[float], slack: float = 0.0) -> list[float]:
        """Value iteration in place, later nodes first, every step `slack` better than it is."""
        for _ in range(max(50, MOST_STEPS // self.game.size)):
            change, largest = 0.0, 1e-300
            for node in range(len(values) - 1, -1, -1):
                value = self.value(node, values) + slack
                change = max(change, abs(value - values[node]))
                largest = max(largest, abs(value))
                values[node] = value
            if change <= NOISE * largest:
                break
        return values


def likely_policy(game: ComponentGame, exit_values: Sequence[float]) -> Policy:
    """A policy that looks best by floating-point numbers."""
    floats = _Floats(game, exit_values)
    values = floats.iterate([0.0] * len(game.nodes))
    policy = []
    for node, side in enumerate(game.sides):
        worths = floats.worths(node, values)
        best = max(worths) if side is Side.MAX else min(worths)
        margin = NOISE * 10 * max(1e-300, *map(abs, worths))
        policy.append(
            0
            if side is Side.NATURE
            else next(edge for edge, worth in enumerate(worths) if abs(worth - best) <= margin)
        )
    return tuple(policy)


def improved(
    game: ComponentGame, policy: Policy, exit_values: Sequence[Fraction]
) -> tuple[Policy, list[Fraction]] | None:
    """A best policy of both sides with its exact values; None where they are out of reach.

    The side that minimises improves its policy as long as it can before the other one does.
    """
    for _ in range(MOST_IMPROVEMENTS):
        values = markov_chain_values(game, policy, exit_values, Fraction(0))
        if values is None:
            return None
        for side in (Side.MIN, Side.MAX):
            better = _improvement(game, policy, side, values, exit_values)
            if better != policy:
                policy = better
                break
        else:
            return policy, values
    return None


def _improvement(
    game: ComponentGame,
    policy: Policy,
    side: Side,
    values: Sequence[Fraction],
    exit_values: Sequence[Fraction],
) -> Policy:
    """The policy with a better edge wherever a side has one."""
    found = list(policy)
    sign = 1 if side is Side.MAX else -1
    for node, whose in enumerate(game.sides):
        if whose is not side:
            continue
        best = sign * values[node]
        for edge in range(len(game.edges[node])):
            worth = sign * _worth(game, node, edge, values, exit_values)
            if worth > best:
                found[node], best = edge, worth
    return tuple(found)


def _worth(
    game: ComponentGame,
    node: int,
    edge: int,
    values: Sequence[Fraction],
    exit_values: Sequence[Fraction],
) -> Fraction:
    child = game.edges[node][edge]
    if child < 0:
        return exit_values[~child]
    return game.reward(node, edge) + game.rest(node, edge) * values[child]


def _backed_up(
    game: ComponentGame, node: int, values: Sequence[Fraction], exit_values: Sequence[Fraction]
) -> Fraction:
    """T v at a node, exactly."""
    worths = [
        _worth(game, node, edge, values, exit_values) for edge in range(len(game.edges[node]))
    ]
    side = game.sides[node]
    if side is Side.NATURE:
        weighted = zip(game.weights[node], worths, strict=True)
        return sum((w * worth for w, worth in weighted), Fraction(0)) / game.totals[node]
    return max(worths) if side is Side.MAX else min(worths)


def proven_bounds(
    game: ComponentGame, low_exits: Sequence[Fraction], high_exits: Sequence[Fraction]
) -> tuple[list[Fraction], list[Fraction]] | None:
    """Lower and upper bounds of all values, or None where rounding is stronger."""
    lower = _proven(game, low_exits, -1)
    upper = _proven(game, high_exits, 1)
    return None if lower is None or upper is None else (lower, upper)


def _proven(
    game: ComponentGame, exit_values: Sequence[Fraction], sign: int
) -> list[Fraction] | None:
    """Bounds from above (sign 1) or below (-1): values of steps that are a little better or worse,
    found with floating-point numbers and tested with fractions."""
    floats = _Floats(game, list(map(float, exit_values)))
    start = floats.iterate([0.0] * len(game.nodes))
    largest = max(1e-300, *map(abs, start), *map(abs, floats.exits))
    for slack in SLACKS:
        values = list(map(Fraction, floats.iterate(list(start), sign * slack * largest)))
        backed_up = (_backed_up(game, n, values, exit_values) for n in range(len(values)))
        if all(sign * (value - after) >= 0 for value, after in zip(values, backed_up, strict=True)):
            return values
    return None
