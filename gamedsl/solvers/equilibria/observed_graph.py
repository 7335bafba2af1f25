"""The graph of states with what each player observes, as flat arrays for `form_kernel`.

In: a game with sights. Out: `ObservedGraph`: every reachable state once, its successors, and the
observations of the players by number. Histories are counted, not listed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.sights import Sights, sights_of
from gamedsl.game.steps import Steps, steps_of
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.solvers.equilibria.form_kernel import Graph
from gamedsl.solvers.graphs.graph import REPORT_EVERY, OutOfHistoriesError, Progress, Vector
from gamedsl.solvers.graphs.information import History

LARGEST = 1 << 60
"""Limit on the numbers of exact sums."""
Numbers = dict[Hashable, int]


class ObservedGraph:
    """The states reachable from the first state.

    Attributes:
        game: the game; keys: the states as keys of `game.steps`, state 0 first.
        arrays: as `form_kernel` has them, without names.
        offers: the choices by number, as `Graph.choices` numbers them.
        unit: probabilities of histories by chance are multiples of 1 / `unit`; share: payoffs are
            multiples of 1 / `share`.
        outcomes: the payoffs of endings.
        histories: number of histories; longest: plies of the longest history.
    """

    def __init__(self, game: Game, sights: Sights, most: int, progress: Progress | None) -> None:
        """Raises OutOfHistoriesError if there are more than `most` states."""
        self.game = game
        self.keys: list[Hashable] = []
        self.offers: list[tuple[Action, ...]] = []
        self.outcomes: frozenset[Vector] = frozenset()
        self._steps: Steps = steps_of(game)
        self._sights = sights
        self._players = range(len(game.players))
        self._seen: Numbers = {}
        self._offer_numbers: Numbers = {}
        self._edge_choices: list[Action | JointAction] = []
        self.arrays = Graph(**{name: array("q") for name in Graph.FIELDS})
        self._payoffs: dict[int, Vector] = {}
        self._explore(most, progress)

    def _explore(self, most: int, progress: Progress | None) -> None:
        steps, arrays = self._steps, self.arrays
        root = steps.key(self.game.initial_state())
        number = {root: 0}
        self.keys.append(root)
        arrays.firsts.append(0)
        for place, key in enumerate(self.keys):  # grows on the way
            if place >= most:
                raise OutOfHistoriesError(most, place)
            if progress is not None and place % REPORT_EVERY == 0:
                progress(place, len(self.keys) - place)
            mover, choices, keys, shares = steps.after(key)
            for following in keys:
                if following not in number:
                    number[following] = len(self.keys)
                    self.keys.append(following)
                arrays.nexts.append(number[following])
            arrays.firsts.append(len(arrays.nexts))
            self._edge_choices += choices
            self._note(place, mover, choices, shares)
        self.outcomes = frozenset(self._payoffs.values())
        share = self.share
        for place in range(len(self.keys)):
            payoffs = self._payoffs.get(place, ())
            arrays.paid.extend(int(payoff * share) for payoff in payoffs)
            if not payoffs:
                arrays.paid.extend(0 for _ in self._players)

    def _note(
        self,
        place: int,
        mover: int,
        choices: Sequence[Action | JointAction],
        shares: Sequence[Fraction],
    ) -> None:
        """Note the mover, chances, choices and observations of a state."""
        arrays, state = self.arrays, self._steps.state(self.keys[place])
        arrays.movers.append(mover)
        total = 1
        if mover == TERMINAL:
            self._payoffs[place] = tuple(shares)
        elif mover == CHANCE:
            total = lcm(*(share.denominator for share in shares))
        arrays.totals.append(total)
        is_chance = mover == CHANCE
        arrays.weights.extend(int(share * total) for share in shares) if is_chance else (
            arrays.weights.extend([1] * len(choices))
        )
        for player in self._players:
            arrays.views.append(self._number(self._sights.view(state, player)))
            own = self._own_choices(place, mover, choices, player)
            arrays.widths.append(len(own))
            arrays.choices.append(self._offer(own))
        for choice in choices:
            for player in self._players:
                heard = self._sights.heard(state, choice, player)
                arrays.heard.append(-1 if heard is None else self._number(heard))

    def _own_choices(
        self, place: int, mover: int, choices: Sequence[Action | JointAction], player: int
    ) -> tuple[Action, ...]:
        if mover == SIMULTANEOUS:
            return tuple(self.game.legal_actions(self._steps.state(self.keys[place]), player))
        return tuple(c for c in choices if isinstance(c, int)) if mover == player else ()

    def _number(self, seen: Hashable) -> int:
        return self._seen.setdefault(seen, len(self._seen))

    def _offer(self, choices: tuple[Action, ...]) -> int:
        number = self._offer_numbers.setdefault(choices, len(self._offer_numbers))
        if number == len(self.offers):
            self.offers.append(choices)
        return number

    @cached_property
    def share(self) -> int:
        """Payoffs are multiples of 1 / `share`."""
        return lcm(*(payoff.denominator for vector in self.outcomes for payoff in vector))

    @cached_property
    def _backwards(self) -> list[int] | None:
        """The states, each behind its successors; None if play can return."""
        arrays, count = self.arrays, len(self.keys)
        entering = [0] * count
        for state in arrays.nexts:
            entering[state] += 1
        order = [0] if not entering[0] else []
        for state in order:
            for following in arrays.nexts[arrays.firsts[state] : arrays.firsts[state + 1]]:
                entering[following] -= 1
                if not entering[following]:
                    order.append(following)
        return order[::-1] if len(order) == count else None

    def _folded(self, fold: Callable[[int, list[int]], int]) -> list[int]:
        """A number of each state by the numbers of its successors."""
        arrays, held = self.arrays, [0] * len(self.keys)
        for state in self._backwards or ():
            after = arrays.nexts[arrays.firsts[state] : arrays.firsts[state + 1]]
            held[state] = fold(state, [held[following] for following in after])
        return held

    @cached_property
    def histories(self) -> int:
        """Number of histories; 0 if play can return."""
        return self._folded(lambda _, after: 1 + sum(after))[0]

    @cached_property
    def longest(self) -> int:
        """Number of states of the longest history."""
        return self._folded(lambda _, after: 1 + max(after, default=0))[0]

    @cached_property
    def unit(self) -> int:
        """Probabilities of histories by chance are multiples of 1 / `unit`."""
        totals = self.arrays.totals
        return self._folded(lambda state, after: totals[state] * lcm(*after) if after else 1)[0]

    @property
    def suits(self) -> bool:
        """Whether the kernel can walk the histories: play ends, the sums of payoffs are exact, and
        joint choices are listed in the order of a product."""
        if self._backwards is None:
            return False
        most = max((abs(payoff) for vector in self.outcomes for payoff in vector), default=0)
        return self.unit * (int(most * self.share) + 1) < LARGEST and self._is_in_order()

    def _is_in_order(self) -> bool:
        arrays, players = self.arrays, len(self._players)
        for state, mover in enumerate(arrays.movers):
            if mover == SIMULTANEOUS:
                numbers = arrays.choices[state * players : (state + 1) * players]
                listed = self._edge_choices[arrays.firsts[state] : arrays.firsts[state + 1]]
                if list(product(*(self.offers[number] for number in numbers))) != listed:
                    return False
        return True

    def with_names(self) -> tuple[Graph, list[tuple[str, bool]]]:
        """The arrays with names of the edges by number, and the names; true for chance outcomes."""
        numbers: dict[tuple[str, bool], int] = {}
        names, game, arrays = array("q"), self.game, self.arrays
        for state, key in enumerate(self.keys):
            first, behind = arrays.firsts[state], arrays.firsts[state + 1]
            if first < behind:
                position, is_chance = self._steps.state(key), arrays.movers[state] == CHANCE
                for choice in self._edge_choices[first:behind]:
                    name = game.action_name(position, choice), is_chance
                    names.append(numbers.setdefault(name, len(numbers)))
        fields = {field: getattr(arrays, field) for field in Graph.FIELDS}
        return Graph(**{**fields, "names": names}), list(numbers)

    def history(self, edges: Sequence[int]) -> History:
        """The history along edges: states with the action taken in each."""
        state = self._steps.state
        number = 0
        steps: list[tuple[State, Action | JointAction | None]] = []
        for edge in edges:
            steps.append((state(self.keys[number]), self._edge_choices[edge]))
            number = self.arrays.nexts[edge]
        return (*steps, (state(self.keys[number]), None))

    def action_names(self, state: int, choices: int) -> tuple[str, ...]:
        """The names of a player's choices in a state."""
        position = self._steps.state(self.keys[state])
        return tuple(self.game.action_name(position, choice) for choice in self.offers[choices])


def observed_graph(game: Game, most: int, progress: Progress | None = None) -> ObservedGraph | None:
    """The graph of a game; None if the game has no sights or pays on the way.

    Raises OutOfHistoriesError if there are more than `most` states.
    """
    sights = sights_of(game)
    if sights is None or not game.facts.pays_at_the_end:
        return None
    return ObservedGraph(game, sights, most, progress)
