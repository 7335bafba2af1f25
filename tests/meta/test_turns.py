"""Cases that take turns: none is forgotten, and the table names tests that there are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.turns import FAMILIES, PERIOD, of_this_turn

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("cases", [1, 2, 3, 4, 10])
def test_every_case_has_its_turn_and_every_turn_a_case(cases: int) -> None:
    tests = [None, *["family"] * cases, "another", *["family"] * cases]
    turns = [of_this_turn(tests, number) for number in range(7, 7 + PERIOD * (PERIOD - 1))]
    assert all(map(any, zip(*turns, strict=True)))
    for runs in turns:
        assert runs[0]
        assert runs[1 + cases]  # a family of one case
        assert 0 < sum(runs) - 2 <= max(1, 2 * cases // PERIOD + 1)


@pytest.mark.parametrize("file", FAMILIES)
def test_a_family_is_a_test(file: str) -> None:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not {*FAMILIES[file]} - tests
