"""Makes numbers that may be `none`, and what is asked of them: positions in lists, sums.

In: a scope and bounds. Out: expressions that are a number within the bounds, or `none`.
"""

from __future__ import annotations

from functools import partial

from tests.generation.base import Maker, Way
from tests.generation.code import COMPARISON, Code, Sort, call, choice, literal, numbers, primary
from tests.generation.declared import Place, Scope, Table

FEW = numbers(0, 4)
"""What is asked for where any number will do."""


class Optionals(Maker):
    """The part that makes numbers that may be `none`."""

    can_fail: bool = False
    """Whether rules may break down in play: `none` comes where a value is needed."""

    def number_in(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """Completed by what makes numbers."""
        raise NotImplementedError

    def guard(self, found: Code, *, holds: bool = True) -> Code:
        """Completed by what makes numbers."""
        raise NotImplementedError

    def optional_number(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A number within the bounds, or `none`."""
        wanted = numbers(sort.low, sort.high).or_none()
        ways: list[Way] = [lambda: self._first_number(wanted, scope, depth)]
        ways += self.readings(scope, lambda s: s.none and wanted.holds(s), depth) * 2
        if wanted.low <= 1 and wanted.high >= 3:
            ways += [lambda: self._coordinate(wanted, scope, depth)] * 2
        if depth > 0:
            ways.append(lambda: self._number_or_none(wanted, scope, depth))
            ways += self.optional_items(wanted, scope, depth) * 2
        return self.one_of(ways).of(wanted)

    def optional_items(self, sort: Sort, scope: Scope, depth: int) -> list[Way]:
        """Ways to take a number within the bounds, or `none`, from a list, or a list of lists, at
        positions that may be `none`."""
        wanted = numbers(sort.low, sort.high)
        lists = [one for one in self.declared.lists if wanted.holds(one.sort)]
        ways: list[Way] = [partial(self._optional_item, one, scope, depth) for one in lists]
        for table in self.declared.tables:
            if wanted.holds(table.sort):
                ways += [partial(self._optional_entry, table, scope, depth)]
        return ways

    def optional_sum(self, scope: Scope, depth: int) -> Code:
        """`sum(x if x != none else 0 for ...)`, `sum(x for ... where x != none)`."""
        text, inner, _ = self.clause(scope, depth)
        found = self.optional_number(FEW, inner, depth - 1)
        far = numbers(-10_000, 10_000)
        if " where " not in text and self.dice.happens(40):
            return Code(f"sum({found.text} {text} where {self.guard(found).text})", 10, far)
        other = self.number_in(FEW, inner, 0)
        if self.dice.happens(50):
            whole = choice(found.of(FEW), self.guard(found), other, FEW)
        else:
            whole = choice(other, self.guard(found, holds=False), found.of(FEW), FEW)
        return Code(f"sum({whole.text} {text})", 10, far)

    def found_and_added(self, scope: Scope, depth: int) -> Code:
        """`sum(first(k for k in S where c) if any(c for k in S) else 0 for ...)`."""
        text, inner, _ = self.clause(scope, depth)
        name, domain, condition = self._sought(FEW, inner, depth)
        found = f"first({name} for {name} in {domain} where {condition.text})"
        asked = f"any({condition.text} for {name} in {domain})"
        return Code(f"sum(({found} if {asked} else 0) {text})", 10, numbers(-10_000, 10_000))

    def member_of_item(self, scope: Scope, depth: int) -> Code:
        """`i != none and x in sizes[i]`, for an i that may be `none`."""
        table = self.dice.choose(self.declared.tables)
        place = self._optional_row(table, scope, depth)
        sought = self.number_in(FEW, scope, depth - 1)
        text = f"{place.text} != none and {sought.at(6)} in {table.name}[{place.text}]"
        return Code(text, 2, Sort("bool"))

    # --- ways ------------------------------------------------------------------------------

    def _sought(self, sort: Sort, scope: Scope, depth: int) -> tuple[str, str, Code]:
        """A name, a range that it goes through, and a condition on it."""
        name, low = self.declared.fresh(), sort.low
        inner = scope.having(Code(name, 10, numbers(low, sort.high)))
        value = self.maybe(numbers(low, sort.high), scope, depth - 1)
        if self.dice.happens(50):
            return name, f"{low}..{sort.high}", self.truth(inner, max(0, depth - 1))
        sign = self.dice.choose(("==", "!="))
        asked = Code(f"{name} {sign} {value.at(5)}", COMPARISON, Sort("bool"))
        return name, f"{low}..{sort.high}", asked

    def _first_number(self, sort: Sort, scope: Scope, depth: int) -> Code:
        name, domain, condition = self._sought(sort, scope, depth)
        which = self.dice.choose(("first", "last"))
        return Code(f"{which}({name} for {name} in {domain} where {condition.text})", 10, sort)

    def _number_or_none(self, sort: Sort, scope: Scope, depth: int) -> Code:
        found = self.number_in(numbers(sort.low, sort.high), scope, depth - 1)
        return self._by_turn(found, literal("none", sort), sort)

    def _by_turn(self, one: Code, other: Code, sort: Sort) -> Code:
        """Either, by who is to move: what is not known before play."""
        parts = [one, other]
        if self.dice.happens(50):
            parts.reverse()
        mover = Code(f"turn == {self.dice.choose(self.declared.players)}", COMPARISON, Sort("bool"))
        return Code(f"({choice(parts[0], mover, parts[1], sort).text})", 10, sort)

    def _coordinate(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """`column(s)` of a square that may be `none`."""
        board = self.declared.board
        if board is not None and board.is_grid:
            place = self.maybe(Sort("square"), scope, depth - 1)
            if place.sort.none and not place.is_fixed:
                return call(self.dice.choose(("column", "row")), sort, place)
        return self._first_number(sort, scope, depth)

    def _optional_item(self, items: Code, scope: Scope, depth: int) -> Code:
        place = self.optional_number(numbers(1, items.size), scope, depth - 1)
        return primary(f"{items.text}[{place.text}]", items.sort.or_none(), items, place)

    def _optional_row(self, table: Table, scope: Scope, depth: int) -> Code:
        """The position of a list in a list, or `none`; what is known to be `none` has no items."""
        rows = numbers(1, table.height)
        place = self.optional_number(rows, scope, depth - 1)
        return self._by_turn(place, self.number_in(rows, scope, depth - 1), rows.or_none())

    def _optional_entry(self, table: Table, scope: Scope, depth: int) -> Code:
        row = self._optional_row(table, scope, depth)
        bounds = numbers(1, table.width)
        if self.dice.happens(50):
            column = self.number_in(bounds, scope, depth - 1)
        else:
            column = self.optional_number(bounds, scope, depth - 1)
        text = f"{table.name}[{row.text}][{column.text}]"
        return primary(text, table.sort.or_none(), row, column)


def anywhere(scope: Scope) -> bool:
    """Whether numbers may depend on something here."""
    return scope.place is not Place.CONSTANT
