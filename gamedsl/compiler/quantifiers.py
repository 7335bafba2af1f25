"""Quantifiers, reductions and `in`: collections that become one value.

In: a node over a collection. Out: `Known` or `Code`: a function of its own, left as soon as its
answer is known. Sets of squares are answered by `sets` where that is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl.compiler.collections import Collections, Each, _is_fraction
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, TupleType, element_of, number
from gamedsl.model.values import Value


class Quantifiers(Collections):
    """The quantifiers of one game."""

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
                        if isinstance(low, Code) and self.safety.can_fail(node):
                            writer.line(low.text)
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
        given = {}
        sought = element
        if isinstance(element, Code) and not element.is_name:
            name = self.program.fresh("element")
            given[name] = element.text
            sought = Code(name, element.type, element.per)

        def write() -> None:
            writer = self.program.writer

            def compare(low: Low) -> None:
                same = self.equal_lowered(sought, low, node.span)
                with writer.block(f"if {self.text(same)}"):
                    writer.line("return True")

            if self.safety.can_fail(node.collection):
                held = self.hold_collection(node.collection, scope, "member")
                self.go_through_held(held, compare, "member")
            else:
                self.go_through(node.collection, scope, compare)
            writer.line("return False")

        return Code(self.program.call("member", write, given), BOOLEAN)

    def _member_of_tuples(self, node: nodes.Member, scope: Scope) -> Low:
        known = self._known_elements(node.collection, scope)
        if known is None:
            return self._member_of_written_tuples(node, scope)
        wanted = [[Known(item) for item in one] for one in known if isinstance(one, tuple)]

        def test(rows: Sequence[Sequence[Low]]) -> Low:
            return self.any_of([self.same_items(rows[0], one, node.span) for one in wanted])

        return self.with_tuples((node.element,), scope, test)

    def _member_of_written_tuples(self, node: nodes.Member, scope: Scope) -> Low:
        """`(a, b) in {(c, d), (e, f)}`, what is written having to be evaluated in full."""
        given = node.collection
        if not isinstance(given, nodes.Collect):
            raise CannotCompileError("membership of a tuple in a set that is not known", node.span)

        def test(rows: Sequence[Sequence[Low]]) -> Low:
            return self.any_of([self.same_items(rows[0], row, node.span) for row in rows[1:]])

        return self.with_tuples((node.element, *given.items), scope, test)
