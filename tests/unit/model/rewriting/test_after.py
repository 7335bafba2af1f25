"""Any expression asked before a move has the value that it has after it."""

from __future__ import annotations

import pytest

from gamedsl.interpreter import RulesInterpreter
from gamedsl.model import nodes
from gamedsl.model.rewriting.after import Asked, after
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.types import Scalar
from tests.unit.model.rewriting.evaluating import Evaluator, arguments, edges, shipped


@pytest.mark.parametrize(
    "name", ["hexapawn", "breakthrough", "connect_small", "nim", "checkers", "antichess"]
)
def test_every_cell_and_the_turn_are_told_for_the_next_state(name: str) -> None:
    model = shipped(name)
    game, evaluator = RulesInterpreter(model), Evaluator(model)
    span = model.moves[0].span
    count = 0
    for state, action, child in edges(game, 1, 4):
        effect = effect_of(model, game.family_of(action).move)
        assert isinstance(effect, Effect)
        questions: list[nodes.Expr] = [nodes.Turn(span, Scalar(atoms=frozenset(model.players)))]
        for variable in model.variables:
            domain = variable.indices[0].values if variable.indices else (None,)
            for value in domain[count % 5 :: 5]:
                kind = Scalar(unknown=True)
                index = () if value is None else (nodes.Const(span, kind, value),)
                questions.append(nodes.Cell(span, kind, variable, index))
        for question in questions:
            told = after(model, effect, question)
            assert isinstance(told, Asked), told
            slots = len(told.slot_names)
            before = evaluator.environment(state, slots, effect, arguments(game, action))
            later = evaluator.environment(child, slots, None, {})
            assert evaluator.value(told.expression, before) == evaluator.value(question, later)
        count += 1
        if count > 20:
            break
    assert count > 5
