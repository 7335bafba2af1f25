"""Makes numbers, with an interval that surely holds them, and clamps them into a domain."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.syntax.ast import LONGEST_SPINE
from tests.generation.base import Way
from tests.generation.code import (
    AND,
    BOOL,
    COMPARISON,
    FACTOR,
    OR,
    PRIMARY,
    SUM,
    TERM,
    Code,
    Sort,
    binary,
    call,
    choice,
    number_literal,
    numbers,
    primary,
)
from tests.generation.declared import Place, Scope
from tests.generation.optional import FEW, Optionals, anywhere

WIDEST = 60
"""Numbers further from 0 than this are clamped before more is done with them."""


class Numbers(Optionals):
    """The part that makes numbers."""

    def number(self, scope: Scope, depth: int) -> Code:
        """A number, never `none`."""
        ways: list[Way] = [lambda: number_literal(self.dice.number(0, 4))]
        ways += self.readings(scope, lambda s: s.family == "number" and s.is_sure, depth) * 2
        ways += self._of_squares(scope, depth)
        if depth > 0:
            ways += [
                lambda: self._sum(scope, depth),
                lambda: self._product(scope, depth),
                lambda: self._remainder(scope, depth),
                lambda: self._negative(scope, depth),
                lambda: self._extreme(scope, depth),
                lambda: self._counted(scope, depth),
                lambda: self._added(scope, depth),
                lambda: self._least(scope, depth),
                lambda: self._length(scope, depth),
                lambda: self._conditional(scope, depth),
            ]
            if self.declared.lists:
                ways.append(lambda: self._item(scope, depth))
            if self.declared.tables:
                ways += [lambda: self._entry(scope, depth)] * 2
            if self.numbers_or_else(scope):
                ways += [lambda: self._guarded(scope, depth)] * 2
            if anywhere(scope):
                ways.append(lambda: self.optional_sum(scope, depth))
                ways.append(lambda: self.found_and_added(scope, depth))
            if self.can_fail and anywhere(scope) and self.dice.happens(8):
                return self.optional_number(FEW, scope, depth - 1).of(FEW)
        return self._tamed(self.one_of(ways))

    def numbers_or_else(self, scope: Scope) -> list[Way]:
        """Ways to read what may be a number, or `none` or `empty`."""
        if scope.place is Place.CONSTANT:
            return []
        ways = self.readings(
            scope, lambda s: s.family == "number" and not s.is_sure and not s.tokens, 0
        )
        return [*ways, *ways, lambda: self.optional_number(FEW, scope, 1)]

    def guard(self, found: Code, *, holds: bool = True) -> Code:
        """The condition that something is a number (or that it is not)."""
        text = found.text
        others = [name for name in ("empty", "none") if getattr(found.sort, name)]
        if self.dice.happens(30):
            word = "in" if holds else "not in"
            asked, level = f"{text} {word} {found.sort.low}..{found.sort.high}", COMPARISON
        else:
            sign, word = ("!=", " and ") if holds else ("==", " or ")
            asked = word.join(f"{text} {sign} {other}" for other in others)
            level = COMPARISON if len(others) == 1 else (AND if holds else OR)
        return Code(asked, level, BOOL)

    def _guarded(self, scope: Scope, depth: int) -> Code:
        """`x + 1 if x != empty else 0`, `0 if x == empty else x + 1`, and the same of many."""
        found = self.one_of(self.numbers_or_else(scope))
        amount = self.number(scope, depth - 1)
        low, high = found.sort.low + amount.sort.low, found.sort.high + amount.sort.high
        whole = binary(found.of(numbers(0, 0)), "+", amount, SUM, numbers(low, high))
        other = self.number(scope, depth - 1)
        sort = numbers(min(low, other.sort.low), max(high, other.sort.high))
        if self.dice.happens(50):
            return choice(whole, self.guard(found), other, sort)
        return choice(other, self.guard(found, holds=False), whole, sort)

    def number_in(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A number that surely lies in the bounds of the sort."""
        if depth <= 0 and self.dice.happens(60):
            return number_literal(self.dice.number(sort.low, sort.high))
        return self.clamped(self.number(scope, depth), sort)

    def clamped(self, found: Code, sort: Sort) -> Code:
        """The number, forced into the bounds."""
        low, high = sort.low, sort.high
        if low <= found.sort.low and found.sort.high <= high:
            return found
        if self.dice.happens(50):
            size = number_literal(high - low + 1)
            rest = binary(found, "%", size, TERM, numbers(0, high - low))
            return rest if low == 0 else binary(number_literal(low), "+", rest, SUM, sort)
        if found.sort.high > high:
            top = max(min(found.sort.low, high), -WIDEST)
            found = call("min", numbers(top, high), *self._either(number_literal(high), found))
        if found.sort.low < low:
            top = max(low, found.sort.high)
            found = call("max", numbers(low, top), *self._either(number_literal(low), found))
        return found

    def _either(self, one: Code, other: Code) -> tuple[Code, Code]:
        return (one, other) if self.dice.happens(50) else (other, one)

    def _tamed(self, found: Code) -> Code:
        limit = numbers(-WIDEST, WIDEST)
        return found if limit.holds(found.sort) else self.clamped(found, limit)

    # --- ways ------------------------------------------------------------------------------

    def _of_squares(self, scope: Scope, depth: int) -> list[Way]:
        board = self.declared.board
        if board is None or not board.is_grid:
            return []
        square = Sort("square")
        return [
            lambda: call("column", numbers(1, board.width), self.value(square, scope, depth - 1)),
            lambda: call("row", numbers(1, board.height), self.value(square, scope, depth - 1)),
        ]

    def _sum(self, scope: Scope, depth: int) -> Code:
        if self.dice.happens(4):
            return self._series(scope)
        left, right = self.number(scope, depth - 1), self.number(scope, depth - 1)
        one, other = left.sort, right.sort
        if self.dice.happens(50):
            sort = numbers(one.low - other.high, one.high - other.low)
            return binary(left, "-", right, SUM, sort)
        return binary(left, "+", right, SUM, numbers(one.low + other.low, one.high + other.high))

    def _series(self, scope: Scope) -> Code:
        """`1 + n - 2 ...`: more terms than are nested."""
        whole = self.number(scope, 0)
        for _ in range(LONGEST_SPINE + self.dice.number(0, 3)):
            term, low, high = self.number(scope, 0), whole.sort.low, whole.sort.high
            if self.dice.happens(50):
                sort = numbers(low - term.sort.high, high - term.sort.low)
                whole = binary(whole, "-", term, SUM, sort)
            else:
                sort = numbers(low + term.sort.low, high + term.sort.high)
                whole = binary(whole, "+", term, SUM, sort)
        return whole

    def _product(self, scope: Scope, depth: int) -> Code:
        small = numbers(-8, 8)
        left = self.clamped(self.number(scope, depth - 1), small)
        right = self.clamped(self.number(scope, depth - 1), small)
        return binary(left, "*", right, TERM, numbers(-64, 64))

    def _divisor(self, scope: Scope, depth: int) -> Code:
        if self.dice.happens(60):
            return number_literal(self.dice.choose((2, 3, 1, 5, -2)))
        return self.clamped(self.number(scope, depth - 1), numbers(1, 6))

    def _remainder(self, scope: Scope, depth: int) -> Code:
        left, right = self.number(scope, depth - 1), self._divisor(scope, depth)
        if self.dice.happens(50):
            far = max(abs(left.sort.low), abs(left.sort.high))
            return binary(left, "//", right, TERM, numbers(-far, far))
        low, high = min(0, right.sort.low + 1), max(0, right.sort.high - 1)
        return binary(left, "%", right, TERM, numbers(low, high))

    def _negative(self, scope: Scope, depth: int) -> Code:
        inner = self.number(scope, depth - 1)
        low, high = inner.sort.low, inner.sort.high
        if self.dice.happens(50):
            ends = sorted((abs(low), abs(high)))
            return call("abs", numbers(0 if low <= 0 <= high else ends[0], ends[1]), inner)
        return Code(f"-{inner.at(FACTOR)}", FACTOR, numbers(-high, -low), -1, inner.is_fixed)

    def _extreme(self, scope: Scope, depth: int) -> Code:
        parts = [self.number(scope, depth - 1) for _ in range(self.dice.number(2, 3))]
        name, pick = self.dice.choose((("max", max), ("min", min)))
        lows, highs = [part.sort.low for part in parts], [part.sort.high for part in parts]
        return call(name, numbers(pick(lows), pick(highs)), *parts)

    def _counted(self, scope: Scope, depth: int) -> Code:
        most = numbers(0, 10_000)
        if self.dice.happens(25):
            found = self.collection(self.some_sort(scope), scope, depth - 1)
            return call("count", most, found)
        text, inner, fixed = self.clauses(scope, depth)
        if self.dice.happens(70):
            element = self.truth(inner, depth - 1)
        else:
            element = self.value(self.some_sort(inner), inner, depth - 1)
        return self._quantified("count", element, text, fixed, most)

    def _added(self, scope: Scope, depth: int) -> Code:
        far = numbers(-10_000, 10_000)
        if self.dice.happens(20):
            return call("sum", far, self.collection(numbers(0, 3), scope, depth - 1))
        text, inner, fixed = self.clauses(scope, depth)
        element = self.number(inner, depth - 1)
        return self._quantified("sum", element, text, fixed, far)

    def _least(self, scope: Scope, depth: int) -> Code:
        """`min` or `max` of a set that surely is not empty."""
        name = self.dice.choose(("max", "min"))
        if self.dice.happens(25):
            found = self.collection(numbers(0, 3), scope, depth - 1, least=1)
            return call(name, found.sort, found)
        text, inner, fixed = self.clause(scope, depth, least=1)
        element = self.number(inner, depth - 1)
        return self._quantified(name, element, text, fixed, element.sort)

    def _quantified(self, name: str, element: Code, clauses: str, fixed: bool, sort: Sort) -> Code:
        found = primary(f"{name}({element.text} {clauses})", sort, element)
        return replace(found, is_fixed=fixed and element.is_fixed)

    def _length(self, scope: Scope, depth: int) -> Code:
        if self.declared.lists and self.dice.happens(50):
            found = self.dice.choose(self.declared.lists)
            return call("len", numbers(found.size, found.size), found)
        return call("len", numbers(0, 10_000), self.collection(self.some_sort(scope), scope, depth))

    def _conditional(self, scope: Scope, depth: int) -> Code:
        then, otherwise = self.number(scope, depth - 1), self.number(scope, depth - 1)
        low = min(then.sort.low, otherwise.sort.low)
        high = max(then.sort.high, otherwise.sort.high)
        return choice(then, self.truth(scope, depth - 1), otherwise, numbers(low, high))

    def _item(self, scope: Scope, depth: int) -> Code:
        """`sizes[i]` of a list counted from 1, or of a list written out, `[n, m][i]`."""
        if self.dice.happens(30):
            written = [self.number(scope, depth - 1) for _ in range(self.dice.number(1, 3))]
            low = min(code.sort.low for code in written)
            high = max(code.sort.high for code in written)
            index = self.number_in(numbers(1, len(written)), scope, depth - 1)
            text = f"[{', '.join(code.text for code in written)}][{index.text}]"
            return primary(text, numbers(low, high), *written, index)
        items = self.dice.choose(self.declared.lists)
        index = self.number_in(numbers(1, items.size), scope, depth - 1)
        return primary(f"{items.text}[{index.text}]", items.sort, items, index)

    def _entry(self, scope: Scope, depth: int) -> Code:
        """`sizes[i][j]`, `len(sizes[i])`, `len(sizes)`: lists in a list."""
        table = self.dice.choose(self.declared.tables)
        whole = Code(table.name, PRIMARY, table.sort, table.height, True)
        if self.dice.happens(10):
            return call("len", numbers(table.height, table.height), whole)
        row = self.number_in(numbers(1, table.height), scope, depth - 1)
        line = primary(f"{table.name}[{row.text}]", table.sort, whole, row)
        if self.dice.happens(15):
            return call("len", numbers(table.width, table.width + 1), line)
        column = self.number_in(numbers(1, table.width), scope, depth - 1)
        return primary(f"{line.text}[{column.text}]", table.sort, line, column)
