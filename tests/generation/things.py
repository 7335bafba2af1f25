"""Makes players, squares, directions and atoms, and dispatches on the family of a sort."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.generation.base import Way
from tests.generation.code import (
    FACTOR,
    SUM,
    TERM,
    Code,
    Sort,
    binary,
    call,
    choice,
    literal,
    number_literal,
    primary,
)
from tests.generation.declared import Place, Scope
from tests.generation.numeric import Numbers
from tests.generation.optional import anywhere
from tests.generation.truths import Truths

COMPASS_NAMES = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")


class Things(Numbers, Truths):
    """The part that makes single values of any family."""

    def value(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A value that surely is of the sort."""
        if sort.tokens:
            return self._token(sort, scope, depth)
        if sort.none and self.dice.happens(15):
            return literal("none", sort)
        if sort.empty and self.dice.happens(30):
            return literal("empty", sort)
        if not sort.is_sure and depth > 0 and self.dice.happens(20):
            return self._between(sort, scope, depth)
        match sort.family:
            case "number":
                return self.number_in(sort, scope, depth)
            case _ if self.can_fail and sort.is_sure and self._is_none_instead(scope, depth):
                found = self.maybe(sort, scope, depth - 1)
                return found if found.sort.empty else found.of(sort)
            case "bool":
                return self.truth(scope, depth)
            case _:
                return self._thing(sort, scope, depth)

    def _is_none_instead(self, scope: Scope, depth: int) -> bool:
        """Whether a value may be `none` though it should not."""
        return depth > 0 and anywhere(scope) and self.dice.happens(5)

    def maybe(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A value of the sort's family, or perhaps `none` or `empty`."""
        if self.dice.happens(25):
            ways = self.readings(scope, lambda s: s.family == sort.family, depth)
            if sort.family == "square":
                ways += self._steps(scope, depth) * 3
            if sort.family == "number" and depth > 0 and anywhere(scope):
                ways += [lambda: self.optional_number(plain(sort), scope, depth)] * 2
                ways += self.optional_items(plain(sort), scope, depth) * 2
            if depth > 0:
                ways.append(lambda: self._first(sort, scope, depth))
            if ways:
                return self.one_of(ways)
        return self.value(plain(sort), scope, depth)

    # --- ways ------------------------------------------------------------------------------

    def _token(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A value of a domain that is no interval: a constant, a cell, or one of two."""
        ways: list[Way] = [lambda: literal(self.dice.choose(sort.tokens), sort)]
        ways += self.readings(scope, sort.holds, depth)
        if depth > 0:
            ways.append(lambda: self._between(sort, scope, depth))
        return self.one_of(ways)

    def _between(self, sort: Sort, scope: Scope, depth: int) -> Code:
        then, otherwise = self.value(sort, scope, depth - 1), self.value(sort, scope, depth - 1)
        return choice(then, self.condition(scope, depth - 1), otherwise, sort)

    def _thing(self, sort: Sort, scope: Scope, depth: int) -> Code:
        ways = self._constants(sort, scope)
        accepted = sort
        ways += self.readings(scope, accepted.holds, depth) * 2
        if sort.family == "offset":
            ways += self.readings(scope, lambda s: s == Sort("compass"), depth)
            if depth > 0:
                ways += [lambda: self._offset(scope, depth)] * 3
        if depth > 0:
            ways.append(lambda: self._between(sort, scope, depth))
            ways.append(lambda: self._assured(sort, scope, depth))
            if sort.family == "player":
                ways.append(lambda: self._after(scope, depth))
            if self.declared.atoms_of(sort.family):
                ways.append(lambda: self._extreme_atom(sort, scope, depth))
            ways += self._of_products(sort, scope, depth)
            if sort.none and sort.family == "square":
                ways += self._steps(scope, depth) * 2
        return self.one_of(ways)

    def _constants(self, sort: Sort, scope: Scope) -> list[Way]:
        board = self.declared.board
        names: tuple[str, ...]
        match sort.family:
            case "player":
                return self._players(scope)
            case "square":
                names = board.squares if board else ()
            case "compass":
                names = board.directions if board else ()
            case "offset":
                names = COMPASS_NAMES
            case _:
                names = self.declared.atoms_of(sort.family)
        return [lambda: literal(self.dice.choose(names), sort)]

    def _players(self, scope: Scope) -> list[Way]:
        player = Sort("player")
        ways: list[Way] = [lambda: literal(self.dice.choose(self.declared.players), player)]
        if scope.place is Place.CONSTANT:
            return ways
        ways += [lambda: Code("turn", 10, player)] * 2
        if len(self.declared.players) == 2:
            ways.append(lambda: Code("opponent", 10, player))
        if scope.place is Place.SIMULTANEOUS:
            ways += [lambda: Code("me", 10, player)] * 2
        return ways

    def _after(self, scope: Scope, depth: int) -> Code:
        names = ("next", "other") if len(self.declared.players) == 2 else ("next",)
        player = Sort("player")
        return call(self.dice.choose(names), player, self.value(player, scope, depth - 1))

    def _of_products(self, sort: Sort, scope: Scope, depth: int) -> list[Way]:
        """`Side(v)`, a part of a value of a product; `Pair(a, b)`, the value of two parts."""

        def called(parts: tuple[str, ...]) -> Code:
            pick = self.maybe if sort.none else self.value
            return call(sort.family, sort, *(pick(Sort(p), scope, depth - 1) for p in parts))

        products = [kind for kind in self.declared.types if kind.parts]
        ways: list[Way] = [partial(called, (p.name,)) for p in products if sort.family in p.parts]
        return ways + [partial(called, p.parts) for p in products if p.name == sort.family]

    def _extreme_atom(self, sort: Sort, scope: Scope, depth: int) -> Code:
        name = self.dice.choose(("min", "max"))
        if self.dice.happens(40):
            parts = [self.value(Sort(sort.family), scope, depth - 1) for _ in range(2)]
            return call(name, sort, *parts)
        found = self.collection(Sort(sort.family), scope, depth - 1, least=1)
        return call(name, sort, found)

    def _assured(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """`x if x != none else y`, for an x that may be `none`."""
        reads = self.readings(scope, lambda s: s == Sort(sort.family).or_none(), 0)
        if not reads or scope.place is Place.CONSTANT:
            return self._between(sort, scope, depth)
        found = self.one_of(reads)
        condition = Code(f"{found.text} != none", 4, Sort("bool"), -1, found.is_fixed)
        return choice(found, condition, self.value(sort, scope, depth - 1), sort)

    def _first(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """`first(e for ...)`, `last(set)`: perhaps `none`."""
        name = self.dice.choose(("first", "last"))
        single = plain(sort)
        if self.dice.happens(40):
            found = self.collection(single, scope, depth - 1)
            return call(name, found.sort.or_none(), found)
        text, inner, fixed = self.clauses(scope, depth)
        element = self.value(single, inner, depth - 1)
        whole = primary(f"{name}({element.text} {text})", element.sort.or_none(), element)
        return replace(whole, is_fixed=fixed and element.is_fixed)

    def _steps(self, scope: Scope, depth: int) -> list[Way]:
        board = self.declared.board
        if board is None or not board.is_grid:
            return []

        def step() -> Code:
            square = self.value(Sort("square"), scope, depth - 1)
            offset = self.value(Sort("offset"), scope, depth - 1)
            maybe = Sort("square", none=True)
            if self.dice.happens(10):
                return binary(offset, "+", square, SUM, maybe)
            return binary(square, self.dice.choose(("+", "+", "-")), offset, SUM, maybe)

        def placed() -> Code:
            column, row = (self.number(scope, depth - 1) for _ in range(2))
            return call("square", Sort("square", none=True), column, row)

        return [step, placed]

    def _offset(self, scope: Scope, depth: int) -> Code:
        """`-d`, `2*d`, `d + e`, `d - e`."""
        sort = Sort("offset")
        inner = self.value(sort, scope, depth - 1)
        kind = self.dice.number(0, 3)
        if kind == 0:
            return Code(f"-{inner.at(FACTOR)}", FACTOR, sort, -1, inner.is_fixed)
        if kind == 1:
            factor = number_literal(self.dice.number(0, 2))
            return binary(factor, "*", inner, TERM, sort)
        operator = self.dice.choose(("+", "-"))
        return binary(inner, operator, self.value(sort, scope, depth - 1), SUM, sort)


def plain(sort: Sort) -> Sort:
    """The sort without `none` and `empty`; atoms without a type keep their list of values."""
    tokens = () if sort.family == "number" else sort.tokens
    return replace(sort, none=False, empty=False, tokens=tokens)
