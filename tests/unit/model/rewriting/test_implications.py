"""An implication told by the form of two conditions holds in every state."""

from __future__ import annotations

from itertools import product

from gamedsl.model import Model, State, nodes
from gamedsl.model.rewriting.implications import Implications
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms
from tests.unit.model.reading import model_of
from tests.unit.model.rewriting.evaluating import Evaluator

CONDITIONS = """a[1] == 1
a[1] == 1 and a[2] == 1
a[1] == 1 or a[2] == 1
a[1] == 1 or a[3] == 2
not (a[1] == 1 or a[2] == 1)
not a[1] == 1
all(a[i] == 1 for i in 1..3)
all(a[i] == 1 and b for i in 1..3)
all(a[i] == 1 or b for i in 1..3)
all(a[i] == 1 for i in 1..2)
any(a[i] == 1 for i in 1..3)
any(a[i] == 1 and b for i in 1..3)
any(a[i] == 1 for i in 1..3 where b)
all(any(a[i] == 1 and a[j] == 1 for j in 1..3) for i in 1..3)
all(any(a[j] == 1 for j in 1..3) for i in 1..3)
ones(1)
ones(1) and b
(ones(2) or b) and ones(1)
not ones(1) and b
(a[1] == 1 if b else a[2] == 1)
turn == X and a[1] == 1""".splitlines()
RULES = """game "Conditions"
players X, O
state:
    a[1..3]: 0..2 = 0
    b: bool = false
def ones(n) = all(a[i] == n for i in 1..3)
move change(i in 1..3, n in 0..2):
    a[i] = n
    b = not b
end:
"""


def conditions(model: Model) -> list[nodes.Expr]:
    return [branch.branches[0][0] for branch in model.end if isinstance(branch, nodes.Branch)]


def test_what_is_implied_by_form_is_implied_in_all_states() -> None:
    ends = "".join(f"    if {condition}: draw\n" for condition in CONDITIONS)
    model = model_of(RULES + ends)
    tests = conditions(model)
    rewriter = Rewriter(Terms(None, model.players), model.slot_names)
    known, evaluator = Implications(rewriter), Evaluator(model)
    cells = product(range(3), range(3), range(3), range(2))
    states = [State(digits, turn) for digits in cells for turn in range(2)]
    slots = len(rewriter.slot_names)
    held = [
        [
            evaluator.value(test, evaluator.environment(state, slots, None, {})) is True
            for state in states
        ]
        for test in tests
    ]
    told = {
        (CONDITIONS[i], CONDITIONS[j])
        for i, j in product(range(len(tests)), repeat=2)
        if i != j and known.implies(tests[i], tests[j])
    }
    really = {
        (CONDITIONS[i], CONDITIONS[j])
        for i, j in product(range(len(tests)), repeat=2)
        if all(not one or other for one, other in zip(held[i], held[j], strict=True))
    }
    assert told <= really
    assert ("all(a[i] == 1 and b for i in 1..3)", "all(a[i] == 1 for i in 1..3)") in told
    assert ("(ones(2) or b) and ones(1)", "ones(1)") in told
    assert ("not (a[1] == 1 or a[2] == 1)", "not a[1] == 1") in told
    assert ("turn == X and a[1] == 1", "a[1] == 1 or a[3] == 2") in told
    assert len(told) > 20


def test_a_condition_is_shortened_by_those_known_to_fail() -> None:
    ends = "    if (ones(2) or ones(1) or b) and ones(1): draw\n    if ones(1) or b: draw\n"
    model = model_of(RULES + ends)
    first, second = (
        branch.branches[0][0] for branch in model.end if isinstance(branch, nodes.Branch)
    )
    known = Implications(Rewriter(Terms(None, model.players), model.slot_names))
    false = known.all_false([first])
    assert len(false) == 1
    assert known.implies(first, false[0])
    assert known.implies(false[0], first)
    assert isinstance(known.without(second, false), nodes.Cell)
