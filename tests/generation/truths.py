"""Makes truth values: comparisons, membership, logic, quantifiers, and the board's questions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.generation.base import Maker, Way, as_it_is
from tests.generation.code import (
    AND,
    BOOL,
    COMPARISON,
    NOT,
    OR,
    UNION,
    Code,
    Sort,
    binary,
    call,
    choice,
    literal,
    numbers,
    primary,
)
from tests.generation.declared import Place, Scope

ORDERS = ("<", "<=", ">", ">=")


class Truths(Maker):
    """The part that makes truth values."""

    def numbers_or_else(self, scope: Scope) -> list[Way]:
        """Completed by what makes numbers."""
        raise NotImplementedError

    def guard(self, found: Code, *, holds: bool = True) -> Code:
        """Completed by what makes numbers."""
        raise NotImplementedError

    def member_of_item(self, scope: Scope, depth: int) -> Code:
        """Completed by what makes numbers that may be `none`."""
        raise NotImplementedError

    def truth(self, scope: Scope, depth: int) -> Code:
        """True or false."""
        sure = self.readings(scope, lambda s: s.family == "bool" and s.is_sure, depth)
        ways: list[Way] = [*sure]
        if depth >= 0:
            ways += [lambda: self._equal(scope, depth)] * 2
        elif not ways:
            ways.append(lambda: literal(self.dice.choose(("true", "false")), BOOL))
        if scope.place is Place.END:
            ways.append(lambda: Code("stuck", 10, BOOL))
        if depth > 0:
            ways += [
                lambda: self._ordered(scope, depth),
                lambda: self._member(scope, depth),
                lambda: self._logic(scope, depth),
                lambda: self._logic(scope, depth),
                lambda: self._denied(scope, depth),
                lambda: self._any_or_all(scope, depth),
                lambda: self._any_or_all(scope, depth),
                lambda: self._of_tuples(scope, depth),
                lambda: self._chosen(scope, depth),
                lambda: literal(self.dice.choose(("true", "false")), BOOL),
            ]
            if self.numbers_or_else(scope):
                ways += [lambda: self._guarded_order(scope, depth)]
            if scope.sets:
                ways += [lambda: self._same_sets(scope, depth)]
            if self.declared.tables and scope.place is not Place.CONSTANT:
                ways += [lambda: self.member_of_item(scope, depth)]
            if self.has_boards(scope):
                ways += [lambda: self._asked_of_board(scope, depth)] * 2
        return self.one_of(ways)

    def condition(self, scope: Scope, depth: int) -> Code:
        """What can stand where a condition is needed: `none` there is not true."""
        if self.dice.happens(10):
            ways = self.readings(scope, lambda s: s.family == "bool", depth)
            if ways:
                return self.one_of(ways)
        return self.truth(scope, depth)

    # --- ways ------------------------------------------------------------------------------

    def _equal(self, scope: Scope, depth: int) -> Code:
        left = self.compared(scope, depth)
        if self.declared.has_numbers(left.sort.family):
            return self._in_order(Sort(left.sort.family), scope, depth)
        right = self.maybe(left.sort, scope, depth - 1)
        if right.text == left.text:
            right = self.maybe(left.sort, scope, depth - 2)
        operator = self.dice.choose(("==", "!="))
        found = binary(left.of(BOOL), operator, right.of(BOOL), COMPARISON, BOOL)
        return replace(found, text=f"{left.at(UNION)} {operator} {right.at(UNION)}")

    def _same_sets(self, scope: Scope, depth: int) -> Code:
        """`s == S`, `s != S` of a name that stands for a set."""
        left = self.dice.choose(scope.sets)
        right = self.collection(left.sort, scope, depth - 1)
        operator = self.dice.choose(("==", "!="))
        return Code(f"{left.text} {operator} {right.at(UNION)}", COMPARISON, BOOL)

    def compared(self, scope: Scope, depth: int) -> Code:
        """Something worth comparing: read from the state where that is possible."""
        if scope.place is not Place.CONSTANT and self.dice.happens(80):
            readable = [v for v in self.readable(scope) if depth >= 0 or not v.indices]
            names = [name for name in scope.names if name.sort.family != "offset"]
            ways = [as_it_is(name) for name in names]
            ways += [partial(self.cell, variable, scope, depth) for variable in readable]
            if ways:
                return self.one_of(ways)
        return self.maybe(self.some_sort(scope), scope, depth - 1)

    def _ordered(self, scope: Scope, depth: int) -> Code:
        """`a < b`, `0 <= x < 3`, and the order of atoms, players and squares."""
        families = [numbers(0, 3), numbers(0, 3), Sort("player")]
        families += [Sort(kind.name) for kind in self.declared.types]
        families += [Sort("square")] if self.declared.board else []
        return self._in_order(self.dice.choose(families), scope, depth)

    def _in_order(self, sort: Sort, scope: Scope, depth: int) -> Code:
        parts = [self._side(sort, scope, depth) for _ in range(self.dice.choose((2, 2, 2, 3)))]
        text = parts[0].at(UNION)
        for part in parts[1:]:
            text += f" {self.dice.choose(ORDERS)} {part.at(UNION)}"
        return Code(text, COMPARISON, BOOL, -1, all(part.is_fixed for part in parts))

    def _guarded_order(self, scope: Scope, depth: int) -> Code:
        """`x != empty and x < e`, `x == empty or x > e`, `any(a[s] < e for s in S where ...)`."""
        found = self.one_of(self.numbers_or_else(scope))
        holds = self.dice.happens(50)
        guard = self.guard(found, holds=holds)
        asked = f"{found.text} {self.dice.choose(ORDERS)} {self.number(scope, depth - 1).at(UNION)}"
        if guard.level == (OR if holds else AND):
            guard = primary(f"({guard.text})", BOOL)
        word, level = ("and", AND) if holds else ("or", OR)
        return Code(f"{guard.text} {word} {asked}", level, BOOL)

    def _side(self, sort: Sort, scope: Scope, depth: int) -> Code:
        if sort.family == "number":
            return self.number(scope, depth - 1)
        return self.value(sort, scope, depth - 1)

    def _member(self, scope: Scope, depth: int) -> Code:
        element = self.compared(scope, depth)
        if self.declared.has_numbers(element.sort.family):
            return self._in_order(Sort(element.sort.family), scope, depth)
        found = self.collection(element.sort, scope, depth - 1)
        operator = self.dice.choose(("in", "not in"))
        text = f"{element.at(UNION)} {operator} {found.at(UNION)}"
        return Code(text, COMPARISON, BOOL, -1, element.is_fixed and found.is_fixed)

    def _logic(self, scope: Scope, depth: int) -> Code:
        word, level = self.dice.choose((("and", AND), ("or", OR)))
        parts = [self.condition(scope, depth - 1) for _ in range(self.dice.choose((2, 2, 3)))]
        text = f" {word} ".join(part.at(level + 1) for part in parts)
        return Code(text, level, BOOL, -1, all(part.is_fixed for part in parts))

    def _denied(self, scope: Scope, depth: int) -> Code:
        inner = self.condition(scope, depth - 1)
        return Code(f"not {inner.at(NOT)}", NOT, BOOL, -1, inner.is_fixed)

    def _any_or_all(self, scope: Scope, depth: int) -> Code:
        name = self.dice.choose(("any", "all"))
        if self.dice.happens(15):
            parts = [self.truth(scope, depth - 1) for _ in range(2)]
            opening, closing = self.dice.choose((("{", "}"), ("[", "]")))
            text = f"{name}({opening}{parts[0].text}, {parts[1].text}{closing})"
            return primary(text, BOOL, *parts)
        text, inner, fixed = self.clauses(scope, depth)
        element = self.condition(inner, depth - 1)
        found = primary(f"{name}({element.text} {text})", BOOL, element)
        return replace(found, is_fixed=fixed and element.is_fixed)

    def _of_tuples(self, scope: Scope, depth: int) -> Code:
        """`(a, b) == (c, d)`, `(a, b) in {(c, d), ...}`."""
        sorts = [self.some_sort(scope) for _ in range(self.dice.choose((2, 2, 3)))]
        sorts = [BOOL if self.declared.has_numbers(sort.family) else sort for sort in sorts]

        def tuple_of() -> Code:
            items = [self.maybe(sort, scope, depth - 2) for sort in sorts]
            return primary(f"({', '.join(item.text for item in items)})", BOOL, *items)

        left = tuple_of()
        if self.dice.happens(50):
            return binary(left, "==", tuple_of(), COMPARISON, BOOL)
        members = [tuple_of() for _ in range(self.dice.number(1, 3))]
        found = primary(f"{{{', '.join(member.text for member in members)}}}", BOOL, *members)
        return binary(left, "in", found, COMPARISON, BOOL)

    def _chosen(self, scope: Scope, depth: int) -> Code:
        then, otherwise = self.truth(scope, depth - 1), self.truth(scope, depth - 1)
        return choice(then, self.condition(scope, depth - 1), otherwise, BOOL)

    def _asked_of_board(self, scope: Scope, depth: int) -> Code:
        """`full(a)`, `line(a, v, n)`."""
        whole = self.board_of(scope)
        if whole.sort.empty and self.dice.happens(40):
            return call("full", BOOL, whole)
        held = self.maybe(whole.sort, scope, depth - 1)
        length = self.number_in_line(scope, depth - 1)
        return call("line", BOOL, whole, held, length, *self.directions_to_go())

    def number_in_line(self, scope: Scope, depth: int) -> Code:
        """How long a line is asked for."""
        if self.dice.happens(80):
            return literal(str(self.dice.number(2, 3)), numbers(2, 3))
        return self.number(scope, depth)
