"""Tests for all values of a parameter, computed at once by shifts of one set.

The parameter is not a square; its tests have the form `first(q in square where column(q) == c and
...) != none` for every value `c`. The result is a set with one bit for each value that passes, and
the bit number of each value. The squares examined for any two values must be equal up to a shift.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import Value, lookup
from gamedsl.compiler.lowering.sets import preimages, quantified, square_sets
from gamedsl.compiler.lowering.sets.square_sets import Bits
from gamedsl.compiler.lowering.values import expressions
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Known, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.walk import conjuncts
from gamedsl.source.records import dataclass

FEWEST = 3

MOST_SHIFTS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """The test whether a fixed mask and a set have a common square."""

    mask: int
    bits: Bits


@dataclass(frozen=True, slots=True)
class Passing:
    """The values of a parameter that pass.

    Attributes:
        bits: a set with a bit for each passing value.
        places: the bit number of every value.
    """

    bits: Bits
    places: tuple[int, ...]

    @property
    def is_ordered(self) -> bool:
        """Whether the bits are in the order of the values."""
        return list(self.places) == sorted(self.places)

    def digit_at(self, place: Value) -> Value:
        """The digit in the domain of the value whose bit is number `place`."""
        first, last = self.places[0], self.places[-1]
        digits = [0] * (last - first + 1)
        for digit, bit in enumerate(self.places):
            digits[bit - first] = digit
        return (
            place - first
            if digits == [*range(len(digits))]
            else lookup(tuple(digits), place - first)
        )


def passing_values(
    lowering: Lowering, parameter: nodes.Parameter, tests: tuple[nodes.Expr, ...], scope: Scope
) -> Passing | None:
    """The values of a parameter that pass; None if the tests cannot be computed at once."""
    if not lowering.does(Strategy.PARALLEL_TESTS):
        return None
    values = parameter.values.values
    if len(values) < FEWEST or not lowering.codes.squares:
        return None
    members: list[Part] = []
    for value in values:
        inner = scope.having(parameter.slot, Known(value))
        lowered = [_part(lowering, test, inner) for test in tests]
        parts = [part for part in lowered if part is not True]
        if len(parts) != 1 or not isinstance(parts[0], Part) or not parts[0].mask:
            return None
        members.append(parts[0])
    starts = [member.mask & -member.mask for member in members]
    shapes = {m.mask // start for m, start in zip(members, starts, strict=True)}
    sets = {member.bits for member in members}
    if len(shapes) > 1 or len(sets) > 1 or len(set(starts)) < len(starts):
        return None
    bits = _gathered(sets.pop(), shapes.pop(), sum(starts))
    places = tuple(start.bit_length() - 1 for start in starts)
    return None if bits is None else Passing(bits, places)


def _part(lowering: Lowering, test: nodes.Expr, scope: Scope) -> Part | bool | None:
    """A test as a part; True if the test always holds; None if the test has a different form."""
    node, scope = expressions.opened(lowering, test, scope)
    if lowering.evaluator.known(node, scope) is True:
        return True
    if lowering.can_fail(node):
        return None
    match node:
        case nodes.Compare(operator="!="):
            asked = quantified.asked_end(lowering, node, scope)
            return None if asked is None else _some(lowering, asked[0], [], asked[1])
        case nodes.Comprehension(kind="any", clauses=(clause,)):
            return _some(lowering, clause, [node.element], scope)
    return None


def _some(
    lowering: Lowering, clause: nodes.Clause, tests: list[nodes.Expr], scope: Scope
) -> Part | None:
    """The test that some square of a clause passes: the known part as mask, the rest as set."""
    mask, bits = preimages.set_of(lowering, clause.domain, scope), lowering.sets.everything
    if mask is None or not mask.is_const:
        return None
    for test in [*tests, *(conjuncts(clause.condition) if clause.condition else [])]:
        passing = square_sets.lifted(lowering, test, clause.slot, scope)
        if passing is None:
            return None
        if passing.is_const:
            mask = mask & passing
        else:
            bits = bits & passing
    return None if bits.is_const else Part(mask.const, bits)


def _gathered(bits: Bits, shape: int, starts: int) -> Bits | None:
    """For every start, whether some square at the offsets in `shape` is in the set. The set is
    shifted back by each offset, by doubling where the offsets are evenly spaced.
    """
    places = [n for n in range(shape.bit_length()) if shape >> n & 1]
    step = places[1] if len(places) > 1 else 0
    some = bits
    if places == [step * n for n in range(len(places))]:
        reached = 1
        while reached < len(places):
            more = min(reached, len(places) - reached)
            some = some | some >> step * more
            reached += more
    elif len(places) > MOST_SHIFTS:
        return None
    else:
        for place in places[1:]:
            some = some | bits >> place
    return some & starts
