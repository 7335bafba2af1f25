"""Sets of equal form in a union become one vector; their union is as before."""

from __future__ import annotations

from functools import reduce
from operator import or_

import pytest

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Value, bind, bits, name
from gamedsl.compiler.printers.llvm import print_llvm
from gamedsl.compiler.printers.llvm_vectors import LANES
from tests.unit.compiler.compiling import linked

pytest.importorskip("llvmlite")

BOARD = bits(64)
X, Y = name("x", BOARD), name("y", BOARD)
MASK = (1 << 64) - 1
SAMPLES = ((0, 0), (MASK, MASK), (0x123456789ABCDEF, 0xFEDCBA9876543210), (1 << 63 | 1, 0xFF00FF))


def slide(step: int, start: Value = X) -> Value:
    """The squares behind a run through `y`."""
    run = bind(f"t_{step}", start >> step & Y)
    return (run | name(f"t_{step}", BOARD) >> step & Y) >> step & MASK >> step


def slid(step: int, start: int, y: int) -> int:
    """The same of numbers."""
    run = start >> step & y
    return (run | run >> step & y) >> step


def function_of(value: Value) -> ir.Function:
    return ir.Function("f", (X, Y), (ir.Return((value,)),))


def text_of(value: Value) -> str:
    return print_llvm({"f": function_of(value)}, "f", ("integer", "integer"))


def union(*sets: Value) -> Value:
    return reduce(or_, sets)


def test_sets_of_equal_form_are_a_vector_in_any_order() -> None:
    value = union(*map(slide, range(1, LANES)), Y & 7, slide(LANES))
    assert text_of(value).count("call i64 @llvm.vector.reduce.or") == 1
    find = linked(function_of(value), "integer", "integer")
    for x, y in SAMPLES:
        right = reduce(or_, (slid(step, x, y) for step in range(1, LANES + 1)), y & 7)
        assert find(x, y) & MASK == right


def test_a_part_that_all_sets_read_is_written_once() -> None:
    first = bind("start", X & ~Y)
    starts = (first, *[name("start", BOARD)] * (LANES - 1))
    value = union(*(slide(step, start) for step, start in enumerate(starts, 1)))
    assert "vector.reduce" in text_of(value)
    find = linked(function_of(value), "integer", "integer")
    for x, y in SAMPLES:
        assert find(x, y) & MASK == reduce(
            or_, (slid(step, x & ~y, y) for step in range(1, LANES + 1))
        )


@pytest.mark.parametrize("last", [slide(4, Y), slide(4) & X, X >> 4])
def test_sets_of_other_forms_stay_apart(last: Value) -> None:
    assert "vector.reduce" not in text_of(union(*map(slide, range(1, LANES)), last))


def test_a_name_bound_in_a_lane_can_be_read_behind() -> None:
    value = union(*map(slide, range(1, LANES + 1))) & name("t_2", BOARD)
    find = linked(function_of(value), "integer", "integer")
    for x, y in SAMPLES:
        whole = reduce(or_, (slid(step, x, y) for step in range(1, LANES + 1)))
        assert find(x, y) & MASK == whole & (x >> 2 & y)
