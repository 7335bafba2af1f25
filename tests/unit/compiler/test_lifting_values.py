"""Conditions on a 3x3 board, and the sets of squares that they are lifted to."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.codes import Codes
from gamedsl.compiler.ir.values import (
    INT,
    Op,
    Value,
    bits,
    integer,
    lookup,
    lowest,
    name,
    number,
    select,
)
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.sets import preimages, square_sets
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.types import number as number_type

GAME = """game "Lifting"
players X, O
board 3 wide 3 high
state:
    at[square]: empty | players = empty
    lit[square]: bool = false
    n: 0..3 = 0
    king: square = a1
def mark(q) = X if lit[q] else O
def ways(k) = {{}} if k == 1 else {{W}} if k == 2 else {{N}}
def alike(q, p) = mark(q) == at[p]
move go(s in square, k in 1..3):
    require {condition}
    at[s] = turn
    lit[s] = not lit[s]
    n, king = k, s
end:
    if full(at): draw
"""
BOARD = bits(9)
XS, OS, LIT = (name(title, BOARD) for title in ("at_X__", "at_O__", "lit__"))
N, KING, K = (name(title, INT) for title in ("n__", "king__", "k"))
ALL, NONE = number(0o777, BOARD), number(0, BOARD)
EMPTY = ALL & ~(XS | OS)
NOT_TOP, NOT_BOTTOM, NOT_LEFT, NOT_RIGHT = 0o077, 0o770, 0o666, 0o333


def required(condition: str) -> tuple[GameLowering, nodes.Expr, int, Scope]:
    """A lowering, the condition, the local of its square, a scope in which X is to move."""
    model = gamedsl.load(GAME.format(condition=condition), "interpreter").model
    move = model.moves[0]
    guard = move.body[0]
    assert isinstance(guard, nodes.Require)
    lowering = GameLowering(model, Codes(model), lay_out(model))
    square, row = (parameter.slot for parameter in move.parameters)
    scope = Scope(Known(model.players[0])).having(row, Code(K, number_type(1, 3)))
    return lowering, guard.condition, square, scope


def lifted(condition: str) -> Value | None:
    lowering, node, slot, scope = required(condition)
    return square_sets.lifted(lowering, node, slot, scope)


def lowered(condition: str) -> Low:
    lowering, node, _, scope = required(condition)
    return lowering.lower(node, scope)


def test_a_cell_is_a_plane() -> None:
    assert lifted("at[s] == turn") is XS
    assert lifted("lit[s]") is LIT
    assert lifted("at[s] == empty") is EMPTY


def test_a_complement_of_a_complement_is_the_set_itself() -> None:
    assert lifted("at[s] != empty") is XS | OS
    assert lifted("not not lit[s]") is LIT


def test_a_step_is_a_shift_under_a_mask() -> None:
    assert lifted("at[s + N] == empty") is (EMPTY >> 3) & NOT_TOP
    assert lifted("at[s + S] == X") is (XS << 3) & NOT_BOTTOM
    assert lifted("at[s + W] == X") is (XS << 1) & NOT_LEFT


def test_connectives_are_operations_on_sets() -> None:
    assert lifted("lit[s] and at[s] == X") is LIT & XS
    assert lifted("lit[s] or at[s] == X") is LIT | XS
    assert lifted("at[s] == X if lit[s] else at[s] == O") is LIT & XS | ALL & ~LIT & OS


def test_what_the_state_has_no_part_in_is_known() -> None:
    assert lifted("row(s) == 1") is number(0o007, BOARD)
    assert lifted("s + N == none") is number(0o700, BOARD)
    assert lifted("s in {a1, b2} or column(s) == 3") is number(0o465, BOARD)


def test_one_number_decides_by_a_table_of_sets() -> None:
    assert lifted("row(s) == k") is lookup((0o007, 0o070, 0o700), K - 1, BOARD)


def test_what_the_square_has_no_part_in_selects_all_or_nothing() -> None:
    assert lifted("n == 2 and lit[s]") is select(N.eq(2), LIT, NONE)
    assert lifted("n == 2 or lit[s]") is select(N.eq(2), ALL, LIT)


def test_a_place_is_the_set_of_one_square() -> None:
    assert lifted("s == king") is number(1, BOARD) << KING


def test_the_values_of_a_quantifier_are_joined() -> None:
    north, west = (XS >> 3) & NOT_TOP, (XS << 1) & NOT_LEFT
    assert lifted("any(at[s + d] == X for d in {N, W})") is north | west


def test_a_condition_of_a_quantifier_is_a_part_of_what_decides() -> None:
    joined = lifted("any(lit[t] and at[t] == X for t in neighbours(s))")
    assert joined is not None
    assert lifted("any(at[t] == X for t in neighbours(s) where lit[t])") is joined
    assert lifted("all(at[t] != X for t in neighbours(s) where lit[t])") is ALL & ~joined


def test_a_collection_chosen_by_the_state_is_a_choice_of_sets() -> None:
    north, west = (XS >> 3) & NOT_TOP, (XS << 1) & NOT_LEFT
    one_of_two = "any(at[s + d] == X for d in ({N, W} if n == 2 else {N}))"
    assert lifted(one_of_two) is select(N.eq(2), north | west, north)
    by_a_definition = "any(at[s + d] == X for d in ways(n))"
    assert lifted(by_a_definition) is select(N.eq(1), NONE, select(N.eq(2), west, north))
    assert lifted("any(at[s + d] == X for d in ({N, W} if lit[s] else {N}))") is None


def test_two_cells_are_equal_where_they_hold_the_same_value() -> None:
    dark = ALL & ~LIT
    beside, dark_beside = (LIT >> 1) & NOT_RIGHT, (dark >> 1) & NOT_RIGHT
    assert lifted("lit[s] == lit[s + E]") is dark & dark_beside | LIT & beside


def test_sides_of_an_equality_keep_their_own_names() -> None:
    then = select((XS & number(0o020, BOARD)).ne(0), ALL, NONE)
    otherwise = select((OS & number(0o020, BOARD)).ne(0), ALL, NONE)
    assert lifted("alike(s, b2)") is LIT & then | ALL & ~LIT & otherwise


@pytest.mark.parametrize("condition", ["line(at, at[s], 3)", "n < row(s) + n"])
def test_what_asks_for_one_square_is_not_lifted(condition: str) -> None:
    assert lifted(condition) is None


def test_whether_there_is_a_first_square_is_whether_there_is_any() -> None:
    low = lowered("first(q for q in square where at[q] == X) == none")
    assert low == lowered("not any(at[q] == X for q in square)")


def test_a_first_square_is_the_lowest_of_a_set() -> None:
    lowering, node, _, scope = required("first(q for q in square where at[q] == X) == king")
    first = select(XS.ne(0), lowest(XS), integer(lowering.codes.none))
    assert lowering.condition(node, scope) is first.eq(KING)


def test_a_line_of_sight_ends_at_the_first_occupied_square() -> None:
    lowering, node, _, scope = required("b1 in sight(at, king, N)")
    assert isinstance(node, nodes.Member)
    seen = preimages.set_of(lowering, node.collection, scope)
    assert seen is not None
    rays = (0o110, 0o220, 0o440, 0o100, 0o200, 0o400, 0, 0, 0)
    ray = lookup(rays, KING, BOARD)
    blocked = ray & (XS | OS)
    assert seen is select(blocked.ne(0), ray ^ lookup(rays, lowest(blocked), BOARD), ray)


def test_a_group_is_a_call_that_is_shared() -> None:
    lowering, node, _, scope = required("a1 in group(at, king)")
    assert isinstance(node, nodes.Member)
    found = preimages.set_of(lowering, node.collection, scope)
    assert found is not None
    assert found.op is Op.CALL
    assert found is preimages.set_of(lowering, node.collection, scope)


def test_quantifiers_over_squares_and_more_are_nested() -> None:
    found = lowered("any(at[q + d] == X for q in group(at, king) for d in {E, N})")
    low = lowered("any(at[q + E] == X or at[q + N] == X for q in group(at, king))")
    assert isinstance(low, Code)
    assert found == low
