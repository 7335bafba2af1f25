"""Exact linear programs: optimal by their own prices, however degenerate."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.solvers.equilibria.linear_program import maximize
from gamedsl.solvers.equilibria.sparse_rows import RIGHT, solve_rows

numbers = st.fractions(-3, 3, max_denominator=4)
bounds = st.sampled_from([Fraction(0), Fraction(0), Fraction(1), Fraction(5, 2)])


def exact(*entries: int) -> dict[int, Fraction]:
    return {column: Fraction(entry) for column, entry in enumerate(entries) if entry}


def test_a_program_of_the_textbook() -> None:
    """Chvatal 1983, chapter 2: 13 at (2, 0, 1)."""
    rows = [(exact(2, 3, 1), 5), (exact(4, 1, 2), 11), (exact(3, 4, 2), 8)]
    found = maximize(exact(5, 4, 3), [(row, Fraction(bound)) for row, bound in rows], 3)
    assert (found.value, found.variables, found.prices) == (13, (2, 0, 1), (1, 0, 1))


def test_a_program_that_goes_in_circles_under_the_plain_rule() -> None:
    """Chvatal 1983, chapter 3: largest coefficient, ties by number, cycles here."""
    rows = [
        ({0: Fraction(1, 2), 1: Fraction(-11, 2), 2: Fraction(-5, 2), 3: Fraction(9)}, Fraction(0)),
        ({0: Fraction(1, 2), 1: Fraction(-3, 2), 2: Fraction(-1, 2), 3: Fraction(1)}, Fraction(0)),
        ({0: Fraction(1)}, Fraction(1)),
    ]
    assert maximize(exact(10, -57, -9, -24), rows, 4).value == 1


def test_what_has_no_greatest_value_or_no_start_at_zero_is_said() -> None:
    with pytest.raises(ValueError, match="without end"):
        maximize(exact(1), [(exact(-1), Fraction(1))], 1)
    with pytest.raises(ValueError, match="begins at 0"):
        maximize(exact(1), [(exact(1), Fraction(-1))], 1)


@given(st.data(), st.integers(1, 5), st.integers(1, 5))
def test_the_prices_prove_that_nothing_is_greater(data: st.DataObject, n: int, m: int) -> None:
    objective = dict(enumerate(data.draw(st.lists(numbers, min_size=n, max_size=n))))
    rows = [
        (dict(enumerate(data.draw(st.lists(numbers, min_size=n, max_size=n)))), data.draw(bounds))
        for _ in range(m)
    ]
    try:
        found = maximize(objective, rows, n)
    except ValueError:
        return  # no greatest value
    x, prices = found.variables, found.prices
    assert min(*x, *prices, 0) == 0
    assert all(sum(row[k] * x[k] for k in row) <= bound for row, bound in rows)
    for k, gain in objective.items():
        assert sum(price * row[k] for price, (row, _) in zip(prices, rows, strict=True)) >= gain
    assert sum(gain * x[k] for k, gain in objective.items()) == found.value
    assert sum(p * bound for p, (_, bound) in zip(prices, rows, strict=True)) == found.value


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), max_size=6), st.data())
def test_equations_are_solved_exactly_or_contradict_each_other(
    table: list[list[int]], data: st.DataObject
) -> None:
    """Of a system with a known solution one is found; what is left open has the value given."""
    known = [data.draw(numbers) for _ in range(4)]
    rows = []
    for entries in table:
        total = sum(entry * x for entry, x in zip(entries, known, strict=True))
        row = {n: entry * 12**4 for n, entry in enumerate(entries) if entry}
        rows.append(row | ({RIGHT: int(total * 12**4)} if total else {}))
    left = dict.fromkeys(range(4), Fraction(1, 3))
    found = solve_rows(rows, left, lambda: None)
    assert found is not None
    values = left | found
    for row in rows:
        assert sum(row[n] * values[n] for n in row if n != RIGHT) == row.get(RIGHT, 0)
    if rows and rows[0]:
        wrong = rows[0] | {RIGHT: rows[0].get(RIGHT, 0) + 1}
        assert solve_rows([*rows, wrong], left, lambda: None) is None
