"""Geometry of boards: steps, rays, lines, neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.model.board import Board, all_directions, column_name, grid_squares
from gamedsl.model.values import COMPASS, NONE, Square, Vector

SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5))


def grid(width: int, height: int) -> Board:
    return Board(grid_squares(width, height, 0), all_directions(), width=width, height=height)


def names(squares: tuple[Square, ...]) -> str:
    return " ".join(square.name for square in squares)


@given(SIZES, st.sampled_from(list(COMPASS.values())))
def test_a_step_and_the_step_back_lead_home_or_off_the_board(
    size: tuple[int, int], way: Vector
) -> None:
    board = grid(*size)
    for square in board.squares:
        there = board.step(square, way)
        assert there is NONE or board.step(there, -way) is square
        assert board.step(NONE, way) is NONE
        assert board.step(square, NONE) is NONE


@given(SIZES, st.integers(1, 6))
def test_there_are_as_many_lines_as_counting_says(size: tuple[int, int], length: int) -> None:
    width, height = size
    across, up = max(0, width - length + 1), max(0, height - length + 1)
    expected = across * height + up * width + 2 * across * up
    if length == 1:
        expected = width * height
    assert len(grid(width, height).lines(length)) == expected


def test_lines_of_no_length_are_none() -> None:
    assert grid(3, 3).lines(0) == ()
    assert grid(3, 3).lines(-2) == ()
    assert grid(3, 3).lines(10**9) == ()


@given(SIZES)
def test_neighbours_are_mutual(size: tuple[int, int]) -> None:
    board = grid(*size)
    for square in board.squares:
        assert all(square in board.neighbours(near) for near in board.neighbours(square))


def test_a_ray_ends_at_a_hole() -> None:
    squares = tuple(s for s in grid_squares(4, 1, 0) if s.name != "c1")
    board = Board(squares, all_directions(), width=4, height=1)
    assert names(board.ray(squares[0], COMPASS["E"])) == "b1"


def test_a_ray_in_no_direction_is_empty() -> None:
    board = grid(3, 3)
    assert board.ray(board.squares[0], Vector(0, 0)) == ()
    assert board.ray(board.squares[0], NONE) == ()


def test_lines_of_a_graph_are_stretches_of_its_chains() -> None:
    a, b, c = (Square(name, n, None, None) for n, name in enumerate("abc"))
    board = Board((a, b, c), (), ((a, b, c), (c, a)))
    assert {names(line) for line in board.lines(2)} == {"a b", "b c", "c a"}
    assert {names(line) for line in board.lines(3)} == {"a b c"}
    assert names(board.neighbours(a)) == "b c"


def torus(width: int, height: int) -> Board:
    squares = grid_squares(width, height, 0)
    return Board(squares, all_directions(), (), width, height, wraps_across=True, wraps_up=True)


@given(SIZES, st.integers(-7, 7), st.integers(-7, 7))
def test_a_step_on_a_torus_counts_columns_and_rows_round(
    size: tuple[int, int], across: int, up: int
) -> None:
    width, height = size
    board = torus(width, height)
    for square in board.squares:
        assert square.column is not None
        assert square.row is not None
        there = board.step(square, Vector(across, up))
        assert isinstance(there, Square)
        assert there.column == (square.column - 1 + across) % width + 1
        assert there.row == (square.row - 1 + up) % height + 1
        assert board.step(square, board.shortest(Vector(across, up))) is there


@given(SIZES, st.sampled_from(list(COMPASS.values())))
def test_a_ray_on_a_torus_ends_before_its_start(size: tuple[int, int], way: Vector) -> None:
    board = torus(*size)
    for square in board.squares:
        ray = board.ray(square, way)
        assert square not in ray
        assert len(set(ray)) == len(ray)
        assert board.step(ray[-1] if ray else square, way) is square


def test_only_the_side_that_wraps_is_counted_round() -> None:
    squares = grid_squares(3, 2, 0)
    board = Board(squares, all_directions(), (), 3, 2, wraps_across=True)
    a1 = squares[0]
    assert names((board.step(a1, COMPASS["W"]),)) == "c1"  # type: ignore[arg-type]
    assert board.step(a1, COMPASS["S"]) is NONE
    assert names(board.neighbours(a1)) == "a2 b2 b1 c1 c2"
    assert board.at(4, 2) is board.at(1, 2)
    assert board.at(1, 3) is NONE


@pytest.mark.parametrize(("length", "count"), [(1, 9), (2, 36), (3, 12), (4, 0)])
def test_lines_on_a_torus_hold_each_square_once(length: int, count: int) -> None:
    assert len(torus(3, 3).lines(length)) == count


def graph(*lines: str) -> Board:
    """A graph of points named by one letter, each line a chain."""
    points = {
        name: Square(name, n, None, None) for n, name in enumerate(sorted(set("".join(lines))))
    }
    return Board(
        tuple(points.values()), (), tuple(tuple(points[n] for n in line) for line in lines)
    )


@pytest.mark.parametrize(
    ("length", "lines"),
    [
        (2, "ab bc cd da"),
        (3, "abc bcd cda dab"),
        (4, "abcd"),
        (5, ""),
    ],
)
def test_a_chain_that_ends_where_it_begins_has_no_ends(length: int, lines: str) -> None:
    found = {"".join(sorted(s.name for s in run)) for run in graph("abcda").lines(length)}
    assert found == {"".join(sorted(line)) for line in lines.split()}


def test_a_line_holds_each_point_once() -> None:
    board = graph("abcad")
    assert {names(line) for line in board.lines(3)} == {"a b c", "c a d"}
    assert {names(line) for line in board.lines(4)} == {"b c a d"}
    assert graph("aba").lines(3) == ()


def test_no_point_is_its_own_neighbour() -> None:
    board = graph("aab")
    assert names(board.neighbours(board.squares[0])) == "b"


def test_edges_and_pieces_are_counted_once() -> None:
    board = graph("abca", "bac", "de", "f")
    assert [one.name + other.name for one, other in board.edges] == ["ab", "ac", "bc", "de"]
    assert [names(piece) for piece in board.pieces()] == ["a b c", "d e", "f"]
    assert len(grid(3, 3).edges) == 20
    assert len(grid(3, 3).pieces()) == 1


@pytest.mark.parametrize(
    ("column", "name"), [(1, "a"), (26, "z"), (27, "aa"), (52, "az"), (53, "ba"), (703, "aaa")]
)
def test_columns_are_counted_in_letters(column: int, name: str) -> None:
    assert column_name(column) == name
