"""Collections: gone through by loops, element by element, in the order of the language.

In: an expression that is a set, list or range, and what to do with each element. Out: loops in
the function being written. A quantifier becomes a function of its own, left as soon as its answer
is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial

from gamedsl.compiler.cells import Cells
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import (
    ROW,
    TRUE,
    ZERO,
    Operand,
    all_of,
    call,
    integer,
    load,
    lookup,
    not_,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import ListType, Scalar, SetType, TupleType, element_of, scalar_of, size_of
from gamedsl.model.values import NONE, Atom, Value, Vector

Each = Callable[[Low], None]
MOST_HELD = 4096
"""At most so many elements are held in an array."""
UNROLLED = 48
"""At most so many copies of a loop's body, nested loops multiplied."""
MOST_SEEN = 62
"""At most so many values are told apart in a set without repeats."""


class Collections(Cells):
    """Loops over the collections of one game."""

    copies: int = 1

    # --- going through a collection --------------------------------------------------------

    def go_through(self, node: nodes.Expr, scope: Scope, each: Each, stem: str = "item") -> None:
        """Write loops that do `each` with every element, once each, in order."""
        known = self._known_elements(node, scope)
        if known is not None:
            self._go_through_known(known, each, stem)
            return
        match node:
            case nodes.Local():
                self._go_through_local(node, scope, each, stem)
            case nodes.Range():
                self._go_through_range(node, scope, each, stem)
            case nodes.Collect():
                self._go_through_items(node, scope, each, stem)
            case nodes.Union():
                self._go_through_union(node, scope, each, stem)
            case nodes.Choose():
                self.branch(
                    self.condition(node.condition, scope),
                    lambda: self.go_through(node.then, scope, each, stem),
                    lambda: self.go_through(node.otherwise, scope, each, stem),
                )
            case nodes.Apply():
                inner = self.bound(node, scope)
                if inner is None:
                    raise CannotCompileError("a collection whose arguments may fail", node.span)
                self.go_through(node.definition.body, inner, each, stem)
            case nodes.Quantify():
                self._go_through_quantified(node, scope, each, stem)
            case nodes.Builtin():
                self._go_through_builtin(node, scope, each, stem)
            case nodes.ListItem():
                self._go_through_chosen(node, scope, each, stem)
            case _:
                raise CannotCompileError("a collection of this kind", node.span)

    def _known_elements(self, node: nodes.Expr, scope: Scope) -> tuple[Value, ...] | None:
        if isinstance(node, nodes.Quantify) or not isinstance(node.type, Scalar | TupleType):
            low = self.meaning_of(node, scope)
            if isinstance(low, Known) and isinstance(low.value, tuple):
                return low.value
        return None

    def _go_through_known(self, values: tuple[Value, ...], each: Each, stem: str) -> None:
        copies = self._copies(values)
        if copies is not None:
            before, self.copies = self.copies, copies
            for value in values:
                each(Known(value))
            self.copies = before
            return
        codes = tuple(self.codes.code(value) for value in values)
        item = self.program.fresh(stem)
        if codes == tuple(range(codes[0], codes[0] + len(codes))):
            loop = self.builder.loop_range(item, codes[0], codes[-1] + 1)
        else:
            loop = self.builder.loop_entries(item, codes)
        with loop:
            each(Code(item, scalar_of(values)))

    def _copies(self, values: tuple[Value, ...]) -> int | None:
        """How many copies there are of what is written for each value on its own, as it must be
        where some are no codes; None for a loop."""
        if any(isinstance(value, tuple | bool | Fraction) for value in values):
            return self.copies
        few = 8 if all(isinstance(value, int) for value in values) else 4
        limit = 16 if any(isinstance(value, Vector) for value in values) else few
        copies = self.copies * max(1, len(values))
        return copies if len(values) <= limit and copies <= UNROLLED else None

    def _go_through_local(self, node: nodes.Local, scope: Scope, each: Each, stem: str) -> None:
        meaning = scope.of(node.slot)
        if isinstance(meaning, Held):
            self.go_through_held(meaning, each, stem)
        elif isinstance(meaning, Bound):
            self.go_through(meaning.node, meaning.scope, each, stem)
        else:
            raise CannotCompileError("a collection in a local", node.span)

    def _go_through_range(self, node: nodes.Range, scope: Scope, each: Each, stem: str) -> None:
        low, high = (self.numeric(end, scope, "..", node.span) for end in (node.low, node.high))
        if low.per != 1 or high.per != 1:
            raise CannotCompileError("a range of fractions", node.span)
        with self._loop(stem, low.expr, high.expr + 1) as item:
            each(Code(item, _element(node.type)))

    def hold_collection(self, node: nodes.Expr, scope: Scope, stem: str) -> Held:
        """Work a collection out now, into an array."""
        kind, size = element_of(node.type), size_of(node.type)
        if not isinstance(kind, Scalar) or kind.rational or kind.unknown or size > MOST_HELD:
            raise CannotCompileError("a collection of this kind that has to be held", node.span)
        row = call("numbers", [integer(max(1, size))], ROW, can_fail=False)
        array = self.program.hold(row, f"{stem}_items")
        count = self.program.hold(ZERO, f"{stem}_count")

        def keep(low: Low) -> None:
            self.builder.store(array, count, self._as_number(low))
            self.builder.assign(count, count + 1)

        self.go_through(node, scope, keep, stem)
        return Held(array, count, kind)

    def go_through_held(self, held: Held, each: Each, stem: str) -> None:
        """The elements of an array in order."""
        with self._loop("n", 0, held.count) as n:
            each(self._hold(self.coded(load(held.array, n), held.type), stem))

    @contextmanager
    def _loop(self, stem: str, low: Operand, high: Operand) -> Iterator[Expr]:
        """What is written within, for a new local from `low` to below `high`."""
        local = self.program.fresh(stem)
        with self.builder.loop_range(local, low, high):
            yield local

    def _go_through_items(self, node: nodes.Collect, scope: Scope, each: Each, stem: str) -> None:
        """The items are worked out first, then done one by one; a set has no repeats."""
        lows = [self._hold(self.lower(item, scope), stem) for item in node.items]
        for place, low in enumerate(lows):
            earlier = lows[:place] if isinstance(node.type, SetType) else []
            same = [self.value(self.equal_lowered(other, low, node.span)) for other in earlier]
            self.branch(all_of(map(not_, same)), partial(each, low))

    def _go_through_union(self, node: nodes.Union, scope: Scope, each: Each, stem: str) -> None:
        """First the one side, then of the other what was not there."""
        seen = self._seen(element_of(node.type), node, each)
        for side in (node.left, node.right):
            if isinstance(side.type, Scalar):
                seen(self._hold(self.lower(side, scope), stem))
            else:
                self.go_through(side, scope, seen, stem)

    def _seen(self, kind: object, node: nodes.Expr, each: Each) -> Each:
        """`each`, once for every value: which have been is remembered in a set of bits."""
        span = self.span_of_codes(kind) if isinstance(kind, Scalar) else None
        if span is None or span[1] > MOST_SEEN:
            raise CannotCompileError("a set without repeats of so many values", node.span)
        seen = self.program.hold(ZERO, "seen")

        def once(element: Low) -> None:
            bit = integer(1) << self.offset(self._as_number(element), span[0])
            with self.builder.when((seen & bit).eq(0)):
                self.builder.assign(seen, seen | bit)
                each(element)

        return once

    def _go_through_quantified(
        self, node: nodes.Quantify, scope: Scope, each: Each, stem: str
    ) -> None:
        """`{e for ...}` and `[e for ...]`: the elements as they come."""
        if node.kind == "set" and not _is_own_element(node):
            each = self._seen(node.element.type, node, each)
        self.rounds(
            node.clauses,
            scope,
            lambda inner: each(self._hold(self.lower(node.element, inner), stem)),
        )

    def _go_through_builtin(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        match node.name:
            case "neighbours":
                self._go_through_table(node, scope, each, stem)
            case "ray":
                self._go_through_ray(node, scope, each, stem)
            case "sight" | "group":
                self.go_through_squares(node, scope, each, stem)
            case _:
                raise CannotCompileError(f"going through `{node.name}`", node.span)

    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """`sight` and `group`."""
        raise CannotCompileError(f"going through `{node.name}`", node.span)

    def _go_through_table(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """`neighbours(s)`: rows of a table, filled up with `none`."""
        board, none = self.model.board, self.codes.none
        assert board is not None
        square = self._hold(self.lower(node.arguments[0], scope), stem)
        if isinstance(square, Known):
            assert isinstance(square.value, Atom)
            self._go_through_known(board.neighbours(square.value), each, stem)
            return
        rows = [[self.codes.code(one) for one in board.neighbours(s)] for s in board.squares]
        width = max((len(row) for row in rows), default=0)
        if not width:
            return
        flat = tuple(code for row in rows for code in [*row, *[none] * (width - len(row))])
        with self.builder.when(square.expr.ne(none)), self._loop("n", 0, width) as n:
            found = lookup(flat, self._at_base(square.expr) * width + n)
            beside = self.program.hold(found, stem)
            with self.builder.when(beside.ne(none)):
                each(Code(beside, _element(node.type)))

    def _at_base(self, square: Expr) -> Expr:
        """The number of a square's bit."""
        return self.offset(square, self.codes.code(self.codes.squares[0]))

    def _go_through_ray(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """From square to square by the table of steps, until off the board."""
        start = self._hold(self.lower(node.arguments[0], scope), stem)
        way = self._hold(self.lower(node.arguments[1], scope), "way")
        board = self.model.board
        assert board is not None
        squares = Scalar(atoms=frozenset({*board.squares, NONE}))

        def step(square: Value, offset: Value) -> Value:
            is_still = offset == Vector(0, 0)
            return NONE if is_still else board.step(square, offset)  # type: ignore[arg-type]

        def further(square: Low) -> Low:
            found = self.table_of([square, way], step, squares)
            if found is None:
                raise CannotCompileError("a ray in too many directions", node.span)
            return found

        first = further(start)
        if isinstance(first, Known) and first.value is NONE:
            return
        ahead = self.program.hold(self.value(first), stem)
        with self.builder.loop_while(ahead.ne(self.codes.none)):
            here = self.program.hold(ahead, stem)
            self.builder.assign(ahead, self.value(further(Code(ahead, squares))))
            each(Code(here, _element(node.type)))

    def _go_through_chosen(self, node: nodes.ListItem, scope: Scope, each: Each, stem: str) -> None:
        """A list of lists at a position known only during play: one branch for each."""
        items, positions = self.listed(node, scope)
        if len(positions) != 1 or not isinstance(positions[0], Code):
            raise CannotCompileError("a list of lists", node.span)
        at = self.held(positions[0].expr, "at")
        assert isinstance(items, tuple)
        for position, item in enumerate(items, 1):
            assert isinstance(item, tuple)
            with self.builder.when(at.eq(position)):
                self._go_through_known(item, each, stem)

    # --- clauses ---------------------------------------------------------------------------

    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        """Loops for all `for` clauses, and `each` with the bindings in force within."""
        clause, rest = clauses[0], clauses[1:]

        def with_value(element: Low) -> None:
            inner = scope.having(clause.slot, element)

            def further() -> None:
                if rest:
                    self.rounds(rest, inner, each)
                else:
                    each(inner)

            self.only_if(clause.condition, inner, further)

        self.go_through(clause.domain, scope, with_value, clause.name)

    def only_if(
        self, condition: nodes.Expr | None, scope: Scope, write: Callable[[], None]
    ) -> None:
        """What `write` writes, done only where the condition holds."""
        self.branch(TRUE if condition is None else self.condition(condition, scope), write)


def _element(kind: object) -> Scalar:
    found = element_of(kind) if isinstance(kind, SetType | ListType) else None
    assert isinstance(found, Scalar)
    return found


def _is_own_element(node: nodes.Quantify) -> bool:
    """Whether `{x for x in ...}` cannot produce repeats, the domain being without them."""
    return (
        len(node.clauses) == 1
        and isinstance(node.element, nodes.Local)
        and node.element.slot == node.clauses[0].slot
        and isinstance(node.clauses[0].domain.type, SetType)
    )
