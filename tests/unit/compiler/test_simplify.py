"""Each rule of algebra on its example, and all of them on random values: the worth stays."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.compiler.ir.statements import Function, Module, Return
from gamedsl.compiler.ir.values import (
    BOOL,
    FALSE,
    INT,
    ROW,
    Op,
    Value,
    all_of,
    any_of,
    call,
    guard,
    highest,
    integer,
    lowest,
    make,
    name,
    not_,
    number,
    select,
    to_int,
)
from gamedsl.compiler.passes.facts import without_known
from gamedsl.compiler.passes.ranges import decided, range_of
from gamedsl.compiler.passes.rules import RULES, shorter
from gamedsl.compiler.passes.simplify import simpler, simplifier
from tests.unit.compiler.checked.verify import verify
from tests.unit.compiler.ir_values import BOARD, FULL, Made, NoWorthError, outcome

N, M = (name(title, INT) for title in "nm")
C, D = (name(title, BOOL) for title in "cd")
X, Y, Z = (name(title, BOARD) for title in "XYZ")
NONE, EMPTY = integer(-2), number(0, BOARD)
FIRST = select(X.ne(0), lowest(X), NONE)
PLANES = frozenset({"X", "Y"})
N_SQUARES = number(9, BOARD)
HELD = Y & (X & -X)
HIGH = (X & Y) >> highest(X | 1) & 1
LAST = number(1, BOARD) << highest(X | 1)
BEYOND = ~(((X & LAST) << 1) - ((X & LAST) >> highest(X | 1)))

EXAMPLES: dict[str, tuple[Value, Value]] = {
    "known comparison": (lowest(X).eq(-2), FALSE),
    "compared choice": (FIRST.ne(NONE), X.ne(0)),
    "same end": (select(C, N, select(D, N, M)), select(any_of([C, D]), N, M)),
    "lowest bit": (number(1, BOARD) << lowest(X), X & -X),
    "sure shift": (X >> FIRST, X >> lowest(X)),
    "has lowest": ((X >> lowest(Y) & 1).ne(0), (X & (Y & -Y)).ne(0)),
    "said by end": (
        all_of([X.ne(0), (Y & (X & -X)).ne(0)]),
        (Y & (X & -X)).ne(0),
    ),
    "until end": (select(HELD.ne(0), Z & X - 1 & ~X, EMPTY), Z & HELD - to_int(HELD.ne(0))),
    "end of any": (select(X.ne(0), X & -X, EMPTY), X & -X),
    "masked choice": (select(C, FULL, EMPTY) & X, select(C, X, EMPTY)),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_makes_of_its_example_what_it_says(rule: str) -> None:
    before, after = EXAMPLES[rule]
    assert RULES[rule].change(before) is after


def test_a_comparison_of_a_truth_value_as_a_number_is_that_truth_value() -> None:
    assert shorter(to_int(C).eq(1)) is C
    assert shorter(to_int(C).ne(1)) is not_(C)


def test_a_test_that_has_been_made_is_not_made_again() -> None:
    assert without_known(all_of([C, any_of([all_of([C, D]), N.eq(0)])])) is all_of(
        [C, any_of([D, N.eq(0)])]
    )
    assert without_known(any_of([C, all_of([not_(C), D])])) is any_of([C, D])
    assert without_known(select(C, select(C, N, M), M)) is select(C, N, M)


def test_of_several_tests_the_last_one_left_is_known() -> None:
    inner = select(C, N, select(all_of([not_(C), D]), M, integer(5)))
    value = select(all_of([not_(C), not_(D)]), integer(7), inner)
    assert without_known(value) is select(all_of([not_(C), not_(D)]), integer(7), select(C, N, M))


def test_a_guard_that_has_been_asked_for_is_gone() -> None:
    assert without_known(all_of([C, guard(C, N, 3).eq(1)])) is all_of([C, N.eq(1)])


def test_calls_that_write_are_not_taken_for_made() -> None:
    writing = call("try", (name("out", ROW), N), BOOL)
    value = all_of([writing, writing])
    assert without_known(value) is value


def test_what_may_break_off_is_not_left_out() -> None:
    failing = guard(C, X, 3)
    change = simplifier({})
    for value in (Y & (failing & Y), failing & ~failing, failing | (failing & Y)):
        assert change(value).can_fail


def test_what_fails_first_still_does() -> None:
    one, other = guard(C, N, 1), guard(D, M, 2)
    for value in (not_(one.lt(other)), not_(one.le(other)), select(C, one, N).eq(other)):
        before, after = value, simplifier({})(value)
        names = {"c": False, "d": False, "n": 0, "m": 0}
        assert outcome(before, names) == outcome(after, names)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_values_stay_worth_the_same(data: st.DataObject) -> None:
    made = Made(data.draw)
    value = [made.number, made.truth, made.set][data.draw(st.integers(0, 2))](4)
    change = simplifier({"X": PLANES, "Y": PLANES})
    after = change(value)
    parameters = (N, M, C, D, X, Y, Z)
    verify(Module({"f": Function("f", parameters, (Return((after,)),))}, 5, {}))
    for n, m, c, d, x, y in product((-2, 0, 3), (-2, 1), (0, 1), (0, 1), (0, 5, 20), (0, 2)):
        names = {"n": n, "m": m, "c": bool(c), "d": bool(d), "X": x, "Y": y, "Z": 11 ^ x}
        try:
            expected = outcome(value, names)
        except NoWorthError:
            continue
        assert outcome(after, names) == expected, (value, after, names)


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("same end", select(C, select(D, N, M), M), select(all_of([C, D]), N, M)),
        ("same end", select(C, N, select(D, M, N)), select(any_of([C, not_(D)]), N, M)),
        ("sure shift", X >> select(C, NONE, N), X >> N),
        ("sure shift", X >> select(C, integer(0), N), None),
        ("sure shift", X >> select(C, N, integer(0)), None),
        (
            "said by end",
            all_of([X.ne(0), (Y >> highest(X) & 1).ne(0)]),
            ((X & Y) >> highest(X | 1) & 1).ne(0),
        ),
        ("said by end", all_of([X.ne(0), (Y >> highest(X) & 2).ne(0)]), None),
        ("said by end", all_of([X.ne(0), (Y >> highest(Z) & 1).ne(0)]), None),
        ("until end", select(HIGH.ne(0), Z & BEYOND, EMPTY), Z & -((X & Y & LAST) << 1)),
        ("until end", select(HELD.ne(0), Z & X - 1, EMPTY), None),
        ("until end", select(HELD.ne(0), Y - 1 & ~Y & Z, EMPTY), None),
        ("until end", select(HELD.ne(0), Z & X - 1 & ~X, Y), None),
        (
            "end of any",
            select(X.ne(0), number(1, BOARD) << highest(X), EMPTY),
            X & number(1, BOARD) << highest(X | 1),
        ),
        ("end of any", select(Y.ne(0), X & -X, EMPTY), None),
        ("masked choice", select(C, EMPTY, FULL) & X, select(C, EMPTY, X)),
        ("masked choice", select(C, number(5, BOARD), number(3, BOARD)) & X, None),
    ],
)
def test_a_rule_knows_the_other_forms_and_leaves_alone_what_is_none(
    rule: str, before: Value, after: Value | None
) -> None:
    assert RULES[rule].change(before) is after


@given(st.tuples(*[st.integers(0, 31)] * 3), st.booleans())
def test_what_lies_before_an_end_that_is_held_is_found_without_a_choice(
    sets: tuple[int, int, int], is_low: bool
) -> None:
    test, squares = (HELD, Z & X - 1 & ~X) if is_low else (HIGH, Z & BEYOND)
    value = select(test.ne(0), squares, EMPTY)
    names = dict(zip("XYZ", sets, strict=True))
    after = shorter(value)
    assert after.op is Op.AND
    assert outcome(after, names) == outcome(value, names)


def test_of_planes_moved_alike_only_what_may_meet_is_left() -> None:
    change = simplifier({"X": PLANES, "Y": PLANES})
    run = X & N_SQUARES | X & Z
    assert change((X >> 2) & ((run | Y) >> 2)) is run >> 2
    assert change(((X << 2) & 5) & (((run | Y) << 2) & 5)) is (run << 2) & 5
    assert change((X >> 2) & (Y >> 2)) is number(0, BOARD)
    for value in ((X >> 2) & ((run | Y) >> 1), (X >> 2) & ((run | Z) >> 2)):
        assert change(value) is value


def test_what_is_inside_and_outside_is_nothing_whatever_else_is_inside() -> None:
    assert simpler(make(Op.AND, BOARD, (make(Op.AND, BOARD, (X, Z)), ~X)), {}) is EMPTY


def test_where_a_guard_fails_its_condition_is_false() -> None:
    value = guard(C, select(C, N, M), 3, select(C, N, M), select(C, M, N))
    assert without_known(value) is guard(C, N, 3, M, N)


def test_the_range_of_a_value_is_known_from_its_form() -> None:
    assert decided(Op.LT, to_int(C), integer(2)) is True
    assert decided(Op.LT, to_int(C), integer(1)) is None
    either = select(C, to_int(D), integer(7))
    swapped = select(C, integer(7), to_int(D))
    for value in (either, swapped):
        assert range_of(value) == (0, 7)
        assert range_of(value + 2) == (2, 9)
    assert range_of(select(C, N, integer(7))) == (None, None)
    for place in (1, 2):
        deep, last = to_int(C), to_int(D)
        for other in range(2, 6):
            parts = [integer(other), deep]
            deep, last = select(C, *parts[:: 1 if place == 2 else -1]), deep
        assert range_of(last) == (0, 4)
        assert range_of(deep) == (None, None)  # it is not looked into for ever
