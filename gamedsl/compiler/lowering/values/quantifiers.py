"""Quantifiers, reductions and `in`: collections that become one value.

A node over a collection becomes `Known`, or `Code` that calls a function of its own. The function
returns as soon as the answer is known. Sets of squares are evaluated by `sets` where possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import (
    FALSE,
    TRUE,
    ZERO,
    all_of,
    any_of,
    integer,
    maximum,
    minimum,
    not_,
    truth,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values import cells, collections, conditions, numbers, order, subsets
from gamedsl.compiler.lowering.values.collections import Each
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope, SquareSet
from gamedsl.model import nodes, operations
from gamedsl.model.types import Scalar, TupleType, Type, element_of, number
from gamedsl.model.values import Value

NEEDS_VALUES = {
    "sum": numbers.needed_by("+"),
    "min": ("E3007", "`min` cannot order `none`"),
    "max": ("E3007", "`max` cannot order `none`"),
}
"""The messages of reductions that do not accept `none` as an element."""

FEW = 3

"""Most comparisons of a cell with known values that are written one by one."""

Elements = Callable[[Each], None]

"""Writes the loops over a collection."""

Fold = nodes.Comprehension | nodes.Builtin


def quantify_plain(lowering: Lowering, node: nodes.Comprehension, scope: Scope) -> Low:
    """A quantifier as a function of its own."""

    def elements(each: Each) -> None:
        lowering.rounds(
            node.clauses, scope, lambda inner: each(lowering.lower(node.element, inner))
        )

    return _folded(lowering, node.kind, node, node.element.type, elements)


def reduce(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """A reduction of a collection as a function of its own."""
    collection = node.arguments[0]
    if isinstance(collection.type, Scalar):
        raise CannotCompileError(f"`{node.name}` of one value", node.span)
    kind = "count" if node.name == "len" else node.name
    if kind in {"min", "max"} and isinstance(collection, nodes.Collection):
        extreme = _extreme_of_items(lowering, node, collection, scope)
        if extreme is not None:
            return extreme
    go_through = collections.go_through
    if kind in {"min", "max"}:
        go_through = collections.go_through_freely
    elif kind in {"any", "all", "first"}:
        go_through = collections.go_through_whole
    return _folded(
        lowering,
        kind,
        node,
        element_of(collection.type) if node.name != "len" else number(0, 0),
        lambda each: go_through(lowering, collection, scope, each),
    )


def _extreme_of_items(
    lowering: Lowering, node: nodes.Builtin, collection: nodes.Collection, scope: Scope
) -> Low | None:
    """`min(80, quiet + 1)`: no loop."""
    lows = [lowering.lower(item, scope) for item in collection.items]
    for item in collection.items:
        if not isinstance(item.type, Scalar) or item.type.kinds != {"number"}:
            return None
    if any(isinstance(low, Code) and low.per != 1 for low in lows) or len(lows) < 2:
        return None
    assert isinstance(node.type, Scalar)
    extreme = minimum if node.name == "min" else maximum
    return Code(extreme(*map(lowering.value, lows)), node.type)


def _folded(lowering: Lowering, kind: str, node: Fold, element: Type, elements: Elements) -> Low:
    """A function that loops over the elements and returns as soon as the answer is known."""
    result = node.type
    if not isinstance(result, Scalar):
        raise CannotCompileError("a collection that is neither known nor gone through", node.span)
    if result.rational or (isinstance(element, Scalar) and element.rational):
        raise CannotCompileError("a quantifier over fractions", node.span)
    is_truth = element.is_boolean
    if kind in NEEDS_VALUES and element.can_be_none:
        elements = _present(lowering, NEEDS_VALUES[kind], node, elements)

    write = partial(_write_fold, lowering, kind, node, is_truth, elements)
    folded = lowering.program.call(kind, write, copies=1)
    return numbers.answer(folded) if kind in {"any", "all"} else Code(folded, result)


def _present(lowering: Lowering, need: numbers.Need, node: Fold, elements: Elements) -> Elements:
    """The elements without `none`; a `none` among them is a fault after all are evaluated."""

    def write(each: Each) -> None:
        is_missing = lowering.program.hold(FALSE, "missing")

        def unless_none(low: Low) -> None:
            if isinstance(low, Code) and not low.type.can_be_none:
                each(low)
                return
            item = order.hold(lowering, low, "item")
            conditions.branch(
                lowering,
                lowering.value(numbers.is_none(lowering, item)),
                lambda: lowering.builder.assign(is_missing, TRUE),
                lambda: each(_without_none(item)),
            )

        elements(unless_none)
        site = numbers.none_site(lowering, need, node.span)
        with lowering.builder.when(is_missing):
            lowering.builder.fault(site)

    return write


def _without_none(low: Low) -> Low:
    return replace(low, type=low.type.without_none()) if isinstance(low, Code) else low


def _write_fold(
    lowering: Lowering, kind: str, node: Fold, is_truth: bool, elements: Elements
) -> None:
    match kind:
        case "any" | "all":
            _write_decision(lowering, kind == "any", elements)
        case "first":
            elements(lambda low: lowering.builder.give(_number(lowering, low, node)))
            lowering.builder.give(_nothing(lowering, node))
        case "last":
            last = lowering.program.hold(_nothing(lowering, node), "found")
            elements(lambda low: lowering.builder.assign(last, _number(lowering, low, node)))
            lowering.builder.give(last)
        case "sum":
            _write_sum(lowering, elements)
        case "count":
            _write_count(lowering, is_truth, elements)
        case "min" | "max":
            _write_extreme(lowering, kind, node, elements)
        case _:
            raise CannotCompileError(f"`{kind}` as a value", node.span)


def _write_decision(lowering: Lowering, decides: bool, elements: Elements) -> None:
    """`any` and `all`: return at an element that decides."""

    def decide(low: Low) -> None:
        test = lowering.value(low) if decides else not_(lowering.value(low))
        conditions.branch(lowering, test, lambda: lowering.builder.give(truth(decides)))

    elements(decide)
    lowering.builder.give(truth(not decides))


def _write_sum(lowering: Lowering, elements: Elements) -> None:
    total = lowering.program.hold(ZERO, "sum")
    elements(lambda low: lowering.builder.assign(total, total + lowering.value(low)))
    lowering.builder.give(total)


def _write_count(lowering: Lowering, is_truth: bool, elements: Elements) -> None:
    """The number of elements; for conditions, the number that hold."""
    total = lowering.program.hold(ZERO, "count")

    def add(low: Low) -> None:
        if isinstance(low, Code) and low.expr.can_fail and not is_truth:
            lowering.builder.evaluate(low.expr)
        test = lowering.value(low) if is_truth else TRUE
        conditions.branch(lowering, test, lambda: lowering.builder.assign(total, total + 1))

    elements(add)
    lowering.builder.give(total)


def _number(lowering: Lowering, low: Low, node: nodes.Expr) -> Expr:
    """A value of `first` or `last`: a truth value as a number, if the result can also be `none`."""
    assert isinstance(node.type, Scalar)
    return lowering.value(low) if node.type.is_boolean else numbers.as_number(lowering, low)


def _nothing(lowering: Lowering, node: nodes.Expr) -> Expr:
    assert isinstance(node.type, Scalar)
    return FALSE if node.type.is_boolean else integer(lowering.codes.none)


def _write_extreme(lowering: Lowering, kind: str, node: Fold, elements: Elements) -> None:
    best, is_some = lowering.program.hold(ZERO, "best"), lowering.program.hold(FALSE, "some")

    def compare(low: Low) -> None:
        item = lowering.value(order.hold(lowering, low, "item"))
        is_better = item.lt(best) if kind == "min" else item.gt(best)
        with lowering.builder.when(any_of([not_(is_some), is_better])):
            lowering.builder.assign(best, item)
            lowering.builder.assign(is_some, TRUE)

    elements(compare)
    if lowering.memo.traits.fails_itself(node):
        said = operations.of_nothing(kind)
        message = str(said), said.hint
        site = lowering.origin.site("E3007", node.span, lambda _, __: message, (kind,))
        with lowering.builder.when(not_(is_some)):
            lowering.builder.fault(site)
    lowering.builder.give(best)


def member(lowering: Lowering, node: nodes.Member, scope: Scope) -> Low:
    """`in`: comparisons where the elements are few, else a search."""
    if isinstance(node.element.type, TupleType):
        return _member_of_tuples(lowering, node, scope)
    element = lowering.lower(node.element, scope)
    answer = _member(lowering, node, element, scope)
    if isinstance(element, Code) and isinstance(answer, Known):
        return numbers.answer(conditions.after(lowering, element.expr, answer.value is True))
    return answer


def _member(lowering: Lowering, node: nodes.Member, element: Low, scope: Scope) -> Low:
    known = collections.known_elements(lowering, node.collection, scope)
    if known is not None:
        return _member_of_known(lowering, node, element, known, scope)
    held = scope.of(node.collection.local)
    if isinstance(held, SquareSet):
        return _member_of_squares(lowering, element, held.squares)
    chosen = collections.chosen_set(lowering, node.collection, scope)
    if chosen is not None and not (chosen.bits.can_fail and order.may_fail([element])):
        there = subsets.holds(lowering, chosen, element)
        if there is not None:
            return numbers.answer(there)
    if isinstance(node.collection, nodes.Collection):
        items = [lowering.lower(item, scope) for item in node.collection.items]
        if not order.may_fail(items):
            return _one_of(lowering, node, element, items)
    return _searched(lowering, node, element, scope)


def _member_of_known(
    lowering: Lowering, node: nodes.Member, element: Low, known: tuple[Value, ...], scope: Scope
) -> Low:
    if not known:
        return Known(False)
    if isinstance(element, Code) and len(known) <= FEW and isinstance(node.element, nodes.Cell):
        tests = [cells.is_cell(lowering, node.element, value, scope) for value in known]
        direct_tests = [test for test in tests if test is not None]
        if len(direct_tests) == len(tests):
            return numbers.answer(any_of(direct_tests))
    is_coded = not any(isinstance(value, tuple | Fraction) for value in known)
    if isinstance(element, Code) and len(known) > FEW and element.per == 1 and is_coded:
        codes = [lowering.codes.code(value) for value in known]
        return numbers.answer(lowering.among(lowering.integer_of(element), codes))
    return _one_of(lowering, node, element, [Known(value) for value in known])


def _member_of_squares(lowering: Lowering, element: Low, squares: Expr) -> Low:
    """Whether the value is a square whose bit is in a set."""
    if isinstance(element, Known):
        return numbers.answer((squares & lowering.sets.of((element.value,))).ne(0))
    place = collections.at_base(lowering, element.expr)
    inside = ((squares >> place) & 1).ne(0)
    if not element.type.is_square:
        raise CannotCompileError("membership of other values in a set of squares")
    if not element.type.can_be_none:
        return numbers.answer(inside)
    return numbers.answer(all_of([element.expr.ne(lowering.codes.none), inside]))


def _one_of(lowering: Lowering, node: nodes.Member, element: Low, items: Sequence[Low]) -> Low:
    return conditions.disjunction(
        lowering, [conditions.equal_lowered(lowering, element, item, node.span) for item in items]
    )


def _searched(lowering: Lowering, node: nodes.Member, element: Low, scope: Scope) -> Low:
    arguments: dict[Expr, Expr] = {}
    sought = element
    if isinstance(element, Code) and not element.is_name:
        local = lowering.program.fresh("element", element.expr.type)
        arguments[local] = element.expr
        sought = replace(element, expr=local)

    def compare(low: Low) -> None:
        same = lowering.value(conditions.equal_lowered(lowering, sought, low, node.span))
        conditions.branch(lowering, same, lambda: lowering.builder.give(TRUE))

    def write() -> None:
        collections.go_through_whole(lowering, node.collection, scope, compare)
        lowering.builder.give(FALSE)

    return numbers.answer(lowering.program.call("member", write, arguments))


def _member_of_tuples(lowering: Lowering, node: nodes.Member, scope: Scope) -> Low:
    """`(a, b) in {(c, d), (e, f)}`; all written tuples have to be evaluated in full."""
    known = collections.known_elements(lowering, node.collection, scope)
    wanted: list[list[Low]] = []
    written: tuple[nodes.Expr, ...] = ()
    if known is not None:
        wanted = [[Known(item) for item in row] for row in known if isinstance(row, tuple)]
    elif isinstance(node.collection, nodes.Collection):
        written = node.collection.items
    else:
        raise CannotCompileError("membership of a tuple in a set that is not known", node.span)

    def test(rows: Sequence[Sequence[Low]]) -> Low:
        candidates = [*wanted, *rows[1:]]
        return conditions.disjunction(
            lowering,
            [
                conditions.same_items(lowering, rows[0], candidate, node.span)
                for candidate in candidates
            ],
        )

    return conditions.with_tuples(lowering, (node.element, *written), scope, test)
