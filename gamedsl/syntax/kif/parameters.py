"""Conditions on the parameters of a move: `x == 1 and y in 2..4` for a set of moves of GDL.

In: the moves that a move with parameters stands for, each with the values of the parameters, and a
set of the moves. Out: an expression of the parameters that holds for the set and for none of the
other moves; combinations of values that are no move are left out of account.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from operator import and_, or_
from typing import Protocol

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.kif.quantifiers import joined, products
from gamedsl.syntax.kif.rules import Term, order

OPPOSITES = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}
MOST_COMBINATIONS = 20_000
"""Most combinations of values of parameters that are compared one by one."""
MOST_BESIDE = 8
"""Most alternatives for moves that stand beside each other; more are told apart by a parameter."""
Rows = list[tuple[Term, ...]]


class Constants(Protocol):
    """Writes constants and sets of constants."""

    def constant(self, term: Term) -> ast.Expression:
        """A constant."""

    def set_of(self, values: Sequence[Term]) -> ast.Expression:
        """A set of sorted constants."""


def negation(condition: ast.Expression) -> ast.Expression:
    """The negation of a condition: of a comparison the comparison with the opposite sign."""
    match condition:
        case ast.Unary(operator="not"):
            return condition.operand
        case ast.Compare(rest=((sign, other),)) if sign in OPPOSITES:
            return ast.Compare(condition.span, condition.first, ((OPPOSITES[sign], other),))
    return ast.Unary(condition.span, "not", condition)


class _Universe:
    """Rows of values, of which sets are numbers with a bit for each row."""

    def __init__(self, rows: Rows) -> None:
        self.numbers = {row: number for number, row in enumerate(rows)}
        self.masks: list[dict[Term, int]] = []
        for column in zip(*rows, strict=True):
            masks: dict[Term, int] = {}
            for number, value in enumerate(column):
                masks[value] = masks.get(value, 0) | 1 << number
            self.masks.append(masks)
        self._equal: dict[tuple[int, int], int] = {}

    def set_of(self, rows: Iterable[tuple[Term, ...]]) -> int:
        """The set of some rows."""
        return sum(1 << self.numbers[row] for row in rows)

    def equal(self, left: int, right: int) -> int:
        """The set of all rows with one value in two places."""
        equal = self._equal.get((left, right))
        if equal is None:
            rows = (row for row in self.numbers if row[left] == row[right])
            equal = self._equal[left, right] = self.set_of(rows)
        return equal

    def box(self, inside: int, outside: int) -> dict[int, set[Term]] | None:
        """The values of few places by which rows are told from rows outside; None if there are
        none."""
        box: dict[int, set[Term]] = {}
        admitted: dict[int, int] = {}
        for place, masks in enumerate(self.masks):
            box[place] = {value for value, mask in masks.items() if mask & inside}
            admitted[place] = reduce(or_, (masks[value] for value in box[place]), 0)
        if reduce(and_, admitted.values(), outside):
            return None
        for place in sorted(box, key=lambda place: -len(box[place])):
            if not reduce(and_, (admitted[other] for other in box if other != place), outside):
                del box[place]
        return box


class Parameters:
    """The parameters of a move.

    Attributes:
        names: the names of the parameters.
        rows: by the number of a `does` atom, the values of the parameters.
    """

    def __init__(
        self, names: Sequence[str], rows: Mapping[int, tuple[Term, ...]], words: Constants
    ) -> None:
        self.names = tuple(names)
        self.rows = rows
        self.words = words
        self.all = [*dict.fromkeys(rows.values())]
        self.universe = _Universe(self.all)
        self.parts: dict[tuple[int, Term], Parameters] = {}
        self.known: dict[tuple[frozenset[tuple[Term, ...]], Span], ast.Expression] = {}

    def split(self, groups: Sequence[Sequence[int]]) -> tuple[int, dict[Term, list[int]]]:
        """A parameter, and by value the groups of moves all of which have the value; no values
        unless the groups are many and most have a single value."""
        best: tuple[int, dict[Term, list[int]]] = 0, {}
        if len(groups) > MOST_BESIDE:
            for place in range(len(self.names)):
                by_value: dict[Term, list[int]] = {}
                for number, group in enumerate(groups):
                    values = {self.rows[move][place] for move in group}
                    if len(values) == 1:
                        by_value.setdefault(values.pop(), []).append(number)
                told = sum(map(len, by_value.values()))
                if len(by_value) > 1 and 2 * told > len(groups):
                    key = told, -len(by_value)
                    if key > (sum(map(len, best[1].values())), -len(best[1])):
                        best = place, by_value
        return best

    def where(self, place: int, value: Term) -> Parameters:
        """The moves with a value of a parameter."""
        part = self.parts.get((place, value))
        if part is None:
            rows = {move: row for move, row in self.rows.items() if row[place] == value}
            part = self.parts[place, value] = Parameters(self.names, rows, self.words)
        return part

    def test(self, place: int, value: Term, span: Span) -> ast.Expression:
        """The condition that a parameter has a value."""
        return ast.Compare(
            span, ast.Name(span, self.names[place]), (("==", self.words.constant(value)),)
        )

    def among(self, moves: Iterable[int], span: Span) -> ast.Expression:
        """The condition that tells some moves from the other moves."""
        inside = frozenset(self.rows[move] for move in moves)
        known = self.known.get((inside, span))
        if known is None:
            rows = sorted(inside, key=self.universe.numbers.__getitem__)
            known = self.known[inside, span] = self._told(rows, span, self.universe)
        return known

    def _told(self, rows: Rows, span: Span, universe: _Universe) -> ast.Expression:
        """The condition that tells rows from the other rows of a universe."""
        inside = universe.set_of(rows)
        outside = ((1 << len(universe.numbers)) - 1) & ~inside
        if not outside:
            return ast.Name(span, "true")
        if (box := universe.box(inside, outside)) is not None:
            return self._either([box], span)
        if (box := universe.box(outside, inside)) is not None:
            return negation(self._either([box], span))
        for left, right in combinations(range(len(self.names)), 2):
            equal = universe.equal(left, right)
            if equal & inside:
                continue
            names = [ast.Name(span, self.names[place]) for place in (left, right)]
            differ = ast.Compare(span, names[0], (("!=", names[1]),))
            if (box := universe.box(inside, outside & ~equal)) is not None:
                return joined(span, "and", [differ, self._either([box], span)]) if box else differ
        pieces: list[dict[int, set[Term]]] = []
        for piece in products(rows, range(len(self.names))):
            box = universe.box(universe.set_of(piece), outside)
            assert box is not None, "a product of values holds its rows alone"
            if box not in pieces:
                pieces.append(box)
        return self._either(sorted(pieces, key=sorted), span)

    def within(self, domains: Sequence[Sequence[Term]], span: Span) -> ast.Expression:
        """The condition that the values of the parameters are a move: `domains` has the values of
        each parameter."""
        if prod(map(len, domains)) <= MOST_COMBINATIONS:
            known = {*self.all}
            outside = [row for row in product(*domains) if row not in known]
            return self._told(self.all, span, _Universe([*self.all, *outside]))
        pieces = []
        for rows in products(self.all, range(len(self.names))):
            columns = [{*column} for column in zip(*rows, strict=True)]
            pieces.append(
                {
                    place: column
                    for place, column in enumerate(columns)
                    if len(column) < len(domains[place])
                }
            )
        return self._either(pieces, span)

    def _either(self, pieces: Sequence[Mapping[int, set[Term]]], span: Span) -> ast.Expression:
        parts = [self._both(piece, span) for piece in pieces]
        if not parts:
            return ast.Name(span, "false")
        return parts[0] if len(parts) == 1 else ast.Logic(span, "or", tuple(parts))

    def _both(self, piece: Mapping[int, set[Term]], span: Span) -> ast.Expression:
        parts: list[ast.Expression] = []
        for place, values in sorted(piece.items()):
            name = ast.Name(span, self.names[place])
            known = sorted({row[place] for row in self.all}, key=order)
            listed = [value for value in known if value in values]
            others = [value for value in known if value not in values]
            test = ("in", self.words.set_of(listed))
            if len(listed) == 1:
                test = ("==", self.words.constant(listed[0]))
            elif isinstance(test[1], ast.Binary):
                pass  # a range: sets of moves beside each other are told alike
            elif len(others) == 1:
                test = ("!=", self.words.constant(others[0]))
            elif len(others) < len(listed):
                test = ("not in", self.words.set_of(others))
            parts.append(ast.Compare(span, name, (test,)))
        if not parts:
            return ast.Name(span, "true")
        return parts[0] if len(parts) == 1 else ast.Logic(span, "and", tuple(parts))
