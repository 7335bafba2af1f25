"""Payoff matrices as an SVG picture: best replies underlined, equilibria framed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.reports.matrices.cells import Cell, Matrix
from gamedsl.reports.svg import INK, document, element, label, text_width

SIZE, LINE, PAD = 15.0, 34.0, 14.0
GREY, RED = "#52606d", "#c0392b"


def matrices_svg(matrices: Iterable[Matrix], title: str) -> str:
    """The matrices, one below the other."""
    parts: list[str] = []
    width, top = 0.0, PAD
    for matrix in matrices:
        drawn, wide, high = _matrix(matrix, top)
        parts += drawn
        width, top = max(width, wide), top + high + PAD
    return document(width + PAD, top, title, *parts)


def _matrix(matrix: Matrix, top: float) -> tuple[list[str], float, float]:
    """The parts of a matrix, the right edge and the height."""
    row, column = matrix.players
    names = [_wide(name) for name in (*matrix.rows, row)]
    left = PAD + max(names) + PAD
    wide = max(
        *map(_wide, matrix.columns),
        *(
            _wide(", ".join(text for text, _ in cell.payoffs))
            for line in matrix.cells
            for cell in line
        ),
    )
    wide += 2 * PAD
    right = left + wide * len(matrix.columns)
    parts = [_text((left + right) / 2, top + LINE / 2, column, GREY)]
    if matrix.other_choices:
        parts.append(_text(PAD, top + LINE / 2, matrix.other_choices, GREY, "start"))
        right = max(right, PAD + _wide(matrix.other_choices) + _wide(column))
    parts.append(_text(left - PAD, top + 1.5 * LINE, row, GREY, "end"))
    for n, name in enumerate(matrix.columns):
        parts.append(_text(left + wide * (n + 0.5), top + 1.5 * LINE, name))
    for place, (name, cells) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
        y = top + LINE * (2 + place)
        parts.append(_text(left - PAD, y + LINE / 2, name, anchor="end"))
        for n, cell in enumerate(cells):
            parts += _cell(cell, left + wide * n, y, wide)
    return parts, right, LINE * (2 + len(matrix.rows))


def _cell(cell: Cell, x: float, y: float, wide: float) -> Sequence[str]:
    parts = [element("rect", x=x, y=y, width=wide, height=LINE, fill="none", stroke="#cbd2d9")]
    if cell.is_equilibrium:
        parts.append(
            element(
                "rect", x=x + 3, y=y + 3, width=wide - 6, height=LINE - 6, fill="none", stroke=RED,
                stroke_width=2.0,
            )
        )  # fmt: skip
    spans = (
        element("tspan", text, text_decoration="underline" if is_best else None)
        for text, is_best in cell.payoffs
    )
    middle = {"x": x + wide / 2, "y": y + LINE / 2 + 0.35 * SIZE}
    written = ", ".join(spans)
    parts.append(element("text", written, text_anchor="middle", font_size=SIZE, fill=INK, **middle))
    return parts


def _text(x: float, y: float, words: str, fill: str = INK, anchor: str = "middle") -> str:
    return label(x, y, words, SIZE, fill=fill, text_anchor=anchor)


def _wide(words: str) -> float:
    return text_width(words, SIZE)
