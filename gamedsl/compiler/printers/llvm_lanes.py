"""Groups of sets of equal form, tested together for emptiness.

`together` takes the operands of an `or` and merges four tests of equal form into one test. LLVM
computes the four sets as a vector of words, which is impossible with a branch on each set. Four
directions of a line then cost little more than one direction. Python gains nothing by merging and
keeps the tests apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import islice

from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import Op, Value

LANES = 4
"""Words in a vector."""
LARGE = 24
"""Operations from which a set is too large to be computed without need."""


def together(tests: Sequence[Value]) -> tuple[Value, ...]:
    """Alternative tests; neighbours of equal form are merged."""
    forms = [_form(test) for test in tests]
    merged: list[Value] = []
    place = 0
    while place < len(tests):
        alike = tests[place : place + LANES]
        if forms[place] is not None and forms[place : place + LANES] == [forms[place]] * LANES:
            sets = (test.args[0] for test in alike)
            merged.append(reduce(lambda left, right: left | right, sets).ne(0))
            place += LANES
        else:
            merged.append(tests[place])
            place += 1
    return tuple(merged)


def _form(test: Value) -> object:
    """The form, apart from constants, of a set tested for non-emptiness; None for other tests."""
    is_test = test.op is Op.NE and test.args[1].is_const and test.args[1].const == 0
    if not is_test or test.can_fail or test.args[0].type.kind != "bits":
        return None
    if sum(1 for _ in islice(parts(test.args[0]), LARGE)) == LARGE:
        return None
    return _but_for_constants(test.args[0], {})


def _but_for_constants(value: Value, bound: dict[str, int]) -> object:
    """The form of a value; names bound inside the value are numbered."""
    if value.is_const:
        return Op.CONST
    if value.is_name:
        return bound.get(value.name, value)
    args = [_but_for_constants(arg, bound) for arg in value.args]
    if value.op is Op.BIND:
        bound[value.name] = len(bound)
        return (value.op, *args)
    return (value.op, value.arg, *args)
