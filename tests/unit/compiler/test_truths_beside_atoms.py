"""Truth values beside atoms, squares and `none` in one domain: the same on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.solvers.perft import perft
from tests.differential.lockstep import Lockstep

HEAD = """game "True, false or empty"
players A, B
board 3 wide 2 high
type Shade = pale | deep
state:
    tall[square]: empty | bool = empty
    seen[1..3]: none | bool = none
    mark: Shade | bool | square = pale
    spot: bool | empty | Shade = deep
    wide: bool = false
    found: 0..9 = 0
move put(s in square, n in 1..3, b in bool):
    require tall[s] == empty or n == 1
    tall[s] = b
    spot = n == 2
"""
TAIL = "end:\n    if found == 9: A wins\nendless: draw\n"
USES = {
    "a comparison": "if tall[a1] == b: found = 1",
    "a truth": "seen[n] = tall[s] == true",
    "none": "seen[n] = b if n > 1 else none",
    "a choice of kinds": "mark = b if n == 1 else s if n == 2 else deep",
    "an atom again": "spot = empty if b else pale",
    "a line": "if any(line(tall, v, 3) for v in bool): found = 2",
    "a group": "found = count(group(tall, s))",
    "all filled": "if full(tall): found = 3",
    "a count": "found = count(tall[t] == b for t in square)",
    "what is left": "if tall[b2] != empty: wide = tall[b2] == b",
    "a cell for a cell": "tall[a2] = tall[b1]",
    "two exchanged": "tall[a1], tall[b1] = tall[b1], tall[a1]",
    "membership": "if tall[s] in bool and mark in Shade: found = 4",
    "a set": "if mark in {true, a1, deep}: found = 5",
    "a name for it": "let y = tall[c2]\n    if y == false: found = 6",
    "off the board": "if tall[s + E] == true: found = 7",
    "one for all": "for t in square where tall[t] == b: tall[t] = empty",
    "sight": "found = count(sight(tall, s, E))",
}


@pytest.mark.parametrize("name", USES)
def test_truths_are_those_of_the_interpreter(name: str) -> None:
    game = gamedsl.load(f"{HEAD}    {USES[name]}\n{TAIL}", "interpreter")
    for seed in range(4):
        assert (
            Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed)).play(12) is None
        )


def test_machine_code_counts_what_the_interpreter_counts() -> None:
    text = f"{HEAD}" + "".join(f"    {use}\n" for use in USES.values()) + TAIL
    counts = [perft(gamedsl.load(text, engine), depth=2) for engine in ("interpreter", "native")]
    assert counts[0] == counts[1]


def test_a_game_of_pieces_with_properties_is_compiled() -> None:
    text = """game "Two pieces"
players A, B
board 2 wide 2 high
state:
    tall[square]: empty | bool = empty
move place(s in square, b in bool):
    require tall[s] == empty
    tall[s] = b
end:
    if any(line(tall, b, 2) for b in bool): turn loses
    if full(tall): draw
"""
    game = gamedsl.load(text, "native")
    assert gamedsl.solve(game).outcome == gamedsl.solve(gamedsl.load(text, "interpreter")).outcome


NARROWED = """game "A truth or a player"
players A, B
board 2 wide 2 high
state:
    cell[square]: empty | bool | A = {first}
    is_it: bool = false
move put(b in bool):
    cell[b2] = b
move ask(b in bool):
    is_it = cell[b2] if cell[b2] == b else b
end:
    if stuck: draw
endless: draw
"""


@pytest.mark.parametrize("first", ["empty", "A", "true", "false"])
def test_a_cell_that_is_true_or_false_is_read_as_such(first: str) -> None:
    game = gamedsl.load(NARROWED.format(first=first), "interpreter")
    compiled = CompiledEngine(game.model)
    assert Lockstep(game.engine, compiled, random.Random(1)).play(30) is None
