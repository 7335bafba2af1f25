"""Who is said to have no chance any more wins in no play from there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import gamedsl
from gamedsl.compiler.definitions import of_module
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.foresight.prospects import PROSPECTS, prospects
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.model import State
from gamedsl.model.values import EMPTY
from tests.unit.model.rewriting.evaluating import edges

BOTH = 3
GAME = """game "Filled"
players A, B
board {board}
state:
    cell[square]: empty | stone | players = {start}
    passed: bool = false

{more}move mark(s in square{also}):
    require cell[s] == empty
    cell[s] = {put}

end:
    {end}
    {last}
"""
PLAIN = {
    "board": "3 wide 3 high",
    "start": "empty",
    "more": "",
    "also": "",
    "put": "turn",
    "end": "for p in players: if line(cell, p, 3): p wins",
    "last": "if full(cell): draw",
}
LIFT = "move lift(s in square):\n    require cell[s] in {}\n    cell[s] = {}\n\n"
TOLD = {
    "lines": PLAIN,
    "who has one loses": PLAIN | {"end": "for p in players: if line(cell, p, 3): p loses"},
    "who has just moved": PLAIN | {"end": "if line(cell, other(turn), 3): turn loses"},
    "two corners": PLAIN | {"end": "for p in players: if cell[a1] == p and cell[c3] == p: p wins"},
    "some neighbour": PLAIN
    | {"end": "for p in players: if any(cell[s] == p and cell[b2] == p for s in {a1, c1}): p wins"},
    "only some lines": PLAIN | {"end": "for p in players: if line(cell, p, 3, {E, N}): p wins"},
    "and it is not full": PLAIN
    | {"end": "for p in players: if line(cell, p, 3) and not full(cell): p wins"},
    "by turns": PLAIN
    | {"end": "if line(cell, A, 3): A wins\n    elif line(cell, B, 3, {E}): B wins"},
    "stones too": PLAIN | {"board": "3 wide 2 high", "also": ", v in {turn, stone}", "put": "v"},
    "a def": PLAIN
    | {"end": "for p in players: if line(cell, p, 3) or line(cell, p, 3, {N}): p wins"},
    "all wins pay 3": PLAIN | {"end": "for p in players: if line(cell, p, 3): p wins 3"},
    "no draw, and all wins pay 2": PLAIN
    | {"end": "for p in players: if line(cell, p, 3): p wins 2", "last": "if full(cell): B wins 2"},
    "no draw": PLAIN | {"last": "if full(cell): B wins"},
}
UNTOLD = {
    "men leave": PLAIN | {"more": LIFT.format("{turn}", "empty")},
    "men are turned": PLAIN | {"more": LIFT.format("{A, B}", "turn")},
    "one may pass": PLAIN | {"more": "move skip():\n    require not passed\n    passed = true\n\n"},
    "numbers are paid": PLAIN | {"last": "if full(cell): payoff A: 2, B: 1"},
    "who has no line wins": PLAIN
    | {"end": "for p in players: if not line(cell, p, 2) and full(cell): p wins"},
    "who is not there wins": PLAIN
    | {"end": "for p in players: if cell[a1] != p and full(cell): p wins"},
}


def asked(text: str, **settings: str) -> tuple[CompiledEngine, Callable[[State], int] | None, int]:
    """The game, who may still win by its `prospects`, and what the others get at best."""
    engine = gamedsl.load(text, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    found = prospects(engine.model, engine.generated)
    if found is None:
        return engine, None, 0
    names = run_source(f"{PYTHON}\n\n{engine.generated.beside(of_module(found.module)).source}")
    return engine, lambda state: names[PROSPECTS](*engine.words_of(state)), found.rest


def compared(text: str, **settings: str) -> tuple[int, int, int]:
    """Of all positions that are not over: in how many a chance is said to be gone that is there,
    in how many one is said to be gone, and in how many one is."""
    engine, says, _ = asked(text, **settings)
    assert says is not None
    wrong = said = gone = 0

    @cache
    def winners(state: State) -> int:
        """Who wins in some play."""
        nonlocal wrong, said, gone
        if engine.is_terminal(state):
            first, second = engine.utilities(state)
            return int(first > second) + 2 * int(second > first)
        found = 0
        for action in engine.legal_actions(state):
            found |= winners(engine.result(state, action))
        assert says is not None
        told = says(state)
        wrong, said, gone = (
            wrong + bool(found & ~told),
            said + (told != BOTH),
            gone + (found != BOTH),
        )
        return found

    winners(engine.initial_state())
    return wrong, said, gone


@pytest.mark.parametrize("name", TOLD)
def test_who_is_said_to_have_no_chance_has_none(name: str) -> None:
    wrong, said, gone = compared(GAME.format(**TOLD[name]))
    assert wrong == 0
    assert 0 < said <= gone


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tic_tac_toe", {}),
        ("misere_tic_tac_toe", {}),
        ("wild_tic_tac_toe", {}),
        ("treblecross", {}),
        ("connect_small", {"width": "4", "height": "3", "run": "3"}),
        ("mnk", {"width": "4", "height": "3", "run": "4"}),
    ],
)
def test_the_same_of_shipped_games(name: str, settings: dict[str, str]) -> None:
    wrong, said, gone = compared(name, **settings)
    assert wrong == 0
    assert said <= gone


def test_a_chance_is_gone_when_no_line_is_open() -> None:
    engine, says, rest = asked("tic_tac_toe")
    assert says is not None
    assert rest == (0, 0, 0, 0)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    digit = engine.model.variables[0].domain.digit
    empty, *marks = (digit[one] for one in (EMPTY, *engine.model.players))
    met = set()
    for state, _, _ in edges(engine, 30):
        open_to = [
            any(all(state.cells[place] in {empty, mark} for place in line) for line in lines)
            for mark in marks
        ]
        met.add(says(state))
        assert says(state) == open_to[0] + 2 * open_to[1]
    assert len(met) > 2


@pytest.mark.parametrize("name", UNTOLD)
def test_where_nothing_can_be_told_nothing_is(name: str) -> None:
    assert asked(GAME.format(**UNTOLD[name]))[1] is None


def test_without_a_draw_who_cannot_win_loses() -> None:
    assert asked(GAME.format(**TOLD["no draw"]))[2] == (-1, 1, 1, -1)
