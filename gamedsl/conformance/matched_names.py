"""The correspondence of the actions of two games, by names.

In: two games, and pairs of equal names. Out: a `Match`, with a key for each action; equal keys mean
equal actions. Names can be read in several ways: equal names; equal words and numbers; the numbers
alone, columns and rows perhaps exchanged or counted from the opposite side; places that correspond
in play; the order of the legal actions. The way is taken under which random plays of both games
agree longest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Protocol

from gamedsl.conformance.learned_names import ENOUGH_POSITIONS, LEARNED_PLAYS, Keyed, Learner
from gamedsl.conformance.name_samples import (
    Actor,
    Choice,
    NameSample,
    tokens_of,
)
from gamedsl.game.contract import Game
from gamedsl.source.records import dataclass

TRIED_PLAYS = 4
"""Random plays of both games in the trial of a way to read names."""

Key = Hashable


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two games agree in random plays.

    Attributes:
        is_whole: whether names agree up to the end of every play.
        names: the number of positions with equal names.
        everything: the number of positions before the first difference of any kind.
        is_same: whether no difference of any kind was met.
    """

    is_whole: bool
    names: int
    everything: int
    is_same: bool

    @classmethod
    def of(cls, plays: Iterable[Agreement]) -> Agreement:
        """The agreement of several plays."""
        agreements = list(plays)
        return cls(
            all(agreement.is_whole for agreement in agreements),
            sum(agreement.names for agreement in agreements),
            sum(agreement.everything for agreement in agreements),
            all(agreement.is_same for agreement in agreements),
        )


Keying = Callable[[Actor, Sequence[Choice], Sequence[Choice]], tuple[Keyed, Keyed]]


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
        keyed: an actor's choices in a position of each game -> the choices by keys; equal keys mean
            equal actions.
        met: in each game, the names given by the caller that some action has had so far.
    """

    way: str
    is_strict: bool
    keyed: Keying
    met: tuple[set[str], set[str]]


def separately(first: Reading, second: Reading) -> Keying:
    """The keys of each game by its own reading. Actions with the same key are told apart by the
    words of their names as they are written (the pawn's `bxc6`, the bishop's `Bxc6`), and actions
    with the same words by `again`."""

    def keyed(read: Reading, actor: Actor, legal: Sequence[Choice]) -> Keyed:
        keys = [read(actor, choice.name, rank) for rank, choice in enumerate(legal)]
        uses = Counter(keys)
        by_key: Keyed = {}
        for key, choice in zip(keys, legal, strict=True):
            if uses[key] > 1:
                key = (key, tokens_of(choice.name))
            while key in by_key:
                key = (key, "again")
            by_key[key] = choice
        return by_key

    return lambda actor, ours, theirs: (keyed(first, actor, ours), keyed(second, actor, theirs))


def match_names(
    first: Game,
    second: Game,
    equal_names: Mapping[str, str],
    trial: Callable[[Match, int], Agreement],
    sample: Callable[[Game], NameSample] | None,
) -> tuple[Agreement, Match]:
    """The strictest match, if names agree in random plays under a strict match; otherwise the match
    under which names, then all comparisons, agree longest; and how far both games agree.

    Args:
        equal_names: names of `first` with the names of `second` that mean the same.
        trial: how far both games agree under a match in a number of random plays.
        sample: the names of a game, as met in random plays, by whose values names are matched;
            None: only equal names and equal words are tried.
    """
    met = set[str](), set[str]()
    given = dict(equal_names), {name: name for name in equal_names.values()}

    def matches() -> Iterable[Match]:
        samples = None if sample is None else (sample(first), sample(second))
        for way, read, others in EQUAL if samples is None else _by_values(*samples):
            keyed = separately(
                _with_equal_names(read, given[0], met[0]),
                _with_equal_names(others, given[1], met[1]),
            )
            yield Match(way, read in (_whole, _plain), keyed, met)
        if samples is None:
            return
        learner = Learner((first, second), samples)
        if not equal_names and learner.learn():
            yield Match(learner.way, False, learner.keyed, met)
        ranks = _with_equal_names(_rank, given[0], met[0])
        others = _with_equal_names(_rank, given[1], met[1])
        yield Match("the order of the legal actions", False, separately(ranks, others), met)

    tried = []
    for match in matches():
        agreement = trial(match, TRIED_PLAYS)
        if agreement.is_whole and (match.is_strict or _holds(agreement, match, trial)):
            return agreement, match
        tried.append((agreement, match))
    return max(tried, key=lambda pair: (pair[0].names, pair[0].everything))


def _holds(agreement: Agreement, match: Match, trial: Callable[[Match, int], Agreement]) -> bool:
    """Whether random plays agree in everything, in enough positions."""
    positions, plays = agreement.names, TRIED_PLAYS
    while agreement.is_same and positions < ENOUGH_POSITIONS and plays < LEARNED_PLAYS:
        agreement = trial(match, TRIED_PLAYS)
        positions, plays = positions + agreement.names, plays + TRIED_PLAYS
    return agreement.is_same


def _with_equal_names(read: Reading, equal_names: Mapping[str, str], met: set[str]) -> Reading:
    def with_equal_names(actor: Actor, name: str, rank: int) -> Key:
        if name not in equal_names:
            return read(actor, name, rank)
        met.add(name)
        return "equal", equal_names[name]

    return with_equal_names if equal_names else read


def _by_values(here: NameSample, there: NameSample) -> Iterable[tuple[str, Reading, Reading]]:
    """The ways to read names by the ranks of their values."""
    for swaps, columns, rows in product((False, True), repeat=3):
        said = [
            "columns and rows exchanged" * swaps,
            "columns counted from the other side" * columns,
            "rows counted from the other side" * rows,
        ]
        way = ", ".join(["the same arguments", *filter(None, said)])
        flips = columns, rows
        yield way, _by_ranks(here, False, (False, False)), _by_ranks(there, swaps, flips)


def _whole(actor: Actor, name: str, rank: int) -> Key:
    return name


def _plain(actor: Actor, name: str, rank: int) -> Key:
    return _lower(name)


@cache
def _lower(name: str) -> Key:
    return tokens_of(name.lower())


EQUAL = (("the same names", _whole, _whole), ("the same words and numbers", _plain, _plain))
"""The strict ways to read names, for which no names are sampled."""


def _rank(actor: Actor, name: str, rank: int) -> Key:
    return rank


def _by_ranks(sample: NameSample, swaps: bool, flips: tuple[bool, bool]) -> Reading:
    """The ranks of the varied values of a name."""

    @cache
    def key(actor: Actor, name: str) -> Key:
        ((kind, ((ranks, _),)),) = sample.by_kind(actor, [Choice(0, name)]).items()
        if kind[1] < 0:
            return ("unknown", name)
        sizes = (size for size, _ in sample.sizes(kind))
        values = list(zip(ranks, sizes, strict=True))
        if swaps and len(values) % 2 == 0:
            values = [values[number ^ 1] for number in range(len(values))]
        return tuple(
            size - 1 - value if flips[number % 2] else value
            for number, (value, size) in enumerate(values)
        )

    return lambda actor, name, rank: key(actor, name)
