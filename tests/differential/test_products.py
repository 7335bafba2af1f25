"""Products of types, and types of numbers and names: the same on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.solvers.perft import perft
from tests.differential.lockstep import Lockstep

HEAD = """game "Cards"
players A, B
type Suit = clubs | hearts | spades
type Rank = 9..10 | J | Q
type Card = Rank of Suit
type Pack = Card | joker
state:
    hand[p in players, Pack]: bool = false secret to p
    trick[players]: none | Pack = none
    holder[Card]: none | players = none
    suit: none | Suit = none
    rank: none | Rank = none
    score: 0..90000 = 0
setup:
    for p in players:
        chance dealt subset of {c for c in Pack where not any(hand[q, c] for q in players)} where count(dealt) == 4
        for c in dealt: hand[p, c] = true
move play(c in Pack where hand[turn, c]):
    require trick[turn] == none
    hand[turn, c] = false
"""  # noqa: E501
TAIL = """    trick[turn] = c
end:
    if all(trick[p] != none for p in players): payoff p: score if p == A else 0
"""
USES = {
    "parts": "suit = Suit(c)\n    rank = Rank(c)",
    "a part of nothing": "suit = Suit(trick[opponent])\n    rank = Rank(trick[opponent])",
    "a card of two parts": "if c != joker: holder[Card(Rank(c), spades)] = turn",
    "a card that there is not": "if Card(score % 20, hearts) == none: suit = clubs",
    "ranks in order": "score = count(Rank(c) > Rank(d) for d in Card) if c != joker else 90000",
    "a rank and a number": "if c != joker and Rank(c) <= 10: score = 80000",
    "a rank that is absent": "if Rank(c) > 9: score = 3",
    "cards in order": "score = count(d < c for d in Pack)",
    "cards of a suit": "score = count(hand[turn, d] for d in Card where Suit(d) == Suit(c))",
    "a set of parts": "score = len({Suit(d) for d in Card where hand[turn, d]})",
    "the highest rank": "rank = max(9, Rank(d) for d in Card where hand[turn, d])",
    "the lower of two": "if c != joker: rank = min(Rank(c), J)",
    "the highest of a set": "trick[turn] = max({d for d in Pack where hand[turn, d]} | {joker})",
    "the cards of one": "for d in Card where Suit(d) == Suit(c): holder[d] = turn",
}


@pytest.mark.parametrize("name", USES)
def test_cards_are_those_of_the_interpreter(name: str) -> None:
    game = gamedsl.load(f"{HEAD}    {USES[name]}\n{TAIL}", "interpreter")
    for seed in range(3):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(12) is None


def test_machine_code_counts_what_the_interpreter_counts() -> None:
    uses = [use for name, use in USES.items() if name != "a rank that is absent"]
    text = HEAD.replace("== 4", "== 1") + "".join(f"    {use}\n" for use in uses) + TAIL
    counts = [perft(gamedsl.load(text, engine), depth=2) for engine in ("interpreter", "native")]
    assert counts[0] == counts[1]
