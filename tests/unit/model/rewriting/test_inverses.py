"""Moves taken back lead to the state that they were made in."""

from __future__ import annotations

import pytest

from gamedsl.interpreter import RulesInterpreter
from gamedsl.model.rewriting.inverses import Inverse, inverse_of
from gamedsl.model.rewriting.moments import Unknown
from tests.unit.model.reading import HEAP, model_of, spoilt
from tests.unit.model.rewriting.evaluating import Evaluator, arguments, edges, shipped


@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "connect_small", "hexapawn", "nim", "subtraction", "eight_puzzle", "teeko"],
)
def test_every_edge_is_taken_back_to_where_it_came_from(name: str) -> None:
    model = shipped(name)
    game, evaluator = RulesInterpreter(model), Evaluator(model)
    inverses = {move.name: inverse_of(model, move) for move in model.moves}
    count = 0
    for state, action, child in edges(game, 12):
        inverse = inverses[game.family_of(action).move.name]
        assert isinstance(inverse, Inverse), inverse
        effect = inverse.effect
        slots = len(effect.slot_names)
        parent = evaluator.environment(state, slots, effect, arguments(game, action))
        env = evaluator.environment(child, slots, None, dict(enumerate(parent.locals)))
        mover = inverse.movers[model.players[child.turn]]
        assert mover is model.players[state.turn]
        env.turn = mover  # type: ignore[assignment]
        cells = list(child.cells)
        for write in inverse.restored:
            number = 0
            for index, domain in zip(write.indices, write.variable.indices, strict=True):
                number = number * len(domain) + domain.digit[evaluator.value(index, env)]
            digit = write.variable.domain.digit[evaluator.value(write.value, env)]
            cells[write.variable.offset + number] = digit
        assert tuple(cells) == state.cells, game.action_name(state, action)
        count += 1
    assert count > 20


@pytest.mark.parametrize(
    ("name", "move", "reason"),
    [
        ("breakthrough", "slant", "what `man` held before is not pinned by a `require`"),
        ("checkers", "step", "what `quiet` held before is not pinned by a `require`"),
        ("nine_mens_morris", "place", "whether `mill` is written depends on the state"),
        ("pig", "roll", "chance decides in the body"),
    ],
)
def test_what_was_overwritten_and_is_not_pinned_is_named(name: str, move: str, reason: str) -> None:
    model = shipped(name)
    (found,) = (one for one in model.moves if one.name == move)
    assert inverse_of(model, found) == Unknown(reason)


def test_who_moved_must_follow_from_who_is_to_move() -> None:
    text = spoilt(HEAP, "    left -= n", "    left -= n\n    turn = A")
    model = model_of(text)
    reason = "who moved is not told by who is to move"
    assert inverse_of(model, model.moves[0]) == Unknown(reason)
