"""Values of the intermediate representation: equal ones are one object, constants are folded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamedsl.compiler.ir.values import (
    FALSE,
    INT,
    TRUE,
    Value,
    all_of,
    any_of,
    bits,
    call,
    integer,
    lookup,
    lowest,
    name,
    not_,
    number,
    select,
)

N, M = name("n", INT), name("m", INT)
BOARD = bits(9)
X, Y = name("X", BOARD), name("Y", BOARD)


def test_equal_values_are_the_same_object() -> None:
    assert X & (Y >> 3) is X & (Y >> 3)
    assert N + 1 is not N + 2


def test_a_call_that_may_fail_is_another_value_than_a_call_that_cannot() -> None:
    """Games in one process may have functions of one name: what fails in one must in no other."""
    certain = call("legal__f4", (), INT, can_fail=False)
    uncertain = call("legal__f4", (), INT, can_fail=True)
    assert (certain.can_fail, uncertain.can_fail) == (False, True)
    assert select(uncertain.eq(0), N, N) is not N


def test_a_truth_value_is_no_number() -> None:
    assert TRUE is not integer(1)


def test_constants_are_folded() -> None:
    assert integer(3) * 4 + 2 is integer(14)
    assert number(0b101, BOARD) & 0b110 is number(0b100, BOARD)
    assert lookup((7, 8, 9), integer(2)) is integer(9)
    assert lowest(number(0b1000, BOARD)) is integer(3)


def test_what_changes_nothing_is_left_out() -> None:
    assert X & 511 is X
    assert X | 0 is X
    assert N + 0 is N
    assert N * 1 is N
    assert X >> 0 is X
    assert N + 2 - 2 is N


def test_a_condition_that_decides_ends_a_list_of_them() -> None:
    assert all_of([N.eq(1), FALSE, M.eq(2)]) is FALSE
    assert any_of([N.eq(1), FALSE]) is N.eq(1)
    assert all_of([]) is TRUE


def test_what_may_fail_is_kept_before_a_condition_that_decides() -> None:
    risky = call("f", (N,), TRUE.type)
    assert all_of([risky, FALSE]).args == (risky, FALSE)


def test_not_turns_a_comparison_round() -> None:
    assert not_(N.eq(M)) is N.ne(M)
    assert not_(not_(N.lt(M))) is N.lt(M)


def test_a_choice_between_equal_values_is_none() -> None:
    assert select(N.eq(1), M, M) is M
    assert select(TRUE, N, M) is N


numbers = st.integers(-50, 50)


@given(numbers, numbers)
def test_folding_agrees_with_python(one: int, other: int) -> None:
    def known(value: Value) -> int:
        return value.const

    assert known(integer(one) + other) == one + other
    assert known(integer(one) - other) == one - other
    assert known(integer(one) * other) == one * other
    assert known(integer(one).le(other)) == (one <= other)
    if other:
        assert known(integer(one) // other) == one // other
        assert known(integer(one) % other) == one % other
