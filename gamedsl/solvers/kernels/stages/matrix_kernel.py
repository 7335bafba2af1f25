"""The kernel that solves a matrix game between proved bounds: simplex in integers.

Two players with opposed interests choose a row and a column at once; the row player gets the entry,
the column player loses the entry. If the best pure choices do not meet, payoffs are mapped to the
range from 1 to 2 and the linear program of von Neumann's theorem is solved by the simplex method
(Dantzig 1951) in a condensed tableau of fixed-point numbers. Mixtures may be inexact, bounds are
proved: each is the worst case of one player's mixture, rounded outwards.

arrays: see `MatrixArrays`.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays

POINT = 44
"""Bits behind the point of a fixed-point number."""
MOST_FIXED = 1 << 51
"""Limit on the absolute value of a fixed-point number."""
FINER = 8
"""Further bits of means of payoffs."""
LEAST_PIVOT = 1 << 12
"""Entries up to this number count as 0 in the choice of a pivot."""
STEPS_A_LINE = 8
"""Pivots for each row and column; beyond, the bounds stay as they are."""


class MatrixArrays(Arrays):
    """For a matrix of n rows and m columns, and room for at least as many:

    matrix: int64[n, m]: payoffs of the row player, of at most 42 bits and a sign.
    tableau: int64[n + 1, m + 1].
    basis: int64[n + m]: what stands in each row, then in each column, of the tableau: the number of
        a column, or n + m more and the number of a row.
    mixtures: int64[n + m]: weights of the rows, then of the columns.
    """

    matrix: Array
    tableau: Array
    basis: Array
    mixtures: Array


def times(first: int, second: int) -> int:
    """The product of two fixed-point numbers, rounded down; at most 3 units are lost."""
    half = POINT >> 1
    mask = (1 << half) - 1
    high = first >> half
    low = first & mask
    second_high = second >> half
    second_low = second & mask
    crossed = high * second_low + low * second_high + (low * second_low >> half)
    return high * second_high + (crossed >> half)


def quotient(first: int, second: int) -> int:
    """The quotient of two positive fixed-point numbers, rounded down."""
    whole = first // second
    rest = first - whole * second
    for _ in range(4):
        rest <<= POINT >> 2
        digit = rest // second
        rest -= digit * second
        whole = whole << (POINT >> 2) | digit
    return whole


def pure_bounds(rows: int, columns: int, arrays: MatrixArrays) -> tuple[int, int]:
    """What either player can be sure of by a pure choice."""
    low = arrays.matrix[0]
    high = arrays.matrix[0]
    for row in range(rows):
        worst = arrays.matrix[row * columns]
        for column in range(1, columns):
            worst = min(worst, arrays.matrix[row * columns + column])
        low = worst if row == 0 else max(low, worst)
    for column in range(columns):
        worst = arrays.matrix[column]
        for row in range(1, rows):
            worst = max(worst, arrays.matrix[row * columns + column])
        high = worst if column == 0 else min(high, worst)
    return low, high


def put_tableau(rows: int, columns: int, least: int, span: int, arrays: MatrixArrays) -> int:
    """Write the first tableau: the sum of the variables of all columns is to grow, and no row may
    pay more than 1."""
    wide = columns + 1
    one = 1 << POINT
    for row in range(rows):
        for column in range(columns):
            rise = arrays.matrix[row * columns + column] - least
            arrays.tableau[row * wide + column] = one + quotient(rise, span)
        arrays.tableau[row * wide + columns] = one
        arrays.basis[row] = rows + columns + row
    for column in range(columns):
        arrays.tableau[rows * wide + column] = -one
        arrays.basis[rows + column] = column
    arrays.tableau[rows * wide + columns] = 0
    return 0


def entering(rows: int, columns: int, arrays: MatrixArrays) -> int:
    """The column that lets the sum grow most; -1 at the optimum."""
    chosen = -1
    least = -LEAST_PIVOT
    for column in range(columns):
        price = arrays.tableau[rows * (columns + 1) + column]
        if price < least:
            least = price
            chosen = column
    return chosen


def leaving(column: int, rows: int, columns: int, arrays: MatrixArrays) -> int:
    """The row that limits a column first; -1 if there is none."""
    wide = columns + 1
    chosen = -1
    least = 0
    for row in range(rows):
        entry = arrays.tableau[row * wide + column]
        if entry > LEAST_PIVOT:
            ratio = quotient(max(0, arrays.tableau[row * wide + columns]), entry)
            if chosen < 0 or ratio < least:
                least = ratio
                chosen = row
    return chosen


def exchange_basis(
    pivot_row: int, pivot_column: int, rows: int, columns: int, arrays: MatrixArrays
) -> bool:
    """Exchange a row and a column; whether all numbers stay in their range."""
    wide = columns + 1
    one = 1 << POINT
    inverse = quotient(one, arrays.tableau[pivot_row * wide + pivot_column])
    largest = inverse
    for column in range(wide):
        if column != pivot_column:
            place = pivot_row * wide + column
            arrays.tableau[place] = times(arrays.tableau[place], inverse)
    for row in range(rows + 1):
        factor = arrays.tableau[row * wide + pivot_column]
        if row != pivot_row and factor != 0:
            for column in range(wide):
                if column != pivot_column:
                    place = row * wide + column
                    less = times(factor, arrays.tableau[pivot_row * wide + column])
                    entry = arrays.tableau[place] - less
                    arrays.tableau[place] = entry
                    largest = max(largest, entry, -entry)
            arrays.tableau[row * wide + pivot_column] = -times(factor, inverse)
    arrays.tableau[pivot_row * wide + pivot_column] = inverse
    former = arrays.basis[pivot_row]
    arrays.basis[pivot_row] = arrays.basis[rows + pivot_column]
    arrays.basis[rows + pivot_column] = former
    return largest < MOST_FIXED


def read_mixtures(rows: int, columns: int, arrays: MatrixArrays) -> int:
    """Read both players' weights off the tableau."""
    wide = columns + 1
    for place in range(rows + columns):
        arrays.mixtures[place] = 0
    for row in range(rows):
        line = arrays.basis[row]
        if line < rows + columns:
            arrays.mixtures[rows + line] = max(0, arrays.tableau[row * wide + columns])
    for column in range(columns):
        line = arrays.basis[rows + column] - rows - columns
        if line >= 0:
            arrays.mixtures[line] = max(0, arrays.tableau[rows * wide + column])
    return 0


