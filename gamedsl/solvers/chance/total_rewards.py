"""Values of components with undiscounted rewards, and tests whether the sums are finite.

In: a component, and bounds on the extended values of the exits. Out: `Totals`: values or bounds of
the nodes and a policy, or None if no bound is proved. Endless play pays the sum of the rewards in
the extended reals; if rewards stop, `endless` is added.

- A single choosing side and no chance: `longest_ways`.
- Otherwise, with a single choosing side, loops without payments are merged, with staying as a
  choice (`merged_loops`). Staying then has to cost one side without end (`convergence`). Nodes from
  which the payer cannot make play leave almost surely are lost without bound for the payer. In the
  remaining nodes, policies that stay are worse than all policies that leave, and Bellman's equation
  has a unique solution (D. Bertsekas and J. Tsitsiklis, "An analysis of stochastic shortest path
  problems", Math. Oper. Res. 16, 1991; for two players S. Patek and D. Bertsekas, "Stochastic
  shortest path games", SIAM J. Control Optim. 37, 1999), found by `policy_iteration`.
- In the remaining cases with two choosing sides, policies are guessed. The values are known if the
  two policies are mutual best replies; every reply is tested as a problem of one side alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.chance.best_response import end_component_edges
from gamedsl.solvers.chance.component_game import (
    ZERO,
    ComponentGame,
    Side,
    with_discount,
    with_edges,
)
from gamedsl.solvers.chance.convergence import staying_costs
from gamedsl.solvers.chance.longest_ways import Loop, longest_ways
from gamedsl.solvers.chance.merged_loops import merge_free_loops
from gamedsl.solvers.chance.policies import Policy, likely_policy
from gamedsl.solvers.chance.policy_iteration import (
    improved,
    proven_bounds,
    simple_values,
)
from gamedsl.solvers.graphs.extended import INFINITY, is_infinite
from gamedsl.source.records import dataclass

Values = tuple[Fraction, ...]
STOPPING_CHANCES = (Fraction(1, 2**6), Fraction(1, 2**9), Fraction(1, 2**12))
FAR = 1e6
"""Factor of the largest payoff that stands for infinity in a guess."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Values of a component.

    Attributes:
        lower, upper: bounds of every node's value; equal where the value is exact.
        gaining: a loop that pays without bound, if found.
        undefined: a loop with an undefined sum of rewards that affects the values: then no values.
    """

    lower: Values
    upper: Values
    policy: Policy
    gaining: Loop = ()
    undefined: Loop = ()


def total_rewards(
    game: ComponentGame, low_exits: Values, high_exits: Values, endless: Fraction
) -> Totals | None:
    """Values of a component without a discount, or bounds; None where no bound is proved."""
    game = _without_forced_choices(game)
    choosers = [side for side in (Side.MAX, Side.MIN) if side in game.sides]
    if choosers == [Side.MIN]:
        return _mirrored(
            total_rewards(_flipped(game), _negated(high_exits), _negated(low_exits), -endless)
        )
    is_sure = all(
        len(edges) == 1 or side is not Side.NATURE
        for side, edges in zip(game.sides, game.edges, strict=True)
    )
    if len(choosers) < 2 and is_sure:
        return _without_chance(game, low_exits, high_exits, endless)
    if len(choosers) < 2:
        return _alone(game, low_exits, high_exits, endless)
    totals = _paid_by_either(game, low_exits, high_exits)
    if totals is None and low_exits == high_exits:
        return _best_replies(game, low_exits, endless)
    return totals


def _negated(values: Values) -> Values:
    return tuple(-value for value in values)


def _flipped(game: ComponentGame) -> ComponentGame:
    """The component with the sides exchanged, and rewards negated."""
    opposite = {Side.MAX: Side.MIN, Side.MIN: Side.MAX, Side.NATURE: Side.NATURE}
    rewards = tuple(tuple(-reward for reward in row) for row in game.rewards)
    return replace(game, sides=tuple(opposite[side] for side in game.sides), rewards=rewards)


def _mirrored(totals: Totals | None) -> Totals | None:
    """Turns totals of the flipped component into totals of the component."""
    if totals is None:
        return None
    return replace(totals, lower=_negated(totals.upper), upper=_negated(totals.lower))


def _without_forced_choices(game: ComponentGame) -> ComponentGame:
    """The component in which nodes with a single edge belong to nature."""
    sides = zip(game.sides, game.edges, strict=True)
    return replace(
        game, sides=tuple(Side.NATURE if len(edges) == 1 else side for side, edges in sides)
    )


def _without_chance(
    game: ComponentGame, low_exits: Values, high_exits: Values, endless: Fraction
) -> Totals:
    low = longest_ways(game, low_exits, endless)
    high = low if low_exits == high_exits else longest_ways(game, high_exits, endless)
    undefined = low.undefined or high.undefined
    return Totals(low.values, high.values, low.policy, low.gaining, undefined)


def _alone(
    game: ComponentGame, low_exits: Values, high_exits: Values, endless: Fraction
) -> Totals | None:
    """The component of a maximising side against chance, or of chance alone."""
    merged = merge_free_loops(game, Side.MAX)
    stay = (endless,) if len(merged.game.exits) > len(game.exits) else ()
    totals = _paid_by_either(merged.game, (*low_exits, *stay), (*high_exits, *stay))
    if totals is None:
        return None
    return Totals(
        tuple(totals.lower[group] for group in merged.group),
        tuple(totals.upper[group] for group in merged.group),
        merged.policy(totals.policy),
    )


def _best_replies(game: ComponentGame, exits: Values, endless: Fraction) -> Totals | None:
    """Exact values with two choosing sides, by policies that are mutual best replies.

    The guarantee of a policy is the value of a game in which only the opponent chooses. Policies
    are guessed: optimal policies of a game that ends after every ply with a small probability
    (`policies`).
    """
    finite = [float(value) for value in exits if not is_infinite(value)]
    far = FAR * max(1.0, abs(float(endless)), *map(abs, finite))
    guesses = [max(-far, min(far, float(value))) for value in exits]
    for stopping in STOPPING_CHANCES:
        policy, _ = likely_policy(_stopped(game, stopping, endless), guesses)
        sure = [
            total_rewards(_fixed(game, side, policy), exits, exits, endless)
            for side in (Side.MAX, Side.MIN)
        ]
        low, high = (
            None if guarantee is None or guarantee.undefined else guarantee for guarantee in sure
        )
        if low is not None and high is not None and low.lower == high.upper:
            return Totals(low.lower, high.upper, policy)
    return None


def _stopped(game: ComponentGame, stopping: Fraction, endless: Fraction) -> ComponentGame:
    """The component in which each step ends play with a small probability, for the payoff of
    endless play."""
    rewards = tuple(
        tuple(
            ZERO if child < 0 else game.reward(node, edge) + stopping * endless
            for edge, child in enumerate(children)
        )
        for node, children in enumerate(game.edges)
    )
    return replace(with_discount(game, 1 - stopping), rewards=rewards)


def _fixed(game: ComponentGame, side: Side, policy: Policy) -> ComponentGame:
    """The component in which one side follows the policy."""
    allowed = [
        (policy[node],) if game.sides[node] is side else tuple(range(len(edges)))
        for node, edges in enumerate(game.edges)
    ]
    return with_edges(game, list(range(len(allowed))), allowed)


def _paid_by_either(game: ComponentGame, low_exits: Values, high_exits: Values) -> Totals | None:
    """Totals of a component in which staying costs one side without end; None for all other
    components."""
    inside = end_component_edges(game)
    if staying_costs(game, inside, Side.MAX):
        return _paid_by_max(game, low_exits, high_exits)
    if staying_costs(game, inside, Side.MIN):
        return _mirrored(_paid_by_max(_flipped(game), _negated(high_exits), _negated(low_exits)))
    return None


def _paid_by_max(game: ComponentGame, low_exits: Values, high_exits: Values) -> Totals | None:
    """Totals where staying costs the maximising side without end."""
    nodes = set(range(len(game.nodes)))
    lost = {~number for number, value in enumerate(low_exits) if value == -INFINITY}
    gained = {~number for number, value in enumerate(low_exits) if value == INFINITY}
    safe = _can_leave_surely(game, lost)
    if gained and len(safe) < len(nodes):
        return None  # sums of both infinities are not computed
    gaining = _attracted(game, gained, safe, {Side.MAX, Side.NATURE})
    left = sorted(safe - gaining)
    below, policy = _restricted(game, left, lost | gained)
    lower = [INFINITY if node in gaining else -INFINITY for node in nodes]
    upper = list(lower)
    edges = [0] * len(nodes)
    if left:
        lows, highs = (
            tuple(Fraction(0) if is_infinite(value) else value for value in values)
            for values in (low_exits, high_exits)
        )
        totals = bellman_values(below, lows, highs)
        if totals is None:
            return None
        for place, node in enumerate(left):
            lower[node], upper[node] = totals.lower[place], totals.upper[place]
            edges[node] = policy[place][totals.policy[place]]
    for node in nodes - set(left):
        wanted = gaining | gained if node in gaining else set()
        choices = enumerate(game.edges[node])
        edges[node] = next((edge for edge, child in choices if child in wanted), 0)
    return Totals(tuple(lower), tuple(upper), tuple(edges))


def bellman_values(game: ComponentGame, low_exits: Values, high_exits: Values) -> Totals | None:
    """Values determined by Bellman's equation."""
    middles = [float(low + high) / 2 for low, high in zip(low_exits, high_exits, strict=True)]
    policy, likely = likely_policy(game, middles)
    if low_exits == high_exits:
        values = simple_values(game, low_exits, likely)
        if values is None and (exact := improved(game, policy, low_exits)) is not None:
            policy, values = exact
        if values is not None:
            return Totals(tuple(values), tuple(values), policy)
    between = proven_bounds(game, low_exits, high_exits, likely)
    return None if between is None else Totals(tuple(between[0]), tuple(between[1]), policy)


