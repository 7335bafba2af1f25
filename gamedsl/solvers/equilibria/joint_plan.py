"""The best joint plan of players with the same payoffs and imperfect information.

In: an extensive form with its tree, and what its endings pay the players. Out: a plan of the
players, and bounds of the expected payoff. Pure plans suffice, because no mixture is better
than its best plan (J. Marschak and R. Radner, "Economic Theory of Teams", 1972). By branch and
bound: the bound of a partial plan assumes perfect information in the undecided information sets; if
only one player has undecided sets, a best reply completes the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from operator import itemgetter

from gamedsl.model.state import TERMINAL
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.source.records import dataclass

MOST_WORK = 30_000_000
"""Maximal number of tree nodes visited in total."""
ZERO, ONE = Fraction(0), Fraction(1)
OPEN = -1
Choices = tuple[int, ...]
"""The number of the chosen action in each information set; the first player's sets come first.
`OPEN`: undecided."""


@dataclass(frozen=True, slots=True)
class JointPlan:
    """A plan for all players, or for the players of a side.

    Attributes:
        choices: the action in each information set; of players of another side any action.
        value: what the plan is paid; at_most: an upper bound for all plans, equal to `value` if the
            search was completed.
    """

    choices: Choices
    value: Fraction
    at_most: Fraction


def best_joint_plan(
    form: ExtensiveForm,
    players: Collection[int],
    amounts: Sequence[Fraction],
    tick: Callable[[], None] = lambda: None,
) -> JointPlan:
    """The best plan of the given players; the best plan so far if `tick`, called now and then,
    reports that the time is up, or if too many nodes were visited.

    `amounts`: for each ending of the tree, what it pays the players if they play to it: their
    payoff, times the probability that chance and all others play to the ending.
    """
    return _Search(form, players, amounts).best(tick)


def behaviour_of(form: ExtensiveForm, choices: Choices) -> tuple[Behaviour, ...]:
    """The behaviour of all players who choose by a plan."""
    rest = iter(choices)
    return tuple(
        tuple(
            tuple(ONE if n == action else ZERO for n in range(len(information_set.actions)))
            for information_set, action in zip(sets, rest, strict=False)
        )
        for sets in form.sets
    )


class _Search:
    """The tree as flat lists: the children of each node; its information set among all sets (`OPEN`
    for endings, chance events and choices of others); for an ending, its part of the payoff, an
    integer in units of `unit`."""

    def __init__(
        self, form: ExtensiveForm, players: Collection[int], amounts: Sequence[Fraction]
    ) -> None:
        tree = form.tree
        assert tree is not None, "the form was asked for with its tree"
        self.form = form
        self.widths = [
            len(information_set.actions) for sets in form.sets for information_set in sets
        ]
        self.owners = [player for player, sets in enumerate(form.sets) for _ in sets]
        firsts = [sum(map(len, form.sets[:player])) for player in range(len(form.sets))]
        self.unit = Fraction(1, lcm(*(amount.denominator for amount in amounts)))
        self.sets, self.added = [], []
        for mover, place in zip(tree.movers, tree.places, strict=True):
            is_choice = mover in players
            self.sets.append(firsts[mover] + place if is_choice else OPEN)
            self.added.append(int(amounts[place] / self.unit) if mover == TERMINAL else 0)
        self.children = self._paying(tree.below())
        self.inner = [node for node, below in enumerate(self.children) if below][::-1]

    def _paying(self, children: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """The children that matter: none where all endings below pay nothing, as where others do
        not play to."""
        kept, pays = [*children], list(map(bool, self.added))
        for node in range(len(kept) - 1, -1, -1):
            paying = [child for child in kept[node] if pays[child]]
            pays[node] |= bool(paying)
            if self.sets[node] == OPEN or not paying:
                kept[node] = paying
        return kept

    def best(self, tick: Callable[[], None]) -> JointPlan:
        """Depth first, highest bound first."""
        start: Choices = (OPEN,) * len(self.widths)
        waiting = [(self._bound(start), start)]
        best, least = start, self._least()
        work = 0
        with suppress(OutOfTimeError):
            while waiting and work < MOST_WORK:
                tick()
                bound, choices = waiting.pop()
                if bound <= least:
                    continue
                left = self._undecided(choices)
                work += len(self.inner) * (
                    2 + max((self.widths[place] for place in left), default=0)
                )
                players = sorted({self.owners[place] for place in left}, key=self._breadth)
                if len(players) <= 1:
                    decided = self._reply(choices, players[0]) if players else choices
                    payoff = self._bound(decided)
                    if payoff > least:
                        best, least = decided, payoff
                    continue
                place = next(place for place in left if self.owners[place] == players[0])
                longer = (
                    (*choices[:place], action, *choices[place + 1 :])
                    for action in reversed(range(self.widths[place]))
                )
                # Sorting is stable: of actions with equal bounds, the first comes first.
                waiting += sorted(((self._bound(more), more) for more in longer), key=itemgetter(0))
        choices = self._filled(best)
        value = self._bound(choices) * self.unit
        most = max([least, *(bound for bound, _ in waiting)])
        return JointPlan(choices, value, most * self.unit if waiting else value)

    def _breadth(self, player: int) -> int:
        """Sort key that puts the player with the most information sets last, to be solved by a best
        reply."""
        return len(self.form.sets[player])

    def _least(self) -> int:
        """A number below the payoff of every plan."""
        return sum(min(0, payoff) for payoff in self.added) - 1

    def _values(self, choices: Choices) -> list[int]:
        """Upper bound of each node's contribution to the payoff, if decided sets follow the choices
        and undecided sets have perfect information."""
        values = list(self.added)
        for node in self.inner:
            place = self.sets[node]
            values_below = [values[child] for child in self.children[node]]
            if place == OPEN:
                values[node] = sum(values_below)
            else:
                action = choices[place]
                values[node] = max(values_below) if action == OPEN else values_below[action]
        return values

    def _bound(self, choices: Choices) -> int:
        return self._values(choices)[0]

    def _undecided(self, choices: Choices) -> list[int]:
        """The undecided information sets that play can still reach."""
        undecided = set()
        nodes = [0]
        for node in nodes:
            place = self.sets[node]
            if place == OPEN or choices[place] == OPEN:
                nodes += self.children[node]
                if place != OPEN and self.children[node]:
                    undecided.add(place)
            elif self.children[node]:
                nodes.append(self.children[node][choices[place]])
        return sorted(undecided)

    def _reply(self, choices: Choices, player: int) -> Choices:
        """The choices completed by a best reply of the only player with undecided sets, from the
        last information sets back."""
        sets, first = self.form.sets[player], self.owners.index(player)
        gains = [0] * self.form.size.sequences[player]
        nodes = [(0, 0)]
        for node, sequence in nodes:
            place, below = self.sets[node], self.children[node]
            if not below:
                gains[sequence] += self.added[node]
            elif place != OPEN and self.owners[place] == player:
                nodes += zip(below, sets[place - first].sequences, strict=True)
            elif place == OPEN or choices[place] == OPEN:
                nodes += [(child, sequence) for child in below]
            else:
                nodes.append((below[choices[place]], sequence))
        reply = list(choices)
        for place in range(len(sets) - 1, -1, -1):
            action_gains = [gains[sequence] for sequence in sets[place].sequences]
            if reply[first + place] == OPEN:
                reply[first + place] = action_gains.index(max(action_gains))
            gains[sets[place].parent] += action_gains[reply[first + place]]
        return tuple(reply)

    def _filled(self, choices: Choices) -> Choices:
        """The choices completed in information sets that play does not reach: the action with the
        greatest payoff, if all histories of the set are equally likely except for chance."""
        values = self._values(choices)
        totals = [[0] * width for width in self.widths]
        for place, below in zip(self.sets, self.children, strict=True):
            if place != OPEN:
                for action, child in enumerate(below):
                    totals[place][action] += values[child]
        return tuple(
            payoffs.index(max(payoffs)) if action == OPEN else action
            for action, payoffs in zip(choices, totals, strict=True)
        )
