"""Parameters that are sets: what is asked of them is the same on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.statements import For, ForEntries, If, While, walk
from gamedsl.compiler.module import generate
from gamedsl.compiler.options import EVERYTHING, OPTIONAL, CompilerOptions
from tests.differential.lockstep import Lockstep

HEAD = """game "Subsets"
players A, B
board 3 wide 2 high
type Card = J | Q | K
state:
    up[1..6]: bool = true
    at[square]: empty | players = empty
    hand[Card]: 0..2 = 2
    last: 0..9 = 0
    here: square | none = none
    n: 0..60 = 0
def large(s) = count(v for v in s where v > last)
"""
MOVES = {
    "members, one by one": "s subset of 1..6):\n    for v in s: up[v] = not up[v]",
    "a member known in play": "s subset of 1..6):\n    require last not in s\n    last = 1 + n % 6",
    "how many": "s subset of 1..6 where 1 < count(s) <= 3):\n    n = min(60, n + len(s))",
    "a sum over the state": (
        "s subset of 1..6):\n    n = sum(v for v in s where up[v])\n    last = n % 7"
    ),
    "sets joined and taken away": (
        "s subset of 1..6):\n"
        "    n = count((s | {last}) - {3}) + count((1..6) - s)\n    last = n % 5"
    ),
    "compared with known sets": (
        "s subset of 1..6 where s != {}):\n    require s != {1, 2}\n    n = 1 if s == {2, 3} else 2"
    ),
    "handed to a definition": "s subset of 1..6):\n    n = large(s)\n    last = n",
    "squares": (
        "s subset of square where count(s) == 2):\n    require all(at[q] == empty for q in s)\n"
        "    for q in s: at[q] = turn"
    ),
    "squares in another order": (
        "s subset of {c2, a1, b2, b1}):\n    here = last(s)\n    for q in s: at[q] = turn"
    ),
    "a square that may be none": (
        "s subset of square where len(s) <= 2):\n    require here not in s\n    here = first(s)"
    ),
    "atoms of a set that changes": (
        "c subset of {k for k in Card where hand[k] > 0} where c != {}):\n"
        "    for k in c: hand[k] -= 1"
    ),
    "a parameter in another": (
        "s subset of 1..6 where count(s) <= 2, v in 1..6 where v in s):\n"
        "    up[v] = false\n    last = v"
    ),
    "two sets": (
        "s subset of 1..3, t subset of 2..4):\n    require s != t and all(v in t for v in s)\n"
        "    n = count(s | t)"
    ),
    "truth values": "s subset of bool):\n    n = len(s)\n    up[1] = up[2] in s",
    "directions": (
        "s subset of directions where count(s) == 2):\n    here = b1\n"
        "    for d in s: here = here + d\n    if here != none: at[here] = turn"
    ),
    "a loop of sets in play": (
        "s subset of 1..6):\n    for v in 1..6 where v in s and up[v]: n = min(60, n + v)"
    ),
}
END = "end:\n    if n > 50 or full(at): draw\n    if stuck: turn loses\n"


@pytest.mark.parametrize("name", MOVES)
def test_every_engine_means_the_same_set(name: str) -> None:
    game = gamedsl.load(f"{HEAD}move go({MOVES[name]}\n{END}", "interpreter")
    for options in (EVERYTHING, CompilerOptions(frozenset(OPTIONAL))):
        engine = CompiledEngine(game.model, generate(game.model, options))
        for seed in range(4):
            assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None


@pytest.mark.parametrize(
    ("where", "is_tested"),
    [
        ("count(s) == 2", False),
        ("1 < count(s) <= 3 and s != {}", False),
        ("count(s) <= 2 and 1 in s", True),
        ("count(s) == last", True),
        ("len(s) <= 3 and count(s) != n", True),
    ],
)
def test_sizes_that_all_listed_subsets_have_are_not_tested(where: str, is_tested: bool) -> None:
    rules = f"{HEAD}move go(s subset of 1..6 where {where}):\n    n = count(s)\n    last = n\n{END}"
    game = gamedsl.load(rules, "interpreter")
    assert (game.model.moves[0].parameters[0].condition is not None) == is_tested
    engine = CompiledEngine(game.model)
    assert Lockstep(game.engine, engine, random.Random(0)).play(12) is None


def test_tests_without_a_parameter_stand_before_the_loop() -> None:
    rules = f"{HEAD}move go(v in 1..40 where v != n):\n    require n < 30\n    n = v\n{END}"
    legal = generate(gamedsl.load(rules, "interpreter").model).module().functions["legal_0"].body
    (outer,) = (statement for statement in legal if isinstance(statement, If))
    assert not any(isinstance(statement, For | ForEntries | While) for statement in legal)
    assert any(isinstance(statement, For | ForEntries | While) for statement in walk(outer.then))
