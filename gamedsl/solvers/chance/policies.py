"""Good policies for both sides of a component, found with floating-point numbers and not proved.

In: a component, the approximate values of its exits and of endless play. Out: a `Policy` for every
node. Whether a policy is as good as it looks is settled in `best_response`, so nothing here needs
to be exact.

The infinite game is approached through games that end after each ply with a small chance, and
then pay what endless play pays. Such a game has one solution and hurries whoever is ahead; once
the chance is small enough its best policies are best in the infinite game too (Blackwell,
"Discrete dynamic programming", Ann. Math. Statist. 33, 1962; Gillette 1957 for two players).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.solvers.chance.component_game import ComponentGame, Side

Policy = tuple[int, ...]
"""Per node the position of the chosen edge; 0 at nodes of nature."""

STOPPING_CHANCES = (2.0**-14, 2.0**-8, 2.0**-20, 2.0**-26, 2.0**-32)
NOISE = 1e-13
"""Differences below this part of the range of payoffs are taken for rounding."""
MOST_STEPS = 2_000_000
"""Edges looked at for one stopping chance."""


def candidate_policies(
    game: ComponentGame, exit_values: Sequence[float], endless: float
) -> Iterator[Policy]:
    """Different policies for the sides of a component, each from its own chance that play stops."""
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
    """Value iteration in place, later nodes first, until nothing changes."""
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
    """The first best edge of a node, and its worth; the mean at a node of nature."""
    worths = [values[child] if child >= 0 else gains[~child] for child in game.edges[node]]
    side = game.sides[node]
    if side is Side.NATURE:
        weighted = zip(game.weights[node], worths, strict=True)
        return 0, sum(weight * worth for weight, worth in weighted) / game.totals[node]
    best = 0
    for edge, worth in enumerate(worths):
        gain = worth - worths[best]
        if (gain if side is Side.MAX else -gain) > noise:
            best = edge
    return best, worths[best]
