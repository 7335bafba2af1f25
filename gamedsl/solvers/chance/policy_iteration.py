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
from gamedsl.solvers.chance.policies import Floats, Policy

MOST_IMPROVEMENTS = 60
SHORT = 10_000
"""Greatest denominator tried before systems of equations are solved."""
SLACKS = (1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)
"""Slack of bounds per step, as a share of the largest value: greater than rounding errors."""


def simple_values(
    game: ComponentGame, exit_values: Sequence[Fraction], likely: Sequence[float]
) -> list[Fraction] | None:
    """The fractions with short denominators nearest to likely values, if verified as the true
    values."""
    values = [Fraction(value).limit_denominator(SHORT) for value in likely]
    is_solved = all(
        backed_up(game, node, values, exit_values) == value for node, value in enumerate(values)
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


def backed_up(
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
    floats = Floats(game, list(map(float, exit_values)))
    largest = max(1e-300, *map(abs, start), *map(abs, floats.exits))
    for slack in SLACKS:
        values = list(map(Fraction, floats.iterate(list(start), sign * slack * largest)))
        if all(
            sign * (value - backed_up(game, node, values, exit_values)) >= 0
            for node, value in enumerate(values)
        ):
            return values
    return None
