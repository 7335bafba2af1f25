"""What an operand that may be `none` makes of an expression is the same on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.conformance import explore
from gamedsl.game import LoadedGame
from gamedsl.model.errors import GameRuleError, GameSourceError
from gamedsl.solvers.kernels.perft import KernelPerft
from tests.differential.lockstep import Lockstep
from tests.native.generated import by_definition, by_kernel

TEXT = """game "Lots"
players A, B
board 2 wide 1 high

param row = [[2, 1], [1, 3]]
param deep = [[[1, 2], [3, 2]], [[5, 6], [7, 8]]]
param pairs = [(1, 2), (2, 1)]
param sets = [{{1, 2}}, {{2}}]
param perhaps = [none, 2]

state:
    lot: none | 1..2 = none
    second: 1..2 = 1
    turns: 0..4 = 0
    at: none | square = none
    held[square]: empty | 1..2 = empty

def item(r) = r[second]

move draws(n in 1..2):
    lot, second, turns = n, 3 - n, turns + 1

move lays(s in square):
    lot, at, held[s], turns = none, s, second, turns + 1

{moves}

end:
    if turns == 4: draw
"""
HOLDS_AFTER = {
    "row[lot][1] == 2": [1],
    "row[lot][second] == 1": [1, 2],
    "row[second][lot] == 1": [1, 2],
    "row[lot][lot] == 3": [2],
    "row[lot][1] == none": [None],
    "row[lot][turns + 1] == 3": [2],
    "deep[lot][1][2] == 2": [1],
    "deep[lot][lot][2] == 2": [1],
    "deep[second][lot][2] == 6": [1],
    "row[perhaps[second]][1] == 1": [1],
    "item(row[lot]) == 1": [1, 2],
    "[[1, 2], [1, 2]][lot][lot] == 2": [2],
    "[[k + 1 for k in r] for r in row][lot][1] == 3": [1],
    "any(row[lot][k] == 3 for k in 1..2)": [2],
    "lot != none and 3 in row[lot]": [2],
    "lot != none and sum(row[lot]) == 3": [1],
}
"""Conditions, each with the lots drawn after which it holds; None: none has been drawn."""
ARE_COMPARED = {
    "row[lot] == none": [None],
    "row[lot] == [1, 3]": [2],
    "pairs[lot] == (1, 2)": [1],
    "pairs[lot] in {(1, 2), (3, 4)}": [1],
    "sets[lot] == {2, 1}": [1],
    "sets[lot] == {2}": [2],
}
"""The same of collections as a whole, which only the definition compares."""
NEEDS_A_VALUE = {
    "sum(lot for k in 1..2) > 0": "`+` needs numbers, and one side is `none`",
    "sum([lot, 1]) > 0": "`+` needs numbers, and one side is `none`",
    "sum(perhaps[k] for k in 1..2) > 0": "`+` needs numbers, and one side is `none`",
    "sum(column(s + N) for s in square) > 0": "`+` needs numbers, and one side is `none`",
    "min(lot, 1) == 1": "`min` cannot order `none`",
    "max(column(s + NE) for s in square) == 2": "`max` cannot order `none`",
    "max(column(s + E) for s in square) == 2": "`max` cannot order `none`",
    "column(at + N) < 2 or column(at) < 2": "`<` cannot order `none`",
    "1 in second..lot": "`..` needs numbers, and one side is `none`",
    "row[lot][1] > 0": "`>` cannot order `none`",
}
"""Conditions, each with the error that comes where no lot has been drawn."""
PAID = {
    "end:\n    if turns == 4: A wins lot": "a payoff is a number, found `none`",
    "end:\n    if turns == 4: payoff A: lot, B: 0": "a payoff is a number, found `none`",
    "end:\n    if turns == 4: payoff p: column(at)": "a payoff is a number, found `none`",
    "move pays:\n    turns += 1\n    reward A: lot\nend:\n    if turns == 4: draw":
        "a reward is a number, found `none`",
    "move rolls:\n    turns += 1\n    chance n in {1: 1/2, 2: lot}\n    second = n\n"
    "end:\n    if turns == 4: draw": "the weight of 2 in `chance n` is none",
    "move rolls:\n    turns += 1\n    for k in 1..lot:\n        chance n in 1..2\n"
    "        second = n\nend:\n    if turns == 4: draw":
        "`..` needs numbers, and one side is `none`",
}  # fmt: skip
"""Where amounts are paid, each with the error that comes where no lot has been drawn."""
FAILS_BEFORE_NONE_IS_FOUND = [
    *(f"require lot {sign} (9 // turns) != 1" for sign in ("+", "-", "*", "/", "//", "%")),
    *(f"require lot {sign} 9 // turns" for sign in ("<", "<=", ">", ">=")),
    "require lot + lot * (9 // turns) > 1",
    "require lot + (9 // turns if second == 1 else lot) > 1",
    "require 1 in lot..9 // turns",
    "require count(row[lot][1]..9 // turns) == 1",
    "for k in lot..9 // turns:\n        second = 1",
    "for k in lot..9 // turns:\n        chance second in 1..2",
    "second = max(1, min(2, lot - 9 // turns))",
]
"""What moves do with a value that may be `none` beside another that fails at the start."""
NEEDS_A_SET = {
    "3 in row[lot]": "`lot != none and ...`",
    "any(k == 3 for k in row[lot])": "`lot != none and ...`",
    "count(row[lot]) == 2": "`lot != none and ...`",
    "len(row[lot]) == 2": "`lot != none and ...`",
    "count(deep[second][lot]) == 2": "`lot != none and ...`",
    "count(deep[lot][second]) == 2": "`lot != none and ...`",
    "count(row[lot] | {3}) == 2": "`lot != none and ...`",
    "count({3} - row[lot]) == 2": "`lot != none and ...`",
    "count(row[column(at)]) == 2": "`column(at) != none and ...`",
}
"""Conditions that are refused, each with what is to be asked before."""


NOWHERE = [
    "require a1 + NE == b1\n    held[a1 + NE] = 1",
    "require at != b1\n    held[at + N] = 1",
    "held[a1 + NE] = 1",
    "at = a1 + N\n    held[at] = 1",
    "for s in square:\n        held[s + N] = 1",
    "chance second in 1..2\n    held[a1 + NE] = 1",
    "chance second in 1..2\n    held[at + N] = second",
    "second = column(at + N)",
    "second = sum(column(s + N) for s in square)",
    "second = max(column(s + N) for s in square)",
]
"""What moves do with squares of which there are none."""


def game_with(*bodies: str) -> LoadedGame:
    """The game with a move for each body."""
    moves = (
        f"move claims_{place}:\n    {body}\n    turns += 1\n" for place, body in enumerate(bodies)
    )
    return gamedsl.load(TEXT.format(moves="\n".join(moves)), "interpreter")


def differs(game: LoadedGame, *, native: bool = False) -> str | None:
    """What code makes otherwise than the definition, along plays and in counts."""
    compiled = CompiledEngine(game.model)
    for seed in range(4):
        if found := Lockstep(game.engine, compiled, random.Random(seed)).play(4):
            return found
    kernel = KernelPerft(compiled, native=native)
    for each in (False, True):
        wanted, counted = by_definition(game, 3), by_kernel(compiled, kernel, 3, each=each)
        if counted != wanted:
            return f"perft 3 is {wanted}, kernels say {counted}"
    return None


@pytest.mark.parametrize("condition", [*HOLDS_AFTER, *ARE_COMPARED])
def test_a_move_that_asks_an_item_at_a_position_that_may_be_none_is_legal(condition: str) -> None:
    game = game_with(f"require {condition}")
    start = game.initial_state()
    after = {None: start}
    for lot in (1, 2):
        after[lot] = game.result(start, game.action_named(start, f"draws({lot})"))
    legal = [
        lot
        for lot, state in after.items()
        if "claims_0" in [game.action_name(state, one) for one in game.legal_actions(state)]
    ]
    assert legal == (HOLDS_AFTER | ARE_COMPARED)[condition]


def test_items_at_positions_that_may_be_none_are_the_same_on_every_engine() -> None:
    assert differs(game_with(*(f"require {one}" for one in HOLDS_AFTER)), native=True) is None


@pytest.mark.parametrize("condition", ARE_COMPARED)
def test_collections_that_may_be_none_are_compared_by_the_definition_alone(condition: str) -> None:
    with pytest.raises(CannotCompileError):
        CompiledEngine(game_with(f"require {condition}").model)


@pytest.mark.parametrize("condition", NEEDS_A_VALUE)
def test_what_needs_a_value_and_finds_none_is_the_same_error(condition: str) -> None:
    game = game_with(f"require {condition}")
    with pytest.raises(GameRuleError) as caught:
        game.legal_actions(game.initial_state())
    assert caught.value.message == NEEDS_A_VALUE[condition]
    assert differs(game) is None


@pytest.mark.parametrize("body", FAILS_BEFORE_NONE_IS_FOUND)
def test_both_sides_are_worked_out_before_one_is_found_to_be_none(body: str) -> None:
    game = game_with(body)
    start = game.initial_state()
    with pytest.raises(GameRuleError, match="`9 // 0`: division by zero"):
        game.result(start, game.action_named(start, "claims_0"))
    assert differs(game) is None


def test_the_order_in_which_sides_fail_is_that_of_machine_code_too() -> None:
    assert differs(game_with(*FAILS_BEFORE_NONE_IS_FOUND), native=True) is None


@pytest.mark.parametrize("rules", PAID)
def test_none_is_paid_to_nobody_with_the_same_error_on_every_engine(rules: str) -> None:
    moves = "move waits:\n    turns += 1\n"
    text = TEXT.format(moves=moves).replace("end:\n    if turns == 4: draw\n", rules + "\n")
    game = gamedsl.load(text, "interpreter")
    compiled = CompiledEngine(game.model)
    chooser = random.Random(0)
    assert [Lockstep(game.engine, compiled, chooser).play(5) for _ in range(20)] == [None] * 20
    findings = explore(game, max_positions=300, plays=20).diagnostics
    assert PAID[rules] in {finding.message for finding in findings if finding.is_error}


def test_a_heuristic_value_of_none_is_the_same_error() -> None:
    text = TEXT.format(moves="").replace("end:\n", "evaluate p: lot\nend:\n")
    game = gamedsl.load(text, "interpreter")
    for engine in (game.engine, CompiledEngine(game.model)):
        with pytest.raises(GameRuleError, match="a payoff is a number, found `none`"):
            engine.evaluate(engine.initial_state(), 0)


@pytest.mark.parametrize("condition", NEEDS_A_SET)
def test_a_collection_that_may_be_none_is_asked_about_first(condition: str) -> None:
    with pytest.raises(GameSourceError) as caught:
        game_with(f"require {condition}")
    assert NEEDS_A_SET[condition] in str(caught.value)


@pytest.mark.parametrize("body", NOWHERE)
def test_a_move_whose_squares_never_exist_breaks_off_alike(body: str) -> None:
    assert differs(game_with(body)) is None


def test_moves_whose_squares_never_exist_are_machine_code() -> None:
    assert differs(game_with(*NOWHERE), native=True) is None


def test_a_leap_off_the_board_in_every_direction_is_machine_code() -> None:
    text = (
        'game "Leap"\nplayers A, B\nboard 3 wide 3 high\n'
        "state:\n    held[square]: empty | players = empty\n"
        "move put(s in square):\n    require held[s] == empty\n    held[s] = turn\n"
        "move leap(s in square, d in directions):\n    require s + 3*d == a1\n"
        "    held[s + 3*d] = turn\n"
        "end:\n    if full(held): draw\n"
    )
    game = gamedsl.load(text, "native")
    assert isinstance(game.engine, CompiledEngine)
    kernel = KernelPerft(game.engine)
    assert [kernel.count(game.initial_state(), depth) for depth in (1, 2, 3)] == [9, 72, 504]


@pytest.mark.parametrize("call", ["do(x)", "do(x + N)", "turns += 0"])
def test_an_item_is_asked_about_alike_in_an_effect_that_is_called_and_in_others(call: str) -> None:
    place = "(column(x) if turn == B else none)"
    effect = f"effect do(x):\n    if {place} != none and 1 in row[{place}]: turns += 1\n\n"
    move = f"move put(x in square):\n    turns += 1\n    {call}\n"
    assert gamedsl.load(TEXT.format(moves=effect + move)).name == "Lots"
