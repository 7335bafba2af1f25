"""Each pass on a few lines of the intermediate representation."""

from __future__ import annotations

import pytest

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import with_values
from gamedsl.compiler.ir.statements import Assign, Function, If, Module, Return, Store, While
from gamedsl.compiler.ir.values import (
    BOOL,
    INT,
    ROW,
    Value,
    all_of,
    any_of,
    bits,
    call,
    guard,
    integer,
    load,
    name,
    select,
    truth,
)
from gamedsl.compiler.passes.share import share
from gamedsl.compiler.passes.simplify import simpler
from gamedsl.compiler.printers.dump import dump_function
from gamedsl.compiler.printers.python import print_module
from tests.unit.compiler.checked.verify import MalformedError, verify

N, M, K = (name(title, INT) for title in "nmk")
BOARD = bits(9)
X, Y, FREE = (name(title, BOARD) for title in ("X", "Y", "free"))
OUT = name("out", ROW)
FAMILY = {"X": frozenset({"X", "Y"}), "Y": frozenset({"X", "Y"})}


def module_of(*body: ir.Statement, given: tuple[Value, ...] = (N, M, K, OUT)) -> Module:
    return Module({"f": Function("f", given, body)}, 9, {})


def printed(*body: ir.Statement) -> str:
    return print_module(module_of(*body))


def shared(*body: ir.Statement) -> str:
    module = share(module_of(*body), None, 0)  # type: ignore[arg-type]
    verify(module)
    return print_module(module)


def test_what_comes_twice_is_named_where_it_comes_first() -> None:
    assert "return (t_0 := n + m) * t_0" in shared(Return(((N + M) * (N + M),)))


def test_a_name_given_in_a_test_that_turns_out_to_hold_is_not_lost() -> None:
    stuck, zero = call("stuck", (N,), BOOL), Return((integer(0),))
    test = any_of([(N + M).eq(2), stuck, truth(True)])
    text = shared(If(stuck, (zero,)), If(test, (Return((N + M,)),)), zero)
    assert text.count("n + m") == 1


def test_rows_are_not_shared_since_each_is_written_alone() -> None:
    row, other = (name(title, ROW) for title in ("row", "other"))
    numbers = call("numbers", (integer(3),), ROW, can_fail=False)
    store = Store(row, integer(5), N)
    text = shared(Assign(row, numbers), Assign(other, numbers), store, Return((load(other, N),)))
    assert text.count("= numbers(3)") == 2


def test_what_comes_once_is_not_named() -> None:
    assert ":=" not in shared(Return((N + M * K,)))


def test_a_name_holds_no_longer_than_what_it_was_made_of() -> None:
    text = shared(Assign(K, N + M), Assign(N, integer(0)), Return((K + (N + M),)))
    assert ":=" not in text


def test_a_name_from_behind_and_does_not_hold_outside_of_it() -> None:
    test = all_of([N.eq(0), (M + K).eq(1)])
    text = shared(If(test, (Return((integer(1),)),)), Return((M + K,)))
    assert ":=" not in text


def test_a_name_from_before_a_branch_holds_in_it_and_behind_it() -> None:
    text = shared(If((M + K).eq(1), (Return((M + K,)),)), Return((M + K,)))
    assert text.count("m + k") == 1


def test_a_loop_forgets_what_it_changes() -> None:
    text = shared(Assign(M, K + N), While((K + N).gt(0), (Assign(N, N - 1),)), Return((M,)))
    assert text.count("k + n") == 2


def test_a_row_that_is_written_to_is_read_again() -> None:
    row = load(OUT, N)
    text = shared(Assign(M, row + 1), Store(OUT, integer(5), N), Return((row + 1,)))
    assert text.count("out[n] + 1") == 2


def test_calls_that_write_are_made_every_time() -> None:
    writing = call("legal", (OUT, N), INT)
    assert shared(Return((writing + writing,))).count("legal(") == 2


def nested(depth: int, value: Value) -> Value:
    """A value that occurs in both arms of each of so many choices."""
    for number in range(depth):
        value = select(N.eq(number), value + M, value * K)
    return value


def test_a_large_value_in_both_arms_is_worked_out_before_them() -> None:
    text = shared(Return((nested(30, N + M),)))
    assert len(text) < 3000
    assert text.count("return") == 1


def test_a_large_value_that_may_break_off_becomes_a_function() -> None:
    text = shared(Return((nested(30, guard(N.ne(0), N, 1)),)))
    assert len(text) < 6000
    assert "fault" in text
    assert text.count("_shared__f") > 1


