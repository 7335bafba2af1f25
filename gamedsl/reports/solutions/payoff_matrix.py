"""The payoff matrix of two players who choose at once, best replies marked.

In: the moves of a solution, one for each pair of choices. Out: text; None where it is no matrix or
does not fit the page. What follows a pair is worth what best play makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.reports.paragraphs import WIDTH
from gamedsl.reports.solutions.move_values import short_names
from gamedsl.solvers.exact.outcomes import SHORT_DENOMINATOR
from gamedsl.solvers.solution import MoveValue

MARK = "*"
INDENT = 2


def payoff_matrix_text(moves: Sequence[MoveValue]) -> str | None:
    """Rows of the first player, columns of the second; each cell has the payoff of both, a best
    reply to the other's choice with a star."""
    pairs = [tuple(name.split("+")) for name in short_names(moves).values()]
    is_joint = all(isinstance(move.action, tuple) and len(move.value) == 2 for move in moves)
    if not moves or not is_joint or any(len(pair) != 2 for pair in pairs):
        return None
    values = {pair: move.value for pair, move in zip(pairs, moves, strict=True)}
    rows, columns = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
    if len(values) != len(rows) * len(columns) or min(len(rows), len(columns)) < 2:
        return None
    if any(payoff.denominator > SHORT_DENOMINATOR for value in values.values() for payoff in value):
        return None
    above = {column: max(values[row, column][0] for row in rows) for column in columns}
    beside = {row: max(values[row, column][1] for column in columns) for row in rows}
    table = [["", *columns]]
    for row in rows:
        cells = [row]
        for column in columns:
            mine, other = values[row, column]
            first = f"{mine}{MARK if mine == above[column] else ''}"
            cells.append(f"{first}, {other}{MARK if other == beside[row] else ''}")
        table.append(cells)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if INDENT + sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        return None
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in table
    )
    return "\n".join(lines)
