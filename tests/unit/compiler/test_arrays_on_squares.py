"""Arrays of a few contents are played as boards, and as much is foreseen of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.definitions import of_module
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.foresight.prospects import PROSPECTS, prospects
from gamedsl.compiler.foresight.wins import THREATS, WINS, foresight
from gamedsl.compiler.layout import WORD, Planes, lay_out
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.model.slicing.boards import on_squares
from tests.differential.lockstep import Lockstep
from tests.unit.compiler.test_foresight import told

LINES = """game "Lines"
players X, O
state:
    cell[1..4, 1..3]: {contents}
def has(p) = (any(all(cell[x + k, y] == p for k in 0..2) for x in 1..2 for y in 1..3) or
    any(all(cell[x, y] == p for y in 1..3) for x in 1..4) or
    any(all(cell[x + k, 1 + k] == p for k in 0..2) for x in 1..2) or
    any(all(cell[x + k, 3 - k] == p for k in 0..2) for x in 1..2))
move mark(x in 1..4, y in 1..3):
    require cell[x, y] == {vacant}
    cell[x, y] = turn
end:
    {end}
"""
WON = """for p in players:
        if has(p): p wins
    if not any(cell[x, y] == {} for x in 1..4 for y in 1..3): draw"""
PAID = """if has(X) or has(O) or all(cell[x, y] != {} for x in 1..4 for y in 1..3):
        if has(O): payoff X: 0, O: 100
        elif has(X): payoff X: 100, O: 0
        else: payoff X: 50, O: 50"""
PLAIN = {"contents": "empty | players = empty", "vacant": "empty", "end": WON.format("empty")}
NONE = {"contents": "players | none = none", "vacant": "none", "end": PAID.format("none")}
GAMES = {
    "as a board": PLAIN,
    "goals": PLAIN | {"end": PAID.format("empty")},
    "none is vacant": NONE,
    "stones are on the way": NONE
    | {"contents": "players | stone | none = none", "end": WON.format("none")},
}
CONTENTS = "empty | players = empty"
OTHERS = {
    "three indices": (
        f"cube[1..2, 1..2, 1..2]: {CONTENTS}",
        "x in 1..2, y in 1..2",
        "cube[x, y, 2]",
    ),
    "players and names": (
        f"at[players, Place]: {CONTENTS}",
        "p in players, n in Place",
        "at[p, n]",
    ),
    "one index": (f"row[1..9]: {CONTENTS}", "x in 1..8", "row[x + 1]"),
    "many cells": (f"cell[1..9, 1..8]: {CONTENTS}", "x in 1..9, y in 1..8", "cell[x, y]"),
    "two arrays": (
        f"a[1..3, Place]: {CONTENTS}\n    b[1..3, Place]: {CONTENTS}",
        "x in 1..3, n in Place",
        "a[x, n] == b[x, n] and b[x, n]",
    ),
    "an index that may be none": (
        f"cell[1..3, 1..3]: {CONTENTS}",
        "x in 1..3",
        "cell[x, first(y for y in 1..3 where cell[x, y] == empty)]",
    ),
}
OTHER = """game "Other"
players X, O, Z
type Place = a1 | a2 | a3
state:
    {state}
    left: 0..3 = 3
move put({parameters}):
    require {cell} == empty and left > 0
    {written} = turn
    left -= 1
end:
    if left == 0 or stuck: payoff X: left, O: 1, Z: 2
"""


def functions(text: str, **settings: str) -> tuple[CompiledEngine, dict[str, Any], Any]:
    """An engine, what is foreseen by name, and the ranks and the rest of `prospects`."""
    engine = gamedsl.load(text, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    wins = foresight(engine.model, engine.generated)
    left = prospects(engine.model, engine.generated)
    assert wins is not None
    assert left is not None
    sources = (engine.generated.beside(of_module(module)).source for module in (wins, left.module))
    made: dict[str, Any] = {}
    for source in sources:
        made |= run_source(f"{PYTHON}\n\n{source}")
    return engine, made, (left.ranks, left.rest)


@pytest.mark.parametrize("name", GAMES)
def test_a_win_of_an_array_is_foreseen_where_there_is_one(name: str) -> None:
    count, foreseen, wrong, missed = told(LINES.format(**GAMES[name]), 3)
    assert (wrong, missed) == (0, 0)
    assert 0 < foreseen < count


def test_as_much_is_foreseen_as_of_the_board() -> None:
    board, of_board, (ranks, rest) = functions("mnk", width="4", height="3")
    array, of_array, (own_ranks, own_rest) = functions(LINES.format(**PLAIN))
    square = {4 * (y - 1) + x - 1: 3 * (x - 1) + y - 1 for x in range(1, 5) for y in range(1, 4)}
    assert rest == own_rest
    for order in (ranks, tuple(own_ranks[square[action]] for action in range(12))):
        assert {5, 6} == {order.index(place) for place in (10, 11)}
    chooser, seen = random.Random(5), set()
    for _ in range(6):
        one, other = board.initial_state(), array.initial_state()
        while not board.is_terminal(one):
            for asked in (WINS, THREATS, PROSPECTS):
                answer = of_board[asked](*board.words_of(one))
                assert answer == of_array[asked](*array.words_of(other))
                seen.add((asked, answer))
            action = chooser.choice(board.legal_actions(one))
            one, other = board.result(one, action), array.result(other, square[action])
        assert board.utilities(one) == array.utilities(other)
    assert len(seen) > 6


@pytest.mark.parametrize("name", OTHERS)
def test_arrays_of_any_indices_are_played_as_defined(name: str) -> None:
    state, parameters, cell = OTHERS[name]
    written = cell.rsplit(" and ", 1)[-1]
    game = gamedsl.load(
        OTHER.format(state=state, parameters=parameters, cell=cell, written=written), "interpreter"
    )
    compiled = CompiledEngine(game.model)
    assert any(isinstance(place, Planes) for place in compiled.generated.layout.places)
    together = Lockstep(game.engine, compiled, random.Random(name))
    assert [together.play(8) for _ in range(3)] == [None] * 3


def test_what_a_board_would_not_serve_stays_an_array() -> None:
    for state in ("heap[1..4]: 0..2 = 2", "hand[players]: empty | players = empty"):
        text = f'game "G"\nplayers X, O\nstate:\n    {state}\n    n: 0..2 = 0\n'
        text += "move go():\n    n += 1\nend:\n    if n == 2: draw\n"
        model = gamedsl.load(text, "interpreter").model
        assert on_squares(model) is model


@pytest.mark.parametrize(("cells", "hidden"), [(8, ""), (8, " secret"), (9, ""), (9, " secret")])
def test_states_of_games_with_secrets_stay_short(cells: int, hidden: str) -> None:
    state = f"mark[1..{cells}, 1..8]: empty | players = empty{hidden}\n    n: 0..1 = 0"
    text = f'game "G"\nplayers X, O\nstate:\n    {state}\n'
    text += "move go():\n    n += 1\n    mark[1, 2] = turn\nend:\n    if n == 1: draw\n"
    model = gamedsl.load(text, "interpreter").model
    is_board = on_squares(model) is not model
    assert is_board == (cells == 8 or not hidden)
    assert (lay_out(on_squares(model)).widest > WORD) == (cells == 9 and is_board)
