"""Tests of a family of like sets, one for each value of a parameter, counted at once.

In: a parameter that is no square, and the tests of it: `first(q in square where column(q) == c and
...) != none` for every `c`. Out: a set with one bit for each value that passes, and which bit is
whose. That needs that the squares looked at for one value are those for another, all moved by the
same number of places.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import Value, lookup
from gamedsl.compiler.lowering.sets import lifting, preimages, quantified, square_sets
from gamedsl.compiler.lowering.sets.quantified import conjuncts
from gamedsl.compiler.lowering.sets.square_sets import Bits
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Known, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.source.records import dataclass

FEWEST = 3

MOST_SHIFTS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A test that some square of a fixed mask is in a set."""

    mask: int
    bits: Bits


@dataclass(frozen=True, slots=True)
class Passing:
    """The values of a parameter that pass.

    Attributes:
        bits: a set with a bit for each.
        places: the number of the bit, for every value.
    """

    bits: Bits
    places: tuple[int, ...]

    @property
    def is_ordered(self) -> bool:
        """Whether the bits are in the order of the values."""
        return list(self.places) == sorted(self.places)

    def digit_at(self, place: Value) -> Value:
        """Which value it is, by its place in the domain, of which a bit stands at `place`."""
        first, last = self.places[0], self.places[-1]
        digits = [0] * (last - first + 1)
        for digit, own in enumerate(self.places):
            digits[own - first] = digit
        return (
            place - first
            if digits == [*range(len(digits))]
            else lookup(tuple(digits), place - first)
        )


def passing_values(
    lowering: Lowering, parameter: nodes.Parameter, tests: tuple[nodes.Expr, ...], scope: Scope
) -> Passing | None:
    """Which values of a parameter pass; None if that cannot be told of all at once."""
    if not lowering.does(Strategy.PARALLEL_TESTS):
        return None
    values = parameter.values.values
    if len(values) < FEWEST or not lowering.codes.squares:
        return None
    members: list[Part] = []
    for value in values:
        inner = scope.having(parameter.slot, Known(value))
        found = [_part(lowering, test, inner) for test in tests]
        parts = [one for one in found if one is not True]
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
    """A test as a part; True if it surely holds; None if it is another kind of test."""
    node, scope = preimages.opened(lowering, test, scope)
    if square_sets.known_value(lowering, node, scope) is True:
        return True
    if lowering.safety.can_fail(node):
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
    """That some square of a clause passes: what is known of them now, and what is not."""
    mask, bits = preimages.set_of(lowering, clause.domain, scope), lowering.everything_set
    if mask is None or not mask.is_const:
        return None
    for test in [*tests, *(conjuncts(clause.condition) if clause.condition else [])]:
        found = lifting.lifted(lowering, test, clause.slot, scope)
        if found is None:
            return None
        if found.is_const:
            mask = mask & found
        else:
            bits = bits & found
    return None if bits.is_const else Part(mask.const, bits)


def _gathered(bits: Bits, shape: int, starts: int) -> Bits | None:
    """For every start whether one of the squares that lie from it as `shape` says is in the set:
    the set moved back by each of them, by doubling where they are evenly spaced."""
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
