"""A local is assigned on every way to where it is read, or the module is malformed."""

from __future__ import annotations

import pytest

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.statements import Assign, For, ForEntries, If, Return, While
from gamedsl.compiler.ir.values import (
    INT,
    TRUE,
    Value,
    all_of,
    bind,
    guard,
    integer,
    name,
    select,
)
from tests.unit.compiler.checked.assigned import read_too_early
from tests.unit.compiler.checked.verify import MalformedError, verify

N, X = name("n", INT), name("x", INT)
NAMED = bind("x", N + 1)
SET = Assign(X, N + 1)
GIVE = Return((X,))
IS_ZERO, IS_ONE = N.eq(0), N.eq(1)


def early(*body: ir.Statement) -> Value | None:
    return read_too_early(ir.Function("f", (N,), body))


@pytest.mark.parametrize(
    "body",
    [
        (SET, GIVE),
        (Return((NAMED + X,)),),
        (If(IS_ZERO, (SET,), (SET,)), GIVE),
        (If(IS_ZERO, (SET,), (Return((N,)),)), GIVE),
        (If(NAMED.eq(0), (GIVE,)), GIVE),
        (If(all_of([NAMED.eq(0), X.eq(1)]), (GIVE,)), GIVE),
        (Return((guard(NAMED.eq(0), X, 0, X, X),)),),
        (Return((select(IS_ZERO, bind("x", N), bind("x", N + 1)) + X,)),),
        (While(TRUE, (If(IS_ZERO, (SET, ir.Break())),)), GIVE),
        (While(NAMED.eq(0), (Assign(N, X),)), GIVE),
        (For(X, integer(0), N, (Assign(N, X),)), Return((N,))),
    ],
)
def test_it_is_assigned_on_every_way(body: ir.Body) -> None:
    assert early(*body) is None


@pytest.mark.parametrize(
    "body",
    [
        (GIVE, SET),
        (Assign(X, X + 1), GIVE),
        (Return((X + NAMED,)),),
        (If(IS_ZERO, (SET,)), GIVE),
        (If(all_of([IS_ZERO, NAMED.eq(1)]), (GIVE,)), Return((N,))),
        (Return((select(IS_ZERO, NAMED, N) + X,)),),
        (Return((guard(IS_ZERO, N, 0, NAMED) + X,)),),
        (While(IS_ZERO, (SET,)), GIVE),
        (While(TRUE, (If(IS_ONE, (ir.Break(),)), SET)), GIVE),
        (ForEntries(X, (1, 2), (Assign(N, X),)), GIVE),
    ],
)
def test_it_is_not_assigned_on_some_way(body: ir.Body) -> None:
    assert early(*body) is X


def test_a_module_that_reads_too_early_is_malformed() -> None:
    function = ir.Function("f", (N,), (If(IS_ZERO, (SET,)), GIVE))
    with pytest.raises(MalformedError, match="`x` is read before it is assigned"):
        verify(ir.Module({"f": function}, 9, {}))
