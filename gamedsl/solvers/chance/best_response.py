"""The best reply to a fixed policy inside a component, with proven one-sided bounds.

In: a component, one side's policy, the values of the exits and of endless play. Out: a `BestReply`,
in which the free side minimises, with sweeps that give ever better *lower* bounds on the guarantee
of the fixed side's policy. (An upper bound is a lower bound of the game with all numbers negated.)

With one policy fixed the game is a Markov decision process. Play that never leaves the component
ends up, almost surely, in an end component, where the free side can stay indefinitely. Each maximal
end component is therefore merged into one node with an additional choice, "stay for ever". In the
merged process every play ends almost surely, Bellman's equation has a unique solution, and
iteration from below is sound (Haddad and Monmege, "Interval iteration algorithm for MDPs and
IMDPs", Theor. Comput. Sci. 735, 2018). Sweeps calculate with integers and round down.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from gamedsl.solvers.chance.component_game import ComponentGame, Side
from gamedsl.source.components import components, is_cyclic

Number = TypeVar("Number", int, Fraction)

Choice = tuple[Number, tuple[tuple[int, int], ...], int]
"""(constant, ((weight, node), ...), total): worth (constant + sum of weight * value) / total.

The constant is the exits' part of the sum."""


class BestReply(Generic[Number]):
    """The merged decision process; the free side minimises."""

    def __init__(
        self,
        game: ComponentGame,
        fixed: Side,
        policy: Sequence[int],
        exit_values: Sequence[Number],
        endless: Number,
    ) -> None:
        self.game = game
        self.open_edges = [
            (policy[node],) if game.sides[node] is fixed else tuple(range(len(edges)))
            for node, edges in enumerate(game.edges)
        ]
        self.merged = _merge_end_components(game, fixed, self.open_edges)
        self.constants: dict[int, Number] = {}
        """Per merged node the least value available at once: an exit, or staying."""
        self.choices: list[list[Choice[Number]]] = []
        self._collect(exit_values, endless)

    def start(self, bounds: Sequence[int]) -> list[int]:
        """Bounds of the component's nodes as bounds of the merged nodes."""
        merged = [max(bounds, default=0)] * len(self.choices)
        for node, bound in zip(self.merged, bounds, strict=True):
            merged[node] = min(merged[node], bound)
        return merged

    def spread(self, merged: Sequence[int]) -> list[int]:
        """Bounds of the merged nodes as bounds of the component's nodes."""
        return [merged[node] for node in self.merged]

    def sweep(self: BestReply[int], bounds: list[int]) -> None:
        """Raises every bound to the value proved by the successors' bounds, rounding down; in
        place."""
        constants = self.constants
        for node in range(len(bounds) - 1, -1, -1):
            least = constants.get(node)
            for constant, terms, total in self.choices[node]:
                value = constant
                for weight, child in terms:
                    value += weight * bounds[child]
                value //= total
                if least is None or value < least:
                    least = value
            if least is not None and least > bounds[node]:
                bounds[node] = least

    def proves(self: BestReply[Fraction], values: Sequence[Fraction]) -> bool:
        """Whether `values` are lower bounds: no node's value exceeds the values of the choices."""
        highest: dict[int, Fraction] = {}
        for node, value in zip(self.merged, values, strict=True):
            highest[node] = max(highest.get(node, value), value)
        return all(value <= self._least_payoff(node, highest) for node, value in highest.items())

    def _least_payoff(
        self: BestReply[Fraction], node: int, values: dict[int, Fraction]
    ) -> Fraction:
        payoffs = [
            (constant + sum(weight * values[child] for weight, child in terms)) / total
            for constant, terms, total in self.choices[node]
        ]
        if node in self.constants:
            payoffs.append(self.constants[node])
        return min(payoffs)

    def _collect(self, exit_values: Sequence[Number], endless: Number) -> None:
        game, merged = self.game, self.merged
        members: dict[int, list[int]] = {}
        for node, group in enumerate(merged):
            members.setdefault(group, []).append(node)
        for group in range(len(members)):
            self.choices.append([])
            if _can_stay(game, self.open_edges, members[group]):
                self._offer(group, endless)
            for node in members[group]:
                if game.sides[node] is Side.NATURE:
                    self._add_chance(group, node, exit_values, endless * 0)
                    continue
                for edge in self.open_edges[node]:
                    child = game.edges[node][edge]
                    if child < 0:
                        self._offer(group, exit_values[~child])
                    elif merged[child] != group:
                        self.choices[group].append((endless * 0, ((1, merged[child]),), 1))

    def _offer(self, group: int, value: Number) -> None:
        known = self.constants.get(group)
        self.constants[group] = value if known is None else min(known, value)

    def _add_chance(
        self, group: int, node: int, exit_values: Sequence[Number], zero: Number
    ) -> None:
        """Adds the single choice of a chance event, unless inside an end component."""
        pairs = list(zip(self.game.weights[node], self.game.edges[node], strict=True))
        inside = [(weight, self.merged[child]) for weight, child in pairs if child >= 0]
        outside = [weight * exit_values[~child] for weight, child in pairs if child < 0]
        if not outside and all(child == group for _, child in inside):
            return
        constant = sum(outside, zero)
        self.choices[group].append((constant, tuple(inside), self.game.totals[node]))


