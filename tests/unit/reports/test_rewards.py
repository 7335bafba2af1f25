"""How reports show what is paid on the way."""

from __future__ import annotations

import gamedsl
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.reports.trees.as_text import tree_text
from gamedsl.reports.trees.growth import grow
from gamedsl.solvers.planner import solve

TOLLS = """game "Tolls"
players A, B
state:
    at: 0..2 = 0
move short:
    at = min(2, at + 1)
    reward turn: -1, opponent: 1
move long:
    at = 2
    reward turn: {long}, opponent: 2
end:
    if at == 2: opponent wins
"""


def test_payoffs_with_rewards_are_written_as_numbers_and_not_as_wins() -> None:
    text = solution_text(solve(gamedsl.load(TOLLS.format(long="-2"))), 0, None)
    assert text.startswith("Tolls: payoffs A: -1, B: 1\n")
    assert "payoffs A: -1, B: 1 in 2 plies  short" in text
    assert "wins" not in text


def test_the_branches_of_a_tree_say_what_they_pay() -> None:
    game = gamedsl.load(TOLLS.format(long="-2"))
    assert "long (-2): 1" in tree_text(grow(game, game.initial_state()))
    game = gamedsl.load(TOLLS.format(long="3"))
    assert "long (A 3, B 2): (1, -1)" in tree_text(grow(game, game.initial_state()))
