"""Figures beside or in place of a board: pits, heaps, towers, lines, cards and dice.

A `Figure` holds values without coordinates; the drawing is SVG with width and height in pixels, the
upper left corner at (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin, sqrt

from gamedsl.game.pictures.hands import Card, rows_of
from gamedsl.game.pictures.looks import SUITS, is_across, line_ends, line_starts
from gamedsl.game.pictures.pits import pits_of
from gamedsl.game.pictures.text_lines import UNSEEN
from gamedsl.model.nodes.looks import VariableLook
from gamedsl.model.values import text_of
from gamedsl.reports.boards.data import Figure
from gamedsl.reports.svg import INK, element, label, size_that_fits, text_width

WOOD, HOLLOW, SEED, LINE, FAINT = "#d9b382", "#b98d55", "#4a2f14", "#8d8371", "#d9d3c7"
DISCS = ("#2f6fb3", "#d9822b", "#3f8f4f", "#8757a8", "#b5434b", "#4f8f8f")
RED, SHEET = "#c0392b", "#f7f3ea"
PIT, CARD, DIE, DOTS, THING = 52.0, 44.0, 44.0, 46.0, 14.0
MOST_SEEDS, MOST_THINGS = 24, 30
PIPS = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)), 5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}  # fmt: skip


Drawn = tuple[str, float, float]


def figure_group(figure: Figure, room: float) -> Drawn:
    """The figure with width and height; rows of cards and dice are at most `room` wide."""
    if figure.look is VariableLook.CARDS:
        return _laid_out(figure, CARD, 62.0, room, _card)
    if figure.look in {VariableLook.DICE, VariableLook.FACES}:
        return _laid_out(figure, DIE, DIE, room, lambda die: die_face(die.face))
    draw: dict[VariableLook, Callable[[Figure], Drawn]] = {
        VariableLook.PITS: _pits,
        VariableLook.HEAPS: _heaps,
        VariableLook.TOWERS: _towers,
        VariableLook.LINES: _lines,
    }
    return draw[figure.look](figure)


# --- pits -----------------------------------------------------------------------------------------


def _pits(figure: Figure) -> Drawn:
    """Rows of pits, with the numbers of seeds at the edges of the board, and stores at the ends."""
    pits = pits_of(figure.variable)
    length = max(map(len, pits.rows))
    left = PIT if pits.left is not None else 0.0
    wide, high = length * PIT + 2 * left + 16, len(pits.rows) * PIT + 44
    centres = pit_centres(figure)
    parts = [element("rect", x=0, y=0, width=wide, height=high, rx=18, fill=WOOD, stroke=SEED)]
    for row, numbers in enumerate(pits.rows):
        is_top = row == 0 and len(pits.rows) > 1
        for number in numbers:
            x, y = centres[number]
            parts.append(_pit(figure, number, x, y, (PIT * 0.42, PIT * 0.42)))
            parts.append(_amount(figure, number, x, y - PIT * 0.6 if is_top else y + PIT * 0.6))
    middle, reach = high / 2, len(pits.rows) * PIT / 2 - 5
    for store, x in ((pits.left, 8 + PIT / 2), (pits.right, wide - 8 - PIT / 2)):
        if store is not None:
            parts.append(_pit(figure, store, x, middle, (PIT * 0.4, reach)))
            parts.append(_amount(figure, store, x, middle + reach + PIT * 0.18))
    return element("g", *parts), wide, high


def pit_centres(figure: Figure) -> dict[int, tuple[float, float]]:
    """The centres of the pits in the figure, by cell number."""
    pits = pits_of(figure.variable)
    left = 8 + (PIT if pits.left is not None else 0.0)
    return {
        number: (left + (place + 0.5) * PIT, 22 + (row + 0.5) * PIT)
        for row, numbers in enumerate(pits.rows)
        for place, number in enumerate(numbers)
    }


def _amount(figure: Figure, number: int, x: float, y: float) -> str:
    value = figure.values[number]
    words = "?" if value is None else text_of(value)
    return label(x, y, words, 13, fill=SEED, font_weight="bold")


def _pit(figure: Figure, number: int, x: float, y: float, size: tuple[float, float]) -> str:
    value = figure.values[number]
    is_last = number in figure.changed
    rx, ry = size
    parts = [
        element("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=HOLLOW, stroke="#ffe08a" if is_last else
                SEED, stroke_width=3 if is_last else 1)
    ]  # fmt: skip
    seeds = value if isinstance(value, int) else 0
    for k in range(min(seeds, MOST_SEEDS)):
        out, turn = 0.78 * sqrt((k + 0.3) / max(seeds, 4)), 2.4 * k
        cx, cy = x + rx * out * cos(turn), y + ry * out * sin(turn)
        parts.append(element("circle", cx=cx, cy=cy, r=3.1, fill=SEED))
    return "".join(parts)


# --- heaps ----------------------------------------------------------------------------------------


def _heaps(figure: Figure) -> Drawn:
    if all(isinstance(value, bool) for value in figure.variable.domain.values):
        return _row_of_things(figure)
    step, tall = THING, 34.0
    parts = []
    wide = 0.0
    for row, (value, name) in enumerate(zip(figure.values, figure.names, strict=True)):
        y = row * (tall + 8)
        amount = value if isinstance(value, int) else 0
        colour = "#c2410c" if row in figure.changed else "#8a5a33"
        if name:
            parts.append(label(10, y + tall / 2, name, 12, fill=LINE))
        shown = min(amount, MOST_THINGS)
        for k in range(shown):
            x = 26 + k * step
            parts.append(element("rect", x=x, y=y + 6, width=5, height=tall - 8, rx=2, fill=WOOD,
                                 stroke=INK, stroke_width=0.6))  # fmt: skip
            parts.append(element("circle", cx=x + 2.5, cy=y + 6, r=4, fill=colour))
        end = 26 + shown * step + 14
        words = "?" if value is None else str(amount) + (" in all" if amount > shown else "")
        parts.append(label(end, y + tall / 2, words, 13, font_weight="bold"))
        wide = max(wide, end + 16 + 8 * len(words))
    return element("g", *parts), wide, len(figure.values) * (tall + 8)


def _row_of_things(figure: Figure) -> Drawn:
    """Things by number; removed things are outlines."""
    step = 30.0
    parts = []
    for place, (value, name) in enumerate(zip(figure.values, figure.names, strict=True)):
        x = place * step
        is_there = value is True
        parts.append(
            element("rect", x=x + 3, y=4, width=step - 6, height=40, rx=7,
                    fill=WOOD if is_there else "none", stroke=INK if is_there else FAINT,
                    stroke_dasharray=None if is_there else "3 3")
        )  # fmt: skip
        words = "?" if value is None else name
        parts.append(label(x + step / 2, 24, words, 13, fill=INK if is_there else LINE))
    return element("g", *parts), len(figure.values) * step, 48.0


# --- towers ---------------------------------------------------------------------------------------


def _towers(figure: Figure) -> Drawn:
    discs, pegs = len(figure.values), figure.variable.domain.values
    widest, thick = 34.0 + 14.0 * discs, min(20.0, 200.0 / discs)
    high = (discs + 1) * thick + 10
    parts = []
    for place, peg in enumerate(pegs):
        x = (place + 0.5) * (widest + 12)
        parts.append(element("rect", x=x - 4, y=4, width=8, height=high - 4, rx=4, fill=HOLLOW))
        standing = [number for number, value in enumerate(figure.values) if value == peg]
        for level, number in enumerate(reversed(standing)):
            width = 34.0 + 14.0 * number
            parts.append(
                element("rect", x=x - width / 2, y=high - (level + 1) * thick, width=width,
                        height=thick - 1.5, rx=thick / 2.5, fill=DISCS[number % len(DISCS)],
                        stroke="#ffb000" if number in figure.changed else INK,
                        stroke_width=2.4 if number in figure.changed else 0.8)
            )  # fmt: skip
        parts.append(label(x, high + 18, text_of(peg), 13))
    wide = len(pegs) * (widest + 12)
    parts.append(element("rect", x=2, y=high, width=wide - 4, height=7, rx=3, fill=SEED))
    return element("g", *parts), wide, high + 28


# --- lines ----------------------------------------------------------------------------------------


def _lines(figure: Figure) -> Drawn:
    ends = line_ends(figure.variable)
    if ends is None:
        return _row_of_things(figure)
    wide, high = ends
    drawn: dict[tuple[bool, int, int], str] = {}
    there: set[tuple[bool, int, int]] = set()
    for layer in (figure, *((figure.crossing,) if figure.crossing else ())):
        across = is_across(layer.variable)
        left, low = line_starts(layer.variable)
        rows = len(layer.variable.indices[1])
        for number, value in enumerate(layer.values):
            column, row = left + number // rows, low + number % rows
            if value is not True:
                continue
            there.add((across, column, row))
            drawn[across, column, row] = RED if number in layer.changed else INK
    parts = []
    for column in range(1, wide + 1):
        for row in range(1, high + 1):
            sides = {(True, column, row - 1), (True, column, row), (False, column - 1, row),
                     (False, column, row)}  # fmt: skip
            if sides <= there:
                parts.append(
                    element("rect", x=12 + (column - 1) * DOTS, y=12 + (high - row) * DOTS,
                            width=DOTS, height=DOTS, fill="#dbe9f8")
                )  # fmt: skip
    for (across, column, row), colour in drawn.items():
        x, y = 12 + column * DOTS, 12 + (high - row) * DOTS
        x1, y1 = (x - DOTS, y) if across else (x, y + DOTS)
        parts.append(element("line", x1=x1, y1=y1, x2=x, y2=y, stroke=colour, stroke_width=5,
                             stroke_linecap="round"))  # fmt: skip
    for column in range(wide + 1):
        for row in range(high + 1):
            parts.append(
                element("circle", cx=12 + column * DOTS, cy=12 + row * DOTS, r=5.5, fill=INK)
            )
    size = (wide * DOTS + 24, high * DOTS + 24)
    sheet = element("rect", x=0, y=0, width=size[0], height=size[1], rx=8, fill=SHEET)
    return element("g", sheet, *parts), *size


# --- cards and dice -------------------------------------------------------------------------------


def _laid_out(
    figure: Figure, wide: float, high: float, room: float, draw: Callable[[Card], str]
) -> Drawn:
    """Things in rows, with names below or before the row; long rows are broken."""
    rows = rows_of(figure.variable, figure.look, figure.values)
    step = wide + 16
    has_titles = len(rows) > 1
    margin = 4.0 + 8.0 * max(len(row.title) for row in rows) if has_titles else 0.0
    tall = high + (14 if has_titles else 28)
    longest = max(1, max(len(row.cards) for row in rows))
    per_line = min(longest, max(1, int((room - margin) // step)))
    parts, top = [], 4.0
    for row in rows:
        if has_titles:
            parts.append(label(margin / 2, top + high / 2, row.title, 13, fill="#66707c"))
        for number, card in enumerate(row.cards):
            line, place = divmod(number, per_line)
            x, y = margin + place * step + 8, top + line * tall
            parts.append(element("g", draw(card), transform=f"translate({x:g} {y:g})"))
            words = card.name if figure.variable.indices else figure.variable.name
            if words:
                size = size_that_fits(words, step - 4, 12)
                parts.append(label(x + wide / 2, y + high + 12, words, size, fill="#66707c"))
        top += tall * max(1, -(-len(row.cards) // per_line))
    return element("g", *parts), margin + per_line * step, top - 4


def _card(card: Card) -> str:
    if not card.face:
        return element("rect", width=CARD, height=62, rx=6, fill="none", stroke=FAINT,
                       stroke_dasharray="4 3")  # fmt: skip
    is_seen = card.face != UNSEEN
    face = element("rect", width=CARD, height=62, rx=6, fill="#ffffff" if is_seen else
                   "#2f6fb3", stroke=INK)  # fmt: skip
    if not is_seen:
        inner = element("rect", x=5, y=5, width=CARD - 10, height=52, rx=4, fill="none",
                        stroke="#ffffff", stroke_dasharray="2 2")  # fmt: skip
        return face + inner + label(CARD / 2, 31, UNSEEN, 24, fill="#ffffff", font_weight="bold")
    middle, corner = (card.suit, card.rank) if card.suit else (card.face, card.face)
    ink = RED if card.suit in {SUITS["diamonds"], SUITS["hearts"]} else INK
    size = size_that_fits(middle, CARD - 8, 26)
    parts = [face, label(CARD / 2, 31, middle, size, fill=ink, font_weight="bold")]
    if card.suit or len(corner) <= 2:
        size = size_that_fits(corner, CARD - 12, 13 if card.suit else 10)
        x = 4 + text_width(corner, size) / 2 if card.suit else 8
        parts += [label(a, b, corner, size, fill=ink) for a, b in ((x, 10), (CARD - x, 52))]
    return "".join(parts)


def die_face(shown: str) -> str:
    """A die of `DIE` pixels: pips for 1 to 6, else words; an outline without words."""
    face = element("rect", width=DIE, height=DIE, rx=8, fill="#ffffff" if shown else "none",
                   stroke=INK if shown else FAINT,
                   stroke_dasharray=None if shown else "4 3")  # fmt: skip
    if not shown:
        return face
    pips = PIPS.get(int(shown), ()) if shown.isdecimal() else ()
    if pips:
        spots = [
            element("circle", cx=DIE / 2 + 12 * x, cy=DIE / 2 + 12 * y, r=4.2, fill=INK)
            for x, y in pips
        ]
        return face + "".join(spots)
    return face + label(DIE / 2, DIE / 2, shown, size_that_fits(shown, DIE - 8, 24), fill=INK)
