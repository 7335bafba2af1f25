"""Where expressions lead on the board: preimages of sets, and collections as sets.

In: an expression that gives a square, or a collection of squares. Out: the squares from which it
leads into a set; the set that it is. None where that is not known.
"""

from __future__ import annotations

from abc import abstractmethod

from gamedsl.compiler.fills import Fills
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.scope import Bound, Code, Known, Scope
from gamedsl.compiler.square_sets import MARK, Bits
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.values import EMPTY, Square, Value, Vector


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
        return self.either(self.both(test, then), self.both(self.neither(test), otherwise))

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
            if not isinstance(low.value, Square):
                return 0
            return 1 << self.codes.squares.index(low.value)
        if low.spot:
            return low.spot
        at_base = self._at_base(low.text)
        if not low.type.can_be_none:
            return f"(ONE << {at_base})"
        return self.as_name(
            low,
            "square",
            lambda s: (
                f"(ONE << {self._at_base(s.text)} if {s.text} != {self.codes.none} else ZERO)"
            ),
        )

    def square_of(self, node: nodes.Expr, scope: Scope) -> Bits:
        """The set of the square that an expression is; empty for `none`."""
        return self.one_square(self.lower(node, scope))

    # --- where an expression leads -----------------------------------------------------------

    def preimage(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The squares from which an expression leads into a set."""
        if bits == 0 or bits == "ZERO":
            return 0
        if isinstance(node, nodes.Local):
            meaning = scope.of(node.slot)
            if isinstance(meaning, Code) and meaning.text == MARK:
                return bits
        if not self.depends(node, scope):
            inside = self.both(bits, self.square_of(node, scope))
            if isinstance(inside, int):
                return self.everything if inside else 0
            return f"({self.program.number(self.everything)} if {inside} != 0 else ZERO)"
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

    def _moved_back(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """Through an expression in which nothing but the square has a part."""
        free: dict[str, Code] = {}
        if not self.free_codes(node, scope, set(), free) or set(free) != {MARK}:
            return None
        shape = self.shape(node, scope, [MARK])
        if shape not in self._ways:
            self._ways[shape] = self._targets(node, scope)
        return self.shifted(bits, self._ways[shape])

    def _targets(self, node: nodes.Expr, scope: Scope) -> dict[int, int]:
        """Where an expression leads from each square; not in it, if nowhere."""
        number_of = {square: n for n, square in enumerate(self.codes.squares)}
        targets = {}
        for square, n in number_of.items():
            found = self.evaluator.value(node, scope, {MARK: square})
            if isinstance(found, Square):
                targets[n] = number_of[found]
        return targets

    def _first_on_ray(self, node: nodes.Quantify, bits: Bits, scope: Scope) -> Bits | None:
        """`first(q for q in ray(e, d) where c)`: from the squares of the set where c holds, step
        back over squares where it does not."""
        clause = node.clauses[0]
        domain, inner = self._opened(clause.domain, scope)
        is_plain = (
            len(node.clauses) == 1
            and clause.condition is not None
            and isinstance(node.element, nodes.Local)
            and node.element.slot == clause.slot
            and isinstance(domain, nodes.Builtin)
            and domain.name == "ray"
        )
        if not is_plain or not isinstance(domain, nodes.Builtin) or clause.condition is None:
            return None
        way = self.known_value(domain.arguments[1], inner)
        if not isinstance(way, Vector) or way == Vector(0, 0):
            return None
        if self.depends(clause.condition, scope):
            return None
        stops = self.lifted(clause.condition, clause.slot, scope)
        if stops is None:
            return None
        steps = self._steps(way)
        found = self.filled(self.both(bits, stops), self.neither(stops), steps)
        return None if found is None else self.preimage(domain.arguments[0], found, inner)

    def with_any_of(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The squares for which a collection of squares has one of a set in it."""
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Builtin(name="ray", arguments=(start, offset)):
                passable: Bits | None = self.everything
            case nodes.Builtin(name="sight", arguments=(nodes.Whole() as whole, start, offset)):
                passable = self._vacant(whole)
            case _:
                return self._with_fixed(node, bits, scope)
        way = self.known_value(offset, scope)
        if passable is None or not isinstance(way, Vector) or way == Vector(0, 0):
            return None
        found = self.filled(bits, passable, self._steps(way))
        return None if found is None else self.preimage(start, found, scope)

    def _vacant(self, whole: nodes.Whole) -> Bits | None:
        """The squares over which one sees."""
        place = self.layout.place_of(whole.variable)
        digit = whole.variable.domain.digit.get(EMPTY)
        if digit is None:
            return 0
        return self.plane(place, digit) if isinstance(place, Planes) else None

    def _with_fixed(self, node: nodes.Expr, bits: Bits, scope: Scope) -> Bits | None:
        """The same for a collection in which nothing but the square has a part."""
        free: dict[str, Code] = {}
        if not self.free_codes(node, scope, set(), free) or set(free) != {MARK}:
            return None
        number_of = {square: n for n, square in enumerate(self.codes.squares)}
        rows = []
        for square in number_of:
            found = self.evaluator.value(node, scope, {MARK: square})
            if not isinstance(found, tuple) or not all(isinstance(v, Square) for v in found):
                return None
            rows.append(sum(1 << number_of[v] for v in set(found) if isinstance(v, Square)))
        return self.related(bits, rows)

    # --- collections of squares ------------------------------------------------------------

    def set_of(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A collection of squares as a set, whatever its order; None where that is not known."""
        if self.safety.can_fail(node):
            return None
        known = self.known_value(node, scope)
        if isinstance(known, tuple):
            if not all(isinstance(value, Square) for value in known):
                return None
            places = {self.codes.squares.index(v) for v in known if isinstance(v, Square)}
            return sum(1 << place for place in places)
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
                one, other = self.set_of_side(node.left, scope), self.set_of_side(node.right, scope)
                return None if one is None or other is None else self.either(one, other)
            case nodes.Collect():
                return self._set_of_items(node, scope)
            case nodes.Choose():
                then, otherwise = self.set_of(node.then, scope), self.set_of(node.otherwise, scope)
                if then is None or otherwise is None:
                    return None
                test = self.condition(node.condition, scope)
                return f"({self.bits_text(then)} if {test} else {self.bits_text(otherwise)})"
            case nodes.Quantify(kind="set" | "list", clauses=(clause,)):
                is_same = isinstance(node.element, nodes.Local) and node.element.slot == clause.slot
                domain = self.set_of(clause.domain, scope) if is_same else None
                if domain is None or clause.condition is None:
                    return domain
                holds = self.lifted(clause.condition, clause.slot, scope)
                return None if holds is None else self.both(domain, holds)
        return None

    def set_of_side(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """One side of `|`: a collection or a single square."""
        if not isinstance(node.type, Scalar):
            return self.set_of(node, scope)
        if not node.type.is_square or node.type.can_be_none:
            return None
        return self.one_square(self.lower(node, scope))

    def _set_of_items(self, node: nodes.Collect, scope: Scope) -> Bits | None:
        total: Bits = 0
        for item in node.items:
            if not isinstance(item.type, Scalar) or not item.type.is_square:
                return None
            if item.type.can_be_none:
                return None
            total = self.either(total, self.one_square(self.lower(item, scope)))
        return total

    def _collection_table(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        number_of: dict[Value, int] = {s: n for n, s in enumerate(self.codes.squares)}

        class NoSetError(Exception):
            pass

        def members(given: dict[str, Value]) -> int:
            found = self.evaluator.value(node, scope, given)
            if not isinstance(found, tuple) or any(value not in number_of for value in found):
                raise NoSetError
            return sum(1 << number_of[value] for value in set(found))

        try:
            return self._table(node, scope, members, 8)
        except NoSetError:
            return None

    def group(self, node: nodes.Builtin, scope: Scope) -> str:
        """`group(a, s)`."""
        raise NotImplementedError

    def sight(self, node: nodes.Builtin, scope: Scope) -> Bits | None:
        """`sight(a, s, d)`."""
        raise NotImplementedError
