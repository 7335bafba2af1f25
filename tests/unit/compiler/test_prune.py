"""Dead code that goes, values that are moved to where they are read, and what has to stay."""

from __future__ import annotations

from types import SimpleNamespace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.statements import Assign, Evaluate, Function, If, Module, Return, While
from gamedsl.compiler.ir.values import FALSE, INT, ROW, TRUE, Value, call, guard, integer, name
from gamedsl.compiler.passes.forward import forward
from gamedsl.compiler.passes.prune import prune
from tests.unit.compiler.checked.verify import verify

N, M, K = (name(title, INT) for title in "nmk")
LOCAL, OTHER, OUT = name("x", INT), name("y", INT), name("out", ROW)
FIELDS = SimpleNamespace(fields=(SimpleNamespace(name="k"),))


def pruned(*body: ir.Statement) -> ir.Body:
    module = prune(Module({"f": Function("f", (N, M, K, OUT), body)}, 9, {}), None, 0)  # type: ignore[arg-type]
    verify(module)
    return module.functions["f"].body


def forwarded(*body: ir.Statement) -> ir.Body:
    module = Module({"f": Function("f", (N, M, K, OUT), body)}, 9, {})
    return forward(module, FIELDS, 0).functions["f"].body  # type: ignore[arg-type]


def test_what_nobody_reads_is_not_assigned() -> None:
    assert pruned(Assign(LOCAL, N + M), Assign(OTHER, LOCAL), Return((N,))) == (Return((N,)),)


def test_what_is_assigned_again_before_it_is_read_is_not_assigned() -> None:
    again = (Assign(LOCAL, M), Return((LOCAL,)))
    assert pruned(Assign(LOCAL, N), *again) == again
    stored = ir.Store(OUT, K, integer(0))
    assert pruned(stored, Assign(K, K + 1), Return((N,))) == (stored, Return((N,)))
    one_arm = (Assign(LOCAL, N), If(K.eq(1), (Assign(LOCAL, M),)), Return((LOCAL,)))
    assert pruned(*one_arm) == one_arm


def test_what_the_next_round_reads_is_assigned() -> None:
    counting = (Assign(LOCAL, K), Assign(K, K + 1), ir.Store(OUT, LOCAL, integer(0)))
    rounds = (While(K.lt(N), counting), Return((M,)))
    assert pruned(*rounds) == rounds
    left = If(K.eq(M), (Assign(LOCAL, N), ir.Break()))
    way_out = (Assign(LOCAL, M), While(K.lt(N), (left, Assign(K, K + 1))), Return((LOCAL,)))
    assert pruned(*way_out) == way_out


def test_what_may_break_off_is_worked_out_all_the_same() -> None:
    failing = guard(N.eq(1), M, 3)
    assert pruned(Assign(LOCAL, failing), Return((N,))) == (Evaluate(failing), Return((N,)))


def test_calls_that_write_are_made_though_nobody_reads_what_they_give() -> None:
    writing = call("legal", (OUT, N), INT, can_fail=False)
    assert pruned(Assign(LOCAL, writing), Return((N,))) == (Evaluate(writing), Return((N,)))


def test_nothing_is_left_behind_a_return() -> None:
    both = If(N.eq(0), (Return((M,)),), (Return((K,)),))
    assert pruned(both, Assign(LOCAL, N), Return((LOCAL,))) == (both,)


def test_a_known_test_chooses_its_arm() -> None:
    assert pruned(If(TRUE, (Return((M,)),), (Return((K,)),))) == (Return((M,)),)
    assert pruned(While(FALSE, (Assign(N, M),)), Return((N,))) == (Return((N,)),)


def test_all_of_an_arm_stays_that_takes_the_place_of_its_test() -> None:
    many = tuple(ir.Store(OUT, K, integer(n)) for n in range(3))
    for arms in (If(TRUE, many), If(K.eq(0), many, many)):
        assert pruned(arms, Return((N,))) == (*many, Return((N,)))
        assert pruned(If(M.eq(0), (arms,)), Return((N,))) == (If(M.eq(0), many), Return((N,)))


def test_arms_that_are_alike_are_one() -> None:
    arm = (ir.Comment(1, "a"), Assign(N, M))
    assert pruned(If(K.eq(1), arm, (Assign(N, M),)), Return((N,))) == (*arm, Return((N,)))


def test_an_empty_arm_turns_the_test() -> None:
    found = pruned(If(K.eq(1), (), (Assign(N, M),)), Return((N,)))
    assert found[0] == If(K.ne(1), (Assign(N, M),))


def test_a_value_stands_where_it_is_read() -> None:
    *_, last = forwarded(Assign(LOCAL, N + M), Return((LOCAL * 2,)))
    assert last == Return(((N + M) * 2,))


def test_a_value_is_not_moved_past_what_it_is_made_of() -> None:
    *_, last = forwarded(Assign(LOCAL, N + M), Assign(N, integer(0)), Return((LOCAL,)))
    assert last == Return((LOCAL,))


def unmoved(value: Value) -> bool:
    body = (Assign(LOCAL, value), Return((LOCAL + 1,)))
    return forwarded(*body) == body


def test_what_may_break_off_or_reads_a_row_stays_where_it_is() -> None:
    assert unmoved(guard(N.eq(1), M, 3))
    assert unmoved(call("legal", (OUT, N), INT, can_fail=False))
    assert not unmoved(N + M)


def test_no_value_is_moved_into_a_loop() -> None:
    body = (Assign(LOCAL, N + M), While(N.gt(0), (Assign(N, N - LOCAL),)), Return((N,)))
    assert forwarded(*body) == body


def test_fields_are_read_by_the_state_that_is_given_back() -> None:
    body = (Assign(K, N + M), If(K.eq(1), (Return((N,)),)), ir.ReturnState(integer(0)))
    assert forwarded(*body) == body


def test_a_function_that_always_breaks_off_still_says_what_it_gives() -> None:
    assert pruned(ir.Fault(1, N, M), Return((N, K))) == (ir.Fault(1, N, M), Return((N, K)))
    inside = If(N.eq(0), (ir.Fault(1, N, M), Return((K,))), (ir.Fault(2, N, M), Return((M,))))
    assert [type(one) for one in pruned(inside, Return((N,)))] == [If, Return]


def test_a_branch_that_is_surely_taken_keeps_all_its_statements() -> None:
    stores = tuple(ir.Store(OUT, N, integer(place)) for place in range(4))
    assert pruned(While(M.eq(K), (If(TRUE, stores),)), Return((N,)))[0] == While(M.eq(K), stores)
