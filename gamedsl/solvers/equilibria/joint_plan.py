"""The best joint plan of a team with imperfect information.

In: an extensive form with its tree, in which all players have the same payoffs. Out: the behaviour
of each player, and bounds of the expected payoff. Pure plans suffice, because no mixture is better
than its best plan (J. Marschak and R. Radner, "Economic Theory of Teams", 1972). By branch and
bound: the bound of a partial plan assumes perfect information in the undecided information sets; if
only one player has undecided sets, a best reply completes the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from math import lcm

from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.equilibria.best_response import expected_payoffs
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
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
    """A plan for all players.

    Attributes:
        profile: the behaviour of each player in the player's information sets.
        value: the first player's expected payoff; at_most: an upper bound for all plans, equal to
            `value` if the search was completed.
    """

    profile: tuple[Behaviour, ...]
    value: Fraction
    at_most: Fraction


def best_joint_plan(form: ExtensiveForm, tick: Callable[[], None] = lambda: None) -> JointPlan:
    """The best plan by the first player's payoffs; the best plan so far if `tick`, called now and
    then, reports that the time is up, or if too many nodes were visited."""
    return _Search(form).best(tick)


def _promise(waiting: tuple[int, Choices]) -> int:
    return waiting[0]


def _made(sets: Sequence[InformationSet], choices: Choices) -> list[bool]:
    """For each sequence of a player, whether the plan plays the sequence."""
    made = [True]
    for information_set, action in zip(sets, choices, strict=False):
        made += [
            made[information_set.parent] and n == action
            for n in range(len(information_set.actions))
        ]
    return made


class _Search:
    """The tree as flat lists: the children of each node; its information set among all sets (`OPEN`
    for chance events and endings); for an ending, its contribution to the first player's payoff, an
    integer in units of `unit`."""

    def __init__(self, form: ExtensiveForm) -> None:
        tree = form.tree
        assert tree is not None, "the form was asked for with its tree"
        self.form = form
        self.widths = [
            len(information_set.actions) for sets in form.sets for information_set in sets
        ]
        self.owners = [player for player, sets in enumerate(form.sets) for _ in sets]
        firsts = [sum(map(len, form.sets[:player])) for player in range(len(form.sets))]
        paid = [
            weight * payoffs[0] for weight, payoffs in zip(tree.weights, tree.payoffs, strict=True)
        ]
        self.unit = Fraction(1, lcm(*(amount.denominator for amount in paid)))
        self.sets, self.children, self.added = [], [], []
        count = len(tree.movers)
        ends = sorted({first for first in tree.children if first} | {count})
        after = dict(pairwise(ends))
        for mover, place, first in zip(tree.movers, tree.places, tree.children, strict=True):
            is_choice = mover not in (CHANCE, TERMINAL)
            self.sets.append(firsts[mover] + place if is_choice else OPEN)
            self.children.append(range(first, after[first]) if mover != TERMINAL else range(0))
            self.added.append(int(paid[place] / self.unit) if mover == TERMINAL else 0)

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
                work += len(self.children) * (
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
                waiting += sorted(((self._bound(more), more) for more in longer), key=_promise)
        profile = self._behaviour(self._filled(best))
        most = max([least, *(bound for bound, _ in waiting)])
        value = expected_payoffs(self.form, profile)[0]
        return JointPlan(profile, value, most * self.unit if waiting else value)

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
        for node in range(len(values) - 1, -1, -1):
            below = self.children[node]
            if not below:
                continue
            place = self.sets[node]
            values_below = values[below.start : below.stop]
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
                if place != OPEN:
                    undecided.add(place)
            else:
                nodes.append(self.children[node][choices[place]])
        return sorted(undecided)

    def _reply(self, choices: Choices, player: int) -> Choices:
        """The choices completed by a best reply of the only player with undecided sets, from the
        last information sets back."""
        form, sets = self.form, self.form.sets[player]
        first = self.owners.index(player)
        gains = [ZERO] * form.size.sequences[player]
        made = [
            _made(player_sets, choices[self.owners.index(n) :] if player_sets else ())
            for n, player_sets in enumerate(form.sets)
        ]
        for sequences, payoffs in form.payoffs.items():
            if all(plays[sequences[n]] for n, plays in enumerate(made) if n != player):
                gains[sequences[player]] += payoffs[0]
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

    def _behaviour(self, choices: Choices) -> tuple[Behaviour, ...]:
        rest = iter(zip(choices, self.widths, strict=True))
        return tuple(
            tuple(
                tuple(ONE if n == action else ZERO for n in range(width))
                for action, width in (next(rest) for _ in sets)
            )
            for sets in self.form.sets
        )
