"""Comparison of two games: the shortest play on which the games differ.

In: two games, known by the contract alone, and a match of names. Compared in every position: the
players to move, the legal actions as sets, the probabilities of chance, the end of the game, the
payoffs, and, with hidden information, whether a player tells equal plays apart. Positions are
compared in order of distance; beyond a limit, random plays to the end follow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from gamedsl.conformance.learned_names import ENOUGH_POSITIONS, LEARNED_PLAYS
from gamedsl.conformance.matched_names import Agreement, Match, match_names
from gamedsl.conformance.name_samples import Choice, NameSample, actors_at, choices
from gamedsl.conformance.seats import Coarse, in_order_of, tellings
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.paid import Paid
from gamedsl.model.action_names import joined_name
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Player, State
from gamedsl.source.records import dataclass

NEAR = Fraction(1, 10**6)
"""Payoffs and chances count as equal below this distance: some games compute with decimals."""
MOST_SHOWN = 6
"""Names shown of a set."""
LONGER = 2
"""Coarser steps are taken where the games agree more than so many times as long."""
WITHOUT_FORCED = "plies without a choice belong to the step before"
WITH_JOINED = f"{WITHOUT_FORCED}, and chance events in a row are one"

Progress = Callable[[int, int], None]
Steps = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a comparison: positions compared in order, random plays afterwards, plies of a
    random play."""

    positions: int = 5_000
    plays: int = 50
    plies: int = 400


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two games.

    Attributes:
        play: the steps to the difference, a step by the names in both games.
        said: the difference in words.
        second: if knowledge differs, the play that a single game tells apart from `play`.
    """

    play: Steps
    said: str
    second: Steps | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        names: the games' names.
        way: how names were matched, in words.
        difference: the first difference; None if none was found.
        positions: positions compared.
        plays: random plays.
        is_whole: whether all positions were compared.
        unmet: the given names that no action had, in each game.
    """

    names: tuple[str, str]
    way: str
    difference: Difference | None
    positions: int
    plays: int
    is_whole: bool
    unmet: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class DifferError(Exception):
    """A difference in a position: the text in words, and `second` as in `Difference`."""

    def __init__(self, said: str, second: Steps | None = None) -> None:
        super().__init__(said)
        self.second = second


@dataclass(frozen=True, slots=True)
class Both:
    """A play of both games: the states, the payments and the steps so far."""

    first: State
    second: State
    paid: tuple[Paid, Paid]
    steps: Steps
    histories: tuple[tuple[tuple[State, Action | JointAction], ...], ...]


Pair = tuple[Choice, Choice]
"""A choice of an actor in both games."""


