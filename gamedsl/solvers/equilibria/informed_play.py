"""Look up the behaviour of a player after a history, by the player's information set.

In: an extensive form and a behaviour profile; histories. Out: the `InformedChoice` of a history's
information set. Nothing is solved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Protocol

from gamedsl.game.contract import Game
from gamedsl.solvers.equilibria.best_response import plan
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy, local_strategies
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.source.records import dataclass

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class InformedChoice:
    """The behaviour of a player in an information set.

    Attributes:
        local: the probabilities of the legal actions, in the order of the actions.
        worths: for each action, the player's expected payoff after the action, if the player
            continues by the profile, given the information set; None if the opponents' behaviour
            gives the information set probability 0.
        place: index of the information set among all sets; the first player's sets come first.
    """

    local: LocalStrategy
    worths: tuple[Fraction, ...] | None
    place: int

    @property
    def value(self) -> Fraction | None:
        """The player's expected payoff from the information set on; None if `worths` is None."""
        if self.worths is None:
            return None
        chances = (chance for _, chance in self.local.choices)
        return sum((a * b for a, b in zip(chances, self.worths, strict=True)), ZERO)


class InformedPlay(Protocol):
    """Behaviour of all players, looked up by history."""

    @property
    def game(self) -> Game:
        """The game of the behaviour."""

    def at(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice after a history; None if the game has no indistinguishable history."""


class FormPlay:
    """The behaviour of all players in an extensive form.

    Attributes:
        form: the extensive form.
        profile: the behaviour of each player in the player's information sets.
    """

    def __init__(self, form: ExtensiveForm, profile: Sequence[Behaviour]) -> None:
        self.game = form.game
        self.form = form
        self.profile = profile

    def at(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice after a history; None if the game has no indistinguishable history."""
        return self._by_sight.get((player, self.game.information_state(history, player)))

    @cached_property
    def _by_sight(self) -> dict[tuple[int, Hashable], InformedChoice]:
        form, profile = self.form, self.profile
        sights = [
            (player, self.game.information_state(information_set.history, player))
            for player, sets in enumerate(form.sets)
            for information_set in sets
        ]
        payoffs = [
            action_payoffs
            for player in range(len(form.sets))
            for action_payoffs in _expected_payoffs(form, profile, player)
        ]
        pairs = zip(local_strategies(form, profile), payoffs, strict=True)
        choices = (InformedChoice(*known, place) for place, known in enumerate(pairs))
        return dict(zip(sights, choices, strict=True))


class Learnt(Protocol):
    """Behaviour learned on a graph of states, as probabilities of numbered actions.

    Attributes:
        graph: the graph of states.
        whole: the number that means certainty.
    """

    graph: ObservedGraph
    whole: int

    def choices_after(self, edges: Sequence[int], player: int) -> Sequence[int] | None:
        """The numbers of a player's actions after a history; None if the player does not choose.
        Actions with the same number share its probability."""


class GraphPlay:
    """Behaviour of all players on a graph of states, looked up by history."""

    def __init__(self, learnt: Learnt, means: Sequence[Sequence[int]]) -> None:
        """`means`: for each player, the probabilities of all actions by number."""
        self.game: Game = learnt.graph.game
        self._learnt, self._means = learnt, means

    @cached_property
    def first(self) -> tuple[LocalStrategy, ...]:
        """The behaviour of the players who choose in the first state."""
        start = ((self._learnt.graph.state(0), None),)
        choices = [self.at(start, player) for player in self.game.players]
        return tuple(choice.local for choice in choices if choice is not None)

    def at(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice after a history; None for a history that the game does not have."""
        graph = self._learnt.graph
        edges = graph.edges_of(history)
        numbers = None if edges is None else self._learnt.choices_after(edges, player)
        if edges is None or numbers is None:
            return None
        uses, whole, mean = Counter(numbers), self._learnt.whole, self._means[player]
        shares = (Fraction(mean[number], whole * uses[number]) for number in numbers)
        names = graph.action_names(graph.end_of(edges), player)
        local = LocalStrategy(player, (), (), tuple(zip(names, shares, strict=True)))
        return InformedChoice(local, None, numbers[0])


def _expected_payoffs(
    form: ExtensiveForm, profile: Sequence[Behaviour], player: int
) -> list[tuple[Fraction, ...] | None]:
    """For each information set of a player, the expected payoffs of its actions. Payoffs, and the
    opponents' and chance's contribution to the reach probability, are summed from the last sets
    back."""
    plans = [plan(sets, behaviour) for sets, behaviour in zip(form.sets, profile, strict=True)]
    gains = [ZERO] * form.size.sequences[player]
    chances = [ZERO] * form.size.sequences[player]
    for sequences, payoffs in form.payoffs.items():
        reach = prod(
            plan_weights[sequences[n]] for n, plan_weights in enumerate(plans) if n != player
        )
        gains[sequences[player]] += reach * payoffs[player]
        chances[sequences[player]] += reach * form.chances[sequences]
    expected: list[tuple[Fraction, ...] | None] = []
    for information_set, shares in zip(
        reversed(form.sets[player]), reversed(profile[player]), strict=True
    ):
        chance = chances[information_set.first]
        actions = [gains[sequence] for sequence in information_set.sequences]
        expected.append(tuple(gain / chance for gain in actions) if chance else None)
        chances[information_set.parent] += chance
        gains[information_set.parent] += sum(
            (a * b for a, b in zip(shares, actions, strict=True)), ZERO
        )
    return expected[::-1]
