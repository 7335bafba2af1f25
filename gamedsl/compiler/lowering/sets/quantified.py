"""Loops over sets of squares, and quantifiers evaluated by sets of squares.

Where `lifting` gives a set, the set is used, else the loops of `collections`. Both give the same
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from gamedsl.compiler.ir.values import (
    FALSE,
    TRUE,
    all_of,
    count,
    highest,
    integer,
    lowest,
    select,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.lowering.sets import fills, preimages, square_sets
from gamedsl.compiler.lowering.sets.fills import is_upward
from gamedsl.compiler.lowering.sets.necessary import necessary
from gamedsl.compiler.lowering.sets.square_sets import Bits
from gamedsl.compiler.lowering.values import (
    cells,
    collections,
    comparisons,
    conditions,
    expressions,
    numbers,
    order,
    quantifiers,
)
from gamedsl.compiler.lowering.values.collections import Each
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import key
from gamedsl.model.types import BOOLEAN, Scalar, SetType, element_of, may_repeat, number, scalar_of
from gamedsl.model.values import EMPTY, NONE, Square, Value
from gamedsl.model.walk import conjuncts, parts, with_parts, within


def set_of_squares(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """A collection of squares in board order, as a set; else None."""
    node, scope = expressions.opened(lowering, node, scope)
    is_ordered = node.called == "group"
    if isinstance(node, nodes.Comprehension) and len(node.clauses) == 1:
        values = lowering.evaluator.known(node.clauses[0].domain, scope)
        is_ordered = isinstance(values, tuple) and is_ascending(lowering, values)
    return preimages.set_of(lowering, node, scope) if is_ordered else None


def is_ascending(lowering: Lowering, values: tuple[Value, ...]) -> bool:
    """Whether the values are squares in the order of the board."""
    places = [lowering.codes.code(v) for v in values if isinstance(v, Square)]
    return len(places) == len(values) > 0 and places == sorted(set(places))


def go_through_squares(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """Loops over a group or a line of sight."""
    if node.name == "group":
        held = lowering.program.hold(fills.group(lowering, node, scope), f"{stem}s")
        collections.go_through_bits(lowering, held, each, stem)
        return
    _go_through_sight(lowering, node, scope, each, stem)


def _go_through_sight(
    lowering: Lowering, node: nodes.Builtin, scope: Scope, each: Each, stem: str
) -> None:
    """The ray up to and including the first square that is not empty."""
    whole, (_, start, way) = node.array, node.arguments
    variable = whole.variable
    ray = nodes.Builtin(
        node.span, SetType(collections.square_type(lowering), 64), "ray", (start, way)
    )
    fixed, _ = cells.cell_index(lowering, variable, whole.fixed, scope)
    fixed = [order.hold(lowering, low, "part") for low in fixed]
    seen = lowering.program.hold(TRUE, "seen")

    def visible(element: Low) -> None:
        held = order.hold(lowering, element, stem)
        with lowering.builder.when(seen):
            there = cells.number_of(lowering, variable, [*fixed, held])
            lowering.builder.assign(seen, _is_vacant(lowering, variable, there))
            each(held)

    collections.go_through(lowering, ray, scope, visible, stem)


def _is_vacant(lowering: Lowering, variable: nodes.Variable, there: Expr) -> Expr:
    vacant, place = variable.domain.digit.get(EMPTY), lowering.layout.place_of(variable)
    if vacant is None:
        return FALSE
    if isinstance(place, Planes):
        return cells.bit(lowering, cells.plane(lowering, place, vacant), there)
    return cells.digit_at(lowering, place, there).eq(vacant)


def rounds(
    lowering: Lowering,
    clauses: tuple[nodes.Clause, ...],
    scope: Scope,
    each: Callable[[Scope], None],
) -> None:
    """As in `collections`; over squares, only the squares that pass the liftable part of
    `where`.
    """
    clause, rest = clauses[0], clauses[1:]
    if clause.condition is None or lowering.can_fail(clause.condition):
        collections.rounds_plain(lowering, clauses, scope, each)
        return
    values = lowering.evaluator.known(clause.domain, scope)
    if not isinstance(values, tuple) or not is_ascending(lowering, values) or len(values) < 5:
        collections.rounds_plain(lowering, clauses, scope, each)
        return
    squares = lowering.sets.of(values)
    bits, residue = sieve(lowering, squares, conjuncts(clause.condition), clause.slot, scope)

    def with_value(element: Low) -> None:
        inner = scope.having(clause.slot, element)
        only_if_all(
            lowering,
            [(test, inner) for test in residue],
            lambda: rounds(lowering, rest, inner, each) if rest else each(inner),
        )

    collections.go_through_bits(
        lowering, lowering.program.hold(bits, f"{clause.name}s"), with_value, clause.name
    )


def sieve(
    lowering: Lowering, bits: Bits, conditions: list[nodes.Expr], slot: int, scope: Scope
) -> tuple[Bits, list[nodes.Expr]]:
    """The squares of a set that pass the liftable conditions, and the remaining conditions; where
    the board alone rules out squares for these, the squares are left out, too."""
    residue = []
    for condition in conditions:
        squares = square_sets.lifted(lowering, condition, slot, scope)
        if squares is None:
            residue.append(condition)
            possible = necessary(lowering, condition)
            if possible is not None:
                squares = square_sets.lifted(lowering, possible, slot, scope)
        if squares is not None:
            bits = bits & squares
    return bits, residue


def only_if_all(
    lowering: Lowering, tests: list[tuple[nodes.Expr, Scope]], write: Callable[[], None]
) -> None:
    """The statements of `write`, executed only where all tests hold."""
    conditions.branch(
        lowering, all_of(lowering.condition(node, scope) for node, scope in tests), write
    )


def quantify(lowering: Lowering, node: nodes.Comprehension, scope: Scope) -> Low:
    """By a set of squares where possible, else by loops."""
    low = _by_set(lowering, node, scope)
    return quantifiers.quantify_plain(lowering, node, scope) if low is None else low


def reduce(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """The size of a set of squares by its bits, other reductions by loops."""
    counted, bits = node.arguments[0], None
    if node.name == "len" and not may_repeat(counted.type):
        bits = set_of_squares(lowering, counted, scope)
    if bits is None:
        return quantifiers.reduce(lowering, node, scope)
    return Code(count(bits), number(0, len(lowering.codes.squares)))


def _by_set(lowering: Lowering, node: nodes.Comprehension, scope: Scope) -> Low | None:
    """A quantifier over one square, evaluated by the set of squares that satisfy its condition."""
    if lowering.can_fail(node) or not lowering.codes.squares:
        return None
    if len(node.clauses) > 1:
        nested = _nested(node)
        return None if nested is None else _by_set(lowering, nested, scope)
    clause = node.clauses[0]
    if node.kind in {"first", "last"}:
        return _end_of_set(lowering, node, scope)
    if node.kind in {"any", "all"} and not _ranges_over_squares(clause):
        return _by_targets(lowering, node, scope)
    if node.kind not in {"any", "all", "count"} or not _ranges_over_squares(clause):
        return None
    if node.kind == "count" and may_repeat(clause.domain.type):
        return None
    bits = preimages.passing(lowering, clause, scope)
    if bits is None:
        return None
    if node.element.type.is_boolean:
        element = square_sets.lifted(lowering, node.element, clause.slot, scope)
        if element is None:
            return None
        bits = bits & (square_sets.neither(lowering, element) if node.kind == "all" else element)
    if node.kind != "count":
        return numbers.answer(bits.ne(0) if node.kind == "any" else bits.eq(0))
    total = count(bits)
    kind = number(0, len(lowering.codes.squares))
    return Known(total.const) if total.is_const else Code(total, kind)


def _nested(node: nodes.Comprehension) -> nodes.Comprehension | None:
    """`any(e for a in A for b in B)` as `any(any(e for b in B) for a in A)`."""
    if node.kind not in {"any", "all"} or not _ranges_over_squares(node.clauses[0]):
        return None
    inner = replace(node, clauses=node.clauses[1:])
    return replace(node, clauses=node.clauses[:1], element=inner)


def _by_targets(lowering: Lowering, node: nodes.Comprehension, scope: Scope) -> Low | None:
    """`any(c(s + d) for d in D)`: whether c holds on one of the squares s + d. The condition may
    depend on the element by way of one square alone, and must decide nothing where the square is
    `none`.
    """
    (clause,) = node.clauses
    values = lowering.evaluator.known(clause.domain, scope)
    targets = _targets(node.element, clause.slot)
    if clause.condition is not None or not isinstance(values, tuple) or not targets:
        return None
    target = targets[0]
    if len({key(part) for part in targets}) > 1 or not preimages.is_place(target):
        return None
    kind = collections.square_type(lowering)
    local = nodes.Local(target.span, kind, clause.name, clause.slot)
    element = _with_target(node.element, key(target), local)
    nowhere = scope.having(clause.slot, Known(NONE))
    if target.type.can_be_none and lowering.lower(element, nowhere) != Known(node.kind == "all"):
        return None
    holds = square_sets.lifted(lowering, element, clause.slot, scope)
    reached = _reached(lowering, target, clause, values, scope)
    if holds is None or reached is None:
        return None
    if node.kind == "any":
        return numbers.answer((reached & holds).ne(0))
    return numbers.answer((reached & square_sets.neither(lowering, holds)).eq(0))


def _targets(node: nodes.Expr, slot: int, bound: frozenset[int] = frozenset()) -> list[nodes.Expr]:
    """The largest parts of a condition that are squares, depend on a local, and depend on no local
    that is `bound` within the condition; where the local is read elsewhere, the local itself is
    among them."""
    if isinstance(node, nodes.Local):
        return [node] if node.slot == slot else []
    inside = bound.union(node.binds)
    below = [target for part in parts(node) for target in _targets(part, slot, inside)]
    is_target = below and preimages.is_place(node)
    if is_target and not any(part.local in bound for part in within(node)):
        return [node]
    return below


def _with_target(node: nodes.Expr, target: Hashable, local: nodes.Local) -> nodes.Expr:
    """A condition with a local in place of a part."""
    if key(node) == target:
        return local
    return with_parts(node, lambda part: _with_target(part, target, local))


def _reached(
    lowering: Lowering,
    target: nodes.Expr,
    clause: nodes.Clause,
    values: tuple[Value, ...],
    scope: Scope,
) -> Bits | None:
    """The set of the squares that an expression reaches for the values of a clause."""
    nothing = nodes.Const(target.span, scalar_of((NONE,)), NONE)
    is_there = nodes.Compare(target.span, BOOLEAN, "!=", target, nothing)
    squares = nodes.Comprehension(
        target.span,
        SetType(collections.square_type(lowering), len(values)),
        "set",
        (replace(clause, condition=is_there),),
        target,
    )
    table = square_sets.collection_table(lowering, squares, scope)
    if table is not None:
        return table
    reached = lowering.sets.nothing
    for value in values:
        reached |= preimages.square_of(lowering, target, scope.having(clause.slot, Known(value)))
    return reached


def compare(lowering: Lowering, node: nodes.Compare, scope: Scope) -> Low:
    """A comparison of `first` or `last` with `none` becomes a test for an empty set."""
    asked = asked_end(lowering, node, scope)
    if asked is None:
        return comparisons.compare_plain(lowering, node, scope)
    _, _, bits = asked
    return numbers.answer(bits.ne(0) if node.operator == "!=" else bits.eq(0))


def asked_end(
    lowering: Lowering, node: nodes.Compare, scope: Scope
) -> tuple[nodes.Clause, Scope, Bits] | None:
    """For a comparison of `first` or `last` with `none`: the clause over the squares, its scope,
    and the set of squares.
    """
    for side, opposite in ((node.left, node.right), (node.right, node.left)):
        is_test = (
            node.operator in {"==", "!="} and lowering.evaluator.known(opposite, scope) is NONE
        )
        if is_test and not lowering.can_fail(side):
            end, inner = expressions.opened(lowering, side, scope)
            end_set = (
                end_of_set(lowering, end, inner) if isinstance(end, nodes.Comprehension) else None
            )
            if end_set is not None and isinstance(end, nodes.Comprehension):
                return end.clauses[0], inner, end_set[0]
    return None


def _end_of_set(lowering: Lowering, node: nodes.Comprehension, scope: Scope) -> Low | None:
    """`first` and `last` of squares in the order of the board, or along a ray."""
    end_set = end_of_set(lowering, node, scope)
    if end_set is None:
        return None
    bits, is_lowest = end_set
    assert isinstance(node.type, Scalar)
    end = collections.square_at(lowering, lowest(bits) if is_lowest else highest(bits))
    return Code(select(bits.ne(0), end.expr, integer(lowering.codes.none)), node.type)


def end_of_set(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope
) -> tuple[Bits, bool] | None:
    """The set of which `first` or `last` is an end, and whether the end is the lowest bit."""
    if node.kind not in {"first", "last"} or not collections.is_own_element(node):
        return None
    clause = node.clauses[0]
    if not lowering.codes.squares or not _ranges_over_squares(clause):
        return None
    upward = direction(lowering, clause.domain, scope)
    bits = preimages.passing(lowering, clause, scope) if upward is not None else None
    if bits is None or bits.is_const:
        return None
    return bits, upward == (node.kind == "first")


def direction(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool | None:
    """Whether a collection of squares goes up in the order of the board; None if neither up nor
    down.
    """
    values = lowering.evaluator.known(node, scope)
    if isinstance(values, tuple):
        if is_ascending(lowering, values):
            return True
        return False if is_ascending(lowering, values[::-1]) else None
    node, scope = expressions.opened(lowering, node, scope)
    match node:
        case nodes.Builtin(name="group"):
            return True
        case nodes.Builtin(name="ray", arguments=(_, way)):
            return is_upward(lowering, fills.way(lowering, way, scope))
        case nodes.Builtin(name="sight", arguments=(_, _, way)):
            return is_upward(lowering, fills.way(lowering, way, scope))
    return None


def _ranges_over_squares(clause: nodes.Clause) -> bool:
    kind = element_of(clause.domain.type)
    return kind.is_square and not kind.can_be_none