def compare(
    first: Game,
    second: Game,
    equal_names: Mapping[str, str],
    limits: Limits,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """The shortest difference of two games found within the limits.

    Args:
        equal_names: names of actions of `first` with the names of the same actions in `second`.
        seed: of the random plays.
        progress: called with (compared, waiting) at intervals.
    """
    rng = Random(seed)
    names = first.name, second.name
    if len(first.players) != len(second.players):
        said = f"{len(first.players)} players here, {len(second.players)} there"
        return Comparison(names, "", Difference((), said), 0, 0, False)

    for game in (first, second):
        try:
            game.initial_state()
        except GameRuleError as error:
            said = f"the rules of {game.name} fail: {error}"
            return Comparison(names, "", Difference((), said), 0, 0, False)

    second = in_order_of(second, first)
    pair, match = _matched(first, second, equal_names, limits, rng)
    difference, is_whole = pair.in_order(limits.positions, progress)
    plays = 0 if difference or is_whole else limits.plays
    for _ in range(plays):
        further = pair.random_play(rng, limits.plies)
        if further and (difference is None or len(further.play) < len(difference.play)):
            difference = further
    ours, theirs = match.met
    unmet = (
        tuple(name for name in equal_names if name not in ours),
        tuple(name for name in equal_names.values() if name not in theirs),
    )
    way = match.way
    if second.players[0]:
        way += f", and {first.players[0].name} is {second.players[0].name} there"
    return Comparison(names, way, difference, pair.compared, plays, is_whole, unmet)


def _matched(
    first: Game, second: Game, equal_names: Mapping[str, str], limits: Limits, rng: Random
) -> tuple[_Lockstep, Match]:
    """Both games with the match of names under which they agree longest, told in all ways; in
    coarser steps where the games agree much longer then."""
    agreement, pair, match = _matched_plies(first, second, equal_names, limits, rng)
    if _share_names(first, second) or first.facts.discount != 1 or second.facts.discount != 1:
        return pair, match
    for joins, said in ((False, WITHOUT_FORCED), (True, WITH_JOINED)):
        if agreement.is_same:
            break
        try:
            coarse = _matched_plies(first, second, equal_names, limits, rng, joins)
        except UnsupportedGameError:  # too many outcomes, or payments before the first choice
            continue
        for _ in range(LEARNED_PLAYS):
            if not coarse[0].is_same or coarse[0].everything > LONGER * agreement.everything:
                break
            play = coarse[1].trial(rng, limits.plies)
            coarse = (Agreement.of((coarse[0], play)), *coarse[1:])
        if coarse[0].is_same or coarse[0].everything > LONGER * agreement.everything:
            agreement, pair, match = coarse
            match = replace(match, way=f"{match.way}; {said}")
    return _Lockstep(pair.first, pair.second, pair.match), match  # trials do not count


def _share_names(first: Game, second: Game) -> bool:
    """Whether a name of the first choices or chance events is a name in both games."""
    names = []
    for game in (first, second):
        state = game.initial_state()
        legal = [choices(game, state, actor) for actor in actors_at(game, state)]
        names.append({choice.name for actor in legal for choice in actor})
    return bool(names[0] & names[1])


def _matched_plies(
    first: Game,
    second: Game,
    equal_names: Mapping[str, str],
    limits: Limits,
    rng: Random,
    joins_chance: bool | None = None,
) -> tuple[Agreement, _Lockstep, Match]:
    """The longest agreement, of all ways to tell the moves of both games; in plies of the rules, or
    (`joins_chance` is no None) in coarse steps."""
    tried: list[list[Any]] = []
    for game in (first, second):
        told = tellings(game) if not equal_names else [game]
        tried.append(told if joins_chance is None else [Coarse(way, joins_chance) for way in told])
    samples: dict[int, NameSample] = {}

    def sample(game: Game) -> NameSample:
        if id(game) not in samples:
            samples[id(game)] = NameSample(game, rng)
        return samples[id(game)]

    best: tuple[Agreement, _Lockstep, Match] | None = None
    for is_strict, (here, there) in product((True, False), product(*tried)):
        names = None if is_strict else sample

        def trial(match: Match, plays: int, here: Game = here, there: Game = there) -> Agreement:
            pair = _Lockstep(here, there, match)
            return Agreement.of(pair.trial(rng, limits.plies) for _ in range(plays))

        agreement, match = match_names(here, there, equal_names, trial, names)
        if best is None or agreement.names > best[0].names:
            best = agreement, _Lockstep(here, there, match), match
        is_certain = agreement.is_whole or agreement.names > ENOUGH_POSITIONS
        if (match.is_strict and is_certain) or (agreement.is_whole and agreement.is_same):
            break
    assert best is not None, "a game has names of its own"
    return best


class _Lockstep:
    """Both games with a match of names; `compared` counts positions."""

    def __init__(self, first: Game, second: Game, match: Match) -> None:
        self.first, self.second, self.match = first, second, match
        self.compared = 0
        self._has_secrets = first.facts.has_secrets or second.facts.has_secrets
        self._pays = any(g.facts.has_rewards or g.facts.discount != 1 for g in (first, second))
        self._known: dict[tuple[bool, int, Hashable], tuple[Hashable, Steps]] = {}

    def start(self) -> Both:
        """The beginning of a play."""
        paid = Paid(self.first), Paid(self.second)
        return Both(self.first.initial_state(), self.second.initial_state(), paid, (), ((), ()))

    def in_order(self, most: int, progress: Progress | None) -> tuple[Difference | None, bool]:
        """The first difference in order of distance, and whether all positions were compared."""
        first = self.start()
        waiting, seen = deque([first]), {self._key(first)}
        is_whole = True
        while waiting:
            if self.compared >= most:
                return None, False
            if progress is not None and not self.compared % 256:
                progress(self.compared, len(waiting))
            both = waiting.popleft()
            parts, difference = self._choices_at(both)
            if difference is not None:
                return difference, False
            for way in product(*parts) if parts else ():
                if len(seen) > most:
                    is_whole = False
                    break
                following, difference = self._after(both, way)
                if following is None:
                    return difference, False
                key = self._key(following)
                if key not in seen:
                    seen.add(key)
                    waiting.append(following)
        return None, is_whole

    def random_play(self, rng: Random, longest: int) -> Difference | None:
        """The first difference along a random play."""
        both = self.start()
        for _ in range(longest):
            parts, difference = self._choices_at(both)
            if difference is not None or not parts:
                return difference
            following, difference = self._after(both, tuple(map(rng.choice, parts)))
            if following is None:
                return difference
            both = following
        return None

    def trial(self, rng: Random, longest: int) -> Agreement:
        """How far the names, and how far all comparisons, agree along a random play."""
        both: Both | None = self.start()
        names, everything, differs, is_whole = 0, 0, False, True
        while both is not None and names < longest:
            differs = differs or self._choices_at(both)[1] is not None
            everything += not differs
            try:
                actors = actors_at(self.first, both.first)
                if not actors or actors != actors_at(self.second, both.second):
                    break
                parts = [self._pairs(both, actor) for actor in actors]
            except (DifferError, GameRuleError) as error:
                is_whole = isinstance(error, GameRuleError)
                break
            names += 1
            both, _ = self._after(both, tuple(map(rng.choice, parts)))
        return Agreement(is_whole, names, everything, not differs)

    def _key(self, both: Both) -> Hashable:
        """Plays with equal keys go on alike; with hidden information all keys of plays differ."""
        if self._has_secrets:
            return both.steps
        if not self._pays:
            return both.first, both.second
        amounts = tuple((tuple(paid.amounts), paid.lasting) for paid in both.paid)
        return both.first, both.second, amounts

    def _choices_at(self, both: Both) -> tuple[list[list[Pair]], Difference | None]:
        """The choices of each actor in a position, or the difference of the position."""
        self.compared += 1
        try:
            self._compare_movers(both)
            self._compare_knowledge(both)
            return [self._choices(both, actor) for actor in actors_at(self.first, both.first)], None
        except DifferError as error:
            return [], Difference(both.steps, str(error), error.second)
        except GameRuleError as error:
            return [], Difference(both.steps, f"the rules of one game fail: {error}")

    def _compare_movers(self, both: Both) -> None:
        here, there = self.first.current_player(both.first), self.second.current_player(both.second)
        if (here == TERMINAL) != (there == TERMINAL):
            raise DifferError(f"the game is over {'here' if here == TERMINAL else 'there'} alone")
        if int(here) != int(there):
            raise DifferError(f"{_said(here)} here, {_said(there)} there")
        if here == TERMINAL:
            payoffs = self.first.utilities(both.first), self.second.utilities(both.second)
            ours, theirs = (p.total(u) for p, u in zip(both.paid, payoffs, strict=True))
            if any(abs(a - b) > NEAR for a, b in zip(ours, theirs, strict=True)):
                shown = [", ".join(map(str, amounts)) for amounts in (ours, theirs)]
                raise DifferError(f"the game pays {shown[0]} here, {shown[1]} there")

    def _choices(self, both: Both, actor: int) -> list[Pair]:
        pairs = self._pairs(both, actor)
        for mine, twin in pairs:
            if abs(mine.chance - twin.chance) > NEAR:
                said = f"the chance of {mine.name} is {mine.chance} here, {twin.chance} there"
                raise DifferError(said)
        return pairs

    def _pairs(self, both: Both, actor: int) -> list[Pair]:
        ours, theirs = self.match.keyed(
            actor,
            choices(self.first, both.first, actor),
            choices(self.second, both.second, actor),
        )
        if ours.keys() != theirs.keys():
            word = "possible" if actor == CHANCE else "legal"
            raise DifferError("; ".join(_alone(word, ours, theirs)))
        return [(choice, theirs[key]) for key, choice in ours.items()]

    def _after(self, both: Both, way: tuple[Pair, ...]) -> tuple[Both | None, Difference | None]:
        """Both games after a step; None, and the difference, if the rules of a game fail."""
        states, paid, histories = [], [], []
        is_joint = self.first.current_player(both.first) == SIMULTANEOUS
        ours, theirs = zip(*way, strict=True)
        names = joined_name([c.name for c in ours]), joined_name([c.name for c in theirs])
        steps = (*both.steps, names)
        games = (self.first, both.first), (self.second, both.second)
        for (game, state), chosen, so_far, history in zip(
            games, (ours, theirs), both.paid, both.histories, strict=True
        ):
            actions = tuple(choice.action for choice in chosen)
            action = actions if is_joint else actions[0]
            try:
                after = game.result(state, action)
                if self._pays:
                    so_far = so_far.copied()
                    so_far.add(state, action, after)
            except GameRuleError as error:
                return None, Difference(steps, f"the rules of {game.name} fail: {error}")
            states.append(after)
            paid.append(so_far)
            histories.append((*history, (state, action)) if self._has_secrets else ())
        return Both(states[0], states[1], (paid[0], paid[1]), steps, tuple(histories)), None

    def _compare_knowledge(self, both: Both) -> None:
        """Compare the plays that movers tell apart."""
        if not self._has_secrets:
            return
        for player in actors_at(self.first, both.first):
            if player == CHANCE:
                continue
            ours = self.first.information_state([*both.histories[0], (both.first, None)], player)
            theirs = self.second.information_state(
                [*both.histories[1], (both.second, None)], player
            )
            for is_first, known, twin in ((True, ours, theirs), (False, theirs, ours)):
                first, steps = self._known.setdefault((is_first, player, known), (twin, both.steps))
                if first != twin:
                    name = self.first.players[player].name
                    where = "there, not here" if is_first else "here, not there"
                    raise DifferError(f"{name} tells this play from another {where}", steps)


def _said(mover: Player) -> str:
    return "all are to choose" if mover == SIMULTANEOUS else f"{mover.name} is to move"


def _alone(
    word: str, ours: Mapping[Hashable, Choice], theirs: Mapping[Hashable, Choice]
) -> Iterator[str]:
    for where, mine, others in (("here", ours, theirs), ("there", theirs, ours)):
        names = [choice.name for key, choice in mine.items() if key not in others]
        if names:
            more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
            yield f"{word} {where} alone: {', '.join(names[:MOST_SHOWN])}{more}"
