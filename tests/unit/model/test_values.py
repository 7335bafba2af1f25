"""Values: how they are written, compared and placed in their domains."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.model import operations
from gamedsl.model.operations import OperationError
from gamedsl.model.values import COMPASS, EMPTY, NONE, Domain, Value, Vector, text_of
from tests.unit.model.reading import BOARD, model_of


@given(st.integers(-4, 4), st.integers(-4, 4))
def test_an_offset_is_written_as_a_sum_that_reads_as_itself(across: int, up: int) -> None:
    offset = Vector(across, up)
    model = model_of("param way = " + text_of(offset) + "\n" + BOARD)
    assert dict(model.parameters)["way"] == offset


def test_the_eight_directions_are_written_by_name() -> None:
    assert [text_of(offset) for offset in COMPASS.values()] == list(COMPASS)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((0, 1, 2), "0..2"),
        ((0,), "0"),
        ((0, 2), "0 | 2"),
        ((EMPTY, 1, 2), "1..2 | empty"),
        ((False, True), "bool"),
        ((NONE, Fraction(1, 2)), "none | 1/2"),
    ],
)
def test_a_domain_is_written_as_a_reader_would(values: tuple[Value, ...], text: str) -> None:
    assert str(Domain(values)) == text


def test_true_is_not_one() -> None:
    assert Domain((0, 1)).position(True) is None
    assert Domain((False, True)).position(1) is None
    assert Domain((0, 1)).position(1) == 1
    assert not operations.equal(True, 1)
    assert operations.equal(Fraction(1), 1)


@pytest.mark.parametrize("operator", list(operations.ARITHMETIC))
def test_arithmetic_with_none_has_no_answer(operator: str) -> None:
    for one, other in ((NONE, 3), (3, NONE)):
        with pytest.raises(OperationError, match="one side is `none`"):
            operations.ARITHMETIC[operator](one, other)


@pytest.mark.parametrize("operator", ["/", "//", "%"])
def test_dividing_by_zero_has_no_answer(operator: str) -> None:
    with pytest.raises(OperationError, match="division by zero"):
        operations.ARITHMETIC[operator](1, 0)


def test_a_quotient_that_is_whole_is_a_whole_number() -> None:
    assert isinstance(operations.divide(6, 3), int)
    assert operations.divide(1, 3) == Fraction(1, 3)


def test_nothing_has_no_extreme_and_a_sum() -> None:
    for function in (operations.least, operations.greatest):
        with pytest.raises(OperationError, match="of nothing"):
            function(())
    assert operations.total(()) == 0
    assert operations.first(()) is NONE
    assert operations.last(()) is NONE
    assert operations.all_of(()) is True
    assert operations.any_of(()) is False


def test_lists_are_counted_from_one() -> None:
    assert operations.list_item((5, 6), 2) == 6
    assert operations.list_item((5, 6), NONE) is NONE
    for position in (0, 3, -1):
        with pytest.raises(OperationError, match=r"positions are 1\.\.2"):
            operations.list_item((5, 6), position)


def test_sets_are_equal_whatever_their_order() -> None:
    assert operations.equal_sets((1, 2), (2, 1))
    assert not operations.equal_sets((1, 2), (1,))
    assert operations.equal_sets((), ())
