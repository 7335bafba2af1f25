"""Whether the worth of an action depends on when the action is made."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.solvers.montecarlo.waiting import actions_wait

AGAIN = """
game "Lines"
players A, B
board 3 wide 3 high
state:
    cell[square]: empty | players = empty
move mark(s in square):
    require cell[s] == empty
    cell[s] = turn
    if s == b2: again
end:
    if line(cell, A, 3): A wins
    if line(cell, B, 3): B wins
    if stuck: draw
"""


@pytest.mark.parametrize(
    ("source", "waits"),
    [
        ("hex", True),
        ("domineering", True),
        (AGAIN.replace("    if s == b2: again\n", ""), True),
        (AGAIN, False),  # who is to move depends on what is done
        ("connect_small", False),  # a column is chosen again
        ("cram", False),  # a move is the same for both players
        ("kalah", False),
        ("breakthrough", False),
    ],
)
def test_actions_wait_where_they_are_made_once_at_any_turn(source: str, waits: bool) -> None:
    game = gamedsl.load(source, "auto")
    assert actions_wait(game, game.initial_state()) is waits