def test_what_is_in_a_loop_condition_stays_there() -> None:
    test = nested(30, K).eq(1)
    text = shared(While(test, (Assign(K, K + 1),)), Return((K,)))
    assert len(text) < 6000
    assert text.index("while") < text.index("n == ", text.index("def f("))


def test_a_small_value_in_both_arms_is_left_there() -> None:
    assert "return n + k + m if n == 0 else (n + k) * k" in shared(Return((nested(1, N + K),)))


def test_what_a_branch_assigns_is_known_in_the_other_one() -> None:
    then, otherwise = (Assign(M, K),), (Assign(M, (K + M) * N),)
    text = shared(Assign(N, (K + M) * N), If(N.eq(1), then, otherwise), Return((M,)))
    assert text.count("k + m") == 1


def test_planes_of_one_array_are_apart() -> None:
    assert simpler(X & (~Y & FREE), FAMILY) is X & FREE
    assert simpler(X & Y, FAMILY).is_const
    assert simpler(X & ~(Y | FREE), FAMILY) is X & ~FREE
    assert simpler(X & ~FREE, FAMILY) is X & ~FREE


def test_expressions_are_printed_with_no_more_parentheses_than_needed() -> None:
    assert "return n + m * k" in printed(Return((N + M * K,)))
    assert "return (n + m) * k" in printed(Return(((N + M) * K,)))
    assert "return n - (m - k)" in printed(Return((N - (M - K),)))
    assert "return 1 if n == m else 2" in printed(
        Return((select(N.eq(M), integer(1), integer(2)),))
    )


def test_an_else_with_one_if_is_elif() -> None:
    text = printed(
        If(N.eq(0), (Return((M,)),), (If(N.eq(1), (Return((K,)),), (Return((N,)),)),)),
    )
    assert "    elif n == 1:\n        return k\n    else:\n" in text


def test_a_negative_set_is_malformed() -> None:
    with pytest.raises(MalformedError, match="negative"):
        verify(module_of(Return((~X,)), given=(X,)))


def test_a_function_that_gives_nothing_back_is_malformed() -> None:
    with pytest.raises(MalformedError, match="gives nothing back"):
        verify(module_of(If(N.eq(0), (Return((M,)),))))


def test_a_test_that_is_a_number_is_malformed() -> None:
    with pytest.raises(MalformedError, match="no truth value"):
        verify(module_of(If(N, (Return((M,)),)), Return((K,))))


def test_a_dump_says_the_types() -> None:
    function = Function("f", (N,), (Assign(name("b", BOOL), N.eq(1)), Return((N,))))
    assert (
        dump_function(function) == "function f(n: int) -> int:\n    b: bool = n == 1\n    return n"
    )


def test_a_dump_writes_sets_in_hexadecimal_and_numbers_in_decimal() -> None:
    board = name("board", bits(64))
    function = Function("f", (N, board), (Return((N + 1346, board & 1346)),))
    assert dump_function(function).endswith("return n + 1346, board & 0x542")


def test_what_stands_in_both_arms_and_may_break_off_is_one_function_called_twice() -> None:
    large = guard(N.ne(0), N, 1)
    for number in range(20):
        large = select(K.eq(number), large + M, M * number)
    text = shared(Return((select(K.eq(50), large * 2, large * 3),)))
    assert text.count("shared__f0(k, n, m)") == 3  # it is defined, and called twice
    assert "shared__f1" not in text
    assert "t_0" not in text


def test_names_that_are_given_are_those_of_no_local() -> None:
    local = name("t_7", INT)
    text = shared(Assign(local, N), Return(((N + M) * (N + M) + local,)))
    assert "(tt_0 := n + m) * tt_0" in text
    assert "t_7 = n" in text


def test_each_field_of_a_statement_has_a_role() -> None:
    roles = {role for fields in ir.ROLES.values() for role in fields.values()}
    assert roles == {"target", "Value", "Body", "int", "str"}  # else parts would be hidden


def test_values_are_read_in_the_order_of_evaluation() -> None:
    end = ir.ReturnState(N, (M, integer(1)), (integer(2),))
    assert ir.values_of(end) == (N, M, integer(1), integer(2))
    store = Store(OUT, M, N)
    assert (ir.values_of(store), ir.targets_of(store)) == ((OUT, M, N), (OUT,))
    assert with_values(end, lambda value: value + 1) == ir.ReturnState(
        N + 1, (M + 1, integer(2)), (integer(3),)
    )
