"""Another spelling for rules that the compiler refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.reports.checks.ways_out import WAYS_OUT

ENGINES = Path(__file__).parents[3] / "docs" / "engines.md"
GAME = """players A, B
state:
    n: 0..3 | players = 0
move go(k in 1..3):
    n = k
end:
    if n == 3: A wins
"""


@pytest.mark.parametrize("construct", WAYS_OUT)
def test_every_construct_is_a_row_of_the_page(construct: str) -> None:
    assert f"| {construct} |" in ENGINES.read_text()


def test_check_adds_another_spelling() -> None:
    report = str(gamedsl.check(GAME))
    assert "played by the interpreter: not compiled yet: players mixed with numbers" in report
    assert report.endswith("; keep the player and the number in two variables")
