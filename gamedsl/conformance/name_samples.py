"""The names of a game's actions, as met in random plays: tuples of ranks.

In: a game. Out: for each actor and each number of varied places the values of each place, and the
ranks of a name's values: numbers and letters by size, words by the order of the actions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from random import Random

from gamedsl.game.contract import Action, Game
from gamedsl.game.steps import choosers
from gamedsl.model.action_names import joined_parts
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

TOKEN = re.compile(r"\d+|x(?=[a-z]\d)|[A-Za-z](?=\d+(?![A-Za-z0-9]*\())|[A-Za-z]+")
SAMPLED_PLAYS, SAMPLED_PLIES = 30, 60
"""Random plays for the sample of names of a game, and plies of a play."""
SAMPLED_NAMES = 60_000
"""The sample ends after the play that meets so many names."""

Actor = int
"""A player, or CHANCE."""
Tokens = tuple[str | int, ...]
Ranks = tuple[int, ...]
"""The rank of each varied value of a name; -1: the value was not sampled."""
Name = tuple[Actor, str]
Kind = tuple[Name, int]
"""A name that stands for a phase, and the number of varied places; -1: the name was not sampled."""
Shape = tuple[Name, int]
"""A name that stands for a phase, and the number of tokens."""
Sizes = Sequence[tuple[int, bool]]


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action or an outcome of chance, with its name and probability."""

    action: Action
    name: str
    chance: Fraction = Fraction(1)


Legal = dict[Kind, list[tuple[Ranks, Choice]]]
"""Choices by the kinds of their names."""


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
    return (CHANCE,) if game.current_player(state) == CHANCE else choosers(game, state)


def tokens_of(name: str) -> Tokens:
    """The words and numbers of a name; a square is a column and a row: `go(a1)` -> go, a, 1."""
    return tuple(int(part) if part.isdigit() else part for part in TOKEN.findall(name))


class NameSample:
    """The values at each place of a game's names.

    Names that are legal together, directly or through other names, are of one phase of the game;
    names of a phase with equal numbers of varied places are of one kind. Places with one value do
    not count.
    """

    def __init__(self, game: Game, rng: Random) -> None:
        self._actions: dict[Name, Action] = {}
        """The least action of each name."""
        self._joined: dict[Name, Name] = {}
        """A name of the same phase, up to the name that stands for the phase."""
        self._left = SAMPLED_NAMES
        for _ in range(SAMPLED_PLAYS):
            with suppress(GameRuleError):  # a difference, perhaps, and met again
                self._play(game, rng)
            if self._left < 0:
                break
        self._phases: dict[Name, Name] = {}
        self._values: dict[Shape, list[dict[str | int, int]]] = {}
        """The values at each place, each with the least action that has the value."""
        self._part_into_phases()
        self._varied = {
            shape: [number for number, place in enumerate(places) if len(place) > 1]
            for shape, places in self._values.items()
        }
        pools: dict[Kind, list[dict[str | int, int]]] = {}
        for (phase, length), varied in self._varied.items():
            pool = pools.setdefault((phase, len(varied)), [{} for _ in varied])
            for place, number in zip(pool, varied, strict=True):
                for value, action in self._values[phase, length][number].items():
                    _add([place], (value,), action)
        self._ranks = {kind: [_ranked(place) for place in pool] for kind, pool in pools.items()}
        self._read = cache(self._kind_and_ranks)

    def _play(self, game: Game, rng: Random) -> None:
        state = game.initial_state()
        for _ in range(SAMPLED_PLIES):
            taken = []
            for actor in (actors := actors_at(game, state)):
                legal = choices(game, state, actor)
                self._left -= len(legal)
                first = self._root((actor, legal[0].name))
                for choice in legal:
                    name = actor, choice.name
                    least = self._actions.get(name, choice.action)
                    self._actions[name] = min(least, choice.action)
                    self._joined[self._root(name)] = first
                taken.append(rng.choice(legal).action)
            if not actors:
                return
            is_joint = game.current_player(state) == SIMULTANEOUS
            state = game.result(state, tuple(taken) if is_joint else taken[0])

    def _part_into_phases(self) -> None:
        """Part the names into phases. Few names that were legal with no others, as the moves out of
        a check, belong to a larger phase that has their values."""
        members: dict[Name, list[Name]] = {}
        for name in self._actions:
            members.setdefault(self._root(name), []).append(name)
        for own, names in sorted(members.items(), key=lambda entry: -len(entry[1])):
            around = {*map(self._phase_around, names)}
            phase = (around.pop() if len(around) == 1 else None) or own
            for name in names:
                self._phases[name] = phase
                tokens = tokens_of(name[1])
                places = self._values.setdefault((phase, len(tokens)), [{} for _ in tokens])
                _add(places, tokens, self._actions[name])

    def _phase_around(self, name: Name) -> Name | None:
        """The first phase of an actor that has each of a name's values at its place."""
        actor, tokens = name[0], tokens_of(name[1])
        for (phase, length), places in self._values.items():
            is_like = phase[0] == actor and length == len(tokens)
            if is_like and all(map(dict.__contains__, places, tokens)):
                return phase
        return None

    def _root(self, name: Name) -> Name:
        """The name that stands for the phase of a name."""
        path = []
        while (further := self._joined.setdefault(name, name)) != name:
            path.append(name)
            name = further
        self._joined.update(dict.fromkeys(path, name))
        return name

    def by_kind(self, actor: Actor, legal: Sequence[Choice]) -> Legal:
        """The choices of a position, by kinds, with the ranks of their varied values."""
        names = ((actor, choice.name) for choice in legal)
        phases = (self._phases.get(name) or self._phase_around(name) for name in names)
        phase = next((phase for phase in phases if phase is not None), None)
        kinds: Legal = {}
        for choice in legal:
            kind, ranks = self._read(self._phases.get((actor, choice.name), phase), choice.name)
            kinds.setdefault(kind, []).append((ranks, choice))
        return kinds

    def _kind_and_ranks(self, phase: Name | None, name: str) -> tuple[Kind, Ranks]:
        tokens = tokens_of(name)
        varied = None if phase is None else self._varied.get((phase, len(tokens)))
        if phase is None or varied is None:
            return ((0, name), -1), ()
        kind = phase, len(varied)
        places = zip(varied, self._ranks[kind], strict=True)
        return kind, tuple(place.get(tokens[number], -1) for number, place in places)

    def sizes(self, kind: Kind) -> Sizes:
        """For each place of a kind the number of values, and whether some are words."""
        return [
            (len(place), any(isinstance(value, str) and len(value) > 1 for value in place))
            for place in self._ranks.get(kind, ())
        ]


def _add(places: Sequence[dict[str | int, int]], tokens: Tokens, action: Action) -> None:
    """Note the values of a name, each with the least action that has the value."""
    for place, token in zip(places, tokens, strict=True):
        place[token] = min(place.get(token, action), action)


def _ranked(values: Mapping[str | int, int]) -> dict[str | int, int]:
    """The rank of each value."""

    def order(value: str | int) -> tuple[int, int | str]:
        if isinstance(value, int):
            return 0, value
        return (1, value) if len(value) == 1 else (2, values[value])

    return {value: rank for rank, value in enumerate(sorted(values, key=order))}
