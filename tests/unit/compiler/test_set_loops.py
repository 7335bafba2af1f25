"""Loops over squares that are made at once: the same states as round by round."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.statements import For, ForEntries, Statement, While, targets_of, walk
from gamedsl.compiler.module import generate
from gamedsl.compiler.passes.pipeline import CompilerOptions
from tests.differential.lockstep import Lockstep

BOARD = """game "Loops"
players X, O
board {width} wide {height} high
state:
    at[square]: empty | players = empty
    lit[square]: bool = false
    left: 0..9 = 9
move go(s in square):
    require left > 0
{body}
    at[s] = turn
    left -= 1
end:
    if left == 0: draw
"""

AT_ONCE = {
    "a ray up to what stops it": """
    for d in directions:
        for q in ray(s, d) while at[q] != opponent:
            at[q] = turn
""",
    "a ray up to a square that was found": """
    let stop = first(q for q in ray(s, W) where at[q] == opponent)
    if stop != none:
        for q in ray(s, W) while q != stop:
            lit[q] = not lit[q]
""",
    "a line of sight": """
    for q in sight(at, s, SW) while at[q] == empty:
        at[q] = opponent
    for q in sight(at, s, NE):
        lit[q] = true
""",
    "those neighbours that are the other's": """
    for q in neighbours(s) where at[q] == opponent:
        at[q] = turn
""",
    "a group and its value": """
    for q in group(at, s) where lit[q]:
        at[q] = empty if q == s else turn
""",
    "branches of which one sees the other's change": """
    for q in square where row(q) <= 3:
        if at[q] == turn:
            lit[q] = at[q] == turn and not lit[q]
        elif lit[q]:
            at[q] = turn
        else:
            lit[q] = true
        if lit[q]: at[q] = opponent
""",
    "every square up to one that is named": """
    for q in square while q != b2:
        lit[q] = not lit[q]
""",
    "known squares backwards": """
    for q in ray(c3, SW) while q != a1:
        lit[q] = not lit[q]
    for q in ray(c3, S) while at[q] == empty:
        lit[q] = not lit[q]
""",
    "every square up to the first that is lit": """
    for q in square while not lit[q]:
        at[q] = at[q]
        lit[q] = q != s
""",
}

ROUND_BY_ROUND = {
    "a round that sees what an earlier one changed": """
    for q in square where at[q + W] != empty or q == s:
        at[q] = turn
""",
    "a round that changes another's square": """
    for q in ray(s, W) while at[q] == empty:
        at[q + E] = turn
""",
    "a value that an earlier round changed": """
    for q in square where row(q) == 2:
        at[q] = at[b2]
""",
    "a condition on the whole board": """
    for q in square while not line(at, turn, 3):
        at[q] = turn
""",
}


def game(body: str, width: int, height: int) -> str:
    return BOARD.format(body=body.strip("\n"), width=width, height=height)


def applying(body: str) -> list[Statement]:
    """What carries out a move of the first player, every set under its name."""
    model = gamedsl.load(game(body, 8, 8), "interpreter").model
    generated = generate(model, CompilerOptions(frozenset({"forward"})))
    return list(walk(generated.module().functions["do_0_0"].body))


def has_loops(body: str) -> bool:
    return any(isinstance(one, While | For | ForEntries) for one in applying(body))


def is_joined(body: str) -> bool:
    """Whether squares of several rounds are put together."""
    targets = [target for one in applying(body) for target in targets_of(one)]
    return any(target.name.startswith("all_") for target in targets)


@pytest.mark.parametrize(("width", "height"), [(8, 8), (4, 3), (9, 8)])
@pytest.mark.parametrize("title", [*AT_ONCE, *ROUND_BY_ROUND])
def test_loops_over_squares_are_played_as_they_are_written(
    title: str, width: int, height: int
) -> None:
    body = {**AT_ONCE, **ROUND_BY_ROUND}[title]
    loaded = gamedsl.load(game(body, width, height), "interpreter")
    together = Lockstep(loaded.engine, CompiledEngine(loaded.model), random.Random(width))
    assert next((found for found in (together.play(9) for _ in range(3)) if found), None) is None


@pytest.mark.parametrize("title", AT_ONCE)
def test_squares_that_change_apart_from_each_other_change_at_once(title: str) -> None:
    assert not has_loops(AT_ONCE[title])


@pytest.mark.parametrize("title", ROUND_BY_ROUND)
def test_rounds_that_see_each_other_are_made_one_by_one(title: str) -> None:
    assert has_loops(ROUND_BY_ROUND[title])


TURNED_TOGETHER = {
    "rays from one square": """
    for d in directions where at[s + d] == opponent:
        for q in ray(s, d) while at[q] == opponent:
            at[q] = turn
""",
    "rays with names for what ends them": """
    for d in directions:
        let stop = first(q for q in ray(s, d) where at[q] != opponent)
        if stop != none:
            if at[stop] == turn:
                for q in ray(s, d) while q != stop:
                    at[q] = turn
                    lit[q] = true
""",
    "lines of sight": """
    for d in {N, SE, W} where at[last(sight(at, s, d))] == opponent:
        for q in sight(at, s, d):
            lit[q] = false
""",
}

TURNED_IN_TURN = {
    "rays that cross": """
    for d in {N, NE}:
        for q in ray(a1, d) while at[q] != turn:
            at[q] = turn
        for q in ray(s, S) while at[q] == opponent:
            at[q] = empty
""",
    "rays of which a later one starts where an earlier one has been": """
    for d in {N, S}:
        for q in ray(s + d, E) where at[q + N] != turn:
            at[q] = turn
        for q in ray(s, d) where at[q + S + W] == turn:
            at[q] = empty
""",
    "rounds that put different things on the same squares": """
    for n in 1..3:
        for q in ray(s, N):
            at[q] = turn if n == 2 else empty
""",
    "a value that an earlier round decides": """
    for d in {E, N}:
        let value = turn if at[c2] == turn else empty
        for q in ray(s, d):
            at[q] = value
""",
    "a test that an earlier round decides": """
    for d in {E, NE, N}:
        if at[c2] != turn:
            for q in ray(s, d):
                at[q] = turn
""",
}


@pytest.mark.parametrize(("width", "height"), [(8, 8), (5, 4), (9, 8)])
@pytest.mark.parametrize("title", [*TURNED_TOGETHER, *TURNED_IN_TURN])
def test_loops_within_loops_are_played_as_they_are_written(
    title: str, width: int, height: int
) -> None:
    body = {**TURNED_TOGETHER, **TURNED_IN_TURN}[title]
    loaded = gamedsl.load(game(body, width, height), "interpreter")
    together = Lockstep(loaded.engine, CompiledEngine(loaded.model), random.Random(height))
    assert next((found for found in (together.play(9) for _ in range(6)) if found), None) is None


@pytest.mark.parametrize("title", TURNED_TOGETHER)
def test_rounds_that_are_apart_are_joined(title: str) -> None:
    assert is_joined(TURNED_TOGETHER[title])


@pytest.mark.parametrize("title", TURNED_IN_TURN)
def test_rounds_that_are_not_apart_are_not_joined(title: str) -> None:
    assert not is_joined(TURNED_IN_TURN[title])
