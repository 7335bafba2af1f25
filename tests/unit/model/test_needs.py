"""What an expression cannot be evaluated without: never too much."""

from __future__ import annotations

import pytest

from gamedsl.model import nodes
from gamedsl.model.needs import Needs, NeedsOfNodes
from gamedsl.model.semantics.evaluate import Locals, NotKnownError, evaluate
from gamedsl.model.walk import all_expressions
from tests.unit.model.reading import BOARD, model_of, spoilt

MOVE = "move mark(s in square):\n"
ASKING = spoilt(BOARD, MOVE, MOVE + "    let t = s + N\n    let x = QUESTION\n") + (
    "def two_up(q) = q + 2*N\ndef held(q) = cell[q]\n"
)
S = frozenset({0})
T = frozenset({1})


def needs(question: str) -> Needs:
    model = model_of(ASKING.replace("QUESTION", question))
    let = model.moves[0].body[1]
    assert isinstance(let, nodes.Let)
    return NeedsOfNodes().of(let.value)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("a1", Needs()),
        ("s + N", Needs(slots=S)),
        ("row(s) + column(t)", Needs(slots=S | T)),
        ("cell[s]", Needs(state=True, slots=S)),
        ("group(cell, s)", Needs(state=True, slots=S)),
        ("next(turn)", Needs(turn=True)),
        ("s == a1 or cell[s] == X", Needs(slots=S)),
        ("cell[s] == X and t == a1", Needs(state=True, slots=S)),
        ("s if t == a1 else s + N", Needs(slots=S | T)),
        ("s if t == a1 else a2", Needs(slots=T)),
        ("t in neighbours(s)", Needs(slots=S)),
        ("s in {a1, b2}", Needs(slots=S)),
        ("any(cell[q] == X for q in square)", Needs(state=True)),
        ("any(cell[q] == X for q in neighbours(s))", Needs(slots=S)),
        ("any(cell[q] == X for q in square where q != s)", Needs(slots=S)),
        ("any(q + N == r for q in square for r in {s, t})", Needs(slots=S | T)),
        ("two_up(s)", Needs(slots=S)),
        ("held(s)", Needs(state=True, slots=S)),
    ],
)
def test_what_is_read_in_any_case_is_needed_and_nothing_else(question: str, wanted: Needs) -> None:
    assert needs(question) == wanted


def test_what_can_be_evaluated_has_all_that_it_needs() -> None:
    question = "count(q for q in {s, a1} where q == t or cell[q] == X) + (row(s) if t != a1 else 1)"
    model = model_of(ASKING.replace("QUESTION", question))
    asked, tried = NeedsOfNodes(), 0
    squares = {0: model.atoms["b2"], 1: model.atoms["a1"]}
    for slots in (frozenset(), S, T, S | T):
        names = Locals({slot: squares[slot] for slot in slots})
        for node in all_expressions(model.moves[0].body):
            try:
                evaluate(node, model, names)
            except NotKnownError:
                continue
            tried += 1
            assert not asked.of(node).state
            assert asked.of(node).slots <= slots
    assert tried > 20
