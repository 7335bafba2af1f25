"""The values met by backward induction: the kernel knows a value by its number alone.

In: payoffs of endings and rewards, as the kernel meets them. Out: the tables by which the kernel
chooses (`RankedValues`: opposed interests; `PairedValues`: any interests, any number of players)
and by which rewards and a discount change a value. Arithmetic is exact, and done once for each
entry of a table. Minimax and max^n (Luckhardt and Irani, "An algorithmic solution of N-person
games", AAAI-86) are the same recursion here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from gamedsl.game.stored_facts import is_fraction, many, refuse_odd
from gamedsl.model import UnsupportedGameError
from gamedsl.model.facts import Facts
from gamedsl.solvers.exact.constant_sum import constant_sum, delays, neutral_payoff
from gamedsl.solvers.exact.ties import Possible, choosable
from gamedsl.solvers.graphs.graph import Vector

RANK = 1 << 43
"""A number greater than all plies."""
RANKS = 1 << 19
"""Number of ranks: the product with `RANK` fits a number of the kernel."""
FIRST_ROOM = 8
"""Values with room in the first tables."""
MOST_VALUES = 4096
"""Greatest number of values: the kernel looks payoffs of endings up in a list."""
MOST_PAIRED = 1024
"""Greatest number of values of which pairs are tabulated."""

MakeRow = Callable[[list[int]], Any]
"""Makes an array of numbers."""


class UnopposedError(UnsupportedGameError):
    """What one player wins the other need not lose."""

    @property
    def other_kind(self) -> type[Values]:
        """The kind of values that does not raise the error."""
        return PairedValues


class ManyTiesError(UnsupportedGameError):
    """Ties lead to too many sets of payoffs."""

    @property
    def other_kind(self) -> type[Values]:
        """The kind of values that does not raise the error."""
        return UntiedValues


class Values(ABC):
    """The values of one run, by number.

    Attributes:
        vectors: payoffs of all players, by number; two numbers may have the same payoffs.
        payoffs, rewards, sums, preferences: arrays, as `induction_kernel` has them.
        room: number of values with room in the tables.
        shares: numbers in a row of payoffs.
        most: greatest number of values; too_many: the error beyond.
        is_ranked: whether a mover chooses by rank and plies.
    """

    is_ranked: ClassVar[bool]
    most: ClassVar[int] = MOST_VALUES
    too_many: ClassVar[type[UnsupportedGameError]] = UnsupportedGameError

    def __init__(self, make_row: MakeRow, facts: Facts, shares: int) -> None:
        """`shares`: numbers in a row of payoffs, at least one more than players."""
        self._make_row, self._facts, self.shares = make_row, facts, shares
        self._players = len(facts.players)
        self._numbers: dict[Hashable, int] = {}
        self._keys: list[Any] = []
        self._paid: list[Vector] = []
        self._endings: set[tuple[int, ...]] = set()
        self.vectors: list[Vector] = []
        self.room = 0
        self.payoffs, self.rewards = make_row([]), make_row([])
        self.sums, self.preferences = make_row([]), make_row([])

    # --- what the kernel asks for ---------------------------------------------------------------

    def add_payoffs(self, row: Sequence[int]) -> None:
        """Give payoffs of an ending, a denominator and numerators, the next number.

        Raises UnopposedError; UnsupportedGameError if there are too many values.
        """
        if tuple(row) not in self._endings:  # else another thread has met it in the same round
            self._endings.add(tuple(row))
            vector = self._vector(row)
            self._append(self._key_of_ending(vector), vector, row)

    def add_reward(self, row: Sequence[int]) -> None:
        """Make a reward known: a denominator and numerators."""
        self._paid.append(self._vector(row))
        self.rewards = self._make_row([*self.rewards, *row])
        self.sums = self._make_row([*self.sums, *[0] * self.room])

    def add_sum(self, reward: int, number: int) -> None:
        """Make the value before an action with a reward known."""
        key = self._key_before(self._keys[number], self._paid[reward])
        known = self._number_of(key)
        self.sums[reward * self.room + number] = known + 1

    @abstractmethod
    def add_pair(self, mover: int, first: int, second: int) -> None:
        """Make known which of two values, in declaration order, a mover chooses."""

    @property
    def rewards_known(self) -> int:
        """Number of known rewards."""
        return len(self._paid)

    # --- numbers --------------------------------------------------------------------------------

    def _vector(self, row: Sequence[int]) -> Vector:
        return tuple(Fraction(share, row[0]) for share in row[1 : 1 + self._players])

    def _before(self, vector: Vector, paid: Vector) -> Vector:
        """Payoffs before an action with a reward."""
        discount = self._facts.discount
        return tuple(share + discount * payoff for share, payoff in zip(paid, vector, strict=True))

    def _number_of(self, key: Hashable) -> int:
        """The number of a value; a value without a number gets the next."""
        if key not in self._numbers:
            self._append(key, self._vector_of(key), [0] * self.shares)
        return self._numbers[key]

    def _append(self, key: Hashable, vector: Vector, row: Sequence[int]) -> None:
        if len(self.vectors) == self.most:
            raise self.too_many("there are too many different payoffs")
        number = len(self.vectors)
        if number == self.room:
            self._enlarge()
        self.vectors.append(vector)
        self._keys.append(key)
        self._numbers.setdefault(key, number)
        self.payoffs = self._make_row([*self.payoffs, *row])
        self._prefer(number, vector)

    def _enlarge(self) -> None:
        before, self.room = self.room, max(FIRST_ROOM, 2 * self.room)
        more = [0] * (self.room - before)
        rows = (self.sums[n * before : (n + 1) * before] for n in range(len(self._paid)))
        self.sums = self._make_row([number for row in rows for number in (*row, *more)])
        self._enlarge_preferences(before)

    @abstractmethod
    def _key_of_ending(self, vector: Vector) -> Hashable:
        """The value of an ending, as it is held."""

    @abstractmethod
    def _key_before(self, key: Any, paid: Vector) -> Hashable:
        """The value before an action with a reward, as it is held."""

    @abstractmethod
    def _vector_of(self, key: Any) -> Vector:
        """The payoffs of a value as it is held."""

    @abstractmethod
    def _prefer(self, number: int, vector: Vector) -> None:
        """Note what is known at once about preferences for a new value."""

    @abstractmethod
    def _enlarge_preferences(self, before: int) -> None:
        """Make room for preferences, from `before` values to `room` values."""

    # --- for files ------------------------------------------------------------------------------

    @property
    def stored(self) -> Mapping[str, Any]:
        """The values as JSON."""
        stored = [self._stored_key(key) for key in self._keys]
        return {"kind": type(self).__name__, "values": stored}

    def restore(self, facts: Mapping[str, Any]) -> None:
        """Take up stored values. Raises SolutionFileError if they are invalid."""
        paid = facts["paid"]
        refuse_odd(facts, {"values": lambda keys: many(self._is_key, len(paid))(keys)})
        for row, stored in zip(paid, facts["values"], strict=True):
            if row[0]:
                self.add_payoffs(row)
            else:
                self._number_of(self._key_from(stored))

    def _stored_key(self, key: Any) -> Any:
        return [str(share) for share in key]

    def _is_key(self, stored: Any) -> bool:
        return many(is_fraction, self._players)(stored)

    def _key_from(self, stored: Any) -> Hashable:
        return tuple(map(Fraction, stored))


class RankedValues(Values):
    """Values of one player, or of two players or sides with opposed interests.

    A mover prefers the higher rank, then the length of play: who is behind delays the end, if
    nothing is paid on the way.
    """

    is_ranked = True

    def __init__(self, make_row: MakeRow, facts: Facts, shares: int) -> None:
        super().__init__(make_row, facts, shares)
        self._firsts: list[Fraction] = []
        self._ranks: dict[Fraction, int] = {}
        self._total: Fraction | None = None

    def add_pair(self, mover: int, first: int, second: int) -> None:
        """Not asked for."""
        raise AssertionError("ranks are known of all values")

    def _key_of_ending(self, vector: Vector) -> Hashable:
        return vector

    def _key_before(self, key: Vector, paid: Vector) -> Hashable:
        return self._before(key, paid)

    def _vector_of(self, key: Vector) -> Vector:
        return key

    def _enlarge_preferences(self, before: int) -> None:
        self.preferences = self._make_row([*self.preferences, *[0] * 4 * (self.room - before)])

    def _prefer(self, number: int, vector: Vector) -> None:
        total = constant_sum({vector}, self._facts.sides)
        if self._total is None:
            self._total = total
        elif total != self._total:
            raise UnopposedError("what one player wins the other need not lose")
        if vector[0] not in self._ranks:
            self._rank(vector[0])
        break_even = neutral_payoff({vector}, self._facts.endless, self._facts.sides)
        assert break_even is not None, "interests are opposed"
        rank = RANK * self._ranks[vector[0]]
        sides = self._facts.sides
        for side in range(2):
            may_delay = self._facts.pays_at_the_end and side in sides
            waits = may_delay and delays(vector, sides.index(side), break_even)
            place = 4 * number + 2 * side
            self.preferences[place] = -rank if side else rank
            self.preferences[place + 1] = 1 if waits else -1

    def _rank(self, first: Fraction) -> None:
        """Give a payoff of the first player a rank between its neighbours."""
        insort(self._firsts, first)
        place = self._firsts.index(first)
        below = self._ranks[self._firsts[place - 1]] if place else 0
        is_last = place + 1 == len(self._firsts)
        above = RANKS if is_last else self._ranks[self._firsts[place + 1]]
        if above - below >= 2:
            self._ranks[first] = (below + above) // 2
            return
        step = RANKS // (len(self._firsts) + 1)
        self._ranks = {payoff: step * (n + 1) for n, payoff in enumerate(self._firsts)}
        for number, vector in enumerate(self.vectors):
            rank = RANK * self._ranks[vector[0]]
            self.preferences[4 * number], self.preferences[4 * number + 2] = rank, -rank


Held = tuple[Vector, Possible]
"""The payoffs by the first best action, and all payoffs under any way to break ties."""


class PairedValues(Values):
    """Values of any number of players with any interests: a mover takes the first action with the
    best payoff for the mover."""

    is_ranked = False
    most = MOST_PAIRED
    too_many: ClassVar[type[UnsupportedGameError]] = ManyTiesError

    def add_pair(self, mover: int, first: int, second: int) -> None:
        """Like `Values.add_pair`."""
        held, rival = self._keys[first], self._keys[second]
        is_later = rival[0][mover] > held[0][mover]
        possible = choosable(mover, (held[1], rival[1]))
        ordered = None if possible is None else tuple(sorted(possible, reverse=True))
        number = self._number_of(((rival if is_later else held)[0], ordered))
        place = (mover * self.room + first) * self.room + second
        self.preferences[place] = 2 * (number + 1) + is_later

    def possible(self, number: int) -> Possible:
        """The payoffs of a value under any way to break ties; None if they are too many."""
        possible: Possible = self._keys[number][1]
        return possible

    def _key_of_ending(self, vector: Vector) -> Hashable:
        return vector, (vector,)

    def _key_before(self, key: Held, paid: Vector) -> Hashable:
        vector, possible = key
        if possible is not None:
            possible = tuple(self._before(each, paid) for each in possible)
        return self._before(vector, paid), possible

    def _vector_of(self, key: Held) -> Vector:
        return key[0]

    def _enlarge_preferences(self, before: int) -> None:
        rows = self.preferences
        enlarged = [0] * (self._players * self.room**2)
        for line in range(self._players * before):
            mover, first = divmod(line, before)
            at = (mover * self.room + first) * self.room
            enlarged[at : at + before] = rows[line * before : (line + 1) * before]
        self.preferences = self._make_row(enlarged)

    def _prefer(self, number: int, vector: Vector) -> None:
        """Nothing is known at once."""

    def _stored_key(self, key: Held) -> Any:
        vector, possible = key
        ties = None if possible is None else [[str(share) for share in each] for each in possible]
        return [[str(share) for share in vector], ties]

    def _is_key(self, stored: Any) -> bool:
        is_vector = many(is_fraction, self._players)
        if not isinstance(stored, list) or len(stored) != 2 or not is_vector(stored[0]):
            return False
        return stored[1] is None or many(is_vector)(stored[1])

    def _key_from(self, stored: Any) -> Hashable:
        vector, ties = stored
        possible = None if ties is None else tuple(tuple(map(Fraction, each)) for each in ties)
        return tuple(map(Fraction, vector)), possible


class UntiedValues(PairedValues):
    """Values without a list of the payoffs under other ways to break ties."""

    too_many = UnsupportedGameError

    def _key_of_ending(self, vector: Vector) -> Hashable:
        return vector, None


KINDS = (RankedValues, PairedValues, UntiedValues)
