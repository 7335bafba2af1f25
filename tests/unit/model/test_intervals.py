"""Intervals of arithmetic hold every value that can come out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.model.intervals import arithmetic_interval, lies_in
from gamedsl.model.operations import ARITHMETIC, OperationError
from gamedsl.model.types import Scalar, number, scalar_of
from gamedsl.model.values import EMPTY, NONE, Atom, Domain

ENDS = st.integers(-6, 6)
RANGES = st.tuples(ENDS, ENDS).map(lambda ends: range(min(ends), max(ends) + 1))


@given(RANGES, RANGES, st.sampled_from(["+", "-", "*", "//", "%", "/"]))
def test_every_result_lies_in_the_interval(one: range, other: range, operator: str) -> None:
    kind = arithmetic_interval(operator, number(one[0], one[-1]), number(other[0], other[-1]))
    for left in one:
        for right in other:
            try:
                result = ARITHMETIC[operator](left, right)
            except OperationError:
                assert right == 0
                continue
            low, high = kind.interval
            assert isinstance(result, int | Fraction)
            assert low <= result <= high
            assert kind.rational or isinstance(result, int)


@given(RANGES, RANGES, st.sampled_from(["+", "-", "*"]))
def test_sums_and_products_have_no_slack(one: range, other: range, operator: str) -> None:
    kind = arithmetic_interval(operator, number(one[0], one[-1]), number(other[0], other[-1]))
    results = [ARITHMETIC[operator](left, right) for left in one for right in other]
    assert kind.interval == (min(results), max(results))  # type: ignore[type-var]


RED = Atom("red", "Colour", 5)


@pytest.mark.parametrize(
    ("found", "domain", "answer"),
    [
        (number(0, 3), range(5), True),
        (number(0, 5), range(5), None),
        (number(5, 9), range(5), False),
        (number(-4, -1), range(5), False),
        (number(Fraction(1, 2), 3, rational=True), range(5), None),
        (Scalar(boolean=True), range(5), False),
        (number(0, 1), (False, True), False),
        (Scalar(boolean=True), (False, True), True),
        (scalar_of((RED,)), (EMPTY, RED), True),
        (scalar_of((RED, NONE)), (EMPTY, RED), None),
        (scalar_of((NONE,)), (EMPTY, RED), False),
        (scalar_of((RED,)), range(5), False),
        (Scalar(unknown=True), range(5), None),
    ],
)
def test_whether_a_type_fits_a_domain(
    found: Scalar, domain: range | tuple[object, ...], answer: bool | None
) -> None:
    assert lies_in(found, Domain(tuple(domain))) is answer  # type: ignore[arg-type]
