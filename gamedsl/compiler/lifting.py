"""Lift conditions to sets: for which squares does it hold, worked out for all of them at once.

In: a condition that cannot fail, and the local that stands for a square. Out: the set of squares
for which it holds, as a mask known now (int) or as code (str); None where it cannot be lifted, and
the caller goes through the squares one by one. The recursion is over the condition: a cell is a
plane, a step is a shift, `and` is `&`; what the square has no part in selects all or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.places import Places
from gamedsl.compiler.scope import Bound, Code, Known, Later, Scope
from gamedsl.compiler.square_sets import MARK, UNROLLED_CASES, Bits
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, type_of
from gamedsl.model.values import NONE, Value


class Lifting(Places):
    """Conditions on squares of one game."""

    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Bits | None:
        """The squares for which a condition holds; the local `slot` stands for the square."""
        if self.safety.can_fail(node) or not self.codes.squares:
            return None
        found = self._lift(node, scope.having(slot, Code(MARK, self.square_type)))
        if isinstance(found, str) and MARK in found:
            return None
        return found

    def _lift(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        if not self.depends(node, scope):
            low = self.lower(node, scope)
            if isinstance(low, Known):
                return self.everything if low.value is True else 0
            return f"({self.program.number(self.everything)} if {low.text} else ZERO)"
        table = self._mask_table(node, scope)
        if table is not None:
            return table
        match node:
            case nodes.Not():
                inner = self._lift(node.operand, scope)
                return None if inner is None else self.neither(inner)
            case nodes.Logic():
                return self._lift_logic(node.operator, node.operands, scope)
            case nodes.Compare(operator="==" | "!="):
                equal = self._lift_equal(node.left, node.right, scope)
                if equal is None or node.operator == "==":
                    return equal
                return self.neither(equal)
            case nodes.Cell() if isinstance(node.type, Scalar) and node.type.is_boolean:
                true = nodes.Const(node.span, BOOLEAN, True)
                return self._lift_equal(node, true, scope)
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
                inner_scope = self.bound(node, scope)
                return (
                    None if inner_scope is None else self._lift(node.definition.body, inner_scope)
                )
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self._lift(meaning.node, meaning.scope)
        return None

    def _lift_logic(
        self, operator: str, operands: Iterable[nodes.Expr], scope: Scope
    ) -> Bits | None:
        """What the square has no part in is asked first: it decides whether to look at all."""
        tests: list[str] = []
        total: Bits = self.everything if operator == "and" else 0
        for operand in operands:
            if not self.depends(operand, scope):
                low = self.lower(operand, scope)
                if isinstance(low, Code):
                    tests.append(low.text)
                    continue
            bits = self._lift(operand, scope)
            if bits is None:
                return None
            total = self.both(total, bits) if operator == "and" else self.either(total, bits)
        if not tests:
            return total
        condition = f" {operator} ".join(tests)
        if total == (0 if operator == "and" else self.everything):
            return total
        if operator == "and":
            return f"({self.bits_text(total)} if {condition} else ZERO)"
        return (
            f"({self.program.number(self.everything)} if {condition} else {self.bits_text(total)})"
        )

    def _lift_quantifier(self, node: nodes.Quantify, scope: Scope) -> Bits | None:
        """Over few known values: one set for each, joined."""
        total: Bits = 0 if node.kind == "any" else self.everything
        cases = self._cases(node.clauses, scope)
        if cases is None:
            return self._lift_over_relatives(node, scope)
        for conditions, inner in cases:
            holds: Bits | None = self.everything
            for condition in conditions:
                one = self._lift(condition, inner)
                holds = None if one is None or holds is None else self.both(holds, one)
            element = self._lift(node.element, inner)
            if holds is None or element is None:
                return None
            if node.kind == "any":
                total = self.either(total, self.both(holds, element))
            else:
                total = self.both(total, self.either(self.neither(holds), element))
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
        if decide is not None and node.kind == "all":
            decide = self.neither(decide)
        if decide is not None and clause.condition is not None:
            among = self.lifted(clause.condition, clause.slot, scope)
            decide = None if among is None else self.both(among, decide)
        found = None if decide is None else self.with_any_of(clause.domain, decide, scope)
        return self.neither(found) if found is not None and node.kind == "all" else found

    # --- equality and membership -----------------------------------------------------------

    def _lift_equal(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Bits | None:
        if not self.depends(left, scope):
            left, right = right, left
        left, scope_left = self._opened(left, scope)
        if isinstance(left, nodes.Choose):
            one = self._lift_equal(left.then, right, scope_left)
            other = self._lift_equal(left.otherwise, right, scope_left)
            return self._chosen(self._lift(left.condition, scope_left), one, other)
        if scope_left is not scope and self.depends(right, scope):
            return None
        if isinstance(left, nodes.Cell):
            if self.depends(right, scope):
                return self._lift_equal_cells(left, right, scope)
            return self._lift_cell(left, right, scope_left, scope)
        if self._is_place(left) and self._is_place(right) and not self.depends(right, scope):
            return self._lift_same_place(left, right, scope_left, scope)
        return None

    def _lift_cell(
        self, cell: nodes.Cell, value: nodes.Expr, scope: Scope, outer: Scope
    ) -> Bits | None:
        place = self._planes(cell)
        if place is None:
            return None
        low = self.lower(value, outer)
        domain = place.variable.domain
        if isinstance(low, Known) and low.value is NONE:
            inside = self.preimage(cell.indices[0], self.everything, scope)
            if inside is None:
                return None
            off = self.neither(inside)
            if domain.position(NONE) is None:
                return off
            held = self.preimage(cell.indices[0], self.plane_of(place, low), scope)
            return None if held is None else self.either(off, held)
        assert isinstance(cell.type, Scalar)
        if isinstance(low, Code) and low.type.can_be_none and cell.type.can_be_none:
            return None
        return self.preimage(cell.indices[0], self.plane_of(place, low), scope)

    def _lift_equal_cells(self, left: nodes.Cell, right: nodes.Expr, scope: Scope) -> Bits | None:
        one, other = self._planes(left), self._planes(right)
        if one is None or other is None or not isinstance(right, nodes.Cell):
            return None
        values: list[Value] = [
            v for v in one.variable.domain.values if v in other.variable.domain.digit
        ]
        if NONE not in values and all(
            isinstance(s.type, Scalar) and s.type.can_be_none for s in (left, right)
        ):
            values.append(NONE)
        total: Bits = 0
        for value in values:
            constant = nodes.Const(left.span, type_of(value), value)
            held = self._lift_cell(left, constant, scope, scope)
            also = self._lift_cell(right, constant, scope, scope)
            if held is None or also is None:
                return None
            total = self.either(total, self.both(held, also))
        return total

    def _lift_same_place(
        self, left: nodes.Expr, right: nodes.Expr, scope: Scope, outer: Scope
    ) -> Bits | None:
        low = self.lower(right, outer)
        assert isinstance(left.type, Scalar)
        may_both_be_none = left.type.can_be_none and (
            isinstance(low, Code) and low.type.can_be_none
        )
        if may_both_be_none:
            return None
        if isinstance(low, Known) and low.value is NONE:
            inside = self.preimage(left, self.everything, scope)
            return None if inside is None else self.neither(inside)
        return self.preimage(left, self.square_of(right, outer), scope)

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
        total: Bits = 0
        for item in items:
            held = Later(item, inner) if inner is not scope else None
            if held is not None:
                slot = -100 - len(scope.slots)
                item = nodes.Local(item.span, item.type, "item", slot)
                one = self._lift_equal(element, item, scope.having(slot, held))
            else:
                one = self._lift_equal(element, item, scope)
            if one is None:
                return None
            total = self.either(total, one)
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
