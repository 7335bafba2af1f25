"""Cases that take turns: none is forgotten, and the table names tests that there are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.turns import FAMILIES, HALVES, PERIOD, of_this_turn

TESTS = Path(__file__).resolve().parents[1]


FILE, NAMES = next(iter(FAMILIES.items()))


@pytest.mark.parametrize("cases", [1, 2, 3, 4, 10])
@pytest.mark.parametrize(
    ("test", "period"),
    [(f"tests/{FILE}::{NAMES[0]}[{{}}]", PERIOD), (f"tests/{HALVES[0]}::{{}}", 2)],
)
def test_every_case_has_its_turn_and_every_turn_a_case(test: str, period: int, cases: int) -> None:
    tests = ["tests/meta/test_turns.py::test", *map(test.format, range(cases))]
    turns = [of_this_turn(tests, number) for number in range(7, 7 + 12)]
    assert all(map(any, zip(*turns, strict=True)))
    for always, *runs in turns:
        assert always
        assert 0 < sum(runs) <= -(-cases // min(period, cases))


@pytest.mark.parametrize("file", FAMILIES)
def test_a_family_is_a_test(file: str) -> None:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not {*FAMILIES[file]} - tests


def test_files_of_which_a_half_runs_are_there() -> None:
    assert all((TESTS / file).is_file() for file in HALVES)
