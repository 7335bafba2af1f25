"""Another spelling for rules that the compiler refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.reports.checks.ways_out import WAYS_OUT

ENGINES = Path(__file__).parents[3] / "docs" / "engines.md"
GAME = """players A, B
state:
    n: 0..9000 = 9000
move go(k in 1..3):
    n = k * 9000 / n
end:
    if n < 9000: A wins
endless: draw
"""


@pytest.mark.parametrize("construct", WAYS_OUT)
def test_every_construct_is_a_row_of_the_page(construct: str) -> None:
    assert f"| {construct} |" in ENGINES.read_text()


def test_check_adds_another_spelling() -> None:
    report = str(gamedsl.check(GAME))
    assert "played by the interpreter: not compiled yet: division by this (line 5)" in report
    assert report.endswith("; divide by a number of a small range")
