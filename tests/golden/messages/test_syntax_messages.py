"""One rendered message for each code of this floor, to be read in review as prose.

`--snapshot-update` rewrites them.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from gamedsl.source import SourceFile
from gamedsl.source.render import render
from gamedsl.syntax.parse import parse

BODY = "move f(s in square):\n    {}\nend:\n    draw\n"
TEXTS = {
    "E0100": BODY.format("x = 1 y = 2"),
    "E0101": BODY.format("require x ≤ 3"),
    "E0102": BODY.format("require cell[s] = empty"),
    "E0103": BODY.format("let x == 1"),
    "E0104": BODY.format("if full(cell): X win"),
    "E0105": BODY.format("if x == 1\n        y = 2"),
    "E0106": BODY.format("x = 1\n  y = 2"),
    "E0107": BODY.format("x = 1\n        y = 2"),
    "E0108": BODY.format("if x == 1:"),
    "E0109": "player X, O\n",
    "E0110": BODY.format("let if = 3"),
    "E0111": BODY.format("x = f(cell[s]]"),
    "E0112": "game Nim\n",
    "E0113": "board 3x3\n",
    "E0114": BODY.format("require a && b"),
    "E0115": BODY.format("require any(x for x in s if x > 3)"),
    "E0116": BODY.format("x = 2y"),
    "E0117": BODY.format("require x in 1...5"),
    "E0118": BODY.format("x = " + "(" * 61),
    "E0119": "",
    "E0120": BODY.format("cell[s]"),
    "E0121": BODY.format("if a:\n        x = 1\n    else: x = 2\n    else: x = 3"),
    "E0122": "tree:\n    chance: left -> 1, 1/2 right -> 2\n",
    "E0123": "require x == 1\n",
    "E0124": "players: X, O\n",
    "E0125": "state:\n    pot = 0\n",
    "E0126": "tree:\n    A: l -> 1\n    B: l -> 1\n",
    "E0127": 'EFG 2 R "T" { "A" }\nc "" 1 { "l" 1/2 "r" 1/3 } 0\n',
}


@pytest.mark.parametrize("code", TEXTS)
def test_the_message_is_the_one_reviewed(code: str, snapshot: SnapshotAssertion) -> None:
    _, (found,) = parse(SourceFile("my.game", TEXTS[code]))
    assert found.code == code
    assert f"{render(found)}\n" == snapshot
