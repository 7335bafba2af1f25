"""Moves that ask the same of one column, row or region after another: counted at once."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
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


@pytest.mark.parametrize("title", ALIKE)
def test_families_that_are_alike_become_one_set(title: str) -> None:
    source = CompiledEngine(gamedsl.load(rules(title, 7, 6)).model).generated.source
    assert "count_bits(with_some" in source


@pytest.mark.parametrize("title", UNALIKE)
def test_families_that_are_not_alike_are_asked_one_by_one(title: str) -> None:
    source = CompiledEngine(gamedsl.load(rules(title, 7, 6)).model).generated.source
    assert "with_some" not in source
