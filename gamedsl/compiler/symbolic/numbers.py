"""Whole numbers that depend on variables: vectors of decision diagrams.

A number is a tuple of functions, its bits in two's complement, the lowest first; the last bit is
the sign. No number is longer than necessary. Numbers have no width: nothing overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gamedsl.compiler.symbolic.diagrams import Diagrams, Function, NotOnSetsError

Number = tuple[Function, ...]

MOST_CASES = 4096
"""Greatest number of values of a number that is treated value by value."""


class Numbers:
    """Arithmetic on numbers that depend on the variables of `diagrams`."""

    def __init__(self, diagrams: Diagrams) -> None:
        self._diagrams = diagrams
        self._true, self._false = diagrams.true, diagrams.false

    def constant(self, value: int) -> Number:
        """A number that depends on no variable."""
        bits = (self._diagrams.constant(bool(value >> n & 1)) for n in range(value.bit_length()))
        return (*bits, self._diagrams.constant(value < 0))

    def value(self, number: Number) -> int | None:
        """The number, if it depends on no variable."""
        if any(bit != self._true and bit != self._false for bit in number):
            return None
        bits = sum(1 << n for n, bit in enumerate(number[:-1]) if bit == self._true)
        return bits - (1 << len(number) - 1) if number[-1] == self._true else bits

    def of_truth(self, condition: Function) -> Number:
        """1 where a condition holds, else 0."""
        return self.shortened((condition, self._false))

    def shortened(self, bits: Iterable[Function]) -> Number:
        """The number with these bits."""
        left = list(bits)
        while len(left) > 1 and left[-1] == left[-2]:
            left.pop()
        return tuple(left)

    def choose(self, condition: Function, first: Number, second: Number) -> Number:
        """`first` where the condition holds, else `second`."""
        pairs = self._paired(first, second)
        return self.shortened(a if a == b else condition.ite(a, b) for a, b in pairs)

    def cases(self, number: Number) -> Iterator[tuple[Function, int]]:
        """The possible values, each with its condition."""
        cases = [(self._true, -1 << len(number) - 1, number[-1]), (self._true, 0, ~number[-1])]
        left = [(condition & sign, value) for condition, value, sign in cases]
        for place, bit in enumerate(number[:-1]):
            ways = ((bit, 1 << place), (~bit, 0))
            split = [(c & way, value + weight) for c, value in left for way, weight in ways]
            left = [(c, value) for c, value in split if c != self._false]
            if len(left) > MOST_CASES:
                raise NotOnSetsError("a number of so many values")
        return ((c, value) for c, value in left if c != self._false)

    def by_cases(self, function: Callable[[int], Number], number: Number) -> Number:
        """A function of a number, value by value."""
        result: Number | None = None
        for condition, value in self.cases(number):
            known = function(value)
            result = known if result is None else self.choose(condition, known, result)
        assert result is not None, "some value is always taken"
        return result

    def by_both(self, function: Callable[[int, int], int], first: Number, second: Number) -> Number:
        """A function of two numbers, value by value."""
        return self.by_cases(
            lambda a: self.by_cases(lambda b: self.constant(function(a, b)), second), first
        )

    # --- arithmetic ------------------------------------------------------------------------

    def add(self, first: Number, second: Number, carry: Function | None = None) -> Number:
        """The sum, with 1 more where `carry` holds."""
        bits, held = [], self._false if carry is None else carry
        pairs = self._paired(first, second)
        for a, b in (*pairs, pairs[-1]):
            differs = a ^ b
            bits.append(differs ^ held)
            held = (a & b) | (differs & held)
        return self.shortened(bits)

    def subtract(self, first: Number, second: Number) -> Number:
        """The difference."""
        return self.add(first, self.complement(second), self._true)

    def negate(self, number: Number) -> Number:
        """The number times -1."""
        return self.subtract(self.constant(0), number)

    def absolute(self, number: Number) -> Number:
        """The absolute value."""
        return self.choose(number[-1], self.negate(number), number)

    def minimum(self, first: Number, second: Number) -> Number:
        """The smaller number."""
        return self.choose(self.is_less(first, second), first, second)

    def maximum(self, first: Number, second: Number) -> Number:
        """The greater number."""
        return self.choose(self.is_less(first, second), second, first)

    def is_less(self, first: Number, second: Number) -> Function:
        """Whether the first number is the smaller one."""
        return self.subtract(first, second)[-1]

    def is_equal(self, first: Number, second: Number) -> Function:
        """Whether two numbers are equal."""
        return self._diagrams.all_of(~(a ^ b) for a, b in self._paired(first, second))

    # --- sets of squares -------------------------------------------------------------------

    def both(self, first: Number, second: Number) -> Number:
        """`&` of the bits."""
        return self.shortened(a & b for a, b in self._paired(first, second))

    def either(self, first: Number, second: Number) -> Number:
        """`|` of the bits."""
        return self.shortened(a | b for a, b in self._paired(first, second))

    def differing(self, first: Number, second: Number) -> Number:
        """`^` of the bits."""
        return self.shortened(a ^ b for a, b in self._paired(first, second))

    def complement(self, number: Number) -> Number:
        """All bits inverted."""
        return tuple(~bit for bit in number)

    def shift_left(self, number: Number, places: Number) -> Number:
        """The number moved up by some places, which are not negative."""
        return self.by_cases(lambda by: (*(self._false,) * by, *number), places)

    def shift_right(self, number: Number, places: Number) -> Number:
        """The number moved down by some places, which are not negative."""
        return self.by_cases(lambda by: number[max(0, by) :] or number[-1:], places)

    def lowest(self, number: Number) -> Number:
        """The number of the lowest bit of a set."""
        result = self.constant(0)
        for place in reversed(range(len(number) - 1)):
            result = self.choose(number[place], self.constant(place), result)
        return result

    def highest(self, number: Number) -> Number:
        """The number of the highest bit of a set."""
        result = self.constant(0)
        for place, bit in enumerate(number[:-1]):
            result = self.choose(bit, self.constant(place), result)
        return result

    def count(self, number: Number) -> Number:
        """The number of squares of a set."""
        sums = [self.of_truth(bit) for bit in number[:-1]] or [self.constant(0)]
        while len(sums) > 1:
            added = [self.add(a, b) for a, b in zip(sums[::2], sums[1::2], strict=False)]
            sums = added + sums[2 * len(added) :]
        return sums[0]

    def _paired(self, first: Number, second: Number) -> list[tuple[Function, Function]]:
        """The bits of two numbers, with as many signs as the longer number needs."""
        most = max(len(first), len(second))
        longer = [(*bits, *bits[-1:] * (most - len(bits))) for bits in (first, second)]
        return list(zip(*longer, strict=True))
