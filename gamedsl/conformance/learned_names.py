"""A correspondence of the names of two games, learned from play.

In: two games, and the names of each, read as tuples of ranks. Out: for each kind of names of the
second game the places that correspond to places of the first, and the order of their values. A
correspondence is chosen where a kind of names is first met, such that the same actions are legal
and equally likely; joint random plays go on until the games disagree, and the last choice with an
alternative is then made otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice, permutations
from random import Random

from gamedsl.conformance.name_samples import Actor, Choice, NameSample, Ranks, actors_at, choices
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

LEARNED_PLAYS, LEARNED_PLIES = 4, 200
MOST_POSITIONS = 4_000
"""Positions of joint plays, over all attempts."""
MOST_WAYS = 400
"""Correspondences tried for a kind of names."""
MOST_PERMUTED = 4
"""Words of a place that may correspond in any order."""

Kind = tuple[Actor, int]
"""An actor, and the number of varied places of the names."""


@dataclass(frozen=True, slots=True)
class PlaceTwin:
    """A place of the names here, the place there, and the rank here of each rank there."""

    here: int
    there: int
    rank_of: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Whether the values stand in the same order."""
        return self.rank_of == tuple(range(len(self.rank_of)))


@dataclass(frozen=True, slots=True)
class KindTwin:
    """The number of places of the kind here, and the places that correspond."""

    places: int
    twins: tuple[PlaceTwin, ...]

    def key_here(self, ranks: Ranks) -> Hashable:
        """The key of a name here."""
        return self.places, *(ranks[twin.here] for twin in self.twins)

    def key_there(self, ranks: Ranks) -> Hashable:
        """The key of a name there."""
        values = [(twin.rank_of, ranks[twin.there]) for twin in self.twins]
        return self.places, *(
            order[rank] if 0 <= rank < len(order) else -1 for order, rank in values
        )


Pair = tuple[Choice, Choice]
"""A choice in both games."""
Legal = dict[int, list[tuple[Ranks, Choice]]]
"""The choices of an actor by the number of varied places of their names."""


class Learner:
    """Learns a correspondence; `twins` by kinds there, `kinds` by kinds here."""

    def __init__(self, games: tuple[Game, Game], samples: tuple[NameSample, NameSample]) -> None:
        self._games, self._samples = games, samples
        self.twins: dict[Kind, KindTwin] = {}
        self._trail: list[tuple[Kind, Iterator[KindTwin]]] = []
        self._left = MOST_POSITIONS
        self._cache: dict[tuple[int, State, Actor], Legal] = {}

    def learn(self) -> bool:
        """Find the correspondence under which random plays agree longest; False if none agrees in
        any position."""
        best: tuple[int, dict[Kind, KindTwin]] = 0, {}
        while self._left > 0:
            agreed, is_whole = self._plays()
            if agreed > best[0]:
                best = agreed, dict(self.twins)
            if is_whole or not self._retract():
                break
        self.twins = best[1]
        return best[0] > 0

    def key_here(self, actor: Actor, name: str) -> Hashable:
        """The key of a name of the first game."""
        ranks = self._samples[0].ranks(actor, name)
        for (other, _), twin in self.twins.items():
            if ranks is not None and other == actor and twin.places == len(ranks):
                return twin.key_here(ranks)
        return "here", name

    def key_there(self, actor: Actor, name: str) -> Hashable:
        """The key of a name of the second game."""
        ranks = self._samples[1].ranks(actor, name)
        twin = None if ranks is None else self.twins.get((actor, len(ranks)))
        return ("there", name) if ranks is None or twin is None else twin.key_there(ranks)

    @property
    def way(self) -> str:
        """The correspondence in words."""
        twins = [twin for kind in self.twins.values() for twin in kind.twins]
        said = ["in another order"] if any(twin.here != twin.there for twin in twins) else []
        if not all(twin.is_plain for twin in twins):
            said.append("some values counted from the other side")
        return ", ".join(["arguments that correspond in play", *said])

    def _retract(self) -> bool:
        """Choose the next correspondence of the last kind that has another."""
        while self._trail:
            kind, ways = self._trail[-1]
            if (twin := next(ways, None)) is not None:
                self.twins[kind] = twin
                return True
            self._trail.pop()
            del self.twins[kind]
        return False

    def _plays(self) -> tuple[int, bool]:
        """The positions in which the games agree in random plays, and whether in all."""
        agreed = 0
        for number in range(LEARNED_PLAYS):
            plies, is_whole = self._play(Random(number))
            agreed += plies
            if not is_whole:
                return agreed, False
        return agreed, True

    def _play(self, rng: Random) -> tuple[int, bool]:
        first, second = self._games
        here, there = first.initial_state(), second.initial_state()
        for ply in range(LEARNED_PLIES):
            self._left -= 1
            try:
                actors = actors_at(first, here)
                if actors != actors_at(second, there):
                    return ply, False
                if not actors:
                    return ply, _pays_alike(first.utilities(here), second.utilities(there))
                pairs = [self._pairs(here, there, actor) for actor in actors]
                if not all(pairs):
                    return ply, False
                steps = [rng.choice(legal) for legal in pairs]
                is_joint = first.current_player(here) == SIMULTANEOUS
                ours, theirs = (
                    tuple(choice.action for choice in way) for way in zip(*steps, strict=True)
                )
                here = first.result(here, ours if is_joint else ours[0])
                there = second.result(there, theirs if is_joint else theirs[0])
            except GameRuleError:
                return ply, False
        return LEARNED_PLIES, True

    def _pairs(self, here: State, there: State, actor: Actor) -> list[list[Pair]]:
        """The choices of an actor in both games, by kinds; [] where the games disagree."""
        ours, theirs = self._legal(0, here, actor), self._legal(1, there, actor)
        for places, names in theirs.items():
            if (actor, places) not in self.twins:
                ways = islice(self._ways(actor, ours, places, names), MOST_WAYS)
                if (twin := next(ways, None)) is None:
                    return []
                self._trail.append(((actor, places), ways))
                self.twins[actor, places] = twin
        by_key: dict[Hashable, Choice] = {}
        for places, names in theirs.items():
            twin = self.twins[actor, places]
            by_key.update((twin.key_there(ranks), choice) for ranks, choice in names)
        if len(by_key) != sum(map(len, theirs.values())):
            return []
        kinds = {t.places: t for (other, _), t in self.twins.items() if other == actor}
        pairs: list[list[Pair]] = []
        rest: list[Choice] = []
        for places, names in ours.items():
            pairs.append([])
            for ranks, choice in names:
                key = kinds[places].key_here(ranks) if places in kinds else None
                other = by_key.pop(key, None) if key is not None else None
                if other is None:
                    rest.append(choice)
                else:
                    pairs[-1].append((choice, other))
        if len(rest) == len(by_key) == 1 and any(pairs):
            pairs.append([(rest.pop(), by_key.popitem()[1])])
        return [] if rest or by_key else [kind for kind in pairs if kind]

    def _legal(self, number: int, state: State, actor: Actor) -> Legal:
        known = self._cache.get((number, state, actor))
        if known is None:
            known = self._cache[number, state, actor] = {}
            for choice in choices(self._games[number], state, actor):
                ranks = self._samples[number].ranks(actor, choice.name)
                known.setdefault(-1 if ranks is None else len(ranks), []).append(
                    (ranks or (), choice)
                )
        return known

    def _ways(
        self, actor: Actor, ours: Legal, there: int, theirs: list[tuple[Ranks, Choice]]
    ) -> Iterator[KindTwin]:
        """The correspondences of a kind there under which the same actions are legal."""
        used = {t.places for (other, _), t in self.twins.items() if other == actor}
        free = {places: names for places, names in ours.items() if places not in used}
        for here in sorted(free, key=lambda places: (places != there, places)):
            missing = len(theirs) - len(free[here])
            is_near = missing == 0 or (missing == 1 and any(len(free[n]) == 1 for n in free))
            if here >= 0 and is_near and (here > 0 or not missing):
                sizes = (
                    self._samples[0].sizes(actor, here),
                    self._samples[1].sizes(actor, there),
                )
                for twins in _place_twins(free[here], theirs, sizes, actor == CHANCE):
                    yield KindTwin(here, twins)


