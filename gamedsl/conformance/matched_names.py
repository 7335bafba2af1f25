"""The correspondence of the actions of two games, by names.

In: two games, and pairs of equal names. Out: a `Match`, with a key for each action; equal keys mean
equal actions. Names can be read in several ways: equal names; equal words and numbers; the numbers
alone, columns and rows perhaps exchanged or counted from the opposite side; the order of the legal
actions. The way is taken under which random plays of both games agree longest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Protocol

from gamedsl.game.contract import Action, Game
from gamedsl.model.action_names import joined_parts
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

TOKEN = re.compile(r"\d+|[A-Za-z](?=\d+(?![A-Za-z0-9]*\())|[A-Za-z]+")
SAMPLED_PLAYS, SAMPLED_PLIES = 30, 60
"""Random plays for the sample of names of a game, and plies of a play."""
TRIED_PLAYS = 4
"""Random plays of both games in the trial of a way to read names."""

Actor = int
"""A player, or CHANCE."""
Tokens = tuple[str | int, ...]
Key = Hashable


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two games agree in random plays.

    Attributes:
        is_whole: whether names agree up to the end of every play.
        names: the number of positions with equal names.
        everything: the number of positions before the first difference of any kind.
    """

    is_whole: bool
    names: int
    everything: int

    @classmethod
    def of(cls, plays: Iterable[Agreement]) -> Agreement:
        """The agreement of several plays."""
        agreements = list(plays)
        return cls(
            all(agreement.is_whole for agreement in agreements),
            sum(agreement.names for agreement in agreements),
            sum(agreement.everything for agreement in agreements),
        )


class Reading(Protocol):
    """A way to read the names of one game."""

    def __call__(self, actor: Actor, name: str, rank: int) -> Key:
        """The key of an action, from the actor, the name and the rank among the legal actions."""


