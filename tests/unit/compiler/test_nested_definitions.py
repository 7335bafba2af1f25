"""Definitions that use one another twice: the code grows with the file, not with the ways through.

Each game below is a few lines long; written down once for each way through its definitions, its
code would be hundreds of thousands of characters.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

HEAD = """
players X, O
board 4 wide 4 high
state:
    a[square]: 1..3 = 1
    left: 0..12 = 12
"""
PUT = """
move put(s in square, v in 1..3):
    require left > 0 and a[s] != v
    a[s] = v
    left -= 1
"""
VALUES = f"""{HEAD}
def low(s) = a[s] if a[s] != 3 else 1
def mid(s) = low(s + N) if a[s] == low(s) else low(s + E)
def top(s) = mid(s + S) if mid(s) == a[s] else mid(s + W)
{PUT}
end:
    if any(top(t) == top(t + N) and top(t + N) == top(t + 2*N) for t in square where row(t) <= 2):
        turn wins
    if left == 0: draw
"""
CONDITIONS = f"""{HEAD}
def f0(s) = a[s] == 2
def f1(s) = f0(s) and left > 1 or not f0(s) and left < 4 or left == 2 and f0(s)
def f2(s) = f1(s) and left > 2 or not f1(s) and left < 5 or left == 3 and f1(s)
def f3(s) = f2(s) and left > 3 or not f2(s) and left < 6 or left == 4 and f2(s)
def f4(s) = f3(s) and left > 4 or not f3(s) and left < 7 or left == 5 and f3(s)
def f5(s) = f4(s) and left > 5 or not f4(s) and left < 8 or left == 6 and f4(s)
{PUT}
end:
    if any(all(f5(t + k*N) for k in 0..2) for t in square where row(t) <= 2): turn wins
    if left == 0: draw
"""
ONE_SQUARE = f"""{HEAD}
def f0(s) = a[s] == 2
def f1(s) = f0(s) and left > 1 or not f0(s) and left < 4 or left == 2 and f0(s)
def f2(s) = f1(s) and left > 2 or not f1(s) and left < 5 or left == 3 and f1(s)
def f3(s) = f2(s) and left > 3 or not f2(s) and left < 6 or left == 4 and f2(s)
def f4(s) = f3(s) and left > 4 or not f3(s) and left < 7 or left == 5 and f3(s)

move put(s in square, v in 1..3):
    require left > 0 and a[s] != v
    a[s] = 3 if f4(s) and f4(s) else v
    left -= 1
end:
    if left == 0: draw
"""


@pytest.mark.parametrize("text", [VALUES, CONDITIONS, ONE_SQUARE], ids=["values", "sets", "square"])
def test_nested_definitions_give_short_code_that_plays_alike(text: str) -> None:
    game = gamedsl.load(text, "interpreter")
    compiled = CompiledEngine(game.model)
    assert len(compiled.generated.source) < 25_000
    together = Lockstep(game.engine, compiled, random.Random(1))
    assert next((found for found in (together.play(15) for _ in range(2)) if found), None) is None


MAY_FAIL = """game "May fail"
players X, O
board 3 wide 3 high
state:
    a[square]: 0..3 = 1
    found: 0..20 = 0
def share(s, n) = sum(12 // (a[t] - n) for t in neighbours(s) where a[t] > 0) % 7
def most(s, n) = max(share(t, n) + n // a[t] for t in neighbours(s)) % 5
MOVES
end:
    if found > 9: draw
"""
ASKED = """
move ask_NUMBER(s in square):
    found = most(s, 4) + NUMBER + most(s + N, 4)
    a[s] = NUMBER
"""


def test_functions_that_differ_in_the_number_of_a_fault_alone_are_written_once() -> None:
    moves = "".join(ASKED.replace("NUMBER", str(number)) for number in range(4))
    game = gamedsl.load(MAY_FAIL.replace("MOVES", moves), "interpreter")
    compiled = CompiledEngine(game.model)
    functions = re.findall(r"^def (share|most)\w*", compiled.generated.source, re.MULTILINE)
    assert Counter(functions) == {"share": 1, "most": 1}
    for seed in range(3):
        assert Lockstep(game.engine, compiled, random.Random(seed)).play(15) is None


DRAWN = """game "Drawn"
players A, B
board 5 wide 5 high
state:
    at[square]: square | none = none
    drawn: 0..2 = 0
move go(s in square):
    drawn += 1
    for k in 0..drawn:
        chance at[s] in square | none weighted 3 if at[s] == b1 else drawn + 1
end:
    if drawn == 2: A wins
"""


def test_a_cell_drawn_by_weights_is_a_name_in_generated_code() -> None:
    compiled, rules = gamedsl.load(DRAWN, "python"), gamedsl.load(DRAWN, "interpreter")
    shares = []
    for game in (compiled, rules):
        start = game.initial_state()
        shares.append(game.chance_outcomes(game.result(start, game.legal_actions(start)[0])))
    assert shares[0] == shares[1]
    assert max(shares[0], key=lambda pair: pair[1])[1] == Fraction(3, 53)