Sizes = Sequence[tuple[int, bool]]
"""For each place the number of values, and whether the values are words."""


def _place_twins(
    ours: list[tuple[Ranks, Choice]],
    theirs: list[tuple[Ranks, Choice]],
    sizes: tuple[Sizes, Sizes],
    is_chance: bool,
) -> Iterator[tuple[PlaceTwin, ...]]:
    """The pairs of places under which all names here are names there, and no two are equal."""
    here = [ranks for ranks, _ in ours]
    there = [ranks for ranks, _ in theirs]

    def extended(
        place: int,
        twins: tuple[PlaceTwin, ...],
        mine: list[tuple[Hashable, ...]],
        yours: list[tuple[Hashable, ...]],
    ) -> Iterator[tuple[PlaceTwin, ...]]:
        if place == len(sizes[0]):
            if len(set(mine)) == len(mine) and len(set(yours)) == len(yours):
                yield twins
            return
        left = [n for n in range(len(sizes[1])) if all(twin.there != n for twin in twins)]
        ours_now = [(*key, ranks[place]) for key, ranks in zip(mine, here, strict=True)]
        counted = Counter(ours_now)
        for other in sorted(left, key=lambda n: n != place):
            for order in _orders(sizes[0][place], sizes[1][other]):
                theirs_now = [
                    (*key, order[ranks[other]] if ranks[other] >= 0 else -1)
                    for key, ranks in zip(yours, there, strict=True)
                ]
                if not counted - Counter(theirs_now):
                    twin = PlaceTwin(place, other, order)
                    yield from extended(place + 1, (*twins, twin), ours_now, theirs_now)
        yield from extended(place + 1, twins, mine, yours)

    begin: tuple[list[tuple[Hashable, ...]], ...] = tuple(
        [(choice.chance if is_chance else 0,) for _, choice in names] for names in (ours, theirs)
    )
    yield from extended(0, (), *begin)


def _orders(here: tuple[int, bool], there: tuple[int, bool]) -> Iterator[tuple[int, ...]]:
    """The ranks here of the ranks there: the same, from the other side, for a few words any."""
    (ours, are_words), (theirs, are_words_there) = here, there
    plain = tuple(range(theirs))
    yield plain
    flipped = tuple(ours - 1 - rank for rank in plain)
    yield flipped
    if ours == theirs <= MOST_PERMUTED and (are_words or are_words_there):
        yield from (order for order in permutations(plain) if order not in (plain, flipped))


def _pays_alike(ours: Sequence[object], theirs: Sequence[object]) -> bool:
    return all(abs(a - b) < 1e-6 for a, b in zip(ours, theirs, strict=True))  # type: ignore[operator]
