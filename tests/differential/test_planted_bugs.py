"""Mistakes put into the compiler on purpose: the comparison of engines finds each of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler import fills
from gamedsl.compiler.lowering.values.cells import Cells
from gamedsl.compiler.lowering.bodies.endings import Ends
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.sets.lines import Lines
from gamedsl.compiler.module import _Module
from gamedsl.compiler.lowering.sets.preimages import Places
from gamedsl.compiler.lowering.sets.square_sets import SquareSets
from gamedsl.compiler.lowering.bodies.walks import Walking
from tests.differential.lockstep import Lockstep

Broken = Callable[..., Any]


def never_complements(self: SquareSets, bits: Any) -> Any:
    return bits


def shifts_over_the_edge(original: Broken) -> Broken:
    def shifted(self: Places, bits: Any, targets: dict[int, int]) -> Any:
        squares = range(len(self.codes.squares))
        steps = {to - n for n, to in targets.items()}
        if len(steps) == 1:
            (step,) = steps
            targets = {n: n + step for n in squares if n + step in squares}
        return original(self, bits, targets)

    return shifted


def fills_over_the_edge(original: Broken) -> Broken:
    def fill(goals: Value, passable: Value, distance: int, _: int, length: int) -> Any:
        everywhere = (1 << passable.type.width) - 1
        return original(goals, passable, distance, everywhere, length)

    return fill


def stores_one_cell_too_far(original: Broken) -> Broken:
    def store(self: Cells, place: Any, squares: Value, value: Any) -> None:
        everywhere = (1 << place.variable.size) - 1
        original(
            self, place, (squares << 1 | squares >> place.variable.size - 1) & everywhere, value
        )

    return store


def sees_short_lines(original: Broken) -> Broken:
    def line_test(self: Lines, plane: Value, length: int) -> Any:
        return original(self, plane, max(1, length - 1))

    return line_test


def never_becomes_true(self: Ends, node: Any, scope: Any, movers: Any) -> bool:
    return False


def never_passes_the_turn(self: _Module, block: Any, player: int) -> None:
    pass


def forgets_a_source(original: Broken) -> Broken:
    def sources(self: Walking, *arguments: Any) -> Any:
        body, found, is_listed = original(self, *arguments)
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
        (SquareSets, "neither", lambda _: never_complements, "othello_small"),
        (Places, "shifted", shifts_over_the_edge, "hexapawn"),
        (fills, "_filled_by_doubling", fills_over_the_edge, "othello_small"),
        (Cells, "_store_planes", stores_one_cell_too_far, "hexapawn"),
        (Lines, "_line_test", sees_short_lines, "tic_tac_toe"),
        (Ends, "_may_become_true", lambda _: never_becomes_true, "connect_small"),
        (_Module, "pass_turn", lambda _: never_passes_the_turn, "connect_small"),
        (Walking, "_sources", forgets_a_source, "hexapawn"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_in_one_place_is_found(
    place: object, attribute: str, broken: Broken, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, attribute, broken(getattr(place, attribute)))
    assert first_difference(name) is not None
