"""Loops over lists and sets: quantifiers over different lists of constants are different functions
of the generated code, and a set has no repeats."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine

ATOMS = [f"s{number}" for number in range(32)]
LISTS = {
    "few and many": ("4 9 10 11 12 13 14", "0 9 10 11 12 13 14 3 15 16 17"),
    "apart": ("1 5 9 13 17", "2 6 10 14 18"),
    "one part": ("0 4 8 12", "0 4 8 12 20 24"),
}


def rules(first: str, second: str) -> str:
    inner, outer = (", ".join(f"s{number}" for number in part.split()) for part in (first, second))
    return f"""game "Lists"
players P
type T = {" | ".join(ATOMS)}
state:
    at: T | none = s0
    n: 0..4 = 0
move go(k in {{{", ".join(ATOMS)}}}):
    require at == s0
    at = k
move look:
    require at != s0
    n = (1 if any(at == i for i in {{{inner}}}) else 2) if any(at == i for i in {{{outer}}}) else 3
end:
    if n > 0: payoff P: n
"""


@pytest.mark.parametrize("name", LISTS)
def test_each_list_is_looked_through(name: str) -> None:
    played = []
    for engine in ("interpreter", "python"):
        game = gamedsl.load(rules(*LISTS[name]), engine=engine)
        played.append([])
        for k in range(1, 32):
            root = game.initial_state()
            state = game.result(root, game.action_named(root, f"go(s{k})"))
            (look,) = game.legal_actions(state)
            played[-1].append(game.utilities(game.result(state, look)))
    assert played[0] == played[1]
    assert len(set(played[0])) > 1


@pytest.mark.parametrize("most", [40, 63, 150])
def test_a_set_without_repeats_is_that_of_the_interpreter(most: int) -> None:
    text = f"""game "Halves"
players P
state:
    n: 0..{most} = 0
    sum: 0..20000 = 0
move split(k in {{1, 2, {most // 2}, {most}}}):
    require n == 0
    n = k
    for i in 1..n | n-1..{most}: sum += i
    sum += count(i for i in 0..n-1 | n+1..{most})
end:
    if n > 0: payoff P: sum
"""
    payoffs = []
    for engine in ("interpreter", "python"):
        game = gamedsl.load(text, engine=engine)
        assert isinstance(game.engine, CompiledEngine) == (engine == "python")
        root = game.initial_state()
        ends = (game.result(root, action) for action in game.legal_actions(root))
        payoffs.append([game.utilities(end) for end in ends])
    assert payoffs[0] == payoffs[1] == [(most * (most + 1) // 2 + most,)] * 4
