"""A correspondence of the names of two games, learned from play.

In: two games ("here" and "there"), and the names of both games, read as tuples of ranks. Out: for
each kind of names there, the places that correspond to places here, and the order of the values. A
correspondence is chosen where a kind of names is first met, such that equal actions are legal and
equally likely; joint random plays go on until the games disagree, and the last choice with an
alternative is then made otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations
from random import Random

from gamedsl.conformance.name_samples import (
    Actor,
    Choice,
    Kind,
    Legal,
    NameSample,
    Ranks,
    Sizes,
    actors_at,
    choices,
)
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.source.records import dataclass

LEARNED_PLAYS, LEARNED_PLIES = 40, 200
ENOUGH_POSITIONS = 1_000
"""A correspondence holds if random plays agree in so many positions, or all plays agree."""
MOST_POSITIONS = 8_000
"""Positions of joint plays, over all attempts."""
MOST_ATTEMPTS = 120
"""Attempts in a row without a longer agreement."""
MOST_WAYS = 400
"""Correspondences tried for a kind of names."""
MOST_PERMUTED = 4
"""Words of a place that may correspond in any order."""
NEAR = Fraction(1, 10**6)

Keyed = dict[Hashable, Choice]
Names = list[tuple[Ranks, Choice]]
KindPair = tuple[Kind, Kind]
"""A kind of names here, and a kind there."""


@dataclass(frozen=True, slots=True)
class PlaceTwin:
    """A place of the names here, a place of the names there, and ranks here by ranks there."""

    here: int
    there: int
    rank_of: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Whether the values stand in the same order."""
        return self.rank_of == tuple(range(len(self.rank_of)))

    def rank_here(self, ranks: Ranks) -> int:
        """The rank here of the value that a name there has; -1 for an unknown value."""
        rank = ranks[self.there]
        return self.rank_of[rank] if 0 <= rank < len(self.rank_of) else -1


Twins = tuple[PlaceTwin, ...]