@dataclass(frozen=True, slots=True)
class Match:
    """A way to read the names of both games.

    Attributes:
        way: the way in words.
        is_strict: whether names are compared with all words.
        first, second: the keys of names in the two games.
        met: in each game, the names given by the caller that some action has had so far.
    """

    way: str
    is_strict: bool
    first: Reading
    second: Reading
    met: tuple[set[str], set[str]]

    def keyed(self, game: Game, state: State, actor: Actor, is_first: bool) -> dict[Key, Choice]:
        """The choices of an actor by key; a repeated key is marked `again`."""
        read = self.first if is_first else self.second
        by_key: dict[Key, Choice] = {}
        for rank, choice in enumerate(choices(game, state, actor)):
            key = read(actor, choice.name, rank)
            while key in by_key:
                key = (key, "again")
            by_key[key] = choice
        return by_key


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action or an outcome of chance, with its name and probability."""

    action: Action
    name: str
    chance: Fraction = Fraction(1)


def choices(game: Game, state: State, actor: Actor) -> list[Choice]:
    """The legal actions of a player, or the outcomes of chance."""
    if actor == CHANCE:
        return [
            Choice(outcome, game.action_name(state, outcome), chance)
            for outcome, chance in game.chance_outcomes(state)
        ]
    player = actor if game.current_player(state) == SIMULTANEOUS else None
    legal = game.legal_actions(state, player)
    if player is None:
        return [Choice(action, game.action_name(state, action)) for action in legal]
    first = [game.legal_actions(state, other)[0] for other in game.players]
    named = []
    for action in legal:
        first[player] = action
        name = game.action_name(state, tuple(first))
        named.append(Choice(action, joined_parts(name)[player]))
    return named


def actors_at(game: Game, state: State) -> tuple[Actor, ...]:
    """The actors in a state: a player, all players, or chance; () at the end."""
    mover = game.current_player(state)
    if mover == SIMULTANEOUS:
        return tuple(game.players)
    return (mover,) if mover >= 0 or mover == CHANCE else ()


def match_names(
    first: Game,
    second: Game,
    equal_names: Mapping[str, str],
    trial: Callable[[Match, int], Agreement],
    rng: Random,
) -> tuple[Agreement, Match]:
    """The strictest match, if names agree in random plays under a strict match; otherwise the match
    under which names, then all comparisons, agree longest; and how far both games agree.

    Args:
        equal_names: names of `first` with the names of `second` that mean the same.
        trial: how far both games agree under a match in a number of random plays.
    """
    met = set[str](), set[str]()
    tried = []
    for way, read, others in _readings(first, second, rng):
        match = Match(
            way,
            read in (_whole, _plain),
            _with_equal_names(read, equal_names, met[0]),
            _with_equal_names(others, {name: name for name in equal_names.values()}, met[1]),
            met,
        )
        agreement = trial(match, TRIED_PLAYS)
        if agreement.is_whole and match.is_strict:
            return agreement, match
        tried.append((agreement, match))
    return max(tried, key=lambda pair: (pair[0].names, pair[0].everything))


def _with_equal_names(read: Reading, equal_names: Mapping[str, str], met: set[str]) -> Reading:
    def with_equal_names(actor: Actor, name: str, rank: int) -> Key:
        if name not in equal_names:
            return read(actor, name, rank)
        met.add(name)
        return "equal", equal_names[name]

    return with_equal_names if equal_names else read


def _readings(first: Game, second: Game, rng: Random) -> Iterable[tuple[str, Reading, Reading]]:
    """The ways to read names, the strictest first; names are sampled where these do not agree."""
    yield "the same names", _whole, _whole
    yield "the same words and numbers", _plain, _plain
    here, there = _Sample(first, rng), _Sample(second, rng)
    for swaps, columns, rows in product((False, True), repeat=3):
        said = [
            "columns and rows exchanged" * swaps,
            "columns counted from the other side" * columns,
            "rows counted from the other side" * rows,
        ]
        way = ", ".join(["the same arguments", *filter(None, said)])
        yield way, here.reading(False, (False, False)), there.reading(swaps, (columns, rows))
    yield "the order of the legal actions", _rank, _rank


def _whole(actor: Actor, name: str, rank: int) -> Key:
    return name


def _plain(actor: Actor, name: str, rank: int) -> Key:
    return _lower(name)


@cache
def _lower(name: str) -> Key:
    return tokens_of(name.lower())


def _rank(actor: Actor, name: str, rank: int) -> Key:
    return rank


def tokens_of(name: str) -> Tokens:
    """The words and numbers of a name; a square is a column and a row: `go(a1)` -> go, a, 1."""
    return tuple(int(part) if part.isdigit() else part for part in TOKEN.findall(name))


class _Sample:
    """The names of a game, as met in random plays: the values at each place of a name."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.values: dict[tuple[Actor, int], list[dict[str | int, int]]] = {}
        for _ in range(SAMPLED_PLAYS):
            with suppress(GameRuleError):  # a difference, perhaps, and met again
                self._play(game, rng)

    def _play(self, game: Game, rng: Random) -> None:
        state = game.initial_state()
        for _ in range(SAMPLED_PLIES):
            taken = []
            for actor in (actors := actors_at(game, state)):
                legal = choices(game, state, actor)
                for choice in legal:
                    self._add(actor, choice)
                taken.append(rng.choice(legal).action)
            if not actors:
                return
            is_joint = game.current_player(state) == SIMULTANEOUS
            state = game.result(state, tuple(taken) if is_joint else taken[0])

    def _add(self, actor: Actor, choice: Choice) -> None:
        """Note the values of a name, each with the least action that has the value."""
        tokens = tokens_of(choice.name)
        places = self.values.setdefault((actor, len(tokens)), [{} for _ in tokens])
        for place, token in zip(places, tokens, strict=True):
            place[token] = min(place.get(token, choice.action), choice.action)

    def reading(self, swaps: bool, flips: tuple[bool, bool]) -> Reading:
        """The key has a rank for each place with several values, among the values of the place:
        numbers and letters by size, words by the order of the actions."""
        ranks: dict[tuple[Actor, int], list[dict[str | int, int] | None]] = {}
        for shape, places in self.values.items():
            varied = [place if len(place) > 1 else None for place in places]
            ranks[shape] = [None if place is None else _ranked(place) for place in varied]

        @cache
        def key(actor: Actor, name: str) -> Key:
            tokens = tokens_of(name)
            known = ranks.get((actor, len(tokens)))
            if known is None:
                return ("unknown", name)
            values = [
                (place.get(token, -1), len(place))
                for place, token in zip(known, tokens, strict=True)
                if place is not None
            ]
            if swaps and len(values) % 2 == 0:
                values = [values[number ^ 1] for number in range(len(values))]
            return tuple(
                size - 1 - value if flips[number % 2] else value
                for number, (value, size) in enumerate(values)
            )

        return lambda actor, name, rank: key(actor, name)


def _ranked(values: Mapping[str | int, int]) -> dict[str | int, int]:
    """The rank of each value."""

    def order(value: str | int) -> tuple[int, int | str]:
        if isinstance(value, int):
            return 0, value
        return (1, value) if len(value) == 1 else (2, values[value])

    return {value: rank for rank, value in enumerate(sorted(values, key=order))}
