"""Policies, values and proven bounds of components with rewards or discounted payoffs.

In: a component whose sums of rewards converge (`total_rewards`), and the values of the exits. Out:
policies with their exact values, which satisfy Bellman's equation; or bounds on the solution of
Bellman's equation. (R. Howard, "Dynamic Programming and Markov Processes", 1960; for two players L.
Shapley, "Stochastic games", PNAS 39, 1953; AIMA 4th ed., sections 17.2 and 17.6.)

Bellman's equation v = T v has a unique solution here, T is monotone, and T^n v converges to the
solution from every v (Bertsekas and Tsitsiklis 1991, as cited in `total_rewards`). Values that
satisfy the equation are therefore the true values, and w >= T w bounds the true values from above,
w <= T w from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.chance.component_game import ComponentGame, Side
from gamedsl.solvers.chance.markov_chain import markov_chain_values
from gamedsl.solvers.chance.policies import Policy

MOST_STEPS = 20_000_000
"""Edges evaluated in one iteration with floating-point numbers."""
NOISE = 1e-14
"""Changes below this share of the largest value count as rounding errors."""
MOST_IMPROVEMENTS = 60
SHORT = 10_000
"""Greatest denominator tried before systems of equations are solved."""
SLACKS = (1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)
"""Slack of bounds per step, as a share of the largest value: greater than rounding errors."""


Terms = tuple[tuple[float, float, int], ...]
"""Edges inside, as (reward, weight of the value behind the edge, node behind the edge)."""


class _Floats:
    """A component in floating-point numbers.

    Attributes:
        steps: per node, later nodes first: the number, the side, the value of the exits (at a node
            of nature their share plus all rewards; else the best exit, or None), and the inner
            edges.
    """

    def __init__(self, game: ComponentGame, exit_values: Sequence[float]) -> None:
        self.game = game
        self.exits = exit_values
        self.steps: list[tuple[int, Side, float | None, Terms]] = [
            (node, *self._step(node)) for node in range(len(game.nodes) - 1, -1, -1)
        ]

    def _step(self, node: int) -> tuple[Side, float | None, Terms]:
        game, side = self.game, self.game.sides[node]
        edges = list(enumerate(game.edges[node]))
        leaving = [(edge, self.exits[~child]) for edge, child in edges if child < 0]
        terms = tuple(
            (float(game.reward(node, edge)), float(game.rest(node, edge)), child)
            for edge, child in edges
            if child >= 0
        )
        if side is not Side.NATURE:
            best = max if side is Side.MAX else min
            return side, best((payoff for _, payoff in leaving), default=None), terms
        shares = [weight / game.totals[node] for weight in game.weights[node]]
        inner = [shares[edge] for edge, child in edges if child >= 0]
        constant = sum(shares[edge] * payoff for edge, payoff in leaving)
        constant += sum(share * reward for share, (reward, _, _) in zip(inner, terms, strict=True))
        weighted = tuple(
            (0.0, share * rest, child) for share, (_, rest, child) in zip(inner, terms, strict=True)
        )
        return side, constant, weighted

    def payoffs(self, node: int, values: Sequence[float]) -> list[float]:
        """The value of each edge of a node."""
        game = self.game
        return [
            float(game.reward(node, edge)) + float(game.rest(node, edge)) * values[child]
            if child >= 0
            else self.exits[~child]
            for edge, child in enumerate(game.edges[node])
        ]

    def iterate(self, values: list[float], slack: float = 0.0) -> list[float]:
        """Value iteration in place, later nodes first, with every step improved by `slack`."""
        nature, highest = Side.NATURE, Side.MAX
        for _ in range(max(50, MOST_STEPS // self.game.size)):
            change, largest = 0.0, 1e-300
            for node, side, constant, terms in self.steps:
                if side is nature:
                    value = constant or 0.0
                    for _, weight, child in terms:
                        value += weight * values[child]
                else:
                    payoffs = [reward + rest * values[child] for reward, rest, child in terms]
                    if constant is not None:
                        payoffs.append(constant)
                    value = max(payoffs) if side is highest else min(payoffs)
                value += slack
                before, values[node] = values[node], value
                if abs(value - before) > change:
                    change = abs(value - before)
                if abs(value) > largest:
                    largest = abs(value)
            if change <= NOISE * largest:
                break
        return values


def likely_policy(game: ComponentGame, exit_values: Sequence[float]) -> tuple[Policy, list[float]]:
    """A policy that is optimal by floating-point numbers, and the values of the policy."""
    floats = _Floats(game, exit_values)
    values = floats.iterate([0.0] * len(game.nodes))
    policy = []
    for node, side in enumerate(game.sides):
        if side is Side.NATURE:
            policy.append(0)
            continue
        payoffs = floats.payoffs(node, values)
        best = max(payoffs) if side is Side.MAX else min(payoffs)
        margin = NOISE * 10 * max(1e-300, *map(abs, payoffs))
        policy.append(
            next(edge for edge, payoff in enumerate(payoffs) if abs(payoff - best) <= margin)
        )
    return tuple(policy), values


def simple_values(
    game: ComponentGame, exit_values: Sequence[Fraction], likely: Sequence[float]
) -> list[Fraction] | None:
    """The fractions with short denominators nearest to likely values, if verified as the true
    values."""
    values = [Fraction(value).limit_denominator(SHORT) for value in likely]
    is_solved = all(
        _backed_up(game, node, values, exit_values) == value for node, value in enumerate(values)
    )
    return values if is_solved else None


def improved(
    game: ComponentGame, policy: Policy, exit_values: Sequence[Fraction]
) -> tuple[Policy, list[Fraction]] | None:
    """Optimal policies of both sides with exact values; None where exact values are out of reach.

    The minimising side improves as long as possible before each improvement of the maximising side.
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
    """The policy with a better edge wherever a side has a better edge."""
    better = list(policy)
    sign = 1 if side is Side.MAX else -1
    for node, whose in enumerate(game.sides):
        if whose is not side:
            continue
        best = sign * values[node]
        for edge in range(len(game.edges[node])):
            payoff = sign * _expected_payoff(game, node, edge, values, exit_values)
            if payoff > best:
                better[node], best = edge, payoff
    return tuple(better)