class Learner:
    """Learns a correspondence; `twins` has the places that correspond, by pairs of kinds."""

    def __init__(self, games: tuple[Game, Game], samples: tuple[NameSample, NameSample]) -> None:
        self._games, self._samples = games, samples
        self.twins: dict[KindPair, Twins] = {}
        self._trail: list[tuple[KindPair, Iterator[Twins]]] = []
        self._left = MOST_POSITIONS
        self._known: dict[tuple[int, State, Actor], list[Choice]] = {}

    def learn(self) -> bool:
        """Find the correspondence with the longest agreement of random plays; False without
        agreement in any position."""
        best: tuple[int, dict[KindPair, Twins]] = 0, {}
        patience = MOST_ATTEMPTS
        while self._left > 0 and patience > 0:
            agreed, is_whole = self._plays()
            patience -= 1
            if agreed > best[0]:
                best = agreed, dict(self.twins)
                patience = MOST_ATTEMPTS
            if is_whole or not self._retract():
                break
        self.twins = best[1]
        return best[0] > 0

    def keyed(
        self, actor: Actor, ours: Sequence[Choice], theirs: Sequence[Choice]
    ) -> tuple[Keyed, Keyed]:
        """The choices of a position in both games by keys; equal keys mean equal actions. A single
        action of a kind without a twin is the single action without a twin there."""
        here, there = self._samples[0].by_kind(actor, ours), self._samples[1].by_kind(actor, theirs)
        mine: Keyed = {("here", choice.name, choice.action): choice for choice in ours}
        yours: Keyed = {("there", choice.name, choice.action): choice for choice in theirs}
        paired: set[Kind] = set()
        for kind, names in there.items():
            twin = self._twin_of(kind, names, here, paired, actor == CHANCE)
            if twin is None:
                continue
            paired.add(twin)
            twins = self.twins[twin, kind]
            for ranks, choice in here[twin]:
                _rename(mine, "here", choice, (twin, *(ranks[place.here] for place in twins)))
            for ranks, choice in names:
                _rename(
                    yours, "there", choice, (twin, *(place.rank_here(ranks) for place in twins))
                )
        alone, others = mine.keys() - yours.keys(), yours.keys() - mine.keys()
        if len(alone) == len(others) == 1 and len(mine) > 1:
            (name,), (other,) = alone, others
            if name[0] == "here":  # type: ignore[index]
                yours[name] = yours.pop(other)
        return mine, yours

    def _twin_of(
        self, kind: Kind, names: Names, here: Legal, paired: set[Kind], is_chance: bool
    ) -> Kind | None:
        """The kind here of a kind there: the pair is known, or is chosen now."""
        free = [ours for ours in here if ours not in paired]
        for ours in free:
            if (ours, kind) in self.twins:
                return ours
        for ours in sorted(free, key=lambda ours: (ours[1] != kind[1], -len(here[ours]))):
            missing = len(names) - len(here[ours])
            is_near = missing == 1 and ours[1] > 0 and any(len(here[rest]) == 1 for rest in free)
            if (missing and not is_near) or min(ours[1], kind[1]) < 0:
                continue
            sizes = self._samples[0].sizes(ours), self._samples[1].sizes(kind)
            ways = islice(_place_twins(here[ours], names, sizes, is_chance), MOST_WAYS)
            if (twins := next(ways, None)) is not None:
                self._trail.append(((ours, kind), ways))
                self.twins[ours, kind] = twins
                return ours
        return None

    @property
    def way(self) -> str:
        """The correspondence in words."""
        twins = [twin for places in self.twins.values() for twin in places]
        said = ["in another order"] if any(twin.here != twin.there for twin in twins) else []
        if not all(twin.is_plain for twin in twins):
            said.append("some values counted from the other side")
        return ", ".join(["arguments that correspond in play", *said])

    def _retract(self) -> bool:
        """Choose the next correspondence of the last pair of kinds with an alternative."""
        while self._trail:
            kinds, ways = self._trail[-1]
            if (twins := next(ways, None)) is not None:
                self.twins[kinds] = twins
                return True
            self._trail.pop()
            del self.twins[kinds]
        return False

    def _plays(self) -> tuple[int, bool]:
        """The positions in which the games agree in random plays, and whether in all."""
        agreed, is_same = 0, True
        for number in range(LEARNED_PLAYS):
            plies, is_whole, pays_alike = self._play(Random(number))
            agreed += plies + pays_alike
            is_same = is_same and pays_alike
            if not is_whole or agreed > ENOUGH_POSITIONS:
                return agreed, is_same
        return agreed, is_same

    def _play(self, rng: Random) -> tuple[int, bool, bool]:
        """The positions that agree, whether names agree to the end, and whether payoffs do."""
        first, second = self._games
        here, there = first.initial_state(), second.initial_state()
        for ply in range(LEARNED_PLIES):
            self._left -= 1
            try:
                actors = actors_at(first, here)
                if actors != actors_at(second, there):
                    return ply, False, False
                if not actors:
                    return ply, True, _pays_alike(first.utilities(here), second.utilities(there))
                pairs = [self._pairs(here, there, actor) for actor in actors]
                if not all(pairs):
                    return ply, False, False
                steps = [rng.choice(rng.choice(kinds)) for kinds in pairs]
                is_joint = first.current_player(here) == SIMULTANEOUS
                ours, theirs = (
                    tuple(choice.action for choice in way) for way in zip(*steps, strict=True)
                )
                here = first.result(here, ours if is_joint else ours[0])
                there = second.result(there, theirs if is_joint else theirs[0])
            except GameRuleError:
                return ply, False, False
        return LEARNED_PLIES, True, True

    def _pairs(self, here: State, there: State, actor: Actor) -> list[list[tuple[Choice, Choice]]]:
        """The choices of an actor in both games, by kinds; [] where the games disagree."""
        ours, theirs = self._choices(0, here, actor), self._choices(1, there, actor)
        mine, yours = self.keyed(actor, ours, theirs)
        if mine.keys() != yours.keys():
            return []
        kinds: dict[Hashable, list[tuple[Choice, Choice]]] = {}
        for key, choice in mine.items():
            if abs(choice.chance - yours[key].chance) > NEAR:
                return []
            kinds.setdefault(key[0], []).append((choice, yours[key]))  # type: ignore[index]
        return list(kinds.values())

    def _choices(self, number: int, state: State, actor: Actor) -> list[Choice]:
        place = number, state, actor
        if place not in self._known:
            self._known[place] = choices(self._games[number], state, actor)
        return self._known[place]


