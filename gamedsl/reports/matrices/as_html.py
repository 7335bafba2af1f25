"""Payoff matrices as HTML: a table each, best replies underlined, equilibria with a border.

The fragment needs no other file. Colours are shades of the text's colour, for light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from itertools import zip_longest

from gamedsl.reports.matrices.cells import Cell, Matrix
from gamedsl.solvers.normal_form.form import Mixture

STYLE = (
    "<style>.payoffs{border-collapse:collapse;font-family:Helvetica,Arial,sans-serif}"
    ".payoffs th{font-weight:normal}.payoffs th,.payoffs td{padding:.35em .8em}"
    ".payoffs td{border:1px solid #8888;text-align:center}.payoffs tr:first-child td{border:0}"
    ".payoffs td.equilibrium{outline:2px solid #d9534f;outline-offset:-3px}</style>"
)


def matrices_html(matrices: Iterable[Matrix], mixtures: Sequence[Mixture] = ()) -> str:
    """The tables, one below the other; `mixtures` of the row and the column player stand as
    probabilities behind the strategies."""
    return "\n".join((STYLE, *(_table(matrix, *mixtures) for matrix in matrices)))


def _table(matrix: Matrix, of_row: Mixture = (), of_column: Mixture = ()) -> str:
    row, column = map(escape, matrix.players)
    caption = f"<caption>{escape(matrix.other_choices)}</caption>" if matrix.other_choices else ""
    columns = zip_longest(map(escape, matrix.columns), of_column)
    head = "".join(f"<th scope=col>{name}{_chance(chance)}</th>" for name, chance in columns)
    rows = zip_longest(map(escape, matrix.rows), of_row)
    body = "\n".join(
        f"<tr><th scope=row>{name}{_chance(chance)}</th>{''.join(map(_cell, cells))}</tr>"
        for (name, chance), cells in zip(rows, matrix.cells, strict=True)
    )
    return (
        f"<table class=payoffs>{caption}\n"
        f"<tr><td></td><th colspan={len(matrix.columns)}>{column}</th></tr>\n"
        f"<tr><th>{row}</th>{head}</tr>\n{body}\n</table>"
    )


def _chance(chance: Fraction | None) -> str:
    return f" <b>{chance}</b>" if chance else ""


def _cell(cell: Cell) -> str:
    paid = ", ".join(
        f"<u>{escape(text)}</u>" if is_best else escape(text) for text, is_best in cell.payoffs
    )
    marked = " class=equilibrium" if cell.is_equilibrium else ""
    return f"<td{marked}>{paid}</td>"
