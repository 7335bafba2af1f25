"""Sets of squares at work: gone through in loops, and quantifiers answered by a whole set.

In: an expression over squares. Out: values of sets where `lifting` knows the set, else the loops
of `collections`. Both give the same answers.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.collections import Each
from gamedsl.compiler.fills import is_upward
from gamedsl.compiler.ir.values import (
    FALSE,
    TRUE,
    all_of,
    count,
    highest,
    integer,
    lowest,
    select,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lifting import Lifting
from gamedsl.compiler.places import is_own_element
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.square_sets import Bits
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, SetType, element_of, number
from gamedsl.model.values import EMPTY, NONE, Square, Value


class Sets(Lifting):
    """Sets of squares of one game."""

    # --- going through sets ----------------------------------------------------------------

    def go_through_bits(self, bits: Bits, each: Each, stem: str) -> None:
        """A loop over the squares of a set that is held in a local, which it uses up."""
        with self.builder.loop_while(bits.ne(0)):
            place = self.program.hold(lowest(bits), stem)
            self.builder.assign(bits, bits & bits - 1)
            each(self.square_at(place))

    def square_at(self, place: Expr) -> Code:
        """The square of a bit."""
        return Code(place + self.codes.code(self.codes.squares[0]), self.square_type)

    def set_of_squares(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A collection of squares whose order is that of the board, as a set; else None."""
        node, scope = self._opened(node, scope)
        is_ordered = isinstance(node, nodes.Builtin) and node.name == "group"
        if isinstance(node, nodes.Quantify) and len(node.clauses) == 1:
            values = self.known_value(node.clauses[0].domain, scope)
            is_ordered = isinstance(values, tuple) and self.is_ascending(values)
        return self.set_of(node, scope) if is_ordered else None

    def is_ascending(self, values: tuple[Value, ...]) -> bool:
        """Whether these are squares in the order of the board."""
        places = [self.codes.code(v) for v in values if isinstance(v, Square)]
        return len(places) == len(values) > 0 and places == sorted(set(places))

    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """Loops over a group or a line of sight."""
        if node.name == "group":
            held = self.program.hold(self.group(node, scope), f"{stem}s")
            self.go_through_bits(held, each, stem)
            return
        self._go_through_sight(node, scope, each, stem)

    def _go_through_sight(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """The ray, left after the first square that is not empty."""
        whole, start, way = node.arguments
        assert isinstance(whole, nodes.Whole)
        variable = whole.variable
        ray = nodes.Builtin(node.span, SetType(self.square_type, 64), "ray", (start, way))
        seen = self.program.hold(TRUE, "seen")

        def visible(element: Low) -> None:
            held = self._hold(element, stem)
            with self.builder.when(seen):
                there = self.number_of(variable, [held])
                self.builder.assign(seen, self._is_vacant(variable, there))
                each(held)

        self.go_through(ray, scope, visible, stem)

    def _is_vacant(self, variable: nodes.Variable, there: Expr) -> Expr:
        vacant, place = variable.domain.digit.get(EMPTY), self.layout.place_of(variable)
        if vacant is None:
            return FALSE
        if isinstance(place, Planes):
            return self.bit(self.plane(place, vacant), there)
        return self._digit_at(place, there).eq(vacant)

    # --- clauses over squares --------------------------------------------------------------

    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        """As in `collections`; over squares, only those that pass what can be lifted of `where`."""
        clause, rest = clauses[0], clauses[1:]
        if clause.condition is None or self.safety.can_fail(clause.condition):
            super().rounds(clauses, scope, each)
            return
        values = self.known_value(clause.domain, scope)
        if not isinstance(values, tuple) or not self.is_ascending(values) or len(values) < 5:
            super().rounds(clauses, scope, each)
            return
        squares = self.squares(self.mask_of(values))
        bits, residue = self.sieve(squares, conjuncts(clause.condition), clause.slot, scope)

        def with_value(element: Low) -> None:
            inner = scope.having(clause.slot, element)
            self.only_if_all(
                [(test, inner) for test in residue],
                lambda: self.rounds(rest, inner, each) if rest else each(inner),
            )

        self.go_through_bits(self.program.hold(bits, f"{clause.name}s"), with_value, clause.name)

    def sieve(
        self, bits: Bits, conditions: list[nodes.Expr], slot: int, scope: Scope
    ) -> tuple[Bits, list[nodes.Expr]]:
        """The squares of a set that pass those conditions that can be lifted, and the others."""
        residue = []
        for condition in conditions:
            found = self.lifted(condition, slot, scope)
            if found is None:
                residue.append(condition)
            else:
                bits = bits & found
        return bits, residue

    def only_if_all(self, tests: list[tuple[nodes.Expr, Scope]], write: Callable[[], None]) -> None:
        """What `write` writes, done only where all tests hold."""
        self.branch(all_of(self.condition(node, scope) for node, scope in tests), write)

    # --- quantifiers -----------------------------------------------------------------------

    def quantify(self, node: nodes.Quantify, scope: Scope) -> Low:
        """By a set of squares where there is one, else by loops."""
        found = self._by_set(node, scope)
        return super().quantify(node, scope) if found is None else found

    def _by_set(self, node: nodes.Quantify, scope: Scope) -> Low | None:
        """A quantifier over one square, answered by the set of those that count."""
        if len(node.clauses) != 1 or self.safety.can_fail(node) or not self.codes.squares:
            return None
        clause = node.clauses[0]
        if node.kind in {"first", "last"}:
            return self._end_of_set(node, scope)
        if node.kind not in {"any", "all", "count"} or not _ranges_over_squares(clause):
            return None
        if node.kind == "count" and not isinstance(clause.domain.type, SetType):
            return None
        bits = self._passing(clause, scope)
        if bits is None:
            return None
        if isinstance(node.element.type, Scalar) and node.element.type.is_boolean:
            element = self.lifted(node.element, clause.slot, scope)
            if element is None:
                return None
            bits = bits & (self.neither(element) if node.kind == "all" else element)
        if node.kind != "count":
            return self.answer(bits.ne(0) if node.kind == "any" else bits.eq(0))
        total = count(bits)
        kind = number(0, len(self.codes.squares))
        return Known(total.const) if total.is_const else Code(total, kind)

    def _passing(self, clause: nodes.Clause | nodes.Loop, scope: Scope) -> Bits | None:
        """The squares that a clause goes through."""
        bits = self.set_of(clause.domain, scope)
        if bits is None or clause.condition is None:
            return bits
        holds = self.lifted(clause.condition, clause.slot, scope)
        return None if holds is None else bits & holds

    def _compare(self, node: nodes.Compare, scope: Scope) -> Low:
        """Whether there is a first or last square is whether there is any."""
        asked = self.asked_end(node, scope)
        if asked is None:
            return super()._compare(node, scope)
        _, _, bits = asked
        return self.answer(bits.ne(0) if node.operator == "!=" else bits.eq(0))

    def asked_end(
        self, node: nodes.Compare, scope: Scope
    ) -> tuple[nodes.Clause, Scope, Bits] | None:
        """The squares of which a comparison asks whether there is a first or last one: the clause
        that goes through them, and the set."""
        for one, other in ((node.left, node.right), (node.right, node.left)):
            is_test = node.operator in {"==", "!="} and self.known_value(other, scope) is NONE
            if is_test and not self.safety.can_fail(one):
                end, inner = self._opened(one, scope)
                found = self.end_of_set(end, inner) if isinstance(end, nodes.Quantify) else None
                if found is not None and isinstance(end, nodes.Quantify):
                    return end.clauses[0], inner, found[0]
        return None

    def _end_of_set(self, node: nodes.Quantify, scope: Scope) -> Low | None:
        """`first` and `last` of squares in the order of the board, or along a ray."""
        found = self.end_of_set(node, scope)
        if found is None:
            return None
        bits, is_lowest = found
        assert isinstance(node.type, Scalar)
        end = self.square_at(lowest(bits) if is_lowest else highest(bits))
        return Code(select(bits.ne(0), end.expr, integer(self.codes.none)), node.type)

    def end_of_set(self, node: nodes.Quantify, scope: Scope) -> tuple[Bits, bool] | None:
        """The set of which `first` or `last` is one end, and whether that is the lowest bit."""
        if node.kind not in {"first", "last"} or not is_own_element(node):
            return None
        clause = node.clauses[0]
        if not self.codes.squares or not _ranges_over_squares(clause):
            return None
        upward = self._direction(clause.domain, scope)
        bits = self._passing(clause, scope) if upward is not None else None
        if bits is None or bits.is_const:
            return None
        return bits, upward == (node.kind == "first")

    def _direction(self, node: nodes.Expr, scope: Scope) -> bool | None:
        """Whether a collection of squares goes up in the order of the board; None if neither."""
        values = self.known_value(node, scope)
        if isinstance(values, tuple):
            if self.is_ascending(values):
                return True
            return False if self.is_ascending(values[::-1]) else None
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Builtin(name="group"):
                return True
            case nodes.Builtin(name="ray", arguments=(_, way)):
                return is_upward(self._way(way, scope))
            case nodes.Builtin(name="sight", arguments=(_, _, way)):
                return is_upward(self._way(way, scope))
        return None


def conjuncts(node: nodes.Expr) -> list[nodes.Expr]:
    """The parts of nested `and`s, in order."""
    if isinstance(node, nodes.Logic) and node.operator == "and":
        return [part for operand in node.operands for part in conjuncts(operand)]
    return [node]


def _ranges_over_squares(clause: nodes.Clause) -> bool:
    kind = element_of(clause.domain.type)
    return isinstance(kind, Scalar) and kind.is_square and not kind.can_be_none
