"""On boards that wrap the compiled engine agrees with the interpreter on all that follows lines."""

from __future__ import annotations

import random

import pytest

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import load_source
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.perft import perft
from gamedsl.source import SourceFile
from tests.differential.lockstep import Lockstep

BOARDS = (
    "board 4 wide 3 high wrap",
    "board 3 wide 3 high wrap wide",
    "board 3 wide 4 high wrap high",
    "board 5 wide 1 high wrap",
    "board 1 wide 3 high wrap",
    "board 2 wide 2 high wrap",
    "board 6 wide 2 high wrap where column != 4 or row == 1",
    "board 4 wide 4 high wrap where (column + row) % 3 != 0",
    "board 9 wide 8 high wrap",
)

WAYS = ("N, E, S, W", "NE, SW, E", "NW, N, SE, W, E")

LINES = """game "Round and round"
players X, O
BOARD
directions WAYS

state:
    at[s in square]: empty | players = X if row(s) == 1 and column(s) % 3 == 2 else empty
    seen: 0..999 = 0

def rival_ahead(s, d) = first(q for q in ray(s, d) where at[q] != empty)

move put(s in square):
    require at[s] == empty
    for d in directions where rival_ahead(s, d) != none and at[rival_ahead(s, d)] == turn:
        for q in ray(s, d) while at[q] == opponent: at[q] = turn
    at[s] = turn
    seen = count(q for q in square where any(at[r] == turn for r in ray(q, NE)))
    seen += count(q for q in square where rival_ahead(q, W) == none)
    seen += len(group(at, s)) + len(group(at, s, {E, NE})) + len(neighbours(s, {2*N + E, E}))

move look(s in square, d in directions):
    require at[s] == turn and any(at[q] == opponent for q in sight(at, s, d))
    let stop = last(q for q in sight(at, s, d))
    for q in sight(at, s, d): seen += 1
    at[stop] = turn
    if at[s + d] == empty and at[s - 2*d] != turn: at[s + d] = opponent
    seen = min(seen, 900) + len(ray(s, 2*d)) + count(at[q + d] == turn for q in square)

end:
    if line(at, opponent, 4): opponent wins
    if line(at, opponent, 3, {NE, 2*E}): draw
    if full(at): draw
    if stuck: draw

endless: draw
"""


def text(board: str, ways: str) -> SourceFile:
    return SourceFile(board, LINES.replace("BOARD", board).replace("WAYS", ways))


@pytest.mark.parametrize(("number", "board"), list(enumerate(BOARDS)))
def test_engines_agree_where_the_board_wraps(number: int, board: str) -> None:
    game = load_source(text(board, WAYS[number % len(WAYS)]), {}, "interpreter")
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(number))
    assert together.play(8) is None


FLIPS = """game "Flips"
players X, O
board 5 wide 4 high wrap

state:
    at[square]: empty | players = empty

move put(s in square, d in {N, NE}):
    require at[s] == empty
    for q in ray(s, d) while at[q] == opponent: at[q] = turn
    at[s] = turn
    ensure not any(at[q] == turn for q in ray(s, E))

end:
    if line(at, opponent, 3): opponent wins
    if stuck: draw
"""


def test_machine_code_counts_the_same_plays_where_the_board_wraps() -> None:
    game = load_source(SourceFile("flips", FLIPS), {}, "interpreter")
    engine = CompiledEngine(game.model)
    counts = perft(game, game.initial_state(), 3)
    assert KernelPerft(engine).count(engine.initial_state(), 3) == counts[-1]
