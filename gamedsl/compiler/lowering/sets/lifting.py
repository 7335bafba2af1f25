"""Lifting: the set of all squares for which a condition holds, computed by set operations.

The condition must not be able to fail; a local of the condition stands for the square. The result
is None where the condition cannot be lifted, and the caller then loops over the squares. The
recursion is over the condition: a cell becomes a plane, a step becomes a shift, `and` becomes `&`.
A part that does not depend on the square selects all squares or no squares.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, any_of, select
from gamedsl.compiler.lowering.sets import lines, preimages, square_sets
from gamedsl.compiler.lowering.sets.square_sets import Bits
from gamedsl.compiler.lowering.values import cells, expressions, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, type_of
from gamedsl.model.values import NONE


def lift(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """The squares for which a condition holds, with the square in scope. Results are cached by
    scope, because definitions may call each other many times over.
    """
    key = (tables.shape(lowering, node, scope, ()), scope.stuck, scope.calls)
    if key not in lowering.memo.lifted:
        lowering.memo.lifted[key] = _lift_anew(lowering, node, scope)
    return lowering.memo.lifted[key]


def _lift_anew(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    if not lowering.does(Strategy.LIFT):
        return None
    if not square_sets.depends(lowering, node, scope):
        low = lowering.lower(node, scope)
        if isinstance(low, Known):
            return lowering.sets.everything if low.value is True else lowering.sets.nothing
        return select(low.expr, lowering.sets.everything, lowering.sets.nothing)
    table = square_sets.mask_table(lowering, node, scope)
    if table is not None:
        return table
    match node:
        case nodes.Not():
            return _complement(lowering, lift(lowering, node.operand, scope))
        case nodes.Logic():
            return _lift_logic(lowering, node.operator, node.operands, scope)
        case nodes.Compare(operator="=="):
            return _lift_equal(lowering, node.left, node.right, scope, scope)
        case nodes.Compare(operator="!="):
            return _complement(lowering, _lift_equal(lowering, node.left, node.right, scope, scope))
        case nodes.Cell() if node.type.is_boolean:
            true = nodes.Const(node.span, BOOLEAN, True)
            return _lift_equal(lowering, node, true, scope, scope)
        case nodes.Member():
            return _lift_member(lowering, node, scope)
        case nodes.Conditional():
            test, then, otherwise = (
                lift(lowering, part, scope) for part in (node.condition, node.then, node.otherwise)
            )
            return preimages.chosen(lowering, test, then, otherwise)
        case nodes.Comprehension(kind="any" | "all"):
            return _lift_quantifier(lowering, node, scope, lowering.sets.everything)
    inside = expressions.behind(lowering, node, scope)
    return None if inside is None else lift(lowering, *inside)


def _complement(lowering: Lowering, bits: Bits | None) -> Bits | None:
    return None if bits is None else square_sets.neither(lowering, bits)


def _lift_logic(
    lowering: Lowering, operator: str, operands: Iterable[nodes.Expr], scope: Scope
) -> Bits | None:
    """Parts that do not depend on the square are tested first and can make the sets unnecessary."""
    is_and = operator == "and"
    tests: list[Expr] = []
    total = lowering.sets.everything if is_and else lowering.sets.nothing
    for operand in operands:
        if not square_sets.depends(lowering, operand, scope):
            low = lowering.lower(operand, scope)
            if isinstance(low, Code):
                tests.append(low.expr)
                continue
        bits = (
            _lift_among(lowering, operand, scope, total)
            if is_and
            else lift(lowering, operand, scope)
        )
        if bits is None:
            return None
        total = total & bits if is_and else total | bits
    if is_and:
        return select(all_of(tests), total, lowering.sets.nothing)
    return select(any_of(tests), lowering.sets.everything, total)


def _lift_among(lowering: Lowering, node: nodes.Expr, scope: Scope, among: Bits) -> Bits | None:
    """As `lift`, at least among the squares that pass the conditions before."""
    if isinstance(node, nodes.Not):
        return _complement(lowering, _lift_among(lowering, node.operand, scope, among))
    if isinstance(node, nodes.Comprehension) and node.kind in {"any", "all"}:
        clause = node.clauses[0]
        domain, _ = expressions.opened(lowering, clause.domain, scope)
        if domain.called == "group":
            return _lift_quantifier(lowering, node, scope, among)
    return lift(lowering, node, scope)


def _lift_quantifier(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope, among: Bits
) -> Bits | None:
    """A quantifier over few known values: one set per value, joined."""
    is_any = node.kind == "any"
    cases = _cases(lowering, node.clauses, scope)
    if cases is None:
        domain, inside = expressions.opened(lowering, node.clauses[0].domain, scope)
        if isinstance(domain, nodes.Conditional):
            return _lift_over_chosen(lowering, node, scope, domain, inside)
        return _lift_over_relatives(lowering, node, scope, among)
    total = lowering.sets.nothing if is_any else lowering.sets.everything
    for conditions, inner in cases:
        holds = _lift_logic(lowering, "and", conditions, inner)
        element = lift(lowering, node.element, inner)
        if holds is None or element is None:
            return None
        total = (
            total | holds & element
            if is_any
            else total & (square_sets.neither(lowering, holds) | element)
        )
    return total


def _cases(
    lowering: Lowering, clauses: tuple[nodes.Clause, ...], scope: Scope
) -> list[tuple[list[nodes.Expr], Scope]] | None:
    cases: list[tuple[list[nodes.Expr], Scope]] = [([], scope)]
    for clause in clauses:
        further: list[tuple[list[nodes.Expr], Scope]] = []
        for conditions, inner in cases:
            values = lowering.evaluator.known(clause.domain, inner)
            if not isinstance(values, tuple):
                return None
            more = [] if clause.condition is None else [clause.condition]
            further += [([*conditions, *more], inner.having(clause.slot, Known(v))) for v in values]
        cases = further
        if len(cases) > lowering.most_cases:
            return None
    return cases


def _lift_over_chosen(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope, domain: nodes.Expr, inside: Scope
) -> Bits | None:
    """A quantifier over one of several collections, chosen by conditions that do not depend on the
    square: one set per collection, chosen alike. Names of `domain`, the part of the choice in
    question, are in `inside`.
    """
    domain, inside = expressions.opened(lowering, domain, inside)
    values = lowering.evaluator.known(domain, inside)
    if isinstance(values, tuple):
        clause, *rest = node.clauses
        known = replace(clause, domain=nodes.Const(domain.span, domain.type, values))
        return lift(lowering, replace(node, clauses=(known, *rest)), scope)
    if not isinstance(domain, nodes.Conditional):
        return None
    if square_sets.depends(lowering, domain.condition, inside):
        return None
    then = _lift_over_chosen(lowering, node, scope, domain.then, inside)
    otherwise = _lift_over_chosen(lowering, node, scope, domain.otherwise, inside)
    if then is None or otherwise is None:
        return None
    return select(lowering.condition(domain.condition, inside), then, otherwise)


def _lift_over_relatives(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope, among: Bits
) -> Bits | None:
    """A quantifier over squares that differ for each square: first the set of deciding squares,
    then the squares related to a member of the set.
    """
    clause = node.clauses[0]
    tests = [node.element] if clause.condition is None else [clause.condition, node.element]
    if len(node.clauses) > 1 or any(square_sets.depends(lowering, test, scope) for test in tests):
        return None
    decide = square_sets.lifted(lowering, node.element, clause.slot, scope)
    if node.kind == "all":
        decide = _complement(lowering, decide)
    if decide is not None and clause.condition is not None:
        passing = square_sets.lifted(lowering, clause.condition, clause.slot, scope)
        decide = None if passing is None else passing & decide
    if decide is None:
        return None
    related = preimages.with_any_of(lowering, clause.domain, decide, scope, among)
    return _complement(lowering, related) if node.kind == "all" else related


def _lift_equal(
    lowering: Lowering, left: nodes.Expr, right: nodes.Expr, scope: Scope, outer: Scope
) -> Bits | None:
    """The squares for which two values are equal; names of `left` are in `scope`, names of `right`
    in `outer`.
    """
    if not square_sets.depends(lowering, left, scope):
        left, right, scope, outer = right, left, outer, scope
    left, scope = expressions.opened(lowering, left, scope)
    if isinstance(left, nodes.Conditional):
        then = _lift_equal(lowering, left.then, right, scope, outer)
        otherwise = _lift_equal(lowering, left.otherwise, right, scope, outer)
        return preimages.chosen(lowering, lift(lowering, left.condition, scope), then, otherwise)
    if square_sets.depends(lowering, right, outer):
        return _lift_equal_cells(lowering, left, right, scope, outer)
    if isinstance(left, nodes.Cell):
        return _lift_cell(lowering, left, lowering.lower(right, outer), scope)
    if preimages.is_place(left) and preimages.is_place(right):
        return _lift_same_place(lowering, left, lowering.lower(right, outer), scope)
    return None


def _lift_cell(lowering: Lowering, cell: nodes.Cell, value: Low, scope: Scope) -> Bits | None:
    place = preimages.planes(lowering, cell)
    if place is None:
        return _lift_cell_of_row(lowering, cell, value, scope)
    assert isinstance(cell.type, Scalar)
    is_none = isinstance(value, Known) and value.value is NONE
    if not is_none and cell.type.can_be_none and _may_be_none(value):
        return None
    held = preimages.preimage(
        lowering, cell.indices[0], lines.plane_of(lowering, place, value), scope
    )
    if not is_none or held is None:
        return held
    off = _complement(
        lowering, preimages.preimage(lowering, cell.indices[0], lowering.sets.everything, scope)
    )
    return None if off is None else off | held


def _lift_cell_of_row(
    lowering: Lowering, cell: nodes.Cell, value: Low, scope: Scope
) -> Bits | None:
    """`a[i, s] == value`, for a known `i` and value, and an array `a` in rows of bits."""
    if not isinstance(value, Known) or len(cell.indices) < 2:
        return None
    *fixed, index = cell.indices
    if value.value is NONE and not index.type.is_something:
        return None
    if any(square_sets.depends(lowering, node, scope) for node in fixed):
        return None
    lows, is_doubtful = cells.cell_index(lowering, cell.variable, tuple(fixed), scope)
    if is_doubtful or any(isinstance(low, Code) or low.value is NONE for low in lows):
        return None
    first = cells.number_of(lowering, cell.variable, lows)
    row = square_sets.row_of(lowering, lowering.layout.place_of(cell.variable), first)
    digit = cell.variable.domain.position(value.value)
    if row is None or digit is None:
        return None
    bits = row if digit else square_sets.neither(lowering, row)
    return preimages.preimage(lowering, index, bits, scope)


def _lift_equal_cells(
    lowering: Lowering, left: nodes.Expr, right: nodes.Expr, scope: Scope, outer: Scope
) -> Bits | None:
    """The squares where two cells are equal: the union, over all values, of the squares
    where both cells hold the value.
    """
    left_planes, right_planes = preimages.planes(lowering, left), preimages.planes(lowering, right)
    if left_planes is None or right_planes is None:
        return None
    assert isinstance(left, nodes.Cell)
    assert isinstance(right, nodes.Cell)
    values = [
        v for v in left_planes.variable.domain.values if v in right_planes.variable.domain.digit
    ]
    if NONE not in values and left.type.can_be_none and right.type.can_be_none:
        values.append(NONE)
    total = lowering.sets.nothing
    for value in values:
        held = _lift_cell(lowering, left, Known(value), scope)
        also = _lift_cell(lowering, right, Known(value), outer)
        if held is None or also is None:
            return None
        total = total | held & also
    return total


def _lift_same_place(lowering: Lowering, node: nodes.Expr, low: Low, scope: Scope) -> Bits | None:
    if node.type.can_be_none and _may_be_none(low):
        if isinstance(low, Known):
            return _complement(
                lowering, preimages.preimage(lowering, node, lowering.sets.everything, scope)
            )
        return None
    return preimages.preimage(lowering, node, preimages.one_square(lowering, low), scope)


def _lift_member(lowering: Lowering, node: nodes.Member, scope: Scope) -> Bits | None:
    collection, inner = expressions.opened(lowering, node.collection, scope)
    items: list[nodes.Expr] | None = None
    known = lowering.evaluator.known(collection, inner)
    if isinstance(known, tuple):
        items = [nodes.Const(node.span, type_of(value), value) for value in known]
    elif isinstance(collection, nodes.Collection):
        items = list(collection.items)
    is_place = preimages.is_place(node.element)
    if items is not None and (len(items) <= 8 or not is_place):
        return _lift_any_equal(lowering, node.element, items, scope, inner)
    if not is_place or square_sets.depends(lowering, collection, inner):
        return None
    bits = preimages.set_of(lowering, collection, inner)
    return None if bits is None else preimages.preimage(lowering, node.element, bits, scope)


def _lift_any_equal(
    lowering: Lowering, element: nodes.Expr, items: list[nodes.Expr], scope: Scope, inner: Scope
) -> Bits | None:
    squares = _lift_one_of_values(lowering, element, items, scope, inner)
    if squares is not None:
        return squares
    total = lowering.sets.nothing
    for item in items:
        item_squares = _lift_equal(lowering, element, item, scope, inner)
        if item_squares is None:
            return None
        total = total | item_squares
    return total


def _lift_one_of_values(
    lowering: Lowering, element: nodes.Expr, items: list[nodes.Expr], scope: Scope, inner: Scope
) -> Bits | None:
    """A cell that holds one of several known values: the union of the planes, shifted once."""
    cell, inside = expressions.opened(lowering, element, scope)
    place = preimages.planes(lowering, cell)
    if place is None or not isinstance(cell, nodes.Cell):
        return None
    digits = set()
    for item in items:
        value = lowering.evaluator.known(item, inner)
        if value is None or value is NONE:
            return None
        digit = place.variable.domain.position(value)
        digits |= set() if digit is None else {digit}
    return preimages.preimage(
        lowering, cell.indices[0], square_sets.planes_of(lowering, place, digits), inside
    )


def _may_be_none(low: Low) -> bool:
    return low.value is NONE if isinstance(low, Known) else low.type.can_be_none
