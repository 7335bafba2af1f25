"""Ten games with three planted differences each: `compare` finds each by a shortest play."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl

GAMES = Path(__file__).resolve().parents[3] / "games"
PLANTED = {
    "tic_tac_toe": (
        ("line(cell, p, 3)", "line(cell, p, 2)", 3),
        ("cell[s] = turn", "cell[s] = opponent", 5),
        ("cell[s] == empty\n", "cell[s] == empty and s != b2\n", 0),
    ),
    "nim": (
        ("turn loses ", "turn wins ", 3),
        ("n <= left[h]", "n <= left[h] and n < 4", 0),
        ("left[h] -= n", "left[h] -= 1", 1),
    ),
    "subtraction": (
        ("k <= left", "k < left", 6),
        ("if stuck", "if left < 3", 7),
        ("left -= k", "left -= 2 if k == 1 else k", 7),
    ),
    "hexapawn": (
        ("opponent wins", "opponent wins 2", 3),
        ("pawn[to] == empty", "pawn[to] != turn", 1),
        ("if stuck: turn loses", "if stuck: draw", 3),
    ),
    "kuhn_poker": (
        ("Card secret to p", "Card secret to players - p", 2),
        ("checks == 2", "checks == 1", 3),
        ("card[Ann] > card[Bob]", "card[Ann] < card[Bob]", 4),
    ),
    "rock_paper_scissors": (
        ("(paper, rock)", "(rock, paper)", 1),
        ("        draw", "        A wins", 1),
        ("B wins", "B wins 2", 1),
    ),
    "one_card_poker": (
        ("card[Bob] in 1..cards where card[Bob] != card[Ann]", "card[Bob] in 1..cards", 1),
        ("loses stake[folded]", "loses 1 + stake[folded]", 4),
        ("secret to p", "", 2),
    ),
    "piglet": (
        ("chance coin in Side", "chance coin in {heads: 1/3, tails: 2/3}", 1),
        ("        again", "        pot = pot", 2),
        ("require pot > 0", "require pot >= 0", 0),
    ),
    "chomp": (
        ("column(q) >= column(s)", "column(q) > column(s)", 1),
        ("turn wins", "turn loses", 1),
        ("bar[s]", "bar[s] and s != a1", 0),
    ),
    "grid_world": (
        ("reward Robot: living", "reward Robot: 2 * living", 8),
        ("{d: 8/10, left(d): 1/10", "{d: 7/10, left(d): 2/10", 1),
        ("if at == d3: payoff Robot: 1", "if at == d3: payoff Robot: 2", 10),
    ),
}
"""Texts, their replacements, and the steps of a shortest play to a difference."""


@pytest.mark.parametrize("name", PLANTED)
def test_each_planted_difference_is_found_by_a_shortest_play(name: str) -> None:
    text = (GAMES / f"{name}.game").read_text("utf-8")
    for old, new, steps in PLANTED[name]:
        assert old in text, old
        difference = gamedsl.compare(text, text.replace(old, new, 1), plays=5).difference
        assert difference is not None, new
        assert len(difference.play) == steps, (new, difference)