def _can_leave_surely(game: ComponentGame, lost: Collection[int]) -> set[int]:
    """Nodes from which the maximising side can leave almost surely against all replies.

    Leaving has to be by an exit that is not lost (L. de Alfaro, T. Henzinger and O. Kupferman,
    "Concurrent reachability games", 1998, for turns).
    """
    within = set(range(len(game.nodes)))
    exits = {~number for number in range(len(game.exits))} - set(lost)
    while True:
        bad = set(lost) | (set(range(len(game.nodes))) - within)
        drawn = _attracted(game, bad, within, {Side.MIN, Side.NATURE})
        within -= drawn
        leaving = _attracted(game, exits, within, {Side.MAX, Side.NATURE})
        if leaving == within:
            return within
        within = leaving


def _attracted(
    game: ComponentGame, goals: Collection[int], within: Collection[int], helping: Collection[Side]
) -> set[int]:
    """The nodes of `within` from which the helping sides can reach a goal with positive probability
    against all replies inside."""
    before: dict[int, list[int]] = {}
    missing: dict[int, int] = {}
    for node in within:
        children = [c for c in game.edges[node] if c < 0 or c in within or c in goals]
        missing[node] = 1 if game.sides[node] in helping else len(children)
        for child in children:
            before.setdefault(child, []).append(node)
    reached: set[int] = set()
    queue = list(goals)
    for child in queue:
        for node in before.get(child, ()):
            missing[node] -= 1
            if not missing[node] and node not in reached:
                reached.add(node)
                queue.append(node)
    return reached


def _restricted(
    game: ComponentGame, nodes: Sequence[int], closed: Collection[int]
) -> tuple[ComponentGame, list[list[int]]]:
    """The component restricted to some nodes, without edges to removed nodes or closed exits; and
    the edges kept, per node."""
    local = {node: place for place, node in enumerate(nodes)}
    remaining = [
        [e for e, c in enumerate(game.edges[n]) if (c < 0 and c not in closed) or c in local]
        for n in nodes
    ]
    return with_edges(game, nodes, remaining), remaining
