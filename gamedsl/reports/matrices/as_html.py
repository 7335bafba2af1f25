"""Payoff matrices as HTML: a table each, best replies underlined, equilibria with a border.

The fragment needs no other file.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from gamedsl.reports.matrices.cells import Cell, Matrix

STYLE = (
    "<style>.payoffs{border-collapse:collapse;font-family:Helvetica,Arial,sans-serif}"
    ".payoffs th{font-weight:normal;color:#52606d}.payoffs th,.payoffs td{padding:.35em .8em}"
    ".payoffs td{border:1px solid #cbd2d9;text-align:center}"
    ".payoffs td.equilibrium{outline:2px solid #c0392b;outline-offset:-3px}</style>"
)


def matrices_html(matrices: Iterable[Matrix]) -> str:
    """The tables, one below the other."""
    return "\n".join((STYLE, *map(_table, matrices)))


def _table(matrix: Matrix) -> str:
    row, column = map(escape, matrix.players)
    caption = f"<caption>{escape(matrix.other_choices)}</caption>" if matrix.other_choices else ""
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in matrix.columns)
    body = "\n".join(
        f"<tr><th scope=row>{escape(name)}</th>{''.join(map(_cell, cells))}</tr>"
        for name, cells in zip(matrix.rows, matrix.cells, strict=True)
    )
    return (
        f"<table class=payoffs>{caption}\n"
        f"<tr><td></td><th colspan={len(matrix.columns)}>{column}</th></tr>\n"
        f"<tr><th>{row}</th>{head}</tr>\n{body}\n</table>"
    )


def _cell(cell: Cell) -> str:
    paid = ", ".join(
        f"<u>{escape(text)}</u>" if is_best else escape(text) for text, is_best in cell.payoffs
    )
    marked = " class=equilibrium" if cell.is_equilibrium else ""
    return f"<td{marked}>{paid}</td>"
