"""Keys of expressions, with and without those that are known already."""

from __future__ import annotations

import gamedsl
from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import Keys, key
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
    keys = Keys()
    plain = [key(one) for one in conditions]
    numbers = [keys.of(one) for one in conditions]
    assert [plain.index(made) for made in plain] == [numbers.index(made) for made in numbers]
    assert len(set(numbers)) > 1
