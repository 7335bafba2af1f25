"""Quantities proved to fall or rise do so on every edge of play."""

from __future__ import annotations

import pytest

from gamedsl.interpreter import RulesInterpreter
from gamedsl.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.quantities import Trend, trends
from gamedsl.model.values import text_of
from tests.stages import SHIPPED
from tests.unit.model.reading import HEAP, model_of, spoilt
from tests.unit.model.rewriting.evaluating import edges, shipped


def proved(model: Model) -> tuple[Trend, ...]:
    found = trends(model)
    assert not isinstance(found, Unknown), found
    return found


def bounds(model: Model) -> dict[str, tuple[int, int]]:
    """`cell=empty` and `sum left`, with their bounds."""
    found = {}
    for trend in proved(model):
        name, value = trend.quantity.variable.name, trend.quantity.value
        text = f"sum {name}" if value is None else f"{name}={text_of(value)}"
        found[text] = (trend.low, trend.high)
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tic_tac_toe", {"cell=empty": (-1, -1), "cell=X": (0, 1), "cell=O": (0, 1)}),
        ("connect_four", {"cell=empty": (-1, -1), "cell=Red": (0, 1), "cell=Yellow": (0, 1)}),
        ("hexapawn", {"pawn=empty": (0, 1), "pawn=White": (-1, 0), "pawn=Black": (-1, 0)}),
        ("checkers", {"man=empty": (0, 1), "man=Black": (-1, 0), "man=White": (-1, 0)}),
        ("othello", {"cell=empty": (-1, 0)}),
        ("hex", {"stone=empty": (-1, -1), "stone=Red": (0, 1), "stone=Blue": (0, 1)}),
        ("nim", {"sum left": (-5, -1)}),
        ("teeko", {"sum hand": (-1, 0), "man=empty": (-1, 0)}),
        ("nine_mens_morris", {"sum hand": (-1, 0)}),
        ("domineering", {}),
        ("eight_puzzle", {}),
    ],
)
def test_what_is_proved_of_a_game(name: str, expected: dict[str, tuple[int, int]]) -> None:
    found = bounds(shipped(name))
    assert {one: found.get(one) for one in expected} == expected


@pytest.mark.parametrize("name", SHIPPED)
def test_every_edge_keeps_to_what_is_proved(name: str) -> None:
    model = shipped(name)
    found = trends(model)
    if isinstance(found, Unknown):
        assert found.reason
        return
    for state, action, child in edges(
        RulesInterpreter(model), 1, 6 if model.facts.action_count > 300 else 40
    ):
        for trend in found:
            change = trend.quantity.of(child.cells) - trend.quantity.of(state.cells)
            assert trend.low <= change <= trend.high, (trend.quantity, action, change)


def test_a_change_that_no_require_bounds_is_not_claimed() -> None:
    assert bounds(model_of(HEAP)) == {"sum left": (-3, -1), "sum kept": (0, 0)}
    back = spoilt(HEAP, "    left -= n", "    left = 9 - left")
    assert "sum left" not in bounds(model_of(back))


def test_chance_in_a_body_is_a_reason() -> None:
    assert trends(shipped("pig")) == Unknown("chance decides in the body")
