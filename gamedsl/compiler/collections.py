"""Collections: gone through by loops, element by element, in the order of the language.

In: an expression that is a set, list or range, and what to do with each element. Out: loops in
the function being written. A quantifier becomes a function of its own, left as soon as its answer
is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamedsl.compiler.cells import Cells
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import ListType, Scalar, SetType, TupleType, element_of, size_of
from gamedsl.model.values import NONE, Atom, Value, Vector

Each = Callable[[Low], None]
MOST_HELD = 4096
"""At most so many elements are held in an array."""
UNROLLED = 48
"""At most so many copies of a loop's body, nested loops multiplied."""


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
                meaning = scope.of(node.slot)
                if isinstance(meaning, Held):
                    self.go_through_held(meaning, each, stem)
                    return
                if not isinstance(meaning, Bound):
                    raise CannotCompileError("a collection in a local", node.span)
                self.go_through(meaning.node, meaning.scope, each, stem)
            case nodes.Range():
                low, high = self.numeric(node.low, scope), self.numeric(node.high, scope)
                if low.per != 1 or high.per != 1:
                    raise CannotCompileError("a range of fractions", node.span)
                with self._loop(stem, f"range({low.text}, {high.text} + 1)") as name:
                    each(Code(name, _element(node.type)))
            case nodes.Collect():
                self._go_through_items(node, scope, each, stem)
            case nodes.Union():
                self._go_through_union(node, scope, each, stem)
            case nodes.Choose():
                test = self.condition(node.condition, scope)
                writer = self.program.writer
                with writer.block(f"if {test}"):
                    self.go_through(node.then, scope, each, stem)
                with writer.block("else"):
                    self.go_through(node.otherwise, scope, each, stem)
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
        if any(
            isinstance(v, tuple | bool) or (not isinstance(v, int) and _is_fraction(v))
            for v in values
        ):
            for value in values:
                each(Known(value))
            return
        few = 8 if all(isinstance(value, int) for value in values) else 4
        limit = 16 if any(isinstance(v, Vector) for v in values) else few
        if len(values) <= limit and len(values) * self.copies <= UNROLLED:
            before = self.copies
            self.copies *= max(1, len(values))
            for value in values:
                each(Known(value))
            self.copies = before
            return
        from gamedsl.model.types import scalar_of

        codes = [self.codes.code(value) for value in values]
        kind = scalar_of(values)
        if codes == list(range(codes[0], codes[0] + len(codes))):
            source = f"range({codes[0]}, {codes[-1] + 1})"
        else:
            source = self.program.table(tuple(codes))
        with self._loop(stem, source) as name:
            each(Code(name, kind))

    def hold_collection(self, node: nodes.Expr, scope: Scope, stem: str) -> Held:
        """Work a collection out now, into an array."""
        kind, size = element_of(node.type), size_of(node.type)
        if not isinstance(kind, Scalar) or kind.rational or kind.unknown or size > MOST_HELD:
            raise CannotCompileError("a collection of this kind that has to be held", node.span)
        writer = self.program.writer
        array, count = self.program.fresh(f"{stem}_items"), self.program.fresh(f"{stem}_count")
        writer.assign(array, f"numbers({max(1, size)})")
        writer.assign(count, "0")

        def keep(low: Low) -> None:
            if isinstance(low, Known):
                text = str(self.codes.code(low.value))
            else:
                text = f"int({low.text})" if low.type.is_boolean else self.text(low)
            writer.line(f"{array}[{count}] = {text}")
            writer.line(f"{count} += 1")

        self.go_through(node, scope, keep, stem)
        return Held(array, count, kind)

    def go_through_held(self, held: Held, each: Each, stem: str) -> None:
        """The elements of an array in order."""
        with self._loop("n", f"range({held.count})") as n:
            item = f"{held.array}[{n}]"
            text = f"({item} != 0)" if held.type.is_boolean else item
            each(self._hold(Code(text, held.type), stem))

    @contextmanager
    def _loop(self, stem: str, source: str) -> Iterator[str]:
        """`for name in source:` with what is written within; the name is new."""
        name = self.program.fresh(stem)
        self.program.writer.defined.add(name)
        with self.program.writer.block(f"for {name} in {source}"):
            yield name

    def _hold(self, low: Low, stem: str) -> Low:
        """The value worked out now, under a name."""
        if isinstance(low, Known):
            return low
        name = self.program.fresh(stem)
        self.program.writer.assign(name, low.text)
        return Code(name, low.type, low.per)

    def _go_through_items(self, node: nodes.Collect, scope: Scope, each: Each, stem: str) -> None:
        """The items are worked out first, then done one by one; a set has no repeats."""
        lows = [self._hold(self.lower(item, scope), stem) for item in node.items]
        writer = self.program.writer
        for number_, low in enumerate(lows):
            earlier = lows[:number_] if isinstance(node.type, SetType) else []
            tests = []
            for other in earlier:
                same = self.equal_lowered(other, low, node.span)
                if isinstance(same, Known):
                    if same.value is True:
                        tests.append("False")
                    continue
                tests.append(f"not {same.text}")
            if "False" in tests:
                continue
            if tests:
                with writer.block(f"if {' and '.join(tests)}"):
                    each(low)
            else:
                each(low)

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
        if span is None or span[1] > 62:
            raise CannotCompileError("a set without repeats of so many values", node.span)
        low, _, _ = span
        name = self.program.fresh("seen")
        writer = self.program.writer
        writer.assign(name, "ZERO")

        def once(element: Low) -> None:
            if isinstance(element, Known):
                place = str(self.codes.code(element.value) - low)
            else:
                text = f"int({element.text})" if element.type.is_boolean else element.text
                place = (
                    text if low == 0 else f"({text} - {low})" if low > 0 else f"({text} + {-low})"
                )
            with writer.block(f"if ({name} >> {place}) & 1 == 0"):
                writer.line(f"{name} |= ONE << {place}")
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
        assert self.model.board is not None
        square = self._hold(self.lower(node.arguments[0], scope), stem)
        board = self.model.board
        if isinstance(square, Known):
            assert isinstance(square.value, Atom)
            self._go_through_known(board.neighbours(square.value), each, stem)
            return
        rows = [board.neighbours(s) for s in board.squares]
        width = max((len(row) for row in rows), default=0)
        flat = [
            self.codes.code(row[n]) if n < len(row) else self.codes.none
            for row in rows
            for n in range(width)
        ]
        if not width:
            return
        writer = self.program.writer
        kind = _element(node.type)
        with writer.block(f"if {square.text} != {self.codes.none}"):
            first = self._at_base(square.text)
            with self._loop("n", f"range({width})") as n:
                held = self.program.fresh(stem)
                writer.assign(held, f"{self.program.table(tuple(flat))}[{first} * {width} + {n}]")
                with writer.block(f"if {held} != {self.codes.none}"):
                    each(Code(held, kind))

    def _at_base(self, text: str) -> str:
        base = self.codes.code(self.codes.squares[0])
        return text if base == 0 else f"({text} - {base})"

    def _go_through_ray(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """From square to square by the table of steps, until off the board."""
        way = self._hold(self.lower(node.arguments[1], scope), "way")
        start = self._hold(self.lower(node.arguments[0], scope), stem)
        board = self.model.board
        assert board is not None
        nowhere = Vector(0, 0)
        squares = Scalar(atoms=frozenset({*board.squares, NONE}))

        def step(square: Value, offset: Value) -> Value:
            return NONE if offset == nowhere else board.step(square, offset)  # type: ignore[arg-type]

        first = self.table_of([start, way], step, squares)
        if first is None:
            raise CannotCompileError("a ray in too many directions", node.span)
        if isinstance(first, Known) and first.value is NONE:
            return
        name = self.program.fresh(stem)
        writer = self.program.writer
        writer.assign(name, self.text(first))
        further = self.table_of([Code(name, squares), way], step, squares)
        if further is None:
            raise CannotCompileError("a ray in too many directions", node.span)
        with writer.block(f"while {name} != {self.codes.none}"):
            now = self.program.fresh(stem)
            writer.assign(now, name)
            writer.assign(name, self.text(further))
            each(Code(now, _element(node.type)))

    def _go_through_chosen(self, node: nodes.ListItem, scope: Scope, each: Each, stem: str) -> None:
        """A list of lists at a position known only during play: one branch for each."""
        items = self._known_elements(node.items, scope)
        index = self._hold(self.numeric(node.index, scope), "at")
        if items is None or not isinstance(index, Code):
            raise CannotCompileError("a list of lists", node.span)
        writer = self.program.writer
        for position, item in enumerate(items, 1):
            assert isinstance(item, tuple)
            with writer.block(f"{'if' if position == 1 else 'elif'} {index.text} == {position}"):
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
        low = Known(True) if condition is None else self.lower(condition, scope)
        if isinstance(low, Known):
            if low.value is True:
                write()
            return
        with self.program.writer.block(f"if {low.text}"):
            write()


def _element(kind: object) -> Scalar:
    found = element_of(kind) if isinstance(kind, SetType | ListType) else None
    assert isinstance(found, Scalar)
    return found


def _is_fraction(value: Value) -> bool:
    from fractions import Fraction

    return isinstance(value, Fraction)


def _is_own_element(node: nodes.Quantify) -> bool:
    """Whether `{x for x in ...}` cannot produce repeats, the domain being without them."""
    return (
        len(node.clauses) == 1
        and isinstance(node.element, nodes.Local)
        and node.element.slot == node.clauses[0].slot
        and isinstance(node.clauses[0].domain.type, SetType)
    )
