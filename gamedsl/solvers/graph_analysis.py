"""Facts about the graph of all states of a game: order, cycles, opposed interests, endless play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property

from gamedsl.solvers.exact.constant_sum import are_opposed, constant_sum, delays, neutral_payoff
from gamedsl.solvers.graphs.components import endless_play_error
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.components import components, is_cyclic

Components = tuple[tuple[int, ...], ...]
"""Strongly connected parts of a graph, as states by number."""


class GraphAnalysis:
    """Facts about a graph, computed once, on demand."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph

    @cached_property
    def order(self) -> Components:
        """The components, each after all its successor components.

        Raises GameRuleError where play can go on for ever with an undefined payoff.
        """
        order = components(self.graph.successors)
        if self.graph.game.facts.endless is None and self._cycle(order) is not None:
            cycle = self._unpaid_cycle(order)
            if cycle is not None:
                raise endless_play_error(self.graph, cycle)
        return order

    def _unpaid_cycle(self, order: Components) -> tuple[int, ...] | None:
        """A part in which play can go on for ever without rewards that define the payoff; None if
        no such part exists."""
        facts, graph = self.graph.game.facts, self.graph
        if facts.discount != 1:
            return None
        if not facts.has_rewards:
            return self._cycle(order)
        unpaid = graph.unpaid_successors()
        cycles = (part for part in reversed(components(unpaid)) if is_cyclic(part, unpaid))
        return next(cycles, None)

    def _cycle(self, order: Components) -> tuple[int, ...] | None:
        cycles = (c for c in reversed(order) if is_cyclic(c, self.graph.successors))
        return next(cycles, None)

    @cached_property
    def can_return(self) -> bool:
        """Whether play can return to an earlier state."""
        return self._cycle(self.order) is not None

    @cached_property
    def is_chain(self) -> bool:
        """Whether no player ever has a choice."""
        pairs = zip(self.graph.movers, self.graph.actions, strict=True)
        return all(len(actions) == 1 for mover, actions in pairs if mover >= 0)

    @cached_property
    def can_last(self) -> bool:
        """Whether play can go on for ever with positive probability under some policy."""
        from gamedsl.solvers.chance.best_response import can_last
        from gamedsl.solvers.chance.component_game import component_game

        cyclic = (c for c in self.order if is_cyclic(c, self.graph.successors))
        return any(can_last(component_game(self.graph, component)) for component in cyclic)

    @cached_property
    def opposed_endless(self) -> Vector | None:
        """Payoffs of endless play for one player, or for two players or sides with opposed
        interests; else None.

        Interests must be opposed in all endings, and in endless play if endless play has positive
        probability.
        """
        facts, outcomes = self.graph.game.facts, self.graph.outcomes()
        if not facts.pays_at_the_end and not self.is_opposed:
            return None
        if facts.discount != 1:
            return self.nothing
        nothing = None if facts.pays_at_the_end else self.nothing
        declared = facts.endless or self.break_even or nothing
        if declared is None or constant_sum(outcomes | {declared}, facts.sides) is not None:
            return declared
        return None if self.can_last else neutral_payoff(outcomes, None, facts.sides)

    @property
    def has_opposed_stages(self) -> bool:
        """Whether two players with opposed interests choose at the same time."""
        game = self.graph.game
        is_of_two = game.facts.is_simultaneous and len(game.players) == 2
        return is_of_two and self.is_opposed and self.opposed_endless is not None

    @property
    def nothing(self) -> Vector:
        """A payoff of zero for every player."""
        return (Fraction(0),) * len(self.graph.game.players)

    @cached_property
    def is_opposed(self) -> bool:
        """Whether two players or sides have opposed interests, or the game has one player."""
        return are_opposed(self.graph)

    @property
    def break_even(self) -> Vector | None:
        """The payoffs neither ahead nor behind; None where rewards or a discount leave them
        undefined."""
        facts = self.graph.game.facts
        if not facts.pays_at_the_end:
            return None
        return neutral_payoff(self.graph.outcomes(), facts.endless, facts.sides)

    @property
    def needs_lengths(self) -> bool:
        """Whether best play's length has to be computed separately from the value, in a graph
        without cycles.

        Needed where the length is an expectation, or steps pay.
        """
        facts = self.graph.game.facts
        is_plain = facts.pays_at_the_end and not self.graph.has_chance
        return self.is_opposed and not is_plain and not facts.is_simultaneous

    def delays_among(self, values: Sequence[Vector]) -> Callable[[int], bool]:
        """Whether the mover at a state delays, given the values; no player delays where steps
        pay."""
        break_even, movers = self.break_even, self.graph.movers
        if break_even is None:
            return lambda _: False
        return lambda node: delays(values[node], movers[node], break_even)