def can_last(game: ComponentGame) -> bool:
    """Whether the players together can stay inside for ever with positive probability: whether an
    end component exists.

    Otherwise play leaves almost surely under all policies.
    """
    return any(end_component_edges(game))


def end_component_edges(game: ComponentGame) -> list[list[int]]:
    """Per node the edges by which the players together can stay in the node's maximal end
    component; empty outside end components."""
    open_edges = [tuple(range(len(edges))) for edges in game.edges]
    merged = _merge_end_components(game, Side.NATURE, open_edges)
    members: dict[int, list[int]] = {}
    for node, group in enumerate(merged):
        members.setdefault(group, []).append(node)
    staying = {g for g, nodes in members.items() if _can_stay(game, open_edges, nodes)}
    return [
        [e for e, child in enumerate(game.edges[node]) if child >= 0 and merged[child] == group]
        if group in staying
        else []
        for node, group in enumerate(merged)
    ]


def _can_stay(
    game: ComponentGame, open_edges: Sequence[Sequence[int]], members: Sequence[int]
) -> bool:
    """Whether a merged node is an end component: several nodes, or a node with a loop."""
    if len(members) > 1:
        return True
    node = members[0]
    loops = [game.edges[node][edge] == node for edge in open_edges[node]]
    return all(loops) if game.sides[node] is Side.NATURE else any(loops)


def _merge_end_components(
    game: ComponentGame, fixed: Side, open_edges: Sequence[Sequence[int]]
) -> list[int]:
    """The number of the merged node of every node: maximal end components become single nodes.

    An end component is a set of nodes in which the free side can stay for ever: closed under chance
    and the fixed policy, and strongly connected.
    """
    inner = [[game.edges[node][edge] for edge in edges] for node, edges in enumerate(open_edges)]
    forced = [side is Side.NATURE or side is fixed for side in game.sides]
    while True:
        remaining = [[child for child in children if child >= 0] for children in inner]
        owner = [-1] * len(inner)
        parts = components(remaining)
        for number, component in enumerate(parts):
            if is_cyclic(component, remaining):
                for node in component:
                    owner[node] = number
        if not _prune(inner, forced, owner):
            return _number_groups(owner)


def _prune(inner: list[list[int]], forced: Sequence[bool], owner: Sequence[int]) -> bool:
    """Removes the edges that leave their component; a forced node with a leaving edge loses all
    edges."""
    changed = False
    for node, children in enumerate(inner):
        staying = [child for child in children if child >= 0 and owner[child] == owner[node] >= 0]
        if forced[node] and len(staying) < len(children):
            staying = []
        if len(staying) < len(children):
            inner[node] = staying
            changed = True
    return changed


def _number_groups(owner: Sequence[int]) -> list[int]:
    groups: dict[object, int] = {}
    return [
        groups.setdefault(("alone", node) if number < 0 else number, len(groups))
        for node, number in enumerate(owner)
    ]
