"""Rules of algebra, each from one operation to a shorter value: the table `RULES`.

A rule takes a value with fully shortened arguments. The result equals the first value wherever the
first value has a result; unchanged values stay the same object. Parts that can fail are kept in
order. Sets stay non-negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import islice, pairwise

from gamedsl.compiler.ir.rewrite import remade
from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import (
    BOOL,
    Op,
    Value,
    _shift,
    all_of,
    any_of,
    highest,
    integer,
    make,
    not_,
    number,
    select,
    to_int,
    truth,
)
from gamedsl.compiler.passes.ranges import decided
from gamedsl.source.records import dataclass

LARGE = 24
"""Operations from which a value is not computed without need, even at the cost of a test."""
COMPARISONS = frozenset({Op.EQ, Op.NE, Op.LT, Op.LE})


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        example: a value as the dump shows it, before and after.
        change: gives the shorter value, or None.
    """

    example: str
    ops: frozenset[Op]
    change: Callable[[Value], Value | None]


def shorter(value: Value) -> Value:
    """A value after all applicable rules."""
    for rule in _BY_OP.get(value.op, ()):
        rewritten = rule.change(value)
        if rewritten is not None:
            return shorter(rewritten)
    return value


# --- choices -----------------------------------------------------------------------------------


def _known_comparison(value: Value) -> Value | None:
    if value.can_fail:
        return None
    known = decided(value.op, *value.args)
    return None if known is None else truth(known)


def _compared_choice(value: Value) -> Value | None:
    left, right = value.args
    for chosen, fixed, is_left in ((left, right, True), (right, left, False)):
        arms = _arms(chosen) if fixed.is_const else None
        if arms is None:
            continue
        then, otherwise = (
            shorter(remade(value, (arm, fixed) if is_left else (fixed, arm))) for arm in arms
        )
        if then.is_const or otherwise.is_const:
            return _choice(chosen.args[0], then, otherwise)
    return None


def _arms(value: Value) -> tuple[Value, Value] | None:
    if value.op is Op.TO_INT:
        return integer(1), integer(0)
    return (value.args[1], value.args[2]) if value.op is Op.SELECT else None


def _choice(test: Value, then: Value, otherwise: Value) -> Value:
    """A choice between truth values, at least one known."""
    if then.is_const and otherwise.is_const and not test.can_fail and then is otherwise:
        return then
    if then.is_const:
        if then.const:
            return shorter(any_of([test, otherwise]))
        return shorter(all_of([shorter(not_(test)), otherwise]))
    if otherwise.const:
        return shorter(any_of([shorter(not_(test)), then]))
    return shorter(all_of([test, then]))


def _same_end(value: Value) -> Value | None:
    test, then, otherwise = value.args
    if then.op is Op.SELECT and then.args[2] is otherwise:
        return select(all_of([test, then.args[0]]), then.args[1], otherwise)
    if otherwise.op is Op.SELECT and otherwise.args[1] is then:
        return select(any_of([test, otherwise.args[0]]), then, otherwise.args[2])
    if otherwise.op is Op.SELECT and otherwise.args[2] is then:
        joined = any_of([test, shorter(not_(otherwise.args[0]))])
        return select(joined, then, otherwise.args[1])
    return None


# --- bits --------------------------------------------------------------------------------------


def _lowest_bit(value: Value) -> Value | None:
    unit, places = value.args
    if not unit.is_const or unit.const != 1 or places.op is not Op.LOWEST:
        return None
    squares = places.args[0]
    return squares & -squares if squares.type is value.type and _is_set(value) else None


def _sure_shift(value: Value) -> Value | None:
    shifted, places = value.args
    if places.op is not Op.SELECT or places.args[0].can_fail:
        return None
    _, then, otherwise = places.args
    if otherwise.is_const and otherwise.const < 0:
        return _shift(value.op, shifted, then)
    if then.is_const and then.const < 0:
        return _shift(value.op, shifted, otherwise)
    return None


def _has_lowest(value: Value) -> Value | None:
    tested, zero = value.args
    if not (zero.is_const and zero.const == 0 and tested.op is Op.AND):
        return None
    moved, unit = tested.args
    if moved.op is not Op.SHR or not (unit.is_const and unit.const == 1):
        return None
    squares, places = moved.args
    if places.op is not Op.LOWEST or places.args[0].type is not squares.type:
        return None
    candidates = places.args[0]
    return (
        make(value.op, BOOL, (squares & (candidates & -candidates), zero))
        if _is_set(squares)
        else None
    )


def _said_by_end(value: Value) -> Value | None:
    """A set whose lowest or highest square passes a test is not empty: the test for non-emptiness
    is dropped, with its unpredictable branch.
    """
    for place, (some, tested) in enumerate(pairwise(value.args)):
        is_some = some.op is Op.NE and some.args[1].is_const and some.args[1].const == 0
        if not is_some or value.can_fail or not _is_set(some.args[0]):
            continue
        without = _without_end(some.args[0], tested)
        if without is not None:
            return all_of([*value.args[:place], without, *value.args[place + 2 :]])
    return None


