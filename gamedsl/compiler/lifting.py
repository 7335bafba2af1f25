"""Lift conditions to sets: for which squares does it hold, worked out for all of them at once.

In: a condition that cannot fail, and the local that stands for a square. Out: the set of squares
for which it holds, as a mask known now (int) or as code (str); None where it cannot be lifted, and
the caller goes through the squares one by one. The recursion is over the condition: a cell is a
plane, a step is a shift, `and` is `&`; what the square has no part in selects all or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.collections import Collections
from gamedsl.compiler.evaluate import NotKnownError
from gamedsl.compiler.expressions import LARGEST_TABLE
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.scope import Bound, Code, Known, Later, Scope
from gamedsl.model import nodes, operations
from gamedsl.model.model import Model
from gamedsl.model.types import BOOLEAN, Scalar, type_of
from gamedsl.model.values import NONE, Square, Value, Vector
from gamedsl.model.walk import parts

Bits = int | str
MARK = "@"
"""What stands for the square in code; never leaves this module."""
MOST_SHIFTS = 4
UNROLLED_CASES = 16
Span = tuple[int, int, dict[int, Value]]
"""Least code of a type, how many codes up to the greatest, the values by code."""
MaskOf = Callable[[dict[str, Value]], int]
"""The set for given values of some code."""


class Lifting(Collections):
    """Sets of squares by structural recursion."""

    @property
    def everything(self) -> int:
        """All squares, as a mask."""
        return (1 << len(self.codes.squares)) - 1

    @property
    def square_type(self) -> Scalar:
        """Any square."""
        return Scalar(atoms=frozenset(self.codes.squares))

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        super().__init__(model, codes, layout)
        self._masks: dict[object, list[int]] = {}
        self._ways: dict[object, dict[int, int]] = {}

    # --- set algebra -----------------------------------------------------------------------

    def bits_text(self, bits: Bits) -> str:
        """A set as code."""
        return bits if isinstance(bits, str) else self.program.number(bits)

    def both(self, one: Bits, other: Bits) -> Bits:
        """What lies in both sets."""
        for this, that in ((one, other), (other, one)):
            if isinstance(this, int):
                if isinstance(that, int):
                    return this & that
                if this == 0:
                    return 0
                if this == self.everything:
                    return that
        return f"({self.bits_text(one)} & {self.bits_text(other)})"

    def either(self, one: Bits, other: Bits) -> Bits:
        """What lies in one of the sets."""
        for this, that in ((one, other), (other, one)):
            if isinstance(this, int):
                if isinstance(that, int):
                    return this | that
                if this == 0:
                    return that
                if this == self.everything:
                    return this
        return f"({self.bits_text(one)} | {self.bits_text(other)})"

    def neither(self, bits: Bits) -> Bits:
        """All other squares."""
        if isinstance(bits, int):
            return self.everything & ~bits
        return f"({self.program.number(self.everything)} & ~{bits})"

    # --- conditions ------------------------------------------------------------------------

    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Bits | None:
        """The squares for which a condition holds; the local `slot` stands for the square."""
        if self.safety.can_fail(node) or not self.codes.squares:
            return None
        found = self._lift(node, scope.having(slot, Code(MARK, self.square_type)))
        if isinstance(found, str) and MARK in found:
            return None
        return found

    def depends(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether the square has a part in an expression."""
        match node:
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self.depends(meaning.node, meaning.scope)
                return isinstance(meaning, Code) and MARK in meaning.text
            case nodes.Apply() if self.depends(node.definition.body, scope):
                return True
        return any(self.depends(part, scope) for part in parts(node))

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

    def _chosen(self, test: Bits | None, then: Bits | None, otherwise: Bits | None) -> Bits | None:
        if test is None or then is None or otherwise is None:
            return None
        return self.either(self.both(test, then), self.both(self.neither(test), otherwise))

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
            return None
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

    def known_value(self, node: nodes.Expr, scope: Scope) -> Value | None:
        """A value known now; None if it is not."""
        try:
            return self.evaluator.value(node, scope)
        except (NotKnownError, operations.OperationError):
            return None

    # --- tables of sets --------------------------------------------------------------------

    def _mask_table(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A condition in which the state has no part: a mask, or a table of masks."""

        def holds(given: dict[str, Value]) -> int:
            return sum(
                1 << n
                for n, square in enumerate(self.codes.squares)
                if self.evaluator.value(node, scope, {**given, MARK: square}) is True
            )

        return self._table(node, scope, holds, len(self.codes.squares))

    def _table(self, node: nodes.Expr, scope: Scope, mask: MaskOf, each: int) -> Bits | None:
        free: dict[str, Code] = {}
        if not self.free_codes(node, scope, set(), free):
            return None
        free.pop(MARK, None)
        if any(code.per != 1 or MARK in text for text, code in free.items()):
            return None
        all_spans = [self.span_of_codes(code.type) for code in free.values()]
        spans = [span for span in all_spans if span is not None]
        if len(spans) < len(all_spans) or len(spans) > 2:
            return None
        if prod(span[1] for span in spans) * each > 8 * LARGEST_TABLE:
            return None
        shape = (each, self.shape(node, scope, [MARK, *free]))
        if shape not in self._masks:
            self._masks[shape] = self._mask_entries(free, spans, mask)
        entries = self._masks[shape]
        if all(entry == entries[0] for entry in entries):
            return int(entries[0])
        index = ""
        for code, span in zip(free.values(), spans, strict=True):
            text = f"int({code.text})" if code.type.is_boolean else code.text
            place = text if span[0] == 0 else f"({text} + {-span[0]})"
            index = f"({index} * {span[1]} + {place})" if index else place
        return f"{self.program.table(tuple(entries))}[{index}]"

    def _mask_entries(
        self, free: dict[str, Code], spans: Sequence[Span], mask: MaskOf
    ) -> list[int]:
        """The sets for all values of the code, those of the last fastest."""
        entries = []
        for place in range(prod(span[1] for span in spans)):
            number = place
            given: dict[str, Value] = {}
            for text, span in zip(reversed(free), reversed(spans), strict=True):
                number, offset = divmod(number, span[1])
                if span[0] + offset in span[2]:
                    given[text] = span[2][span[0] + offset]
            entries.append(mask(given) if len(given) == len(free) else 0)
        return entries

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
        return self.preimage(left, self.one_square(low), scope)

    def one_square(self, low: Known | Code) -> Bits:
        """The set of one square; empty for `none`."""
        if isinstance(low, Known):
            if not isinstance(low.value, Square):
                return 0
            return 1 << self.codes.squares.index(low.value)
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
            low = self.lower(node, scope)
            inside = self.both(bits, self.one_square(low))
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

    def _steps(self, way: Vector) -> dict[int, int]:
        """For each square the square one step on; squares that step off the board are left out."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        found = {}
        for square, n in number_of.items():
            target = board.step(square, way)
            if isinstance(target, Square):
                found[n] = number_of[target]
        return found

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

    def shifted(self, bits: Bits, targets: dict[int, int]) -> Bits | None:
        """The squares whose target lies in a set: a shift and a mask for each distance."""
        if isinstance(bits, int):
            return sum(1 << n for n, target in targets.items() if bits >> target & 1)
        masks: dict[int, int] = {}
        for n, target in targets.items():
            masks[target - n] = masks.get(target - n, 0) | 1 << n
        if len(masks) > MOST_SHIFTS:
            return None
        terms = []
        for distance, mask in masks.items():
            text = self.program.number(mask)
            shift = f"{bits} >> {distance}" if distance > 0 else f"{bits} << {-distance}"
            terms.append(f"({bits} & {text})" if distance == 0 else f"(({shift}) & {text})")
        if not terms:
            return 0
        return terms[0] if len(terms) == 1 else f"({' | '.join(terms)})"

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
        found = self._filled(self.both(bits, stops), self.neither(stops), steps)
        return None if found is None else self.preimage(domain.arguments[0], found, inner)

    def _filled(self, goals: Bits, passable: Bits, steps: dict[int, int]) -> Bits | None:
        """The squares from which steps over passable squares reach a goal."""
        goal, way = self.program.fresh("goal"), self.program.fresh("open")
        once = self.shifted("grown", steps)
        if once is None:
            return None
        length = self._longest(steps)
        once_from = f"{once}".replace("grown", goal)

        def write() -> None:
            writer = self.program.writer
            writer.assign("grown", once_from)
            for _ in range(length - 1):
                writer.line(f"grown |= {str(once).replace('grown', f'(grown & {way})')}")
            writer.line("return grown")

        given = {goal: self.bits_text(goals), way: self.bits_text(passable)}
        return self.program.call("leads", write, given)

    @staticmethod
    def _longest(steps: dict[int, int]) -> int:
        longest = 0
        for start in steps:
            length, at = 0, start
            while at in steps:
                at, length = steps[at], length + 1
            longest = max(longest, length)
        return longest

    # --- collections of squares ------------------------------------------------------------

    def set_of(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        """A collection of squares as a set, whatever its order; None where that is not known."""
        if self.safety.can_fail(node):
            return None
        known = self.known_value(node, scope)
        if isinstance(known, tuple):
            if not all(isinstance(value, Square) for value in known):
                return None
            return sum(1 << self.codes.squares.index(v) for v in known if isinstance(v, Square))
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
