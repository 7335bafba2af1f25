"""Tests of sets that are worked out alike, united for LLVM."""

from __future__ import annotations

import pytest

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import (
    INT,
    Value,
    any_of,
    bind,
    bits,
    guard,
    integer,
    lookup,
    name,
    select,
)
from gamedsl.compiler.printers.llvm import print_llvm
from gamedsl.compiler.printers.llvm_lanes import LARGE, together
from tests.unit.compiler.compiling import linked

pytest.importorskip("llvmlite")

BOARD = bits(64)
X, Y, N = name("x", BOARD), name("y", BOARD), name("n", INT)


def line(step: int, board: Value = X) -> Value:
    """Whether there are three in a row."""
    pairs = name(f"t_{step}", BOARD)
    return ((bind(pairs.name, board & board >> step) & pairs >> step) & (1 << step) - 1).ne(0)


LINES = tuple(map(line, (1, 2, 3, 4)))


def test_four_tests_of_one_form_are_one() -> None:
    (joined,) = together(LINES)
    sets = [one.args[0] for one in LINES]
    assert joined is (sets[0] | sets[1] | sets[2] | sets[3]).ne(0)
    other = Y.ne(0)
    assert together((other, *LINES, other, *LINES)) == (other, joined, other, joined)


@pytest.mark.parametrize(
    "other",
    [
        line(4, Y),
        line(4).args[0].eq(0),
        N.ne(0),
        (guard(N.lt(3), X, 0) & X >> 4 & 7).ne(0),
        (lookup((1, 2, 3), N, BOARD) & X).ne(0),
    ],
)
def test_others_stay_apart(other: Value) -> None:
    tests = (*LINES[:3], other)
    assert together(tests) == tests


def test_what_is_large_is_not_worked_out_in_vain() -> None:
    large = X
    for step in range(LARGE):
        large = large | Y >> step & 3
    tests = tuple((large & place).ne(0) for place in (1, 2, 4, 8))
    assert together(tests) == tests


def test_they_hold_where_one_of_them_does() -> None:
    result = select(any_of(LINES), integer(1), integer(0))
    function = ir.Function("f", (X,), (ir.Return((result,)),))
    assert "decided" not in print_llvm({"f": function}, "f", ("integer",))
    find = linked(function, "integer")
    for squares in (*range(64), 0b1010101, 0b1001001001, 0b10001000100010001):
        plain = any(squares & squares >> n & squares >> 2 * n & (1 << n) - 1 for n in (1, 2, 3, 4))
        assert find(squares) == plain
