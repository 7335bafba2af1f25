"""Collections: gone through by loops, element by element, in the order of the language.

In: an expression that is a set, list or range, and what to do with each element. Out: loops in
the function being written. A quantifier becomes a function of its own, left as soon as its answer
is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from gamedsl.compiler.cells import Cells
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.expressions import Low
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.scope import Bound, Code, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, ListType, Scalar, SetType, TupleType, element_of, number
from gamedsl.model.values import EMPTY, NONE, Atom, Value, Vector

Each = Callable[[Low], None]
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
        assert further is not None
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

    # --- quantifiers -----------------------------------------------------------------------

    def quantify(self, node: nodes.Quantify, scope: Scope) -> Low:
        """A quantifier as a function of its own."""

        def elements(each: Each) -> None:
            self.rounds(node.clauses, scope, lambda inner: each(self.lower(node.element, inner)))

        return self._folded(node.kind, node, node.element.type, elements)

    def reduce(self, node: nodes.Builtin, scope: Scope) -> Low:
        """A reduction of a collection as a function of its own."""
        collection = node.arguments[0]
        if isinstance(collection.type, Scalar):
            raise CannotCompileError(f"`{node.name}` of one value", node.span)
        kind = "count" if node.name == "len" else node.name
        if kind in {"min", "max"} and isinstance(collection, nodes.Collect):
            found = self._extreme_of_items(kind, node, collection, scope)
            if found is not None:
                return found
        return self._folded(
            kind,
            node,
            element_of(collection.type) if node.name != "len" else number(0, 0),
            lambda each: self.go_through(collection, scope, each),
        )

    def _extreme_of_items(
        self, kind: str, node: nodes.Builtin, collection: nodes.Collect, scope: Scope
    ) -> Low | None:
        """`min(80, quiet + 1)`: Python's own."""
        lows = [self.lower(item, scope) for item in collection.items]
        for item in collection.items:
            if not isinstance(item.type, Scalar) or item.type.kinds != {"number"}:
                return None
        if any(isinstance(low, Code) and low.per != 1 for low in lows) or len(lows) < 2:
            return None
        assert isinstance(node.type, Scalar)
        return Code(f"{kind}({', '.join(self.text(low) for low in lows)})", node.type)

    def _folded(
        self,
        kind: str,
        node: nodes.Quantify | nodes.Builtin,
        element: object,
        elements: Callable[[Each], None],
    ) -> Low:
        """A function that goes through the elements; it is left as soon as the answer is known."""
        result = node.type
        if not isinstance(result, Scalar):
            raise CannotCompileError(
                "a collection that is neither known nor gone through", node.span
            )
        if result.rational or (isinstance(element, Scalar) and element.rational):
            raise CannotCompileError("a quantifier over fractions", node.span)
        is_truth = isinstance(element, Scalar) and element.is_boolean
        program = self.program

        def write() -> None:
            before, self.copies = self.copies, 1
            self._fold_body(kind, node, is_truth, elements)
            self.copies = before

        return Code(program.call(kind, write), BOOLEAN if kind in {"any", "all"} else result)

    def _fold_body(
        self,
        kind: str,
        node: nodes.Quantify | nodes.Builtin,
        is_truth: bool,
        elements: Callable[[Each], None],
    ) -> None:
        writer = self.program.writer
        match kind:
            case "any" | "all":
                decides = kind == "any"

                def decide(low: Low) -> None:
                    if isinstance(low, Known):
                        if low.value is decides:
                            writer.line(f"return {decides}")
                        return
                    with writer.block(f"if {low.text}" if decides else f"if not {low.text}"):
                        writer.line(f"return {decides}")

                elements(decide)
                writer.line(f"return {not decides}")
            case "first":
                elements(lambda low: writer.line(f"return {self._number(low, node)}"))
                writer.line(f"return {self._nothing(node)}")
            case "count" | "sum":
                total = self.program.fresh(kind)
                writer.assign(total, "0")

                def add(low: Low) -> None:
                    if kind == "sum":
                        writer.line(f"{total} += {self.text(low)}")
                    elif isinstance(low, Known) or not is_truth:
                        if not is_truth or (isinstance(low, Known) and low.value is True):
                            writer.line(f"{total} += 1")
                    else:
                        with writer.block(f"if {low.text}"):
                            writer.line(f"{total} += 1")

                elements(add)
                writer.line(f"return {total}")
            case "last":
                found = self.program.fresh("found")
                writer.assign(found, self._nothing(node))
                elements(lambda low: writer.line(f"{found} = {self._number(low, node)}"))
                writer.line(f"return {found}")
            case "min" | "max":
                self._write_extreme(kind, node, elements)
            case _:
                raise CannotCompileError(f"`{kind}` as a value", node.span)

    def _number(self, low: Low, node: nodes.Expr) -> str:
        """A value of `first` or `last`: a truth value as a number, if `none` can come out too."""
        assert isinstance(node.type, Scalar)
        if node.type.is_boolean:
            return self.text(low)
        return self._as_number(low) if isinstance(low, Code) else str(self.codes.code(low.value))

    def _nothing(self, node: nodes.Expr) -> str:
        assert isinstance(node.type, Scalar)
        return "False" if node.type.is_boolean else str(self.codes.none)

    def _write_extreme(
        self,
        kind: str,
        node: nodes.Quantify | nodes.Builtin,
        elements: Callable[[Each], None],
    ) -> None:
        writer = self.program.writer
        best, is_some = self.program.fresh("best"), self.program.fresh("some")
        writer.assign(best, "0")
        writer.assign(is_some, "False")
        sign = "<" if kind == "min" else ">"

        def compare(low: Low) -> None:
            if isinstance(low, Code) and low.type.can_be_none:
                raise CannotCompileError(f"`{kind}` of what may be `none`", node.span)
            held = self._hold(low, "item")
            text = self.text(held)
            with writer.block(f"if not {is_some} or {text} {sign} {best}"):
                writer.line(f"{best} = {text}")
                writer.line(f"{is_some} = True")

        elements(compare)
        site = self.site("E3007", node.span, lambda _, __: (f"`{kind}` of nothing", None))
        with writer.block(f"if not {is_some}"):
            writer.line(f"fault({site}, 0, 0)")
        writer.line(f"return {best}")

    # --- membership ------------------------------------------------------------------------

    def member(self, node: nodes.Member, scope: Scope) -> Low:
        """`in`: comparisons where the elements are few, else a search."""
        if isinstance(node.element.type, TupleType):
            return self._member_of_tuples(node, scope)
        element = self.lower(node.element, scope)
        found = self._member(node, element, scope)
        may_fail = self.safety.can_fail(node.element)
        if may_fail and isinstance(element, Code) and isinstance(found, Known):
            return self.evaluated(element.text, found.value is True)
        return found

    def _member(self, node: nodes.Member, element: Low, scope: Scope) -> Low:
        known = self._known_elements(node.collection, scope)
        if known is not None:
            return self._member_of_known(node, element, known, scope)
        if isinstance(node.collection, nodes.Collect):
            can_fail = any(self.safety.can_fail(item) for item in node.collection.items)
            if not can_fail:
                return self._one_of(
                    node, element, [self.lower(i, scope) for i in node.collection.items]
                )
        return self._searched(node, element, scope)

    def _member_of_known(
        self, node: nodes.Member, element: Low, known: tuple[Value, ...], scope: Scope
    ) -> Low:
        if isinstance(element, Code) and isinstance(node.element, nodes.Cell):
            tests = [self.is_cell(node.element, value, scope) for value in known]
            if all(test is not None for test in tests) and len(tests) <= 3:
                return self.any_of([Code(test, BOOLEAN) for test in tests if test is not None])
        if (
            isinstance(element, Code)
            and len(known) > 3
            and element.per == 1
            and not any(isinstance(value, tuple) or _is_fraction(value) for value in known)
        ):
            codes = sorted({self.codes.code(value) for value in known})
            if codes == list(range(codes[0], codes[-1] + 1)) and not element.type.is_boolean:
                return Code(f"({codes[0]} <= {element.text} <= {codes[-1]})", BOOLEAN)
            return Code(f"({element.text} in ({', '.join(map(str, codes))},))", BOOLEAN)
        return self._one_of(node, element, [Known(value) for value in known])

    def _one_of(self, node: nodes.Member, element: Low, items: list[Low]) -> Low:
        if isinstance(element, Code) and not element.is_name and len(items) > 1:
            name = self.program.fresh("element")
            inner = self.any_of(
                [
                    self.equal_lowered(Code(name, element.type, element.per), i, node.span)
                    for i in items
                ]
            )
            if isinstance(inner, Known):
                return inner
            text = inner.text
            call = self.program.call(
                "member", lambda: self.program.writer.line(f"return {text}"), {name: element.text}
            )
            return Code(call, BOOLEAN)
        return self.any_of([self.equal_lowered(element, item, node.span) for item in items])

    def _searched(self, node: nodes.Member, element: Low, scope: Scope) -> Low:
        if self.safety.can_fail(node.collection):
            raise CannotCompileError("membership in what may fail", node.collection.span)
        given = {}
        held = element
        if isinstance(element, Code) and not element.is_name:
            name = self.program.fresh("element")
            given[name] = element.text
            held = Code(name, element.type, element.per)

        def write() -> None:
            writer = self.program.writer

            def compare(low: Low) -> None:
                same = self.equal_lowered(held, low, node.span)
                with writer.block(f"if {self.text(same)}"):
                    writer.line("return True")

            self.go_through(node.collection, scope, compare)
            writer.line("return False")

        return Code(self.program.call("member", write, given), BOOLEAN)

    def _member_of_tuples(self, node: nodes.Member, scope: Scope) -> Low:
        items = self.tuple_items(node.element, scope)
        known = self._known_elements(node.collection, scope)
        if known is None:
            return self._member_of_written_tuples(node, items, scope)
        matches = []
        for one in known:
            assert isinstance(one, tuple)
            pairs = zip(items, one, strict=True)
            matches.append(
                self.all_of([self.equal_lowered(a, Known(b), node.span) for a, b in pairs])
            )
        return self.any_of(matches)

    def _member_of_written_tuples(self, node: nodes.Member, items: list[Low], scope: Scope) -> Low:
        """`(a, b) in {(c, d), (e, f)}`, what is written having to be evaluated in full."""
        given = node.collection
        if self.safety.can_fail(given) or not isinstance(given, nodes.Collect):
            raise CannotCompileError("membership of a tuple in a set that is not known", node.span)
        rows = [self.tuple_items(item, scope) for item in given.items]
        matches = [
            self.all_of(
                [self.equal_lowered(a, b, node.span) for a, b in zip(items, row, strict=True)]
            )
            for row in rows
        ]
        return self.any_of(matches)

    # --- whole boards ----------------------------------------------------------------------

    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`line` and `full`, over whole planes where there are any."""
        whole = node.arguments[0]
        assert isinstance(whole, nodes.Whole)
        place = self.layout.place_of(whole.variable)
        if node.name == "full":
            return self._full(place)
        if node.name == "line":
            return self._line(node, place, scope)
        raise CannotCompileError(f"`{node.name}` as a value", node.span)

    def _full(self, place: Planes | Digits) -> Low:
        vacant = place.variable.domain.digit.get(EMPTY)
        if vacant is None:
            return Known(True)
        if isinstance(place, Planes):
            return Code(f"({self.plane(place, vacant)} == 0)", BOOLEAN)

        def write() -> None:
            writer = self.program.writer
            with self._loop("n", f"range({place.variable.size})") as name:
                writer.line(f"if {self._digit_at(place, name)} == {vacant}:")
                writer.line("    return False")
            self.program.writer.line("return True")

        return Code(self.program.call("full", write), BOOLEAN)

    def _line(self, node: nodes.Builtin, place: Planes | Digits, scope: Scope) -> Low:
        value, length = self.lower(node.arguments[1], scope), self.lower(node.arguments[2], scope)
        if not isinstance(length, Known) or not isinstance(length.value, int):
            raise CannotCompileError("`line` of a length that is not known", node.span)
        if not isinstance(place, Planes):
            raise CannotCompileError("`line` in an array with many values", node.span)
        name = self.program.fresh("plane")
        text = self._line_test(name, length.value)
        if text is None:
            return Known(False)
        plane = self.plane_of(place, value)

        def write() -> None:
            for line in text[:-1]:
                self.program.writer.line(line)
            self.program.writer.line(f"return {text[-1]}")

        return Code(self.program.call("line", write, {name: plane}), BOOLEAN)

    def plane_of(self, place: Planes, value: Low) -> str:
        """The set of squares that hold a value."""
        domain = place.variable.domain
        if isinstance(value, Known):
            digit = domain.position(value.value)
            return "ZERO" if digit is None else self.plane(place, digit)

        def chosen(code: Code) -> str:
            text = "ZERO"
            values = code.type.enumerate() or domain.values
            for digit, held in reversed(list(enumerate(domain.values))):
                if held in values:
                    test = f"{code.text} == {self.codes.code(held)}"
                    if isinstance(held, bool):
                        test = code.text if held else f"not {code.text}"
                    text = f"({self.plane(place, digit)} if {test} else {text})"
            return text

        return self.as_name(value, "value", chosen)

    def _line_test(self, plane: str, length: int) -> list[str] | None:
        """Code for `some straight run of squares lies within the plane`."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        runs = [sorted(number_of[s] for s in run) for run in board.lines(length)]
        if not runs:
            return None
        by_step: dict[int, list[int]] = {}
        single: list[int] = []
        for run in runs:
            steps = {b - a for a, b in pairwise(run)}
            if len(steps) <= 1:
                by_step.setdefault(steps.pop() if steps else 0, []).append(run[0])
            else:
                single.append(sum(1 << n for n in run))
        tests = []
        for step, starts in by_step.items():
            mask = self.program.number(sum(1 << n for n in starts))
            tests.append(f"({_shifted_and(plane, step, length)} & {mask}) != 0")
        tests += [f"{plane} & {self.program.number(m)} == {self.program.number(m)}" for m in single]
        return [" or ".join(tests)]


def _shifted_and(plane: str, step: int, length: int) -> str:
    """The places from which `length` bits, `step` apart, are set: runs of 1, 2, 4, ... joined."""
    text, have = plane, 1
    while have < length:
        more = min(have, length - have)
        text = f"({text} & ({text} >> {step * more}))"
        have += more
    return text


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
