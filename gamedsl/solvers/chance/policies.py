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
from fractions import Fraction

from gamedsl.solvers.chance.component_game import ComponentGame, Side, with_discount

Policy = tuple[int, ...]
"""Per node the position of the chosen edge; 0 at nodes of nature."""

STOPPING_CHANCES = tuple(Fraction(1, 2**n) for n in (14, 8, 20, 26, 32))
NOISE = 1e-14
"""Changes below this share of the largest value count as rounding errors."""
MOST_STEPS = 20_000_000
"""Edges evaluated in one iteration."""
FEW_STEPS = 2_000_000
"""Edges evaluated for one stopping chance."""


Terms = tuple[tuple[float, float, int], ...]
"""Edges inside, as (reward, weight of the value behind the edge, node behind the edge)."""


class Floats:
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

    def iterate(self, values: list[float], slack: float = 0.0, sweeps: int = 0) -> list[float]:
        """Value iteration in place, later nodes first, with every step improved by `slack`; at most
        so many sweeps, by default for MOST_STEPS edges."""
        nature, highest = Side.NATURE, Side.MAX
        for _ in range(sweeps or max(50, MOST_STEPS // self.game.size)):
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


def likely_policy(
    game: ComponentGame,
    exit_values: Sequence[float],
    start: Sequence[float] = (),
    sweeps: int = 0,
) -> tuple[Policy, list[float]]:
    """A policy that is optimal by floating-point numbers, and the values of the policy, from values
    `start` on; `sweeps`: as for `Floats.iterate`."""
    floats = Floats(game, exit_values)
    values = floats.iterate(list(start) or [0.0] * len(game.nodes), sweeps=sweeps)
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


def candidate_policies(
    game: ComponentGame, exit_values: Sequence[float], endless: float
) -> Iterator[Policy]:
    """Different policies for the sides of a component, each optimal for a different stopping
    chance."""
    gains = [value - endless for value in exit_values]
    values: list[float] = []
    sweeps = max(20, FEW_STEPS // game.size)
    yielded = set()
    for stopping in STOPPING_CHANCES:
        stopped = with_discount(game, 1 - stopping)
        exits = [float(1 - stopping) * gain for gain in gains]
        policy, values = likely_policy(stopped, exits, values, sweeps)
        if policy not in yielded:
            yielded.add(policy)
            yield policy
