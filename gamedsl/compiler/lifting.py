"""Lift conditions to sets: for which squares does it hold, worked out for all of them at once.

In: a condition that cannot fail, and the local that stands for a square. Out: the set of squares
for which it holds; None where it cannot be lifted, and the caller goes through the squares one by
one. The recursion is over the condition: a cell is a plane, a step is a shift, `and` is `&`; what
the square has no part in selects all or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, any_of, select
from gamedsl.compiler.places import Places
from gamedsl.compiler.scope import Bound, Code, Known, Scope
from gamedsl.compiler.square_sets import SQUARE, UNROLLED_CASES, Bits, without_square
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, type_of
from gamedsl.model.values import NONE


class Lifting(Places):
    """Conditions on squares of one game."""

    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Bits | None:
        """The squares for which a condition holds; the local `slot` stands for the square."""
        if self.safety.can_fail(node) or not self.codes.squares:
            return None
        return without_square(self._lift(node, self.marked(slot, scope)))

    def marked(self, slot: int, scope: Scope) -> Scope:
        """The scope in which a local stands for any square."""
        return scope.having(slot, Code(SQUARE, self.square_type))

    def _lift(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        if not self.depends(node, scope):
            low = self.lower(node, scope)
            if isinstance(low, Known):
                return self.everything_set if low.value is True else self.nothing
            return select(low.expr, self.everything_set, self.nothing)
        table = self._mask_table(node, scope)
        if table is not None:
            return table
        match node:
            case nodes.Not():
                return self._complement(self._lift(node.operand, scope))
            case nodes.Logic():
                return self._lift_logic(node.operator, node.operands, scope)
            case nodes.Compare(operator="=="):
                return self._lift_equal(node.left, node.right, scope, scope)
            case nodes.Compare(operator="!="):
                return self._complement(self._lift_equal(node.left, node.right, scope, scope))
            case nodes.Cell() if isinstance(node.type, Scalar) and node.type.is_boolean:
                true = nodes.Const(node.span, BOOLEAN, True)
                return self._lift_equal(node, true, scope, scope)
            case nodes.Member():
                return self._lift_member(node, scope)
            case nodes.Choose():
                test, then, otherwise = (
                    self._lift(part, scope) for part in (node.condition, node.then, node.otherwise)
                )
                return self._chosen(test, then, otherwise)
            case nodes.Quantify(kind="any" | "all"):
                return self._lift_quantifier(node, scope)
            case nodes.Apply():
                inner = self.bound(node, scope)
                return None if inner is None else self._lift(node.definition.body, inner)
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self._lift(meaning.node, meaning.scope)
        return None

    def _complement(self, bits: Bits | None) -> Bits | None:
        return None if bits is None else self.neither(bits)

    def _lift_logic(
        self, operator: str, operands: Iterable[nodes.Expr], scope: Scope
    ) -> Bits | None:
        """What the square has no part in is asked first: it decides whether to look at all."""
        is_and = operator == "and"
        tests: list[Expr] = []
        total = self.everything_set if is_and else self.nothing
        for operand in operands:
            if not self.depends(operand, scope):
                low = self.lower(operand, scope)
                if isinstance(low, Code):
                    tests.append(low.expr)
                    continue
            bits = self._lift(operand, scope)
            if bits is None:
                return None
            total = total & bits if is_and else total | bits
        if is_and:
            return select(all_of(tests), total, self.nothing)
        return select(any_of(tests), self.everything_set, total)

    def _lift_quantifier(self, node: nodes.Quantify, scope: Scope) -> Bits | None:
        """Over few known values: one set for each, joined."""
        is_any = node.kind == "any"
        cases = self._cases(node.clauses, scope)
        if cases is None:
            return self._lift_over_relatives(node, scope)
        total = self.nothing if is_any else self.everything_set
        for conditions, inner in cases:
            holds = self._lift_logic("and", conditions, inner)
            element = self._lift(node.element, inner)
            if holds is None or element is None:
                return None
            total = total | holds & element if is_any else total & (self.neither(holds) | element)
        return total

    def _cases(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope
    ) -> list[tuple[list[nodes.Expr], Scope]] | None:
        cases: list[tuple[list[nodes.Expr], Scope]] = [([], scope)]
        for clause in clauses:
            further: list[tuple[list[nodes.Expr], Scope]] = []
            for conditions, inner in cases:
                values = self.known_value(clause.domain, inner)
                if not isinstance(values, tuple):
                    return None
                more = [] if clause.condition is None else [clause.condition]
                further += [
                    ([*conditions, *more], inner.having(clause.slot, Known(v))) for v in values
                ]
            cases = further
            if len(cases) > UNROLLED_CASES:
                return None
        return cases

    def _lift_over_relatives(self, node: nodes.Quantify, scope: Scope) -> Bits | None:
        """Over squares that lie differently for each square: first those that decide, then the
        squares that have one of them among theirs."""
        clause = node.clauses[0]
        tests = [node.element] if clause.condition is None else [clause.condition, node.element]
        if len(node.clauses) > 1 or any(self.depends(test, scope) for test in tests):
            return None
        decide = self.lifted(node.element, clause.slot, scope)
        if node.kind == "all":
            decide = self._complement(decide)
        if decide is not None and clause.condition is not None:
            among = self.lifted(clause.condition, clause.slot, scope)
            decide = None if among is None else among & decide
        found = None if decide is None else self.with_any_of(clause.domain, decide, scope)
        return self._complement(found) if node.kind == "all" else found

    # --- equality and membership -----------------------------------------------------------

    def _lift_equal(
        self, left: nodes.Expr, right: nodes.Expr, scope: Scope, outer: Scope
    ) -> Bits | None:
        """For which squares two values are equal; the one has its names in `scope`, the other in
        `outer`."""
        if not self.depends(left, scope):
            left, right, scope, outer = right, left, outer, scope
        left, scope = self._opened(left, scope)
        if isinstance(left, nodes.Choose):
            then = self._lift_equal(left.then, right, scope, outer)
            otherwise = self._lift_equal(left.otherwise, right, scope, outer)
            return self._chosen(self._lift(left.condition, scope), then, otherwise)
        if self.depends(right, outer):
            return self._lift_equal_cells(left, right, scope, outer)
        if isinstance(left, nodes.Cell):
            return self._lift_cell(left, self.lower(right, outer), scope)
        if self._is_place(left) and self._is_place(right):
            return self._lift_same_place(left, self.lower(right, outer), scope)
        return None

    def _lift_cell(self, cell: nodes.Cell, value: Low, scope: Scope) -> Bits | None:
        place = self._planes(cell)
        if place is None:
            return None
        assert isinstance(cell.type, Scalar)
        is_none = isinstance(value, Known) and value.value is NONE
        if not is_none and cell.type.can_be_none and _may_be_none(value):
            return None
        held = self.preimage(cell.indices[0], self.plane_of(place, value), scope)
        if not is_none or held is None:
            return held
        off = self._complement(self.preimage(cell.indices[0], self.everything_set, scope))
        return None if off is None else off | held

    def _lift_equal_cells(
        self, left: nodes.Expr, right: nodes.Expr, scope: Scope, outer: Scope
    ) -> Bits | None:
        """Two cells hold the same where both hold one value, or both another."""
        one, other = self._planes(left), self._planes(right)
        if one is None or other is None:
            return None
        assert isinstance(left, nodes.Cell)
        assert isinstance(right, nodes.Cell)
        values = [v for v in one.variable.domain.values if v in other.variable.domain.digit]
        if NONE not in values and _can_be_none(left) and _can_be_none(right):
            values.append(NONE)
        total = self.nothing
        for value in values:
            held = self._lift_cell(left, Known(value), scope)
            also = self._lift_cell(right, Known(value), outer)
            if held is None or also is None:
                return None
            total = total | held & also
        return total

    def _lift_same_place(self, node: nodes.Expr, low: Low, scope: Scope) -> Bits | None:
        if _can_be_none(node) and _may_be_none(low):
            if isinstance(low, Known):
                return self._complement(self.preimage(node, self.everything_set, scope))
            return None
        return self.preimage(node, self.one_square(low), scope)

    def _lift_member(self, node: nodes.Member, scope: Scope) -> Bits | None:
        collection, inner = self._opened(node.collection, scope)
        items: list[nodes.Expr] | None = None
        known = self.known_value(collection, inner)
        if isinstance(known, tuple):
            items = [nodes.Const(node.span, type_of(value), value) for value in known]
        elif isinstance(collection, nodes.Collect):
            items = list(collection.items)
        is_place = self._is_place(node.element)
        if items is not None and (len(items) <= 8 or not is_place):
            return self._lift_any_equal(node.element, items, scope, inner)
        if not is_place or self.depends(collection, inner):
            return None
        bits = self.set_of(collection, inner)
        return None if bits is None else self.preimage(node.element, bits, scope)

    def _lift_any_equal(
        self, element: nodes.Expr, items: list[nodes.Expr], scope: Scope, inner: Scope
    ) -> Bits | None:
        found = self._lift_one_of_values(element, items, scope, inner)
        if found is not None:
            return found
        total = self.nothing
        for item in items:
            one = self._lift_equal(element, item, scope, inner)
            if one is None:
                return None
            total = total | one
        return total

    def _lift_one_of_values(
        self, element: nodes.Expr, items: list[nodes.Expr], scope: Scope, inner: Scope
    ) -> Bits | None:
        """A cell that holds one of some known values: their planes together, moved once."""
        cell, inside = self._opened(element, scope)
        place = self._planes(cell)
        if place is None or not isinstance(cell, nodes.Cell):
            return None
        digits = set()
        for item in items:
            value = self.known_value(item, inner)
            if value is None or value is NONE:
                return None
            digit = place.variable.domain.position(value)
            digits |= set() if digit is None else {digit}
        return self.preimage(cell.indices[0], self.planes_of(place, digits), inside)


def _can_be_none(node: nodes.Expr) -> bool:
    return isinstance(node.type, Scalar) and node.type.can_be_none


def _may_be_none(low: Low) -> bool:
    return low.value is NONE if isinstance(low, Known) else low.type.can_be_none
