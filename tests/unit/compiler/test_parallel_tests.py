"""Moves that ask the same of one column, row or region after another: counted at once."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.codes import Codes
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.values import INT, Value, bits, lookup, name, number
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.lowering.bodies import enumeration
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.sets import parallel_tests
from gamedsl.compiler.lowering.sets.parallel_tests import Passing
from gamedsl.compiler.lowering.values.scope import Known, Scope
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.perft import perft

GAME = """game "Families"
players X, O
board {width} wide {height} high
state:
    at[square]: empty | players = empty
    phase: 0..1 = 0
{definitions}
move put({parameter}):
{requirements}
    at[s] = turn
    phase = 1 - phase
otherwise
move pass:
    phase = 0
end:
    if full(at): draw
"""

COLUMN = """    let s = first(q for q in square where column(q) == c and at[q] == empty)
    require s != none"""

ALIKE = {
    "columns": ("c in columns", "", COLUMN),
    "rows from the right": (
        "r in rows",
        "",
        """    let s = last(q for q in square where row(q) == r and at[q] == empty)
    require none != s""",
    ),
    "any of a column but its ends": (
        "c in columns",
        "def inner(q) = 1 < row(q) and row(q) < {height}",
        """    require any(at[q] == empty for q in square where column(q) == c and inner(q))
    let s = first(q for q in square where at[q] == empty)""",
    ),
    "pairs that are apart unevenly": (
        "c in 1..3",
        "def mine(q, c) = column(q) == c and row(q) in {{1, 2, 4}}",
        """    let s = first(q for q in square where mine(q, c) and at[q] == empty)
    require s != none""",
    ),
}

UNALIKE = {
    "columns of different lengths": (
        "c in columns",
        "",
        """    let s = first(q for q in square where column(q) == c and row(q) >= c
        and at[q] == empty)
    require s != none""",
    ),
    "what is looked for depends on the value": (
        "c in columns",
        "",
        """    let s = first(q for q in square where column(q) == c and at[q + 2*N] == empty
        and (c != 2 or at[q] == empty))
    require s != none and at[s] == empty""",
    ),
    "one test more": (
        "c in columns",
        "",
        COLUMN + " and (c != 2 or phase == 0)",
    ),
}


def rules(title: str, width: int, height: int) -> str:
    parameter, definitions, requirements = {**ALIKE, **UNALIKE}[title]
    return GAME.format(
        parameter=parameter,
        definitions=definitions.format(height=height),
        requirements=requirements,
        width=width,
        height=height,
    )


@pytest.mark.parametrize(("width", "height"), [(3, 4), (8, 8), (7, 6), (10, 9)])
@pytest.mark.parametrize("title", [*ALIKE, *UNALIKE])
def test_families_are_counted_as_the_rules_say(title: str, width: int, height: int) -> None:
    text = rules(title, width, height)
    by_definition = gamedsl.load(text, "interpreter")
    compiled = CompiledEngine(by_definition.model)
    depth = 7 if width == 3 else 2
    counted = KernelPerft(compiled, native=False).count(compiled.initial_state(), depth)
    assert counted == perft(by_definition, depth=depth)[depth]


def passing(title: str) -> Passing | None:
    """The values of the parameter that pass, on a board 4 high."""
    model = gamedsl.load(rules(title, 3, 4), "interpreter").model
    lowering = GameLowering(model, Codes(model), lay_out(model))
    move = model.moves[0]
    lead = enumeration.lead_of(lowering, move, Scope(Known(model.players[0])))
    return parallel_tests.passing_values(lowering, move.parameters[0], lead.tests, lead.scope)


PLACE = name("place", INT)
VACANT = number(0o7777, bits(12)) & ~(name("at_X__", bits(12)) | name("at_O__", bits(12)))
PAIRS = VACANT | VACANT >> 3
TOGETHER = {
    "columns": (PAIRS | PAIRS >> 6) & 0b111,
    "rows from the right": (VACANT | VACANT >> 1 | (VACANT | VACANT >> 1) >> 1) & 0o1111,
    "any of a column but its ends": PAIRS & 0o070,
    "pairs that are apart unevenly": (VACANT | VACANT >> 3 | VACANT >> 9) & 0b111,
}


@pytest.mark.parametrize("title", ALIKE)
def test_families_that_are_alike_become_one_set(title: str) -> None:
    found = passing(title)
    assert found is not None
    assert found.bits is TOGETHER[title]


@pytest.mark.parametrize(
    ("title", "digit"),
    [("columns", PLACE), ("rows from the right", lookup((0, 0, 0, 1, 0, 0, 2, 0, 0, 3), PLACE))],
)
def test_a_value_is_told_by_where_its_bit_stands(title: str, digit: Value) -> None:
    found = passing(title)
    assert found is not None
    assert found.is_ordered
    assert found.digit_at(PLACE) is digit


@pytest.mark.parametrize("title", UNALIKE)
def test_families_that_are_not_alike_are_asked_one_by_one(title: str) -> None:
    assert passing(title) is None
