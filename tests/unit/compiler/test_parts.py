"""Rules that become too much code are left to the interpreter, and the dear line is named."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.reports.checks.findings import summary

DEAR = """game "Dear"
players A, B
board 3 wide 3 high

state:
    cell[square]: empty | players = empty
    left: 0..9 = 9

def near(s) = count(cell[t] != empty for t in neighbours(s, {N, S}))

move mark(s in square):
    require cell[s] == empty
    require left + near(a1) + near(b2) + near(c3) + near(a3) + near(c1) + near(a2) >= 0
    cell[s] = turn
    left -= 1

end:
    if full(cell): draw
"""
SAID = r"code of more than 40 parts, \d\d % of it from `require left \+ near.*` \(line 13\)"


@pytest.fixture(autouse=True)
def _a_small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.compiler.lowering.values.parts.MOST_PARTS", 40)


def test_the_dear_line_is_named_with_its_share() -> None:
    with pytest.raises(CannotCompileError, match=SAID) as refused:
        gamedsl.load(DEAR, engine="native")
    assert refused.value.span is not None
    assert DEAR[refused.value.span.start :].startswith("left + near")


def test_who_falls_back_is_told_by_load_and_by_check() -> None:
    game = gamedsl.load(DEAR)
    assert game.fallback is not None
    report = gamedsl.check(DEAR)
    assert report.is_ok
    assert f"played by the interpreter: {game.fallback}" in summary(report)
