"""What is worked out before a game starts, and what waits for the state."""

from __future__ import annotations

import dataclasses

import pytest

from gamedsl.model import nodes
from gamedsl.model.builtins import BUILTINS, OPERATIONS, OPERATORS, Builtin, Operation, row_of
from gamedsl.model.operations import REDUCTIONS, OperationError
from gamedsl.model.semantics.evaluate import (
    NO_NAMES,
    Evaluation,
    Evaluator,
    Locals,
    NotKnownError,
    evaluate,
)
from gamedsl.model.values import NONE, Value, text_of
from gamedsl.model.walk import within
from tests.unit.model.reading import BOARD, model_of, spoilt

ASKING = spoilt(
    BOARD, "move mark(s in square):\n", "move mark(s in square):\n    let x = QUESTION\n"
)
"""`x` is what is asked about; `s` is the local of slot 0."""


def asked(question: str, **known: Value) -> Value:
    """The value of an expression, told the values of `s` (slot 0) and of nothing else."""
    model = model_of(ASKING.replace("QUESTION", question))
    let = model.moves[0].body[0]
    assert isinstance(let, nodes.Let)
    given = {0: model.atoms[str(known["s"])]} if "s" in known else {}
    return evaluate(let.value, model, Locals(given))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("s + N", "b3"),
        ("s + N + N", "none"),
        ("2*N", "2*N"),
        ("{s, a1} == {a1, s}", "true"),
        ("{s, a1} != {a1, s}", "false"),
        ("[s, a1] == [a1, s]", "false"),
        ("-first(d for d in directions where s + d == s)", "none"),
        ("-first(d for d in directions where s + d == a1)", "NE"),
        ("s in neighbours(a1)", "true"),
        ("true or cell[s] == X", "true"),
        ("count(t for t in neighbours(s) where row(t) == row(s))", "2"),
        ("[row(t) for t in ray(s, S)]", "[1]"),
        ("X if column(s) == 2 else turn", "X"),
        ("next(X)", "O"),
        ("max({row(s), 1})", "2"),
        ("sum(row(t) for t in square)", "18"),
        ("len({s, s, a1})", "2"),
        ("n + 1", "1"),  # nothing assigns n
    ],
)
def test_what_names_alone_decide_is_worked_out(question: str, answer: str) -> None:
    assert text_of(asked(question, s="b2")) == answer


@pytest.mark.parametrize(
    "question",
    [
        "cell[s]",
        "turn",
        "full(cell)",
        "group(cell, s)",
        "false or cell[s] == X",
        "any(cell[t] == X for t in square)",
    ],
)
def test_what_the_state_decides_is_not_known(question: str) -> None:
    with pytest.raises(NotKnownError):
        asked(question, s="b2")


def test_a_local_that_nobody_told_is_not_known() -> None:
    with pytest.raises(NotKnownError):
        asked("row(s)")


def test_what_has_no_answer_says_so() -> None:
    with pytest.raises(OperationError, match="division by zero"):
        asked("1 // (row(s) - 2)", s="b2")


def test_nobody_can_leave_out_whether_a_builtin_can_fail() -> None:
    for kind in (Builtin, Operation):
        field = next(one for one in dataclasses.fields(kind) if one.name == "can_fail")
        assert field.default is dataclasses.MISSING
        assert field.default_factory is dataclasses.MISSING


def test_every_function_of_the_language_has_one_row() -> None:
    assert not set(BUILTINS) & set(OPERATIONS)
    assert set(OPERATIONS) == set(REDUCTIONS) | set(OPERATORS)
    assert all(row_of(name) is row for name, row in BUILTINS.items())


@pytest.mark.parametrize("name", BUILTINS)
def test_a_builtin_has_a_value_unless_it_is_given_a_whole_variable(name: str) -> None:
    row = BUILTINS[name]
    assert (row.value is None) == bool({"array", "cells"} & {*row.parameters})


def test_a_player_who_is_none_has_no_next() -> None:
    following = row_of("next").value
    assert following is not None
    with pytest.raises(OperationError, match="`next` needs a player, found `none`"):
        following(model_of(BOARD))(NONE)


def solutions_of(question: str) -> set[str] | None:
    """The squares `s` for which a condition is said to hold; None where each has to be tried."""
    model = model_of(ASKING.replace("QUESTION", question))
    let = model.moves[0].body[0]
    assert isinstance(let, nodes.Let)

    def is_s(part: nodes.Expr) -> bool:
        return isinstance(part, nodes.Local) and part.slot == 0

    def depends(part: nodes.Expr) -> bool:
        return any(map(is_s, within(part)))

    found = Evaluator(model).solutions(let.value, is_s, depends)
    return None if found is None else {text_of(one) for one in found(Evaluation(NO_NAMES))}


@pytest.mark.parametrize(
    "question",
    [
        "s == a1 + N",
        "a1 + NE == s",
        "s == a1 + S",
        "s in neighbours(b2)",
        "s in {a1, b2} or s == c3 or s in {b2}",
        "any(s == b2 + d for d in directions)",
        "any(s == t + d for t in square where row(t) == 2 for d in {N, E})",
        "any(s in ray(t, E) or s == a1 for t in {a1, b2})",
        "any(s == b2 + d for d in directions where false)",
    ],
)
def test_values_that_a_condition_says_are_those_for_which_it_holds(question: str) -> None:
    squares = [f"{column}{row}" for column in "abc" for row in "123"]
    tried = {s for s in squares if asked(question, s=s) is True}
    assert solutions_of(question) is not None
    assert (solutions_of(question) or set()) - {"none"} == tried


@pytest.mark.parametrize(
    "question",
    [
        "s != a1",
        "s + N == a1",
        "s == s + N",
        "s in neighbours(s)",
        "s == a1 or row(s) == 2",
        "s == a1 and s == b2",
        "any(s == t for t in neighbours(s))",
        "any(s == t for t in square where row(t) == row(s))",
        "all(s == t for t in {a1, b2})",
    ],
)
def test_other_conditions_have_to_be_tried(question: str) -> None:
    assert solutions_of(question) is None