def sure_of(
    player: int, rows: int, columns: int, least: int, arrays: MatrixArrays
) -> tuple[int, int]:
    """The total of a player's weights, and the worst sum over the other's choices of weights times
    payoffs above the least, finer by `FINER` bits: the smallest sum for the player of rows, rounded
    down, else the greatest, rounded up."""
    own = rows if player == 0 else columns
    total = 0
    for line in range(own):
        total += arrays.mixtures[line + player * rows]
    worst = 0
    for other in range(columns if player == 0 else rows):
        mean = 0
        for line in range(own):
            place = line * columns + other if player == 0 else other * columns + line
            weight = arrays.mixtures[line + player * rows]
            if weight > 0:
                mean += times((arrays.matrix[place] - least) << FINER, weight) + 4 * player
        better = mean < worst if player == 0 else mean > worst
        if other == 0 or better:
            worst = mean
    return total, worst


def matrix_bounds(rows: int, columns: int, arrays: MatrixArrays) -> tuple[int, int]:
    """Bounds of the value of a matrix game: equal if pure choices meet, else hardly apart unless
    the numbers of the tableau leave their range."""
    low, high = pure_bounds(rows, columns, arrays)
    if low == high:
        return low, high
    least = arrays.matrix[0]
    most = arrays.matrix[0]
    for place in range(rows * columns):
        least = min(least, arrays.matrix[place])
        most = max(most, arrays.matrix[place])
    put_tableau(rows, columns, least, most - least, arrays)
    steps = STEPS_A_LINE * (rows + columns)
    column = entering(rows, columns, arrays)
    while column >= 0 and steps > 0:
        steps -= 1
        row = leaving(column, rows, columns, arrays)
        if row < 0 or not exchange_basis(row, column, rows, columns, arrays):
            return low, high
        column = entering(rows, columns, arrays)
    read_mixtures(rows, columns, arrays)
    total, worst = sure_of(0, rows, columns, least, arrays)
    if total > 0:
        low = max(low, least + (quotient(worst, total) >> FINER))
    total, worst = sure_of(1, rows, columns, least, arrays)
    if total > 0:
        high = min(high, least + (quotient(worst, total) >> FINER) + 1)
    return low, high
