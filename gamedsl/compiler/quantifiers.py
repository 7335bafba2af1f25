"""Quantifiers, reductions and `in`: collections that become one value.

In: a node over a collection. Out: `Known` or `Code`: a function of its own, left as soon as its
answer is known. Sets of squares are answered by `sets` where that is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.compiler.collections import Collections, Each
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import (
    FALSE,
    TRUE,
    ZERO,
    any_of,
    integer,
    maximum,
    minimum,
    not_,
    truth,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, TupleType, element_of, number
from gamedsl.model.values import Value

FEW = 3
"""So many comparisons of a cell with known values are made one by one."""
Elements = Callable[[Each], None]
"""Writes the loops over a collection."""
Fold = nodes.Quantify | nodes.Builtin


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
            found = self._extreme_of_items(node, collection, scope)
            if found is not None:
                return found
        return self._folded(
            kind,
            node,
            element_of(collection.type) if node.name != "len" else number(0, 0),
            lambda each: self.go_through(collection, scope, each),
        )

    def _extreme_of_items(
        self, node: nodes.Builtin, collection: nodes.Collect, scope: Scope
    ) -> Low | None:
        """`min(80, quiet + 1)`: no loop."""
        lows = [self.lower(item, scope) for item in collection.items]
        for item in collection.items:
            if not isinstance(item.type, Scalar) or item.type.kinds != {"number"}:
                return None
        if any(isinstance(low, Code) and low.per != 1 for low in lows) or len(lows) < 2:
            return None
        assert isinstance(node.type, Scalar)
        extreme = minimum if node.name == "min" else maximum
        return Code(extreme(*map(self.value, lows)), node.type)

    # --- folds -----------------------------------------------------------------------------

    def _folded(self, kind: str, node: Fold, element: object, elements: Elements) -> Low:
        """A function that goes through the elements; it is left as soon as the answer is known."""
        result = node.type
        if not isinstance(result, Scalar):
            raise CannotCompileError(
                "a collection that is neither known nor gone through", node.span
            )
        if result.rational or (isinstance(element, Scalar) and element.rational):
            raise CannotCompileError("a quantifier over fractions", node.span)
        is_truth = isinstance(element, Scalar) and element.is_boolean

        def write() -> None:
            before, self.copies = self.copies, 1
            self._write_fold(kind, node, is_truth, elements)
            self.copies = before

        found = self.program.call(kind, write)
        return self.answer(found) if kind in {"any", "all"} else Code(found, result)

    def _write_fold(self, kind: str, node: Fold, is_truth: bool, elements: Elements) -> None:
        match kind:
            case "any" | "all":
                self._write_decision(kind == "any", elements)
            case "first":
                elements(lambda low: self.builder.give(self._number(low, node)))
                self.builder.give(self._nothing(node))
            case "last":
                found = self.program.hold(self._nothing(node), "found")
                elements(lambda low: self.builder.assign(found, self._number(low, node)))
                self.builder.give(found)
            case "sum":
                self._write_sum(elements)
            case "count":
                self._write_count(is_truth, elements)
            case "min" | "max":
                self._write_extreme(kind, node, elements)
            case _:
                raise CannotCompileError(f"`{kind}` as a value", node.span)

    def _write_decision(self, decides: bool, elements: Elements) -> None:
        """`any` and `all`: left where an element decides."""

        def decide(low: Low) -> None:
            test = self.value(low) if decides else not_(self.value(low))
            self.branch(test, lambda: self.builder.give(truth(decides)))

        elements(decide)
        self.builder.give(truth(not decides))

    def _write_sum(self, elements: Elements) -> None:
        total = self.program.hold(ZERO, "sum")
        elements(lambda low: self.builder.assign(total, total + self.value(low)))
        self.builder.give(total)

    def _write_count(self, is_truth: bool, elements: Elements) -> None:
        """How many elements there are; of conditions, how many hold."""
        total = self.program.hold(ZERO, "count")

        def add(low: Low) -> None:
            if isinstance(low, Code) and low.expr.can_fail and not is_truth:
                self.builder.evaluate(low.expr)
            test = self.value(low) if is_truth else TRUE
            self.branch(test, lambda: self.builder.assign(total, total + 1))

        elements(add)
        self.builder.give(total)

    def _number(self, low: Low, node: nodes.Expr) -> Expr:
        """A value of `first` or `last`: a truth value as a number, if `none` can come out too."""
        assert isinstance(node.type, Scalar)
        return self.value(low) if node.type.is_boolean else self._as_number(low)

    def _nothing(self, node: nodes.Expr) -> Expr:
        assert isinstance(node.type, Scalar)
        return FALSE if node.type.is_boolean else integer(self.codes.none)

    def _write_extreme(self, kind: str, node: Fold, elements: Elements) -> None:
        best, is_some = self.program.hold(ZERO, "best"), self.program.hold(FALSE, "some")

        def compare(low: Low) -> None:
            if isinstance(low, Code) and low.type.can_be_none:
                raise CannotCompileError(f"`{kind}` of what may be `none`", node.span)
            item = self.value(self._hold(low, "item"))
            is_better = item.lt(best) if kind == "min" else item.gt(best)
            with self.builder.when(any_of([not_(is_some), is_better])):
                self.builder.assign(best, item)
                self.builder.assign(is_some, TRUE)

        elements(compare)
        site = self.site("E3007", node.span, lambda _, __: (f"`{kind}` of nothing", None), (kind,))
        with self.builder.when(not_(is_some)):
            self.builder.fault(site)
        self.builder.give(best)

    # --- membership ------------------------------------------------------------------------

    def member(self, node: nodes.Member, scope: Scope) -> Low:
        """`in`: comparisons where the elements are few, else a search."""
        if isinstance(node.element.type, TupleType):
            return self._member_of_tuples(node, scope)
        element = self.lower(node.element, scope)
        found = self._member(node, element, scope)
        if isinstance(element, Code) and isinstance(found, Known):
            return self.answer(self.after(element.expr, found.value is True))
        return found

    def _member(self, node: nodes.Member, element: Low, scope: Scope) -> Low:
        known = self._known_elements(node.collection, scope)
        if known is not None:
            return self._member_of_known(node, element, known, scope)
        if isinstance(node.collection, nodes.Collect):
            items = [self.lower(item, scope) for item in node.collection.items]
            if not self.may_fail(items):
                return self._one_of(node, element, items)
        return self._searched(node, element, scope)

    def _member_of_known(
        self, node: nodes.Member, element: Low, known: tuple[Value, ...], scope: Scope
    ) -> Low:
        if isinstance(element, Code) and len(known) <= FEW and isinstance(node.element, nodes.Cell):
            tests = [self.is_cell(node.element, value, scope) for value in known]
            found = [test for test in tests if test is not None]
            if len(found) == len(tests):
                return self.answer(any_of(found))
        is_coded = not any(isinstance(value, tuple | Fraction) for value in known)
        if isinstance(element, Code) and len(known) > FEW and element.per == 1 and is_coded:
            codes = [self.codes.code(value) for value in known]
            return self.answer(self.among(self.integer_of(element), codes))
        return self._one_of(node, element, [Known(value) for value in known])

    def _one_of(self, node: nodes.Member, element: Low, items: Sequence[Low]) -> Low:
        return self.any_of([self.equal_lowered(element, item, node.span) for item in items])

    def _searched(self, node: nodes.Member, element: Low, scope: Scope) -> Low:
        given: dict[Expr, Expr] = {}
        sought = element
        if isinstance(element, Code) and not element.is_name:
            local = self.program.fresh("element", element.expr.type)
            given[local] = element.expr
            sought = replace(element, expr=local)

        def compare(low: Low) -> None:
            same = self.value(self.equal_lowered(sought, low, node.span))
            self.branch(same, lambda: self.builder.give(TRUE))

        def write() -> None:
            if self.safety.can_fail(node.collection):
                held = self.hold_collection(node.collection, scope, "member")
                self.go_through_held(held, compare, "member")
            else:
                self.go_through(node.collection, scope, compare)
            self.builder.give(FALSE)

        return self.answer(self.program.call("member", write, given))

    def _member_of_tuples(self, node: nodes.Member, scope: Scope) -> Low:
        """`(a, b) in {(c, d), (e, f)}`; what is written has to be evaluated in full."""
        known = self._known_elements(node.collection, scope)
        wanted: list[list[Low]] = []
        written: tuple[nodes.Expr, ...] = ()
        if known is not None:
            wanted = [[Known(item) for item in one] for one in known if isinstance(one, tuple)]
        elif isinstance(node.collection, nodes.Collect):
            written = node.collection.items
        else:
            raise CannotCompileError("membership of a tuple in a set that is not known", node.span)

        def test(rows: Sequence[Sequence[Low]]) -> Low:
            others = [*wanted, *rows[1:]]
            return self.any_of([self.same_items(rows[0], one, node.span) for one in others])

        return self.with_tuples((node.element, *written), scope, test)
