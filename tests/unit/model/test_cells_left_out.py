"""What is said where a variable whose declaration leaves cells out is given as a whole."""

from __future__ import annotations

from gamedsl.model import check
from gamedsl.source import SourceFile
from gamedsl.syntax import parse

TEXT = """game "Sim"
param n = 4
players Red, Blue

state:
    edge[{indices}]: empty | players = empty

move take(a in 1..n, b in 1..n where a < b):
    require edge[a, b] == empty
    edge[a, b] = turn

end:
    if full(edge): draw
"""


def hint(indices: str) -> str | None:
    """What is to be written instead."""
    program, _ = parse(SourceFile("sim.game", TEXT.format(indices=indices)))
    (found,) = check(program)[1]
    assert found.code == "E1101"
    return found.hint


def test_full_says_how_the_cells_that_there_are_can_be_asked() -> None:
    said = "ask the cells that there are: `all(edge[a, b] != empty for a in 1..n for b in "
    assert hint("a in 1..n, b in a+1..n") == f"{said}a+1..n)`"
    assert hint("a in 1..n, b in 1..n where a < b") == f"{said}1..n where a < b)`"
