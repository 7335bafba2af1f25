"""The syntax trees of a few small games, to be read in review.

`--snapshot-update` rewrites them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gamedsl.reports.dump import dump
from gamedsl.source import SourceFile
from gamedsl.syntax.parse import parse

TIC_TAC_TOE = """\
game "Tic-tac-toe"
players X, O
board 3 wide 3 high

state:
    cell[square]: empty | players = empty

move mark(s in square):
    require cell[s] == empty
    cell[s] = turn

end:
    for p in players:
        if line(cell, p, 3): p wins
    if full(cell): draw

expect states: 5478
"""

POKER = """\
players Fred, Alice

tree:
    chance:
        1/2 red -> Fred:
            raise -> Alice [blind]: meet -> 2, pass -> 1
            fold  -> 1
        1/2 black -> Fred:
            raise -> Alice [blind]: meet -> -2, pass -> 1
            fold  -> -1
"""

DICE = """\
param goal = 20

state:
    score[players]: 0..goal = 0
    seen[i in 1..2, players]: none | 1..6 = none secret to i

move roll:
    chance die in {1: 1/2, 6: 1/2}
    if die == 1 and not any(score[p] > 3 for p in players where p != turn):
        score[turn] = 0
    else:
        score[turn] = min(goal, score[turn] + die) if goal > 0 else -1
        again
"""


@pytest.mark.parametrize("text", [TIC_TAC_TOE, POKER, DICE], ids=["tic_tac_toe", "poker", "dice"])
def test_the_syntax_tree_is_the_one_reviewed(text: str, snapshot: SnapshotAssertion) -> None:
    source = SourceFile(f"{Path(__file__).stem}.game", text)
    program, diagnostics = parse(source)
    assert diagnostics == ()
    assert dump(program.declarations, source) == snapshot
