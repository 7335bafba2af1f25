"""Makes sets: literals, ranges, types, built ones, unions, and what the board gives."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.generation.base import Way, as_it_is
from tests.generation.code import (
    PRIMARY,
    RANGE,
    SUM,
    TERM,
    UNION,
    Code,
    Sort,
    call,
    choice,
    number_literal,
    numbers,
    primary,
)
from tests.generation.declared import Scope
from tests.generation.things import Things, plain

BRACKETS = (("{", "}"), ("{", "}"), ("[", "]"))


class Expressions(Things):
    """Makes expressions of every sort."""

    def collection(self, sort: Sort, scope: Scope, depth: int, *, least: int = 0) -> Code:
        """A set with sure values of the sort's family, at least so many."""
        sort = plain(sort)
        ways: list[Way] = [lambda: self._constant_set(sort)]
        ways += [
            as_it_is(name)
            for name in scope.sets
            if name.sort.family == sort.family and name.sort.is_sure and name.size >= least
        ]
        if depth > 0:
            ways += [
                lambda: self._listed(sort, scope, depth, least),
                lambda: self._joined(sort, scope, depth, least),
                lambda: self._between_sets(sort, scope, depth, least),
            ]
            if least == 0:
                ways += [lambda: self._built(sort, scope, depth)] * 2
                ways += self._of_board(sort, scope, depth) * 2
                ways.append(lambda: self._empty(sort))
                if not sort.tokens:
                    ways.append(lambda: self._taken_away(sort, scope, depth))
            ways += self._defined(sort, scope, depth, least)
            if sort.family == "number":
                ways.append(lambda: self._range(scope, depth, least))
        return self.one_of(ways)

    def _constant_set(self, sort: Sort) -> Code:
        """All values of a family, by name."""
        board = self.declared.board
        match sort.family:
            case "number":
                return self._numbers()
            case "bool":
                return Code("bool", PRIMARY, sort, 2, True)
            case "player":
                size = len(self.declared.players)
                return Code("players", PRIMARY, sort, size, True)
            case "square":
                return Code("square", PRIMARY, sort, len(board.squares) if board else 0, True)
            case "compass" | "offset":
                size = len(board.directions) if board else 0
                return Code("directions", PRIMARY, Sort("compass"), size, True)
            case _ if sort.tokens:
                return Code(f"{{{', '.join(sort.tokens)}}}", PRIMARY, sort, len(sort.tokens), True)
            case family:
                size = len(self.declared.atoms_of(family))
                return Code(family, PRIMARY, sort, size, True)

    def _numbers(self) -> Code:
        board = self.declared.board
        found = [*self.declared.number_types]
        found += [i for i in self.declared.lists if i.sort.family == "number"]
        found += [row for rows in self.declared.tables for row in rows.rows()]
        if board is not None and board.is_grid:
            found.append(Code("columns", PRIMARY, numbers(1, board.width), board.width, True))
            found.append(Code("rows", PRIMARY, numbers(1, board.height), board.height, True))
        if found and self.dice.happens(40):
            return self.dice.choose(found)
        low = self.dice.number(0, 2)
        high = low + self.dice.number(1, 3)
        return Code(f"{low}..{high}", RANGE, numbers(low, high), high - low + 1, True)

    def _range(self, scope: Scope, depth: int, least: int) -> Code:
        """`1..n` with a number of the state."""
        top = self.clamped(self.number(scope, depth - 1), numbers(2, 4))
        size = 1 if least else 0
        low = number_literal(self.dice.number(0, 1))
        text = f"{low.at(SUM)}..{top.at(SUM)}"
        return Code(text, RANGE, numbers(low.sort.low, 4), size, top.is_fixed)

    def _listed(self, sort: Sort, scope: Scope, depth: int, least: int) -> Code:
        """`{a, b}`, sometimes `[a, b]`."""
        count = self.dice.number(max(1, least), 3)
        if sort.family == "number":
            items = [self.number(scope, depth - 1) for _ in range(count)]
            low = min(item.sort.low for item in items)
            high = max(item.sort.high for item in items)
            sort = numbers(low, high)
        else:
            items = [self.value(sort, scope, depth - 1) for _ in range(count)]
        opening, closing = self.dice.choose(BRACKETS)
        text = f"{opening}{', '.join(item.text for item in items)}{closing}"
        return primary(text, sort, *items, size=1)

    def _joined(self, sort: Sort, scope: Scope, depth: int, least: int) -> Code:
        """`S | T`, `S | x`."""
        left = self.collection(sort, scope, depth - 1, least=least)
        if self.dice.happens(40) and sort.family != "number":
            right = self.value(sort, scope, depth - 1)
        else:
            right = self.collection(sort, scope, depth - 1)
        low, high = min(left.sort.low, right.sort.low), max(left.sort.high, right.sort.high)
        joined = replace(left.sort, low=low, high=high)
        if right.sort.family == "offset":
            joined = right.sort
        text = f"{left.at(UNION)} | {right.at(RANGE)}"
        return Code(text, UNION, joined, left.size, left.is_fixed and right.is_fixed)

    def _taken_away(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """`S - T`, `S - x`."""
        left = self.collection(sort, scope, depth - 1)
        if self.dice.happens(40):
            right = self.value(sort, scope, depth - 1)
        else:
            right = self.collection(sort, scope, depth - 1)
        text = f"{left.at(SUM)} - {right.at(TERM)}"
        return Code(text, SUM, left.sort, 0, left.is_fixed and right.is_fixed)

    def _between_sets(self, sort: Sort, scope: Scope, depth: int, least: int) -> Code:
        then = self.collection(sort, scope, depth - 1, least=least)
        otherwise = self.collection(sort, scope, depth - 1, least=least)
        low = min(then.sort.low, otherwise.sort.low)
        high = max(then.sort.high, otherwise.sort.high)
        joined = replace(then.sort, low=low, high=high)
        if "offset" in (then.sort.family, otherwise.sort.family):
            joined = Sort("offset")
        return choice(then, self.condition(scope, depth - 1), otherwise, joined)

    def _built(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """`{e for v in S where c}`, `[...]`."""
        text, inner, fixed = self.clauses(scope, depth)
        if sort.family == "number":
            element = self.number(inner, depth - 1)
        else:
            element = self.value(sort, inner, depth - 1)
        opening, closing = self.dice.choose(BRACKETS)
        found = primary(f"{opening}{element.text} {text}{closing}", element.sort, element, size=0)
        return replace(found, is_fixed=fixed and element.is_fixed)

    def _empty(self, sort: Sort) -> Code:
        """A set with nothing in it."""
        everything = self._constant_set(sort)
        name = self.declared.fresh()
        text = f"{{{name} for {name} in {everything.text} where {name} != {name}}}"
        return Code(text, PRIMARY, everything.sort, 0, True)

    def _of_board(self, sort: Sort, scope: Scope, depth: int) -> list[Way]:
        board = self.declared.board
        if sort.family != "square" or board is None:
            return []
        square = Sort("square")

        def place() -> Code:
            return self.maybe(square, scope, depth - 1)

        ways: list[Way] = [
            lambda: call("neighbours", square, place(), *self.directions_to_go(), size=0)
        ]
        if board.is_grid:
            ways.append(lambda: call("ray", square, place(), self._way(scope, depth), size=0))
        if self.has_boards(scope):
            ways += [lambda: self._around(scope, depth, is_grid=board.is_grid)] * 3
        return ways

    def _way(self, scope: Scope, depth: int) -> Code:
        return self.value(Sort("offset"), scope, depth - 1)

    def _around(self, scope: Scope, depth: int, *, is_grid: bool) -> Code:
        """`group(a, s)`, `sight(a, s, d)`."""
        square = Sort("square")
        whole = self.board_of(scope)
        place = self.maybe(square, scope, depth - 1)
        if is_grid and whole.sort.empty and self.dice.happens(25):
            return call("sight", square, whole, place, self._way(scope, depth), size=0)
        return call("group", square, whole, place, *self.directions_to_go(), size=0)

    def _defined(self, sort: Sort, scope: Scope, depth: int, least: int) -> list[Way]:
        return [
            partial(self.applied, definition, scope, depth)
            for definition in self.callable(scope)
            if definition.result.size >= least
            and definition.result.size >= 0
            and definition.result.sort.family == sort.family
        ]
