"""Whether the rewards of play that can return add up to something, and the refusal where not.

In: a component in which rewards are paid or payoffs discounted. Out: nothing, or an
`UnsupportedGameError` that names a loop.

With a discount below 1 every sum converges. Without, one of these conditions has to hold:

- Nobody can stay for ever: there is no end component, so that every play leaves almost surely,
  whatever the players do.
- Staying costs one of the players without end, and that player can make play leave almost surely
  whatever the other does: the stochastic shortest path problem (D. Bertsekas and J. Tsitsiklis,
  "An analysis of stochastic shortest path problems", Math. Oper. Res. 16, 1991; for two players
  S. Patek and D. Bertsekas, "Stochastic shortest path games", SIAM J. Control Optim. 37, 1999).

That staying costs is shown by a potential: numbers h by which every step inside an end component,
its reward added, leads to less. It is found with floating-point numbers and tested with fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.chance.best_response import end_component_edges
from gamedsl.solvers.chance.component_game import ComponentGame, Side
from gamedsl.solvers.graphs.components import loop_words
from gamedsl.solvers.graphs.graph import StateGraph

DISCOUNTS = (1 - 2.0**-7, 1 - 2.0**-10, 1 - 2.0**-14)
MOST_SWEEPS = 4_000

Inside = list[list[int]]
"""Per node the edges that stay in its end component; none where it is in no end component."""


def refuse_unless_sums_converge(graph: StateGraph, game: ComponentGame) -> None:
    """Raise `UnsupportedGameError` where the sum of rewards is not known to converge."""
    if game.lasting:
        return
    inside = end_component_edges(game)
    if not any(inside):
        return
    choosers = [side for side in (Side.MAX, Side.MIN) if side in game.sides]
    payers = [side for side in choosers if _costs(game, inside, side)]
    if any(_can_leave(game, side) for side in payers):
        return
    start, cycle = loop_words(graph, tuple(game.nodes))
    if not choosers:
        why = "play never ends"
    elif payers:
        why = "who pays for them has no way to end play for sure"
    else:
        why = "not every way round costs a player who could end it"
    raise UnsupportedGameError(
        f"rewards of {graph.game.name} need have no sum: {start}, moves such as {cycle} can be "
        f"repeated for ever, and {why}",
        "write `discount = 99/100`, or change the rewards so that going round costs something",
    )


def _costs(game: ComponentGame, inside: Inside, payer: Side) -> bool:
    """Whether every way to stay costs a side without end."""
    sign = 1 if payer is Side.MAX else -1
    nodes = [node for node, edges in enumerate(inside) if edges]
    rewards = {(n, e): sign * game.reward(n, e) for n in nodes for e in inside[n]}
    for discount in DISCOUNTS:
        potential = _potential(game, inside, nodes, rewards, discount)
        if potential is not None and _leads_down(game, inside, nodes, rewards, potential):
            return True
    return False


def _potential(
    game: ComponentGame,
    inside: Inside,
    nodes: Sequence[int],
    rewards: dict[tuple[int, int], Fraction],
    discount: float,
) -> list[float] | None:
    """The most that staying gives, discounted; None if that is found to be something."""
    values = [0.0] * len(game.nodes)
    floats = {key: float(reward) for key, reward in rewards.items()}
    for _ in range(MOST_SWEEPS):
        change, largest = 0.0, 1e-300
        for node in reversed(nodes):
            worths = [
                floats[node, e] + discount * values[game.edges[node][e]] for e in inside[node]
            ]
            if game.sides[node] is Side.NATURE:
                shares = (game.weights[node][e] / game.totals[node] for e in inside[node])
                value = sum(share * worth for share, worth in zip(shares, worths, strict=True))
            else:
                value = max(worths)
            change = max(change, abs(value - values[node]))
            largest = max(largest, abs(value))
            values[node] = value
        if change <= 1e-13 * largest:
            break
    return values


def _leads_down(
    game: ComponentGame,
    inside: Inside,
    nodes: Sequence[int],
    rewards: dict[tuple[int, int], Fraction],
    potential: Sequence[float],
) -> bool:
    """Whether every step of staying, its reward added, leads to a lower potential."""
    heights = list(map(Fraction, potential))
    for node in nodes:
        worths = [rewards[node, e] + heights[game.edges[node][e]] for e in inside[node]]
        if game.sides[node] is Side.NATURE:
            weights = [game.weights[node][e] for e in inside[node]]
            mean = sum((w * one for w, one in zip(weights, worths, strict=True)), Fraction(0))
            worths = [mean / game.totals[node]]
        if max(worths) >= heights[node]:
            return False
    return True


def _can_leave(game: ComponentGame, side: Side) -> bool:
    """Whether a side can make play leave almost surely, from everywhere, whatever the other does.

    (L. de Alfaro, T. Henzinger and O. Kupferman, "Concurrent reachability games", 1998, for turns.)
    Not so if somewhere the other can avoid that play has any chance to leave.
    """
    nodes = range(len(game.nodes))
    leaving: set[int] = set()
    is_growing = True
    while is_growing:
        is_growing = False
        for node in nodes:
            if node in leaving:
                continue
            ways = [child < 0 or child in leaving for child in game.edges[node]]
            is_others = game.sides[node] not in {side, Side.NATURE}
            if all(ways) if is_others else any(ways):
                leaving.add(node)
                is_growing = True
    return len(leaving) == len(game.nodes)
