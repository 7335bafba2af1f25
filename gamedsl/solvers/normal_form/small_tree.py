"""A small game tree, node by node, for questions about single nodes.

In: an extensive form and behaviour. Out: `SmallTree`: nodes with their information sets by number;
each node's value for every player under a profile and under best replies. Simultaneous choices
become successive choices that later choosers do not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.history_walk import walked_form
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

MOST_HISTORIES, MOST_PLIES = 2_000, 100
"""Maximal numbers of histories of a game, and of plies of a play, for a tree."""
Place = tuple[int, int]
"""A player and the number of one of the player's information sets."""
Local = tuple[Fraction, ...]
"""The probability of each action of an information set."""
Profile = Sequence[Sequence[Local]]
"""Behaviour of each player."""
Way = tuple[int, int]
"""A node, and the index of the chosen action."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its information set, or None if no player chooses; its children, by number; the
    probabilities of chance; the payoffs of an ending; and the path from the root."""

    place: Place | None
    following: tuple[int, ...]
    chances: Local
    payoffs: Vector
    way: tuple[Way, ...]


class SmallTree:
    """The tree of a form; node 0 is the root, and nodes come before their children.

    Attributes:
        members: the nodes of each information set.
    """

    def __init__(self, form: ExtensiveForm) -> None:
        tree = form.tree or walked_form(form.game, MOST_HISTORIES, with_tree=True).tree
        assert tree is not None, "the form was asked for with its tree"
        self.form, self._tree, self._below = form, tree, tree.below()
        self.nodes: list[Node] = []
        self._grow(0, ())
        self.members: dict[Place, list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.place is not None:
                self.members.setdefault(node.place, []).append(number)

    def _grow(self, at: int, way: tuple[Way, ...]) -> int:
        """Add a node of the form's tree, and the nodes below."""
        tree, number = self._tree, len(self.nodes)
        mover, place = tree.movers[at], tree.places[at]
        chances = tree.shares[place] if mover == CHANCE else ()
        payoffs = tree.payoffs[place] if mover == TERMINAL else ()
        node = Node((mover, place) if mover >= 0 else None, (), chances, payoffs, way)
        self.nodes.append(node)
        below = enumerate(self._below[at])
        following = tuple(self._grow(child, (*way, (number, n))) for n, child in below)
        self.nodes[number] = replace(node, following=following)
        return number

    # --- asking it --------------------------------------------------------------------------

    def local(self, profile: Profile, number: int) -> Local:
        """The probability of each action of a node."""
        node = self.nodes[number]
        return node.chances if node.place is None else profile[node.place[0]][node.place[1]]

    def expected_payoffs(self, profile: Profile) -> list[Vector]:
        """The value of each node for all players under a profile."""
        payoffs: list[Vector] = [()] * len(self.nodes)
        for number in reversed(range(len(self.nodes))):
            node = self.nodes[number]
            if not node.following:
                payoffs[number] = node.payoffs
                continue
            shares = self.local(profile, number)
            columns = zip(*(payoffs[child] for child in node.following), strict=True)
            payoffs[number] = tuple(
                sum((p * v for p, v in zip(shares, column, strict=True)), Fraction(0))
                for column in columns
            )
        return payoffs

    def behind(self, number: int) -> range:
        """A node and all its descendants."""
        last = number
        while self.nodes[last].following:
            last = self.nodes[last].following[-1]
        return range(number, last + 1)

    def subgames(self) -> Iterator[int]:
        """The roots of subgames: nodes whose descendants share no information set with nodes
        outside (R. Selten 1965)."""
        for number, node in enumerate(self.nodes):
            inside = self.behind(number)
            places = {self.nodes[descendant].place for descendant in inside} - {None}
            if node.following and all(
                member in inside for place in places if place for member in self.members[place]
            ):
                yield number

    def reach(self, profile: Profile, number: int, start: int = 0, but: int = -1) -> Fraction:
        """The probability of reaching a node from `start`, without the factor of the player
        `but`."""
        share = Fraction(1)
        for before, action in self.nodes[number].way[len(self.nodes[start].way) :]:
            place = self.nodes[before].place
            if place is None or place[0] != but:
                share *= self.local(profile, before)[action]
        return share

    def best_reply(self, profile: Profile, player: int, start: int = 0) -> Fraction:
        """A player's greatest expected payoff from the root of a subgame on, against a profile."""
        inside, chosen = self.behind(start), {}
        reaches = {number: self.reach(profile, number, start, player) for number in inside}

        def value(number: int) -> Fraction:
            node = self.nodes[number]
            if not node.following:
                return node.payoffs[player]
            if node.place is not None and node.place[0] == player:
                if node.place not in chosen:
                    chosen[node.place] = choice(node.place, len(node.following))
                return value(node.following[chosen[node.place]])
            shares = self.local(profile, number)
            parts = zip(shares, node.following, strict=True)
            return sum((share * value(child) for share, child in parts if share), Fraction(0))

        def choice(place: Place, count: int) -> int:
            gains = [Fraction(0)] * count
            for member in self.members[place]:
                if reaches[member]:
                    for n, child in enumerate(self.nodes[member].following):
                        gains[n] += reaches[member] * value(child)
            return gains.index(max(gains))

        return value(start)
