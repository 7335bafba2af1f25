"""Mistakes put into the compiler on purpose: the comparison of engines finds each of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.bodies import continuations, endings, walks
from gamedsl.compiler.lowering.sets import fills, lines, square_sets
from gamedsl.compiler.lowering.values import cells
from gamedsl.compiler.lowering.values.context import Lowering
from tests.differential.lockstep import Lockstep

Broken = Callable[..., Any]


def never_complements(lowering: Lowering, bits: Any) -> Any:
    return bits


def shifts_over_the_edge(original: Broken) -> Broken:
    def shifted(lowering: Lowering, bits: Any, targets: dict[int, int]) -> Any:
        squares = range(len(lowering.codes.squares))
        steps = {to - n for n, to in targets.items()}
        if len(steps) == 1:
            (step,) = steps
            targets = {n: n + step for n in squares if n + step in squares}
        return original(lowering, bits, targets)

    return shifted


def fills_over_the_edge(original: Broken) -> Broken:
    def fill(goals: Value, passable: Value, distance: int, _: int, length: int) -> Any:
        everywhere = (1 << passable.type.width) - 1
        return original(goals, passable, distance, everywhere, length)

    return fill


def stores_one_cell_too_far(original: Broken) -> Broken:
    def store(lowering: Lowering, place: Any, squares: Value, value: Any) -> None:
        everywhere = (1 << place.variable.size) - 1
        original(
            lowering, place, (squares << 1 | squares >> place.variable.size - 1) & everywhere, value
        )

    return store


def sees_short_lines(original: Broken) -> Broken:
    def line_test(lowering: Lowering, plane: Value, length: int, ways: Any) -> Any:
        return original(lowering, plane, max(1, length - 1), ways)

    return line_test


def never_becomes_true(lowering: Lowering, node: Any, scope: Any, movers: Any) -> bool:
    return False


def never_passes_the_turn(lowering: Lowering, block: Any, player: int) -> None:
    pass


def forgets_a_source(original: Broken) -> Broken:
    def sources(lowering: Lowering, *arguments: Any) -> Any:
        body, found, is_listed = original(lowering, *arguments)
        return body, found[:-1], is_listed

    return sources


def first_difference(name: str) -> str | None:
    game = gamedsl.load(name, "interpreter")
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(1))
    return next((found for found in (together.play(40) for _ in range(5)) if found), None)


@pytest.mark.parametrize("name", ["othello_small", "hexapawn", "tic_tac_toe", "connect_small"])
def test_without_a_mistake_there_is_no_difference(name: str) -> None:
    assert first_difference(name) is None


@pytest.mark.parametrize(
    ("place", "attribute", "broken", "name"),
    [
        (square_sets, "neither", lambda _: never_complements, "othello_small"),
        (fills, "shifted", shifts_over_the_edge, "hexapawn"),
        (fills, "_filled_by_doubling", fills_over_the_edge, "othello_small"),
        (cells, "store_planes", stores_one_cell_too_far, "hexapawn"),
        (lines, "_line_test", sees_short_lines, "tic_tac_toe"),
        (endings, "_may_become_true", lambda _: never_becomes_true, "connect_small"),
        (continuations, "pass_turn", lambda _: never_passes_the_turn, "connect_small"),
        (walks, "_sources", forgets_a_source, "hexapawn"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_in_one_place_is_found(
    place: object, attribute: str, broken: Broken, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, attribute, broken(getattr(place, attribute)))
    assert first_difference(name) is not None
