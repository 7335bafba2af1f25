"""Values, with a proven error bound, of games with chance in which play can return.

In: a state graph, the components in reverse topological order, and the payoffs of endless play.
Out: a `SolvedGraph`, exact where the exact numbers are short, else within `error_bound`. For one
player, or two with opposed interests; for any number of players where no player has a choice.

Components are solved from the endings back. Where play cannot return, a value follows from the
successors' values. A returning component without chance is solved by retrograde analysis. A
returning component with chance gets policies for both sides (`policies`); each policy's guarantee
against every reply bounds the true value from below and from above (`best_response`). A component
with discounted payoffs is solved by policy iteration (`policy_iteration`); a component with
undiscounted rewards by `total_rewards`, with possibly infinite values (`extended`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

from gamedsl.model.errors import UndefinedValueError, UnsupportedGameError
from gamedsl.solvers.chance.best_response import BestReply
from gamedsl.solvers.chance.component_game import (
    FREE,
    ComponentGame,
    Side,
    Toll,
    component_game,
    integer_weights,
    side_of,
    toll,
)
from gamedsl.solvers.chance.interval_iteration import IntervalIteration
from gamedsl.solvers.chance.markov_chain import markov_chain_values
from gamedsl.solvers.chance.policies import Policy, candidate_policies
from gamedsl.solvers.chance.total_rewards import Totals, bellman_values, total_rewards
from gamedsl.solvers.exact.retrograde import Arena, Payoff, solve_arena
from gamedsl.solvers.exact.solved import SolvedGraph, chosen_plies
from gamedsl.solvers.graphs.components import Step, loop_from, loop_words, named_loop
from gamedsl.solvers.graphs.extended import INFINITY, is_infinite
from gamedsl.solvers.graphs.graph import DEFAULT_TOLERANCE, StateGraph, Vector
from gamedsl.source.components import Component, components, is_cyclic

SCALE = 1 << 96
"""Bounds are whole numbers of 1/SCALE; lower bounds are rounded down, upper bounds up."""
EXACT_BITS = 96
"""Greatest length, in bits, of the denominator of a value kept exactly."""
EXACT_BITS_OF_REWARDS = 1024
"""Greatest length, in bits, with rewards: sums have longer denominators than shares of endings."""
DISCOUNT_INSTEAD = (
    "write `discount = 99/100`, or change the rewards so that going round costs something"
)


def value_iteration(
    graph: StateGraph,
    order: Sequence[Component],
    endless: Vector,
    tolerance: Fraction = DEFAULT_TOLERANCE,
    *,
    defers: bool = False,
) -> SolvedGraph:
    """Solves a graph for one player, or for two with payoffs of constant sum.

    `defers`: raise UnsupportedGameError in place of guesses at the policies of two players whom
    rewards both cost and pay.

    The error of the values is at most the result's `error_bound`, which is at most `tolerance` in
    payoff, unless the components mix so slowly that the work is cut off.
    """
    allowed = tolerance / (2 + _most_cycles(graph, order))
    bounds = _Bounds(graph, endless[0], allowed, defers=defers)
    return _settled(bounds, order).solved(endless)


def chain_values(
    graph: StateGraph,
    order: Sequence[Component],
    endless: Vector,
    tolerance: Fraction = DEFAULT_TOLERANCE,
) -> SolvedGraph:
    """Solves a graph without choices, for any number of players and any payoffs."""
    allowed = tolerance / (2 + _most_cycles(graph, order))
    columns = [
        _settled(_Bounds(graph, payoff, allowed, player, is_chain=True), order).solved((payoff,))
        for player, payoff in enumerate(endless)
    ]
    values = [
        tuple(payoff for (payoff,) in row) for row in zip(*(c.values for c in columns), strict=True)
    ]
    return replace(columns[0], values=values, error_bound=max(c.error_bound for c in columns))


def _settled(bounds: _Bounds, order: Sequence[Component]) -> _Bounds:
    for component in order:
        if is_cyclic(component, bounds.graph.successors):
            bounds.settle_component(component)
        else:
            bounds.settle_node(component[0])
    bounds.refuse_unless_finite()
    return bounds


def _most_cycles(graph: StateGraph, order: Sequence[Component]) -> int:
    """The greatest number of cyclic components on a single play."""
    cycles = [0] * len(graph.states)
    for component in order:
        below = max((cycles[c] for node in component for c in graph.successors[node]), default=0)
        added = 1 if is_cyclic(component, graph.successors) else 0
        for node in component:
            cycles[node] = below + added
    return max(cycles)


def _floor(value: Fraction) -> int:
    """The value rounded down in units of 1/SCALE; an infinite value stays unchanged."""
    if is_infinite(value):
        return cast(int, value)
    return value.numerator * SCALE // value.denominator


def _ceil(value: Fraction) -> int:
    return -_floor(-value)


def _unscaled(bound: int) -> Fraction:
    return cast(Fraction, bound) if is_infinite(bound) else Fraction(bound, SCALE)


class _Bounds:
    """Lower and upper bounds of a player's payoff, filled from the endings back.

    The player is the first, with the second as opponent, unless `is_chain`: then no player chooses.
    """

    def __init__(
        self,
        graph: StateGraph,
        endless: Fraction,
        tolerance: Fraction,
        player: int = 0,
        *,
        is_chain: bool = False,
        defers: bool = False,
    ) -> None:
        nodes = len(graph.states)
        self.graph = graph
        self.player = player
        self.is_chain = is_chain
        self.defers = defers
        self.is_plain = graph.game.facts.pays_at_the_end
        self.endless = endless
        self.tolerance = _floor(tolerance)
        self.lower = [0] * nodes
        self.upper = [0] * nodes
        self.exact: list[Fraction | None] = [None] * nodes
        self.choices = [-1] * nodes
        self.returning: set[int] = set()
        self.gaining: dict[Fraction, tuple[Step, ...]] = {}
        """A loop that pays without bound, by the infinite value."""

    def solved(self, endless: Vector) -> SolvedGraph:
        total = sum(endless)
        values = []
        for node, exact in enumerate(self.exact):
            value = exact
            if value is None:
                value = Fraction(self.lower[node] + self.upper[node], 2 * SCALE)
            values.append((value, *(total - value for _ in endless[1:])))
        widest = max(
            (self.upper[n] - self.lower[n] for n, exact in enumerate(self.exact) if exact is None),
            default=0,
        )
        plies: list[int | None] = [
            0 if node in self.graph.payoffs else None for node in range(len(values))
        ]
        bound = Fraction(widest, 2 * SCALE)
        if not self.is_plain:  # length does not decide between equal payoffs, but can be given
            plies = chosen_plies(self.graph, self.choices)
        return SolvedGraph(
            self.graph, values, plies, self.choices, bound,
            counts_plies=self.is_plain, returning=self.returning,
        )  # fmt: skip

    def _set(self, node: int, exact: Fraction) -> None:
        self.lower[node], self.upper[node] = _floor(exact), _ceil(exact)
        if is_infinite(exact):
            self.exact[node] = exact
            return
        most = EXACT_BITS if self.is_plain else EXACT_BITS_OF_REWARDS
        if exact.denominator.bit_length() <= most:
            self.exact[node] = exact

    # --- where play cannot return ---------------------------------------------------------------

    def settle_node(self, node: int) -> None:
        """Settles a node whose successors are all settled."""
        graph, children = self.graph, self.graph.successors[node]
        if node in graph.payoffs:
            self._set(node, graph.payoffs[node][self.player])
            return
        tolls = [self._toll(node, edge) for edge in range(len(children))]
        steps = list(zip(children, tolls, strict=True))
        exacts = [value for child, paid in steps if (value := self._exact(child, paid)) is not None]
        lows = [self._low(child, paid) for child, paid in steps]
        highs = [self._high(child, paid) for child, paid in steps]
        side = side_of(graph.movers[node])
        if side is Side.NATURE:
            self._settle_chance(node, exacts, lows, highs)
            return
        best = max if side is Side.MAX else min
        self.lower[node], self.upper[node] = best(lows), best(highs)
        if len(exacts) == len(children):
            self._set(node, best(exacts))
        middles = [low + high for low, high in zip(lows, highs, strict=True)]
        self.choices[node] = middles.index(best(middles))

    def _settle_chance(
        self, node: int, exacts: Sequence[Fraction], lows: Sequence[int], highs: Sequence[int]
    ) -> None:
        chances = self.graph.chances[node]
        if INFINITY in lows and -INFINITY in lows:
            way = ", ".join(self.graph.play_to(node))
            raise UnsupportedGameError(
                f"rewards of {self.graph.game.name} need have no sum: after {way} chance decides "
                "between what pays and what costs without end",
                DISCOUNT_INSTEAD,
            )
        if len(exacts) == len(chances):
            pairs = zip(chances, exacts, strict=True)
            self._set(node, sum((p * value for p, value in pairs), Fraction(0)))
            return
        infinite = {bound for bound in lows if is_infinite(bound)}
        if infinite:
            self._set(node, _unscaled(infinite.pop()))
            return
        weights, total = integer_weights(chances)
        self.lower[node] = sum(w * low for w, low in zip(weights, lows, strict=True)) // total
        self.upper[node] = -(
            -sum(w * high for w, high in zip(weights, highs, strict=True)) // total
        )

    # --- payments on the way --------------------------------------------------------------------

    def _toll(self, node: int, edge: int) -> Toll:
        return FREE if self.is_plain else toll(self.graph, node, edge, self.player)

    def _exact(self, child: int, paid: Toll) -> Fraction | None:
        value = self.exact[child]
        if value is None or paid is FREE:
            return value
        return paid[0] + paid[1] * value

    def _low(self, child: int, paid: Toll) -> int:
        low = self.lower[child]
        if paid is FREE or is_infinite(low):
            return low
        return _floor(paid[0] + paid[1] * Fraction(low, SCALE))

    def _high(self, child: int, paid: Toll) -> int:
        high = self.upper[child]
        if paid is FREE or is_infinite(high):
            return high
        return _ceil(paid[0] + paid[1] * Fraction(high, SCALE))

    # --- where play can return -------------------------------------------------------------------

    def settle_component(self, component: Component) -> None:
        """Settles a component in which play can return."""
        game = component_game(self.graph, component, self.player, is_chain=self.is_chain)
        self.returning.update(game.nodes)
        exits = list(zip(game.exits, game.tolls, strict=True))
        exact_exits = [value for leaving in exits if (value := self._exact(*leaving)) is not None]
        exact = exact_exits if len(exact_exits) == len(exits) else None
        if game.lasting:
            self._settle_discounted(game, exact)
        elif game.rewards or (
            game.has_chance and any(map(is_infinite, self._exit_bounds(game)[0]))
        ):
            self._settle_total(game, exact)
        elif not game.has_chance:
            self._settle_deterministic(game, exact)
        elif exact is None or not self._settle_exactly(game, exact):
            self._settle_between(game)

    def _settle_discounted(self, game: ComponentGame, exact: Sequence[Fraction] | None) -> None:
        """Settles a component with discounted payoffs."""
        lows, highs = self._exits(game, exact)
        totals = bellman_values(game, lows, highs)
        if totals is None:
            raise UnsupportedGameError(
                f"the values of {self.graph.game.name} cannot be told: play returns for so long "
                "that rounding errors hide them",
                "discount more, or limit the length of play",
            )
        self._store_totals(game, totals)

    def _settle_total(self, game: ComponentGame, exact: Sequence[Fraction] | None) -> None:
        """Settles a component with undiscounted rewards."""
        signs = {reward > 0 for rewards in game.rewards for reward in rewards if reward}
        if self.defers and len(signs) == 2 and {Side.MAX, Side.MIN} <= set(game.sides):
            raise UnsupportedGameError("rewards both cost and pay two players")
        lows, highs = self._exits(game, exact)
        totals = total_rewards(game, lows, highs, self.endless)
        name = self.graph.game.name
        if totals is None:
            start, cycle = loop_words(self.graph, game.nodes)
            raise UnsupportedGameError(
                f"no value of {name} is proved: {start}, moves such as {cycle} can be repeated for "
                "ever, and it is not shown that going round costs one and the same player each "
                "time or on average",
                DISCOUNT_INSTEAD,
            )
        if totals.undefined:
            start, cycle = named_loop(self.graph, self._in_graph(game, totals.undefined))
            raise UnsupportedGameError(
                f"rewards of {name} need have no sum: {start}, the moves {cycle} lead back to the "
                "same position, and their rewards add up to zero, so that the sum goes up and "
                "down for ever",
                DISCOUNT_INSTEAD,
            )
        self._store_totals(game, totals)
        if totals.gaining:
            loop = self._in_graph(game, totals.gaining)
            value = self.exact[loop[0][0]]
            assert value is not None, "a loop that pays without bound has an infinite value"
            self.gaining.setdefault(value, loop)

    def _in_graph(self, game: ComponentGame, loop: Sequence[Step]) -> tuple[Step, ...]:
        return tuple((game.nodes[node], edge) for node, edge in loop)

    def _store_totals(self, game: ComponentGame, totals: Totals) -> None:
        for node, low, high in zip(game.nodes, totals.lower, totals.upper, strict=True):
            if low == high:
                self._set(node, low)
            else:
                self.lower[node], self.upper[node] = _floor(low), _ceil(high)
        self._choose(game, totals.policy)

    def _exits(
        self, game: ComponentGame, exact: Sequence[Fraction] | None
    ) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Lower and upper bounds of the exits' values, as fractions."""
        if exact is not None:
            return tuple(exact), tuple(exact)
        lows, highs = self._exit_bounds(game)
        return tuple(map(_unscaled, lows)), tuple(map(_unscaled, highs))

    def refuse_unless_finite(self) -> None:
        """Raises `UnsupportedGameError` where best play from state 0 pays or costs without
        bound."""
        value = self.exact[0]
        if value is None or not is_infinite(value):
            return
        graph = self.graph
        who = graph.game.facts.players[self.player]
        if value > 0:
            does, advice = "gets", DISCOUNT_INSTEAD
        else:
            does, advice = "pays", "write `discount = 99/100`, or give play an end from there"
        start, cycle = named_loop(graph, self.gaining.get(value) or self._loop_of_value(value))
        raise UndefinedValueError(
            f"best play of {graph.game.name} has no finite value: {start}, moves such as {cycle} "
            f"can be repeated for ever, and {who} {does} more and more",
            advice,
        )

    def _loop_of_value(self, value: Fraction) -> tuple[Step, ...]:
        """A loop through states of equal infinite value."""
        alike = [
            [c for c in children if self.exact[node] == value == self.exact[c]]
            for node, children in enumerate(self.graph.successors)
        ]
        loops = (part for part in reversed(components(alike)) if is_cyclic(part, alike))
        inside = frozenset(next(loops))
        successors = self.graph.successors
        return loop_from(
            min(inside),
            lambda node: [way for way in enumerate(successors[node]) if way[1] in inside],
        )

    def _exit_bounds(self, game: ComponentGame) -> tuple[list[int], list[int]]:
        exits = list(zip(game.exits, game.tolls, strict=True))
        return [self._low(*leaving) for leaving in exits], [
            self._high(*leaving) for leaving in exits
        ]

    def _settle_deterministic(self, game: ComponentGame, exact: Sequence[Fraction] | None) -> None:
        if exact is not None:
            values, edges = _retrograde_values(game, exact, self.endless)
            for node, value in zip(game.nodes, values, strict=True):
                self._set(node, value)
        else:
            lows, highs = self._exit_bounds(game)
            lower, _ = _retrograde_values(game, lows, _floor(self.endless))
            upper, _ = _retrograde_values(game, highs, _ceil(self.endless))
            middles = [low + high for low, high in zip(lows, highs, strict=True)]
            middle = _floor(self.endless) + _ceil(self.endless)
            _, edges = _retrograde_values(game, middles, middle)
            self._store(game, lower, upper)
        for node, edge in zip(game.nodes, edges, strict=True):
            self.choices[node] = edge

    def _settle_exactly(self, game: ComponentGame, exit_values: Sequence[Fraction]) -> bool:
        """Takes the exact values of a pair of policies that are best replies to each other."""
        negated = [-value for value in exit_values]
        for policy in self._policies(game):
            values = markov_chain_values(game, policy, exit_values, self.endless)
            if values is None:
                return False
            least = BestReply(game, Side.MAX, policy, exit_values, self.endless)
            most = BestReply(game, Side.MIN, policy, negated, -self.endless)
            if least.proves(values) and most.proves([-value for value in values]):
                for node, value in zip(game.nodes, values, strict=True):
                    self._set(node, value)
                self._choose(game, policy)
                return True
        return False

    def _settle_between(self, game: ComponentGame) -> None:
        """Computes bounds from both sides, policy after policy, until the bounds meet."""
        lows, highs = self._exit_bounds(game)
        highs = [-high for high in highs]
        brought = max((-high - low for low, high in zip(lows, highs, strict=True)), default=0)
        floor, ceiling = _floor(self.endless), -_ceil(self.endless)
        allowed = brought + 2 * self.tolerance
        iteration = IntervalIteration(game, lows, floor, highs, ceiling, allowed)
        has_met = False
        for policy in self._policies(game):
            self._choose(game, policy)
            has_met = iteration.run(policy)
            if has_met:
                break
        if not has_met:
            iteration.run(policy, until_stalled=True)
        self._store(game, iteration.lower, iteration.upper)

    def _policies(self, game: ComponentGame) -> Iterator[Policy]:
        bounds = zip(*self._exit_bounds(game), strict=True)
        middles = [(low + high) / (2 * SCALE) for low, high in bounds]
        return candidate_policies(game, middles, float(self.endless))

    def _store(self, game: ComponentGame, lower: Sequence[int], upper: Sequence[int]) -> None:
        for node, low, high in zip(game.nodes, lower, upper, strict=True):
            self.lower[node], self.upper[node] = low, high

    def _choose(self, game: ComponentGame, policy: Policy) -> None:
        for node, edge in zip(game.nodes, policy, strict=True):
            self.choices[node] = -1 if self.graph.movers[node] < 0 else edge


def _retrograde_values(
    game: ComponentGame, exit_values: Sequence[Payoff], endless: Payoff
) -> tuple[list[Payoff], list[int]]:
    """Values of a component's nodes without chance, and the edges of a play that keeps the
    values."""
    inside = len(game.nodes)
    successors = [[_in_arena(child, inside) for child in edges] for edges in game.edges]
    endings = {inside + number: value for number, value in enumerate(exit_values)}
    maximises = [side is Side.MAX for side in game.sides] + [False] * len(endings)
    arena = Arena(maximises, successors + [[] for _ in endings], endings, endless)
    values, plies = solve_arena(arena)
    edges = []
    for node in range(inside):
        wanted = plies[node]
        after = None if wanted is None else wanted - 1
        keeps = [values[c] == values[node] and plies[c] == after for c in successors[node]]
        edges.append(keeps.index(True))
    return values[:inside], edges


def _in_arena(child: int, inside: int) -> int:
    return child if child >= 0 else inside + ~child
