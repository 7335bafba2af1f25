"""The best-reply curves of a two-by-two game; the curves meet in the equilibria.

The horizontal axis is the probability of the first player's first choice, the vertical axis the
probability of the second player's first choice; a legend names the curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from gamedsl.reports.svg import INK, document, element, label, number
from gamedsl.solvers.normal_form.form import NormalForm
from gamedsl.solvers.normal_form.solve import Equilibrium

SIDE, LEFT, TOP, SIZE = 260.0, 64.0, 80.0, 14.0
ROW, COLUMN = "#c0392b", "#2563a8"
Point = tuple[float, float]


def reactions_svg(form: NormalForm, equilibria: Iterable[Equilibrium], title: str) -> str:
    """The picture; equilibria are labelled with probabilities."""
    row, column = form.players[:2]
    table = form.payoffs
    mine = [[table[i, j][0] for i in (0, 1)] for j in (0, 1)]
    theirs = [[table[i, j][1] for j in (0, 1)] for i in (0, 1)]
    curves = (
        _curve([_place(x, y) for y, x in _replies(mine)], ROW),
        _curve([_place(x, y) for x, y in _replies(theirs)], COLUMN),
    )
    frame = element("rect", x=LEFT, y=TOP, width=SIDE, height=SIDE, fill="none", stroke="#cbd2d9")
    low, high = TOP + SIDE + 18, TOP + SIDE + 40
    row_words = f"chance that {row} picks {form.strategies[0][0]}"
    column_words = f"chance that {column} picks {form.strategies[1][0]}"
    edge, middle = LEFT - 36, TOP + SIDE / 2
    words = (
        label(LEFT, low, "0", SIZE), label(LEFT + SIDE, low, "1", SIZE),
        label(LEFT - 12, TOP + SIDE, "0", SIZE), label(LEFT - 12, TOP, "1", SIZE),
        label(LEFT + SIDE / 2, high, row_words, SIZE),
        label(edge, middle, column_words, SIZE, transform=f"rotate(-90 {edge} {middle})"),
        label(LEFT, TOP - 58, f"best replies of {row}", SIZE, fill=ROW, text_anchor="start"),
        label(LEFT, TOP - 38, f"best replies of {column}", SIZE, fill=COLUMN, text_anchor="start"),
    )  # fmt: skip
    marks = [part for equilibrium in equilibria for part in _mark(equilibrium)]
    return document(LEFT + SIDE + 110, high + 18, title, frame, *curves, *words, *marks)


def _replies(gains: Sequence[Sequence[Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Points of a best-reply curve, as pairs of probabilities of the first choice.

    A pair holds the opponent's probability, and a best-reply probability of the player.
    `gains[j]`: payoffs of the player's choices against the opponent's choice `j`.
    """
    at_one, at_zero = (pair[0] - pair[1] for pair in gains)
    zero, one = Fraction(0), Fraction(1)
    before, behind = Fraction(at_zero > 0), Fraction(at_one > 0)
    if at_zero == at_one == 0:  # every own choice is a best reply
        return [(zero, zero), (zero, one), (one, one), (one, zero), (zero, zero)]
    if at_zero == 0:
        return [(zero, 1 - behind), (zero, behind), (one, behind)]
    if at_one == 0:
        return [(zero, before), (one, before), (one, 1 - before)]
    if before == behind:
        return [(zero, before), (one, behind)]
    turn = at_zero / (at_zero - at_one)
    return [(zero, before), (turn, before), (turn, behind), (one, behind)]


def _place(x: Fraction, y: Fraction) -> Point:
    return LEFT + SIDE * float(x), TOP + SIDE * (1 - float(y))


def _curve(points: Iterable[Point], colour: str) -> str:
    listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polyline", points=listed, fill="none", stroke=colour, stroke_width=3.0)


def _mark(equilibrium: Equilibrium) -> Iterable[str]:
    x, y = (mixture[0] for mixture in equilibrium.mixtures)
    at, height = _place(x, y)
    yield element("circle", cx=at, cy=height, r=6.0, fill="none", stroke=INK, stroke_width=2.0)
    words = f"({x}, {y})"
    yield label(at + 10, height - 12, words, SIZE - 2, text_anchor="start")
