"""Finds good policies for both sides of a component in floating-point numbers, without proof.

In: a component, the approximate values of the exits and of endless play. Out: a `Policy` for every
node. `best_response` judges the policies, and the numbers here need not be exact.

The infinite game is approximated by games that end after each ply with a small probability, and
then pay the payoff of endless play. Such a game has a unique solution and rewards a player ahead
for hurrying; at sufficiently small probabilities optimal policies are also optimal in the infinite
game (Blackwell, "Discrete dynamic programming", Ann. Math. Statist. 33, 1962; Gillette 1957 for two
players).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.solvers.chance.component_game import ComponentGame, Side

Policy = tuple[int, ...]
"""Per node the position of the chosen edge; 0 at nodes of nature."""

STOPPING_CHANCES = (2.0**-14, 2.0**-8, 2.0**-20, 2.0**-26, 2.0**-32)
NOISE = 1e-13
"""Differences below this share of the range of payoffs count as rounding errors."""
MOST_STEPS = 2_000_000
"""Edges evaluated for one stopping chance."""


def candidate_policies(
    game: ComponentGame, exit_values: Sequence[float], endless: float
) -> Iterator[Policy]:
    """Different policies for the sides of a component, each optimal for a different stopping
    chance."""
    gains = [value - endless for value in exit_values]
    noise = NOISE * max([1e-300, *map(abs, gains)])
    values = [0.0] * len(game.nodes)
    yielded = set()
    for stopping in STOPPING_CHANCES:
        _iterate(game, gains, 1.0 - stopping, values, noise)
        policy = tuple(_greedy(game, node, values, gains, noise)[0] for node in range(len(values)))
        if policy not in yielded:
            yielded.add(policy)
            yield policy


def _iterate(
    game: ComponentGame, gains: Sequence[float], lasting: float, values: list[float], noise: float
) -> None:
    """Value iteration in place, later nodes first, until no value changes."""
    for _ in range(max(20, MOST_STEPS // game.size)):
        change = 0.0
        for node in range(len(values) - 1, -1, -1):
            value = lasting * _greedy(game, node, values, gains, 0.0)[1]
            change = max(change, abs(value - values[node]))
            values[node] = value
        if change <= noise:
            return


def _greedy(
    game: ComponentGame, node: int, values: Sequence[float], gains: Sequence[float], noise: float
) -> tuple[int, float]:
    """The first best edge of a node, and the edge's value; the mean at a node of nature."""
    payoffs = [values[child] if child >= 0 else gains[~child] for child in game.edges[node]]
    side = game.sides[node]
    if side is Side.NATURE:
        weighted = zip(game.weights[node], payoffs, strict=True)
        return 0, sum(weight * payoff for weight, payoff in weighted) / game.totals[node]
    best = 0
    for edge, payoff in enumerate(payoffs):
        gain = payoff - payoffs[best]
        if (gain if side is Side.MAX else -gain) > noise:
            best = edge
    return best, payoffs[best]
