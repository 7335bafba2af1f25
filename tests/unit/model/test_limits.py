"""No text exhausts the machine: what is too large or too deep is an error that says so."""

from __future__ import annotations

import pytest

from gamedsl.conformance import explore
from gamedsl.game import load_source
from gamedsl.model.limits import MOST_BITS, Effort, is_too_large
from gamedsl.source import SourceFile
from tests.unit.model.reading import BOARD, HEAP, checked, errors, spoilt


def chain(count: int, line: str, first: str) -> str:
    """Definitions each of which uses the one before."""
    return first + "".join(line.format(now=i, before=i - 1) for i in range(1, count))


def in_body(statements: str) -> str:
    return spoilt(HEAP, "    left -= n", f"{statements}\n    left -= n")


TOO_MUCH = {
    "a range of a trillion": spoilt(HEAP, "0..9 = 9", "0..1000000000000 = 9"),
    "a range of a number with forty digits": spoilt(HEAP, "0..9 = 9", f"0..{'9' * 40} = 9"),
    "a range of fractions": spoilt(HEAP, "0..9 = 9", "1/2..9 = 9"),
    "many cells": spoilt(HEAP, "left: 0..9", "heap[1..100000, 1..2]: 0..9 = 0\n    left: 0..9"),
    "a huge board": spoilt(BOARD, "3 wide 3", "99999999999 wide 99999999"),
    "a board without squares": spoilt(BOARD, "3 high", "3 high where column > 9"),
    "a board of nothing": spoilt(BOARD, "3 wide 3", "0 wide 3"),
    "many actions": spoilt(HEAP, "n in 1..3", "n in 1..3, i in 1..99999, j in 1..99999"),
    "many parameters": spoilt(
        HEAP, "n in 1..3", "n in 1..3, " + ", ".join(f"p{i} in 1..1" for i in range(2000))
    ),
    "many clauses": spoilt(
        HEAP, "n <= left", "any(n < 9 " + " ".join(f"for v{i} in 1..1" for i in range(2000)) + ")"
    ),
    "a parameter of any number": spoilt(
        HEAP, "n in 1..3", "n in {left * 1000000 * i for i in 1..9}"
    ),
    "a draw of any number": in_body("    chance k in {left * 1000000 * i for i in 1..9}"),
    "repeated squaring": in_body(
        "    let v0 = 10\n" + "".join(f"    let v{i} = v{i - 1} * v{i - 1}\n" for i in range(1, 60))
    ),
    "repeated squaring of a variable": in_body(
        "    let v0 = left\n"
        + "".join(f"    let v{i} = v{i - 1} * v{i - 1}\n" for i in range(1, 60))
    ),
    "definitions that double": chain(60, "def v{now} = v{before} + v{before}\n", "def v0 = 1\n")
    + spoilt(HEAP, "0..9 = 9", "0..9 = v59"),
    "effects that double": in_body("    e59()")
    + chain(60, "effect e{now}:\n    e{before}()\n    e{before}()\n", "effect e0: kept = 1\n"),
    "a long chain of definitions": HEAP
    + chain(700, "def v{now} = v{before} + 1\n", "def v0 = left\n")
    + "evaluate p: v699\n",
    "a long chain of functions": HEAP
    + chain(700, "def v{now}(x) = v{before}(x) + 0\n", "def v0(x) = x\n")
    + "evaluate p: v699(left)\n",
    "a long chain that is read from its start": in_body(
        "".join(f"    if v{i} > 3: kept = 1\n" for i in range(0, 700, 5))
    )
    + chain(700, "def v{now} = v{before}\n", "def v0 = left\n"),
    "a long chain of parameters": "".join(f"param v{i} = v{i + 1}\n" for i in range(700))
    + "param v700 = 1\n"
    + HEAP,
    "a constant that takes for ever": "param v = count(1 for a in 1..99999 for b in 1..99999"
    " where a < 0)\n" + HEAP,
    "a constant of many values": "param v = len([1 for a in 1..99999 for b in 1..99999])\n" + HEAP,
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_is_too_much_is_an_error(what: str) -> None:
    found = errors(TOO_MUCH[what])
    assert found
    assert {code for code, _ in found} <= {"E1203", "E1101"}
    messages = [message for _, message in found]
    assert len(set(messages)) == len(messages)


DEEP = {
    "brackets": spoilt(HEAP, "n <= left", "(" * 3000 + "n <= left" + ")" * 3000),
    "not": spoilt(HEAP, "n <= left", "not " * 3000 + "n <= left"),
    "minus": spoilt(HEAP, "0..9 = 9", "0..9 = " + "-" * 4000 + "9"),
    "cases": in_body("    kept = " + "0 if left == 1 else " * 800 + "3"),
    "calls": in_body("    kept = " + "max(9, " * 800 + "3" + ")" * 800),
    "blocks": in_body(
        "".join("    " * (i + 1) + "if left > 0:\n" for i in range(300)) + "    " * 301 + "kept = 1"
    ),
    "a tree": 'game "Deep"\nplayers A, B\ntree:\n    ' + "A: x -> " * 1500 + "1\n",
}


LONG = {
    "a sum": spoilt(HEAP, "0..9 = 9", "0..9 = " + "+".join(["0"] * 3000)),
    "a sum in play": in_body("    kept = min(9, " + "+".join(["left"] * 3000) + ")"),
    "alternatives": spoilt(HEAP, "n <= left", " or ".join(["n <= left"] * 3000)),
}


@pytest.mark.parametrize("what", LONG)
def test_what_is_long_and_flat_is_read(what: str) -> None:
    assert errors(LONG[what]) == []


@pytest.mark.parametrize("what", DEEP)
def test_what_is_nested_too_deeply_is_an_error(what: str) -> None:
    assert errors(DEEP[what])


LARGE = {
    "many alternatives": spoilt(HEAP, "n <= left", " or ".join(["n <= left"] * 3000)),
    "loops in loops": in_body(
        "".join("    " * (i + 1) + f"for v{i} in 1..1:\n" for i in range(40))
        + "    " * 41
        + "kept = 1"
    ),
    "a setup of many cells": spoilt(
        HEAP, "kept: 0..9 = 0", "kept: 0..9 = 0\n    grid[1..150, 1..150]: 0..9"
    )
    + "setup:\n    for i in 1..150:\n        for j in 1..150: grid[i, j] = 0\n",
    "many players": BOARD.replace(
        "players X, O", "players " + ", ".join(f"P{i}" for i in range(99))
    )
    .replace("p wins", "payoff q: 1 if q == p else 0")
    .replace("draw", "payoff q: 0"),
    "a long board": spoilt(BOARD, "3 wide 3 high", "1 wide 2000 high"),
    "many columns": spoilt(BOARD, "3 wide 3 high", "60 wide 2 high"),
    "one square": spoilt(BOARD, "3 wide 3 high", "1 wide 1 high"),
    "a domain of many values": spoilt(HEAP, "left: 0..9 = 9", "left: 0..99999 = 99999"),
}


@pytest.mark.parametrize("what", LARGE)
def test_what_is_only_large_can_be_read_and_played(what: str) -> None:
    model, found = checked(LARGE[what])
    assert model is not None, [one.message for one in found]
    game = load_source(model.source, {})
    explored = explore(game, max_positions=20, plays=1)
    assert not [one for one in explored.diagnostics if one.is_error]


def test_very_long_plays_are_no_deeper_than_short_ones() -> None:
    text = spoilt(HEAP, "left: 0..9 = 9", "left: 0..5000 = 5000").replace("n in 1..3", "n in 1..1")
    game = load_source(SourceFile("long", text), {})
    state = game.initial_state()
    for _ in range(5000):
        state = game.result(state, 0)
    assert game.is_terminal(state)


def test_effort_counts_levels_and_steps() -> None:
    effort = Effort()
    effort.enter()
    effort.enter()
    effort.leave()
    assert (effort.depth, effort.deepest, effort.steps) == (1, 2, 2)
    assert effort.excess is None
    effort.deepest = 101
    assert "nested too deeply" in (effort.excess or "")


def test_a_number_is_too_large_from_its_first_bit_too_many() -> None:
    assert not is_too_large(2**MOST_BITS - 1)
    assert is_too_large(2**MOST_BITS)
    assert is_too_large(-(2**MOST_BITS))
    assert not is_too_large(None)
