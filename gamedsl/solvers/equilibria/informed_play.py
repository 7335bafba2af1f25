"""What players do after a play, by what each has seen of it, and what that is worth to them.

In: an extensive form and behaviour; histories. Out: the `InformedChoice` of the information set
that a history belongs to. It solves nothing.
"""

from __future__ import annotations

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
from gamedsl.source.records import dataclass

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class InformedChoice:
    """What a player does in an information set.

    Attributes:
        local: with what probabilities, among the legal actions in their order.
        worths: of each of these actions what the player gets on average who chooses it there and
            goes on as planned, given all that it has seen; None where the others' behaviour never
            lets play come there, so that what it would have seen has no probability.
        place: of the information set among all, those of the first player first.
    """

    local: LocalStrategy
    worths: tuple[Fraction, ...] | None
    place: int

    @property
    def value(self) -> Fraction | None:
        """What the player gets on average from there on; None where `worths` is."""
        if self.worths is None:
            return None
        chances = (chance for _, chance in self.local.choices)
        return sum((a * b for a, b in zip(chances, self.worths, strict=True)), ZERO)


class InformedPlay(Protocol):
    """Behaviour of all players, to be looked up when play is there."""

    @property
    def game(self) -> Game:
        """Whose players behave so."""

    def at(self, history: History, player: int) -> InformedChoice | None:
        """What a player does after a history; None if no history of the game looks like it."""


class FormPlay:
    """The behaviour of all players in an extensive form.

    Attributes:
        form: the extensive form; profile: what each player does in its information sets.
    """

    def __init__(self, form: ExtensiveForm, profile: Sequence[Behaviour]) -> None:
        self.game = form.game
        self.form = form
        self.profile = profile

    def at(self, history: History, player: int) -> InformedChoice | None:
        """What a player does after a history; None if no history of the game looks like it."""
        return self._by_sight.get((player, self.game.information_state(history, player)))

    @cached_property
    def _by_sight(self) -> dict[tuple[int, Hashable], InformedChoice]:
        form, profile = self.form, self.profile
        sights = [
            (player, self.game.information_state(one.history, player))
            for player, sets in enumerate(form.sets)
            for one in sets
        ]
        worths = [one for player in range(len(form.sets)) for one in _worths(form, profile, player)]
        found = zip(local_strategies(form, profile), worths, strict=True)
        choices = (InformedChoice(*known, place) for place, known in enumerate(found))
        return dict(zip(sights, choices, strict=True))


def _worths(
    form: ExtensiveForm, profile: Sequence[Behaviour], player: int
) -> list[tuple[Fraction, ...] | None]:
    """Of each information set of a player what its actions are worth there. Payoffs, and the
    chances of coming there if the player wants to, are added up from the last sets back."""
    plans = [plan(sets, own) for sets, own in zip(form.sets, profile, strict=True)]
    gains = [ZERO] * form.size.sequences[player]
    chances = [ZERO] * form.size.sequences[player]
    for sequences, payoffs in form.payoffs.items():
        others = prod(own[sequences[n]] for n, own in enumerate(plans) if n != player)
        gains[sequences[player]] += others * payoffs[player]
        chances[sequences[player]] += others * form.chances[sequences]
    found: list[tuple[Fraction, ...] | None] = []
    for one, shares in zip(reversed(form.sets[player]), reversed(profile[player]), strict=True):
        chance = chances[one.first]
        actions = [gains[sequence] for sequence in one.sequences]
        found.append(tuple(gain / chance for gain in actions) if chance else None)
        chances[one.parent] += chance
        gains[one.parent] += sum((a * b for a, b in zip(shares, actions, strict=True)), ZERO)
    return found[::-1]
