"""Conditions on what lies along rays and beside squares, for all squares at once."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.statements import For, ForEntries, While, parts, values_of, walk
from gamedsl.compiler.ir.values import Op
from gamedsl.compiler.module import generate
from tests.differential.lockstep import Lockstep

GAME = """game "Fills"
players X, O
board {width} wide {height} high{where}
state:
    at[square]: empty | players = empty
    lit[square]: bool = false
def knows(s) = {condition}
move go(s in square):
    require at[s] == empty and knows(s)
    at[s] = turn
    lit[s] = lit[s + W] or row(s) == 2
otherwise
move pass:
    at[a1] = turn
    lit[b1] = true
end:
    if full(at): draw
"""

CONDITIONS = {
    "first on a ray": "at[first(q for q in ray(s, {way}) where at[q] != empty)] != turn",
    "any on a ray": "not any(at[q] == opponent for q in ray(s, {way}))",
    "all on a ray": "all(at[q] == empty for q in ray(s, {way}) where not lit[q])",
    "any in sight": "not any(lit[q] for q in sight(at, s, {way}))",
    "all from beyond": "all(at[q] != turn for q in sight(at, s + N, {way}))",
    "none beside": "not any(at[q] == turn for q in neighbours(s))",
    "group of one colour": "not (at[s] == turn and any(lit[q] for q in group(at, s)))",
    "groups along some directions": "at[s] == empty and"
    " all(lit[q] for q in group(at, s, {{{way}, N}}))",
    "the opponent's groups": "not any(at[r] == opponent and any(lit[q] for q in group(at, r))"
    " for r in square where column(r) == 1)",
    "a knight's leaps": "all(at[s + a + 2*d] != opponent for d in {{N, S}} for a in {{E, W}})",
}


def text(condition: str, way: str, width: int, height: int, where: str = "") -> str:
    return GAME.format(condition=condition.format(way=way), width=width, height=height, where=where)


def difference(rules: str) -> str | None:
    loaded = gamedsl.load(rules, "interpreter")
    together = Lockstep(loaded.engine, CompiledEngine(loaded.model), random.Random(1))
    return next((found for found in (together.play(40) for _ in range(2)) if found), None)


@pytest.mark.parametrize("way", ["N", "SW", "NW", "E", "S + S + W"])
@pytest.mark.parametrize("title", CONDITIONS)
def test_conditions_along_rays_are_those_of_the_rules(title: str, way: str) -> None:
    assert difference(text(CONDITIONS[title], way, 8, 8)) is None


@pytest.mark.parametrize(
    ("width", "height", "where"),
    [(3, 2, ""), (5, 5, " where column + row != 6"), (11, 9, ""), (2, 13, "")],
)
@pytest.mark.parametrize("title", CONDITIONS)
def test_boards_of_other_shapes_have_other_rays(
    title: str, width: int, height: int, where: str
) -> None:
    assert difference(text(CONDITIONS[title], "NE", width, height, where)) is None


@pytest.mark.parametrize("title", CONDITIONS)
def test_no_square_is_asked_on_its_own(title: str) -> None:
    rules = text(CONDITIONS[title], "NE", 8, 8)
    generated = generate(gamedsl.load(rules, "interpreter").model)
    counting = list(walk(generated.module().functions["legal_count_0"].body))
    values = [part for one in counting for value in values_of(one) for part in parts(value)]
    assert any(value.op is Op.COUNT for value in values)
    assert not any(isinstance(one, While | For | ForEntries) for one in counting)


ROWS = {
    "cells": "lit[opponent, s] or not lit[turn, s]",
    "cells beside": "not all(lit[O, q] for q in neighbours(s))",
    "a group": "count(lit[X, q] for q in group(lit[opponent], s)) < 3",
    "the size of a group": "len(group(lit[opponent], s)) != 2",
    "groups": "not lit[O, s] and not any(at[q] == X for q in group(lit[O], s))",
    "other groups": "not (lit[X, s] and all(at[q] == empty for q in group(lit[X], s)))",
}
"""Conditions on rows of bits."""


@pytest.mark.parametrize(("width", "height"), [(3, 3), (8, 7), (8, 8)])
@pytest.mark.parametrize("title", ROWS)
def test_rows_of_an_array_are_boards(title: str, width: int, height: int) -> None:
    rules = text(ROWS[title], "N", width, height).replace("lit[square]", "lit[players, square]")
    for index in ("s", "s + W", "b1"):
        rules = rules.replace(f"lit[{index}]", f"lit[turn, {index}]")
    assert difference(rules) is None


def test_no_square_of_a_row_is_asked_on_its_own() -> None:
    model = gamedsl.load("havannah", "interpreter", base=4).model
    functions = generate(model).module().functions
    assert not any(name.startswith(("any", "all", "encloses")) for name in functions)


def test_a_cell_without_an_index_is_compared_with_a_choice() -> None:
    rules = text("last != (turn if lit[s] else opponent)", "N", 3, 3)
    rules = rules.replace("state:", "state:\n    last: empty | players = empty")
    assert difference(rules.replace("at[s] = turn", "at[s], last = turn, turn")) is None
