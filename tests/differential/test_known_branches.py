"""Guards behind `if turn == ...` are asked of all instances at once, and mean what they say."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.module import generate
from gamedsl.compiler.options import CompilerOptions
from tests.differential.lockstep import Lockstep

GAME = """
players White, Black, Grey
board 3 wide 3 high
state:
    man[square]: empty | players = empty
    left: 0..12 = 12
move go(s in square, n in 1..3):
{}
end:
    if left == 0 or stuck: payoff White: left, Black: 1, Grey: 2
"""
BODIES = {
    "one for each": """\
    if turn == White:
        let beside = s + E
        require man[s] == empty and beside != none
        require n < 3
    elif turn == Black:
        require man[s] in {empty, White}
    else:
        require man[s] != turn
    require left >= n
    man[s] = turn
    left -= n
""",
    "one within another": """\
    require left >= n
    if turn in {White, Black}:
        if n == 3 or turn == White:
            require man[s] == empty
        else:
            require man[s] != Black
    left -= n
    man[s] = turn
    if turn == Black: ensure count(man[q] == Black for q in square) < 3
""",
    "a guard that fails": """\
    if turn == Grey:
        require man[s] == empty and 6 // (3 - n) > 2
    else:
        require man[s] == empty
    left -= min(left, n)
    man[s] = turn
""",
    "the turn is set": """\
    if turn == White:
        require man[s] == empty
        turn = Grey
    if turn == Grey:
        ensure n == 2
    else:
        ensure man[s] != turn
    left -= min(left, n)
    man[s] = turn
    turn = Black if n == 2 else White
""",
    "no guard for one of them": """\
    if turn != Grey:
        require man[s] == empty and n <= left
    left -= min(left, n)
    man[s] = turn
""",
}


@pytest.mark.parametrize("without", [(), ("known branches",)])
@pytest.mark.parametrize("body", BODIES)
def test_guards_in_branches_mean_what_they_say(body: str, without: tuple[str, ...]) -> None:
    game = gamedsl.load(GAME.replace("{}", BODIES[body]), "interpreter")
    generated = generate(game.model, CompilerOptions(frozenset(without)))
    compiled = CompiledEngine(game.model, generated)
    for seed in range(20):
        assert Lockstep(game.engine, compiled, random.Random(seed)).play(15) is None


def test_no_body_is_run_to_tell_what_is_legal() -> None:
    model = gamedsl.load(GAME.replace("{}", BODIES["one for each"]), "interpreter").model
    assert "may_go" not in generate(model).source
    assert "may_go" in generate(model, CompilerOptions(frozenset({"known branches"}))).source
