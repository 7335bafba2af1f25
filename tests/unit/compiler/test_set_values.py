"""Steps of whole sets of squares: of sets that are known, the set that comes out is known too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.compiler.codes import Codes
from gamedsl.compiler.ir.values import Value, name
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.sets import fills, set_loops, square_sets
from gamedsl.compiler.lowering.sets.parallel_tests import _gathered
from gamedsl.model.board import Board
from gamedsl.model.values import Square, Vector

GAME = """game "Steps"
players X, O
board 5 wide 4 high where column + row != 4
state:
    at[square]: empty | players = empty
move go(s in square):
    require at[s] == empty
    at[s] = turn
end:
    if full(at): draw
"""
MODEL = gamedsl.load(GAME, "interpreter").model
LOWERING = GameLowering(MODEL, Codes(MODEL), lay_out(MODEL))
constant = LOWERING.sets.constant
SQUARES = LOWERING.codes.squares
FULL = (1 << len(SQUARES)) - 1
WAYS = [Vector(*way) for way in ((1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1), (0, -2), (2, 1))]
masks = st.integers(0, FULL)
ways = st.sampled_from(WAYS)


def board() -> Board:
    assert MODEL.board is not None
    return MODEL.board


def members(mask: int) -> set[Square]:
    return {square for n, square in enumerate(SQUARES) if mask >> n & 1}


def found(value: Value | None) -> set[Square]:
    assert value is not None
    return members(value.const)


@given(masks, ways)
def test_shifted_squares_are_those_from_which_a_step_leads_into_the_set(
    mask: int, way: Vector
) -> None:
    shifted = fills.shifted(LOWERING, constant(mask), fills.steps(LOWERING, way))
    assert found(shifted) == {s for s in SQUARES if board().step(s, way) in members(mask)}


@given(masks, masks, ways)
def test_filled_squares_are_those_that_reach_a_goal_over_passable_squares(
    goals: int, passable: int, way: Vector
) -> None:
    def reaches(square: Square) -> bool:
        for one in board().ray(square, way):
            if one in members(goals):
                return True
            if one not in members(passable):
                return False
        return False

    steps = fills.steps(LOWERING, way)
    filled = fills.filled(LOWERING, constant(goals), constant(passable), steps)
    assert found(filled) == {square for square in SQUARES if reaches(square)}


@given(masks, st.none() | st.tuples(ways, ways))
def test_squares_beside_a_set_are_the_neighbours_of_its_squares(
    mask: int, along: tuple[Vector, ...] | None
) -> None:
    beside = fills.beside(LOWERING, constant(mask), along)
    assert found(beside) == {one for s in members(mask) for one in board().neighbours(s, along)}


@given(masks)
def test_related_squares_have_one_of_their_relatives_in_the_set(mask: int) -> None:
    rows = [LOWERING.sets.mask(board().neighbours(square)) for square in SQUARES]
    related = fills.related(LOWERING, constant(mask), rows)
    assert found(related) == {s for s in SQUARES if members(mask) & set(board().neighbours(s))}


@given(masks, masks, st.booleans())
def test_a_loop_makes_the_rounds_before_it_stops(mask: int, stops: int, is_upward: bool) -> None:
    made = []
    for square in SQUARES if is_upward else SQUARES[::-1]:
        if square in members(mask):
            if square in members(stops):
                break
            made.append(square)
    before = set_loops._until(LOWERING, constant(mask), constant(stops), is_upward)
    assert found(before) == set(made)


@given(masks)
def test_a_complement_is_undone(mask: int) -> None:
    some = name("some", LOWERING.sets.type) & mask
    assert square_sets.neither(LOWERING, square_sets.neither(LOWERING, some)) is some
    assert found(square_sets.neither(LOWERING, constant(mask))) == set(SQUARES) - members(mask)


@given(masks, st.integers(0, 0b11111))
def test_values_are_gathered_where_a_square_of_their_shape_is_in_the_set(
    mask: int, places: int
) -> None:
    shape, starts = places << 1 | 1, 0b1010101
    gathered = _gathered(constant(mask), shape, starts)
    assert gathered is not None
    tried = [n for n in range(starts.bit_length()) if starts >> n & 1]
    assert gathered.const == sum(1 << n for n in tried if mask >> n & shape)