def _rename(keyed: Keyed, side: str, choice: Choice, key: Hashable) -> None:
    """Give a choice a key of both games in place of the key of its own game, unless the key is
    taken."""
    if key not in keyed:
        del keyed[side, choice.name, choice.action]
        keyed[key] = choice


def _place_twins(
    ours: Names, theirs: Names, sizes: tuple[Sizes, Sizes], is_chance: bool
) -> Iterator[Twins]:
    """The pairs of places under which the names of both games are equal, without repeated names."""
    here = [ranks for ranks, _ in ours]
    there = [ranks for ranks, _ in theirs]

    def extended(
        place: int,
        twins: Twins,
        mine: list[tuple[Hashable, ...]],
        yours: list[tuple[Hashable, ...]],
    ) -> Iterator[Twins]:
        if place == len(sizes[0]):
            if len(set(mine)) == len(mine) and len(set(yours)) == len(yours):
                yield twins
            return
        left = [n for n in range(len(sizes[1])) if all(twin.there != n for twin in twins)]
        ours_now = [(*key, ranks[place]) for key, ranks in zip(mine, here, strict=True)]
        counted, is_twin = Counter(ours_now), False
        for other in sorted(left, key=lambda n: n != place):
            met = {ranks[place] for ranks in here}, {ranks[other] for ranks in there}
            for order in _orders(sizes[0][place], sizes[1][other], met):
                twin = PlaceTwin(place, other, order)
                theirs_now = [
                    (*key, twin.rank_here(ranks)) for key, ranks in zip(yours, there, strict=True)
                ]
                if not counted - Counter(theirs_now):
                    is_twin = True
                    yield from extended(place + 1, (*twins, twin), ours_now, theirs_now)
        if not is_twin:
            yield from extended(place + 1, twins, mine, yours)

    begin: tuple[list[tuple[Hashable, ...]], ...] = tuple(
        [(round(float(choice.chance), 6) if is_chance else 0,) for _, choice in names]
        for names in (ours, theirs)
    )
    yield from extended(0, (), *begin)


def _orders(
    here: tuple[int, bool], there: tuple[int, bool], met: tuple[set[int], set[int]]
) -> Iterator[tuple[int, ...]]:
    """The ranks here by the ranks there: equal; counted from the opposite side; in any order for
    two values, or a few words, met together."""
    (ours, are_words), (theirs, are_words_there) = here, there
    plain = tuple(range(theirs))
    flipped = tuple(ours - 1 - rank for rank in plain)
    yield plain
    yield flipped
    mine, yours = (sorted(ranks - {-1}) for ranks in met)
    most = MOST_PERMUTED if are_words or are_words_there else 2
    if len(mine) == len(yours) <= most:
        for order in permutations(mine):
            moved = dict(zip(yours, order, strict=True))
            others = (rank for rank in range(max(ours, theirs)) if rank not in mine)
            ranks = tuple(moved[rank] if rank in moved else next(others) for rank in plain)
            if ranks not in (plain, flipped):
                yield ranks


def _pays_alike(ours: Sequence[Fraction], theirs: Sequence[Fraction]) -> bool:
    return all(abs(a - b) < NEAR for a, b in zip(ours, theirs, strict=True))
