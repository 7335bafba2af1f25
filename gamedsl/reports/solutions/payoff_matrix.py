"""The payoff matrix of players who choose at once: best replies and equilibria marked.

In: a normal form, or the moves of a solution, one for each combination of choices. Out: text; None
where it is no matrix or does not fit the page. What follows a combination is worth what best play
makes of it. Of three players or more there is a table for each choice of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gamedsl.reports.paragraphs import line_width
from gamedsl.reports.solutions.move_values import short_names
from gamedsl.solvers.exact.outcomes import SHORT_DENOMINATOR
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.form import NormalForm, Profile, best_replies
from gamedsl.solvers.solution import MoveValue

MARK = "*"
INDENT = 2
MOST_TABLES = 6
"""Of three players or more; of more tables none is shown."""


def payoff_matrix_text(moves: Sequence[MoveValue]) -> str | None:
    """The matrix that the moves of two players are."""
    form = _form_of(moves)
    return None if form is None else matrix_text(form)


def matrix_text(form: NormalForm) -> str | None:
    """Rows of the first player, columns of the second; each cell has the payoffs of all, a best
    reply to the others' choices with a star, an equilibrium in brackets."""
    if len(form.sizes) < 2 or min(form.sizes[:2]) < 2:
        return None
    paid = (payoff for payoffs in form.payoffs.values() for payoff in payoffs)
    if any(payoff.denominator > SHORT_DENOMINATOR for payoff in paid):
        return None
    around = list(product(*map(range, form.sizes[2:])))
    if len(around) > MOST_TABLES:
        return None
    tables = []
    for others in around:
        table = _table(form, others)
        if table is None:
            return None
        names = (form.strategies[2 + place][number] for place, number in enumerate(others))
        told = ", ".join(
            f"{player} {name}" for player, name in zip(form.players[2:], names, strict=True)
        )
        tables.append(f"{told}:\n{table}" if told else table)
    return "\n\n".join(tables)


def heading(players: Sequence[str], matrix: str) -> str:
    """What the marks in a matrix mean."""
    brackets = ", [ ] an equilibrium" if "[" in matrix else ""
    return f"payoffs of {', '.join(players)}; * marks a best reply{brackets}:"


def _table(form: NormalForm, others: tuple[int, ...]) -> str | None:
    rows, columns = form.strategies[:2]
    table = [["", *columns]]
    for row, name in enumerate(rows):
        cells = (_cell(form, (row, column, *others)) for column in range(len(columns)))
        table.append([name, *cells])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if INDENT + sum(widths) + 2 * (len(widths) - 1) > line_width():
        return None
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in table
    )
    return "\n".join(lines)


def _cell(form: NormalForm, profile: Profile) -> str:
    best = list(best_replies(form, profile))
    paid = zip(form.payoffs[profile], best, strict=True)
    text = ", ".join(f"{payoff}{MARK if is_best else ''}" for payoff, is_best in paid)
    return f"[{text}]" if all(best) else text


def _form_of(moves: Sequence[MoveValue]) -> NormalForm | None:
    """The moves of two players who choose at once as a normal form."""
    pairs = [tuple(name.split("+")) for name in short_names(moves).values()]
    is_joint = all(isinstance(move.action, tuple) and len(move.value) == 2 for move in moves)
    if not moves or not is_joint or any(len(pair) != 2 for pair in pairs):
        return None
    rows, columns = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
    payoffs: dict[Profile, Vector] = {
        (rows.index(row), columns.index(column)): move.value
        for (row, column), move in zip(pairs, moves, strict=True)
    }
    if len(payoffs) != len(rows) * len(columns) or min(len(rows), len(columns)) < 2:
        return None
    return NormalForm(("", ""), (tuple(rows), tuple(columns)), payoffs)