def _without_end(squares: Value, tested: Value) -> Value | None:
    """The test of the lowest or highest square of a set, if the test is false for the empty set;
    else None.
    """
    intersection = _met(tested)
    if intersection is None:
        return None
    if squares & -squares in intersection.args:
        return tested
    moved, unit = intersection.args
    is_bit = moved.op is Op.SHR and unit.is_const and unit.const == 1
    if not is_bit or moved.args[1].op is not Op.HIGHEST or moved.args[1].args[0] is not squares:
        return None
    return (((squares & moved.args[0]) >> highest(squares | 1)) & 1).ne(0)


def _met(test: Value) -> Value | None:
    """The intersection that a test says is not empty; None for another test."""
    if test.op is not Op.NE or not (test.args[1].is_const and test.args[1].const == 0):
        return None
    return test.args[0] if test.args[0].op is Op.AND else None


def _until_end(value: Value) -> Value | None:
    test, then, otherwise = value.args
    is_none = otherwise.is_const and otherwise.const == 0
    intersection = _met(test)
    if intersection is None or not is_none or value.can_fail or not _is_set(value):
        return None
    moved, ends = intersection.args
    if ends.op is Op.AND and ends.args[1] is -ends.args[0]:
        squares = _without(then, ends.args[0] - 1, ~ends.args[0])
        return None if squares is None else squares & (intersection - to_int(intersection.ne(0)))
    is_bit = moved.op is Op.SHR and ends.is_const and ends.const == 1
    if not is_bit or moved.args[1].op is not Op.HIGHEST or moved.args[0].op is not Op.AND:
        return None
    holding, place = moved.args
    ends, bit = holding.args[0], number(1, value.type) << place
    end = ends & bit
    squares = _without(then, ~((end << 1) - (end >> place)))
    return None if squares is None else squares & -((holding & bit) << 1)


def _end_of_any(value: Value) -> Value | None:
    """The set of the lowest or highest square, without a branch: empty for the empty set."""
    test, then, otherwise = value.args
    is_some = test.op is Op.NE and test.args[1].is_const and test.args[1].const == 0
    if not (is_some and otherwise.is_const and otherwise.const == 0 and _is_set(value)):
        return None
    squares = test.args[0]
    if squares.can_fail or squares.type is not value.type:
        return None
    if then is squares & -squares:
        return then
    unit = number(1, value.type)
    if then is unit << highest(squares):
        return squares & unit << highest(squares | 1)
    return None


def _without(value: Value, *factors: Value) -> Value | None:
    """An intersection without some of its factors; None if a factor is missing."""
    present: list[Value] = []
    pending = [value]
    while pending:
        factor = pending.pop()
        if factor.op is Op.AND and factor not in factors:
            pending += reversed(factor.args)
        else:
            present.append(factor)
    rest = [part for part in present if part not in factors]
    if not rest or any(factor not in present for factor in factors):
        return None
    return reduce(lambda left, right: left & right, rest)


def _masked_choice(value: Value) -> Value | None:
    for chosen, mask in (value.args, value.args[::-1]):
        if chosen.op is not Op.SELECT or mask.can_fail or chosen.type is not value.type:
            continue
        test, then, otherwise = chosen.args
        if not ((then.is_const and otherwise.is_const) or _is_large(mask)):
            continue
        if otherwise.is_const and otherwise.const == 0:
            return select(test, shorter(then & mask), otherwise)
        if then.is_const and then.const == 0:
            return select(test, then, shorter(otherwise & mask))
    return None


def _is_large(value: Value) -> bool:
    """Whether a value is large enough to avoid its evaluation."""
    return sum(1 for _ in islice(parts(value), LARGE)) == LARGE


def _is_set(value: Value) -> bool:
    return value.type.kind == "bits"


def _rule(example: str, change: Callable[[Value], Value | None], *ops: Op) -> Rule:
    return Rule(example, frozenset(ops), change)


RULES: dict[str, Rule] = {
    "known comparison": _rule("lowest(x) != -2 -> True", _known_comparison, *COMPARISONS),
    "compared choice": _rule(
        "select(c, lowest(x), -2) == -2 -> not c", _compared_choice, *COMPARISONS
    ),
    "same end": _rule(
        "select(c, a, select(d, a, b)) -> select(c or d, a, b)", _same_end, Op.SELECT
    ),
    "lowest bit": _rule("1 << lowest(x) -> x & -x", _lowest_bit, Op.SHL),
    "sure shift": _rule("x << select(c, n, -2) -> x << n", _sure_shift, Op.SHL, Op.SHR),
    "has lowest": _rule("x >> lowest(y) & 1 != 0 -> x & (y & -y) != 0", _has_lowest, Op.EQ, Op.NE),
    "said by end": _rule("x != 0 and y & (x & -x) != 0 -> y & (x & -x) != 0", _said_by_end, Op.ALL),
    "until end": _rule(
        "select(y & (x & -x) != 0, z & x - 1 & ~x, 0) -> z & w - int(w != 0), w = y & (x & -x)",
        _until_end,
        Op.SELECT,
    ),
    "end of any": _rule("select(x != 0, x & -x, 0) -> x & -x", _end_of_any, Op.SELECT),
    "masked choice": _rule("select(c, full, 0) & x -> select(c, x, 0)", _masked_choice, Op.AND),
}
"""All rules by name, in the order of application."""

_BY_OP = {op: tuple(rule for rule in RULES.values() if op in rule.ops) for op in Op}
