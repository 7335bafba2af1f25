"""A builtin is a row of one table: added there, every engine and the checker have it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.model import GameSourceError
from gamedsl.model.builtins import BUILTINS, Arguments, Builtin, Setting, never, of_values
from gamedsl.model.operations import OperationError
from gamedsl.model.types import Type, atoms, join, number
from gamedsl.model.values import NONE, Square, Value
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.perft import perft
from tests.differential.lockstep import Lockstep

CHASE = """game "Chase"
players Cat, Mouse
board 4 wide 4 high

state:
    at[players]: square | none = none
    left: 0..6 = 6
    near: 0..3 = distance(a1, d1)

setup:
    at[Cat] = a1
    at[Mouse] = d4

move go(s in square):
    require distance(at[turn], s) == 1
    at[turn] = s
    left -= 1
    near = distance(at[Cat], at[Mouse])

end:
    if near == 0: Cat wins
    if count(s for s in square where distance(s, at[Mouse]) > 2) > 8 and left == 0: Mouse wins
    if left == 0: draw
"""


def king_moves(one: Value, other: Value) -> Value:
    """So many steps of a king from one square to the other; `none` of `none`."""
    if not isinstance(one, Square) or not isinstance(other, Square):
        return NONE
    across = (one.column or 0) - (other.column or 0)
    up = (one.row or 0) - (other.row or 0)
    return max(abs(across), abs(up))


def how_far(setting: Setting, _: Arguments) -> Type:
    assert setting.board is not None
    size = max(setting.board.width, setting.board.height)
    return join(number(0, size - 1), atoms(NONE))


DISTANCE = Builtin(
    "distance(s, t)", ("square", "square"), how_far, of_values(king_moves), never, "grid"
)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> LoadedGame:
    monkeypatch.setitem(BUILTINS, "distance", DISTANCE)
    return gamedsl.load(CHASE, "interpreter")


def test_a_new_row_is_checked_and_folded(game: LoadedGame) -> None:
    near = next(v for v in game.model.variables if v.name == "near")
    assert near.initial == (3,)
    with pytest.raises(GameSourceError, match=r"`distance\(s, t\)` takes 2 arguments, found 1"):
        gamedsl.load(CHASE.replace("distance(a1, d1)", "distance(a1)"), "interpreter")
    with pytest.raises(GameSourceError, match=r"`distance\(s, t\)` needs a square"):
        gamedsl.load(CHASE.replace("distance(a1, d1)", "distance(a1, 3)"), "interpreter")


def test_a_new_row_means_the_same_to_both_engines(game: LoadedGame) -> None:
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(1))
    assert [together.play(8) for _ in range(20)] == [None] * 20
    assert {state.cells[3] for state in together.seen[0]} == {0, 1, 2, 3}


def test_a_new_row_counts_the_same_in_machine_code(game: LoadedGame, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    kernel = KernelPerft(CompiledEngine(game.model), folder=tmp_path)
    start = game.initial_state()
    found = tuple(kernel.count(start, depth) for depth in range(4))
    assert found == perft(game, depth=3)


def test_a_row_that_can_fail_stops_evaluation_where_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: Value, __: Value) -> Value:
        raise OperationError("`distance` has had enough")

    row = Builtin(
        "distance(s, t)", ("square", "square"), how_far, of_values(refuse), lambda _: True, "grid"
    )
    monkeypatch.setitem(BUILTINS, "distance", row)
    with pytest.raises(GameSourceError, match="has had enough"):
        gamedsl.load(CHASE, "interpreter")
    late = gamedsl.load(CHASE.replace("distance(a1, d1)", "3"), "interpreter")
    with pytest.raises(gamedsl.GameRuleError, match="has had enough") as met:
        late.legal_actions(late.initial_state())
    span = met.value.span
    assert met.value.code == "E3007"
    assert span is not None
    assert late.model.source.text[span.start : span.end] == "distance(s, at[Mouse])"
