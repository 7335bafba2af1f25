"""Behaviour per information set, with readable names.

In: an extensive form and a behaviour profile. Out: a `LocalStrategy` per information set. The
module solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import overload

from gamedsl.solvers.equilibria.best_response import plan
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.information import told_apart
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class LocalStrategy:
    """The probabilities of a player's actions in an information set (Kuhn 1953).

    Attributes:
        player: the index of the player.
        drawn, seen: names of the chance outcomes, and of the moves, by which the player identifies
            the information set.
        choices: names of the actions and their probabilities, which add up to 1.
        is_reached: whether the player's own earlier behaviour can lead to the set.
    """

    player: int
    drawn: tuple[str, ...]
    seen: tuple[str, ...]
    choices: tuple[tuple[str, Fraction], ...]
    is_reached: bool = True


class LocalStrategies(Sequence[LocalStrategy]):
    """The local strategies of the first player, then of the next; earlier sets come first.

    The names are computed at the first access: to tell information sets apart requires drawing
    positions, and a claim about a value needs no names.
    """

    def __init__(self, form: ExtensiveForm, profile: Sequence[Behaviour]) -> None:
        self._form = form
        self._profile = profile

    @cached_property
    def _told(self) -> tuple[LocalStrategy, ...]:
        pairs = enumerate(self._profile)
        return tuple(
            strategy
            for player, behaviour in pairs
            for strategy in _of(self._form, player, behaviour)
        )

    def __len__(self) -> int:
        return sum(map(len, self._form.sets))

    @overload
    def __getitem__(self, index: int) -> LocalStrategy: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[LocalStrategy, ...]: ...
    def __getitem__(self, index: int | slice) -> LocalStrategy | tuple[LocalStrategy, ...]:
        return self._told[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._told == tuple(other)

    def __hash__(self) -> int:
        return hash(self._told)

    def __repr__(self) -> str:
        return repr(self._told)


def local_strategies(form: ExtensiveForm, profile: Sequence[Behaviour]) -> LocalStrategies:
    """The local strategies of all players under a profile."""
    return LocalStrategies(form, profile)


def _of(form: ExtensiveForm, player: int, behaviour: Behaviour) -> Iterator[LocalStrategy]:
    sets = form.sets[player]
    weights = plan(sets, behaviour)

    def shown(place: int) -> list[str]:
        return form.game.show(sets[place].history[-1][0], player, in_words=True).splitlines()

    seen = [information_set.seen for information_set in sets]
    told = told_apart([information_set.drawn for information_set in sets], shown, seen)
    for information_set, probabilities, words in zip(sets, behaviour, told, strict=True):
        choices = tuple(zip(information_set.actions, probabilities, strict=True))
        yield LocalStrategy(
            player, words, information_set.seen, choices, weights[information_set.parent] > 0
        )