def _expected_payoff(
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
    payoffs = [
        _expected_payoff(game, node, edge, values, exit_values)
        for edge in range(len(game.edges[node]))
    ]
    side = game.sides[node]
    if side is Side.NATURE:
        weighted = zip(game.weights[node], payoffs, strict=True)
        return sum((w * payoff for w, payoff in weighted), Fraction(0)) / game.totals[node]
    return max(payoffs) if side is Side.MAX else min(payoffs)


def proven_bounds(
    game: ComponentGame,
    low_exits: Sequence[Fraction],
    high_exits: Sequence[Fraction],
    start: Sequence[float],
) -> tuple[list[Fraction], list[Fraction]] | None:
    """Lower and upper bounds of all values, searched from likely values on; None where rounding
    errors prevent a proof."""
    lower = _proven(game, low_exits, -1, start)
    upper = _proven(game, high_exits, 1, start)
    return None if lower is None or upper is None else (lower, upper)


def _proven(
    game: ComponentGame, exit_values: Sequence[Fraction], sign: int, start: Sequence[float]
) -> list[Fraction] | None:
    """Bounds from above (sign 1) or below (-1): values with slightly better or worse steps,
    computed in floating-point numbers and verified in fractions."""
    floats = _Floats(game, list(map(float, exit_values)))
    largest = max(1e-300, *map(abs, start), *map(abs, floats.exits))
    for slack in SLACKS:
        values = list(map(Fraction, floats.iterate(list(start), sign * slack * largest)))
        backed_up = (_backed_up(game, n, values, exit_values) for n in range(len(values)))
        if all(sign * (value - after) >= 0 for value, after in zip(values, backed_up, strict=True)):
            return values
    return None
