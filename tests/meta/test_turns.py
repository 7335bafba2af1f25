"""Cases that take turns: none is forgotten, and the table names tests that there are."""

from __future__ import annotations

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


def test_families_are_tests_and_files_are_there() -> None:
    for file, names in FAMILIES.items():
        text = (TESTS / file).read_text("utf-8")
        assert [name for name in names if f"def {name}(" not in text] == [], file
    assert [file for file in HALVES if not (TESTS / file).is_file()] == []
