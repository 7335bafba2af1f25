"""Payoff matrices for LaTeX: a `tabular` each, best replies underlined, equilibria in boxes.

The text needs no LaTeX package.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.reports.latex import latex
from gamedsl.reports.matrices.cells import Cell, Matrix


def matrices_latex(matrices: Iterable[Matrix]) -> str:
    """The tables, one below the other."""
    return "\n\n".join(map(_table, matrices))


def _table(matrix: Matrix) -> str:
    row, column = map(latex, matrix.players)
    count = len(matrix.columns)
    lines = [f"% {matrix.other_choices}"] if matrix.other_choices else []
    lines += [
        rf"\begin{{tabular}}{{r|{'c' * count}}}",
        rf"\multicolumn{{1}}{{r}}{{}} & \multicolumn{{{count}}}{{c}}{{{column}}} \\",
        " & ".join((row, *map(latex, matrix.columns))) + r" \\ \hline",
    ]
    for name, cells in zip(matrix.rows, matrix.cells, strict=True):
        lines.append(" & ".join((latex(name), *map(_cell, cells))) + r" \\")
    lines.append(r"\end{tabular}")
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    paid = (rf"\underline{{{text}}}" if is_best else text for text, is_best in cell.payoffs)
    formula = "$" + r",\ ".join(paid) + "$"
    return rf"\fbox{{{formula}}}" if cell.is_equilibrium else formula
