"""Where expressions lead on the board: preimages of sets, and collections as sets.

In: an expression that gives a square, or a collection of squares. Out: the squares from which it
leads into a set; the set that it is. None where that is not known.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from gamedsl.compiler.fills import Fills
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import select
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.scope import Bound, Code, Known, Scope
from gamedsl.compiler.square_sets import SQUARE, Bits
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.values import Square, Vector


class Places(Fills):
    """Squares by way of other squares, in one game."""

    @abstractmethod
    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Bits | None:
        """The squares for which a condition holds."""

    @abstractmethod
    def _lift(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """The same, the square being in scope."""

    def _chosen(self, test: Bits | None, then: Bits | None, otherwise: Bits | None) -> Bits | None:
        if test is None or then is None or otherwise is None:
            return None
        return test & then | self.neither(test) & otherwise

    def _opened(self, node: nodes.Expr, scope: Scope) -> tuple[nodes.Expr, Scope]:
        """The expression behind a local or a call."""
        while True:
            if isinstance(node, nodes.Local):
                meaning = scope.of(node.slot)
                if not isinstance(meaning, Bound):
                    return node, scope
                node, scope = meaning.node, meaning.scope
            elif isinstance(node, nodes.Apply):
                inner = self.bound(node, scope)
                if inner is None:
                    return node, scope
                node, scope = node.definition.body, inner
            else:
                return node, scope

    @staticmethod
    def _is_place(node: nodes.Expr) -> bool:
        return isinstance(node.type, Scalar) and node.type.is_square

    def _planes(self, node: nodes.Expr) -> Planes | None:
        if isinstance(node, nodes.Cell):
            place = self.layout.place_of(node.variable)
            if isinstance(place, Planes):
                return place
        return None

    def one_square(self, low: Known | Code) -> Bits:
        """The set of one square; empty for `none`."""
        if isinstance(low, Known):
            return self.squares(self.mask_of((low.value,)))
        bit = self.squares(1) << self._at_base(low.expr)
        if not low.type.can_be_none:
            return bit
        return select(low.expr.ne(self.codes.none), bit, self.nothing)

    def square_of(self, node: nodes.Expr, scope: Scope) -> Bits:
        """The set of the square that an expression is; empty for `none`."""
        return self.one_square(self.lower(node, scope))

    # --- where an expression leads -----------------------------------------------------------

    def preimage(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The squares from which an expression leads into a set."""
        if bits is self.nothing or self.is_square(node, scope):
            return bits
        if not self.depends(node, scope):
            inside = bits & self.square_of(node, scope)
            return select(inside.ne(0), self.everything_set, self.nothing)
        moved = self._moved_back(node, bits, scope)
        if moved is not None:
            return moved
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Choose():
                return self._chosen(
                    self._lift(node.condition, scope),
                    self.preimage(node.then, bits, scope),
                    self.preimage(node.otherwise, bits, scope),
                )
            case nodes.Step():
                way = self.known_value(node.offset, scope)
                if isinstance(way, Vector):
                    back = self.shifted(bits, self._steps(way))
                    return None if back is None else self.preimage(node.square, back, scope)
            case nodes.Quantify(kind="first"):
                return self._first_on_ray(node, bits, scope)
        return None

    @staticmethod
    def is_square(node: nodes.Expr, scope: Scope) -> bool:
        """Whether an expression is the local that stands for any square."""
        meaning = scope.of(node.slot) if isinstance(node, nodes.Local) else None
        return isinstance(meaning, Code) and meaning.expr is SQUARE

    def _is_of_square(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether nothing but the square has a part in an expression."""
        free: dict[Expr, Code] = {}
        return self.free_codes(node, scope, set(), free) and set(free) == {SQUARE}

    def _moved_back(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """Through an expression in which nothing but the square has a part."""
        if not self._is_of_square(node, scope):
            return None
        shape = self.shape(node, scope, [SQUARE])
        if shape not in self._ways:
            self._ways[shape] = self._targets(node, scope)
        return self.shifted(bits, self._ways[shape])

    def _targets(self, node: nodes.Expr, scope: Scope) -> dict[int, int]:
        """Where an expression leads from each square; not in it, if nowhere."""
        targets = {}
        for square, n in self.bit_of.items():
            found = self.evaluator.value(node, scope, {SQUARE: square})
            if isinstance(found, Square):
                targets[n] = self.bit_of[found]
        return targets

    def _first_on_ray(self, node: nodes.Quantify, bits: Bits, scope: Scope) -> Bits | None:
        """`first(q for q in ray(e, d) where c)`: from the squares of the set where c holds, step
        back over squares where it does not."""
        clause = node.clauses[0]
        domain, inner = self._opened(clause.domain, scope)
        if not is_own_element(node) or clause.condition is None:
            return None
        if not isinstance(domain, nodes.Builtin) or domain.name != "ray":
            return None
        start, offset = domain.arguments
        way = self._way(offset, inner)
        if way is None or self.depends(clause.condition, scope):
            return None
        stops = self.lifted(clause.condition, clause.slot, scope)
        if stops is None:
            return None
        found = self.filled(bits & stops, self.neither(stops), self._steps(way))
        return None if found is None else self.preimage(start, found, inner)

    def with_any_of(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The squares for which a collection of squares has one of a set in it."""
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Builtin(name="ray", arguments=(start, offset)):
                passable: Bits | None = self.everything_set
            case nodes.Builtin(name="sight", arguments=(nodes.Whole() as whole, start, offset)):
                passable = self._vacant(whole)
            case _:
                return self._with_fixed(node, bits, scope)
        way = self._way(offset, scope)
        if passable is None or way is None:
            return None
        found = self.filled(bits, passable, self._steps(way))
        return None if found is None else self.preimage(start, found, scope)

    def _with_fixed(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The same for a collection in which nothing but the square has a part."""
        if not self._is_of_square(node, scope):
            return None
        rows = []
        for square in self.codes.squares:
            found = self.evaluator.value(node, scope, {SQUARE: square})
            if not isinstance(found, tuple) or not all(isinstance(v, Square) for v in found):
                return None
            rows.append(self.mask_of(found))
        return self.related(bits, rows)

    # --- collections of squares ------------------------------------------------------------

    def set_of(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A collection of squares as a set, whatever its order; None where that is not known."""
        if self.safety.can_fail(node):
            return None
        known = self.known_value(node, scope)
        if isinstance(known, tuple):
            is_of_squares = all(isinstance(value, Square) for value in known)
            return self.squares(self.mask_of(known)) if is_of_squares else None
        node, scope = self._opened(node, scope)
        table = self._collection_table(node, scope)
        if table is not None:
            return table
        match node:
            case nodes.Builtin(name="group"):
                return self.group(node, scope)
            case nodes.Builtin(name="sight"):
                return self.sight(node, scope)
            case nodes.Union():
                return self._union((node.left, node.right), scope)
            case nodes.Collect() if all(isinstance(item.type, Scalar) for item in node.items):
                return self._union(node.items, scope)
            case nodes.Choose():
                then, otherwise = self.set_of(node.then, scope), self.set_of(node.otherwise, scope)
                if then is None or otherwise is None:
                    return None
                return select(self.condition(node.condition, scope), then, otherwise)
            case nodes.Quantify(kind="set" | "list", clauses=(clause,)):
                domain = self.set_of(clause.domain, scope) if is_own_element(node) else None
                if domain is None or clause.condition is None:
                    return domain
                holds = self.lifted(clause.condition, clause.slot, scope)
                return None if holds is None else domain & holds
        return None

    def _union(self, sides: Iterable[nodes.Expr], scope: Scope) -> Bits | None:
        """Collections and single squares together."""
        total = self.nothing
        for side in sides:
            one = self.set_of_side(side, scope)
            if one is None:
                return None
            total = total | one
        return total

    def set_of_side(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """One side of `|`: a collection or a single square."""
        if not isinstance(node.type, Scalar):
            return self.set_of(node, scope)
        if not node.type.is_square or node.type.can_be_none:
            return None
        return self.square_of(node, scope)


def is_own_element(node: nodes.Quantify) -> bool:
    """Whether what is gathered is what one clause goes through."""
    if len(node.clauses) != 1 or not isinstance(node.element, nodes.Local):
        return False
    return node.element.slot == node.clauses[0].slot
