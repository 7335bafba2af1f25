"""Keys of expressions, with and without those that are known already."""

from __future__ import annotations

import gamedsl
from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import Known, key
from gamedsl.model.walk import expressions_of, statements, within


def test_a_key_is_the_same_whatever_is_known_already() -> None:
    model = gamedsl.load("othello").model
    conditions = [
        part
        for body in (*(move.body for move in model.moves), model.end)
        for statement in statements(body)
        for expression in expressions_of(statement)
        for part in within(expression)
    ]
    assert any(isinstance(one, nodes.Comprehension) for one in conditions)
    known: Known = {}
    assert [key(one, known=known) for one in conditions] == [key(one) for one in conditions]
    assert known
