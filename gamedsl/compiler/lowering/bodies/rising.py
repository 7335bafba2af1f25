"""Values that have to be written somewhere before a condition can become true.

A condition made of `and`, `or`, `any` and `all` over tests of cells for known values becomes true
only if a cell gets such a value. The group of a cell that holds a value grows only where cells get
the value.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir.values import INT, name
from gamedsl.compiler.lowering.values import expressions
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Bound, Code, Scope
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, element_of
from gamedsl.model.values import Value
from gamedsl.model.walk import expressions_of

Causes = tuple[tuple[nodes.Variable, Value], ...]
"""Variables with values that are new in a cell."""

ANY = name("any value", INT)
"""Stands for the local of a clause."""
FIXED = nodes.Const | nodes.Compare | nodes.Arithmetic | nodes.Logic | nodes.Not | nodes.Builtin
"""Expressions that are fixed if their parts are."""


def causes(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Causes | None:
    """The values of which one has to be new in a cell where a condition has become true, whoever
    is to move; None if not known. The scope has nobody's turn."""
    if _is_fixed(lowering, node, scope):
        return ()
    node, scope = expressions.opened(lowering, node, scope)
    match node:
        case nodes.Apply():
            inner = expressions.bound(lowering, node, scope)
            return None if inner is None else causes(lowering, node.definition.body, inner)
        case nodes.Builtin(name="line", arguments=(_, value, length, *_)):
            if lowering.evaluator.known(length, scope) is None:
                return None
            return _new(node.array.variable, lowering.evaluator.known(value, scope))
        case nodes.Logic():
            return _of_all(_of_operands(lowering, node, scope))
        case nodes.Compare(operator="=="):
            return _of_equal(lowering, node, scope)
        case nodes.Cell() if node.type.is_boolean:
            fixed = all(_is_fixed(lowering, index, scope) for index in node.indices)
            return _new(node.variable, True) if fixed else None
        case nodes.Comprehension(kind="any" | "all"):
            return _of_quantifier(lowering, node, scope, None)
    return None


def _new(variable: nodes.Variable, value: Value | None) -> Causes | None:
    return None if value is None else ((variable, value),)


def _of_all(parts: Iterable[Causes | None]) -> Causes | None:
    total: Causes = ()
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _of_operands(lowering: Lowering, node: nodes.Logic, scope: Scope) -> Iterable[Causes | None]:
    """The causes of operands; behind a test of a cell, also those of a test of its group."""
    held: nodes.Compare | None = None
    for operand in node.operands:
        if isinstance(operand, nodes.Comprehension) and operand.kind == "any":
            yield _of_quantifier(lowering, operand, scope, held)
        else:
            yield causes(lowering, operand, scope)
        if node.operator == "and" and isinstance(operand, nodes.Compare):
            held = operand


def _of_equal(lowering: Lowering, node: nodes.Compare, scope: Scope) -> Causes | None:
    """The cause of a test of a cell for a known value."""
    for cell, value in ((node.left, node.right), (node.right, node.left)):
        if isinstance(cell, nodes.Cell) and not cell.variable.is_constant:
            fixed = all(_is_fixed(lowering, index, scope) for index in cell.indices)
            return _new(cell.variable, lowering.evaluator.known(value, scope)) if fixed else None
    return None


def _of_quantifier(
    lowering: Lowering, node: nodes.Comprehension, scope: Scope, held: nodes.Compare | None
) -> Causes | None:
    """The causes of `any` and `all`. `held`: a test that holds where the quantifier matters."""
    parts: list[Causes | None] = []
    for clause in node.clauses:
        domain, kind = clause.domain, element_of(clause.domain.type)
        if not isinstance(kind, Scalar):
            return None
        if not _is_fixed(lowering, domain, scope):
            if held is None or node.kind == "all" or not _is_group_of(domain, held):
                return None
            parts.append(_of_equal(lowering, held, scope))
        scope = scope.having(clause.slot, Code(ANY, kind))
        if clause.condition is not None:
            fixed = _is_fixed(lowering, clause.condition, scope)
            if node.kind == "all" and not fixed:
                return None
            parts.append(causes(lowering, clause.condition, scope))
    return _of_all([*parts, causes(lowering, node.element, scope)])


def _is_group_of(domain: nodes.Expr, held: nodes.Compare) -> bool:
    """Whether a collection is the group of the cell in a test."""
    match domain, held:
        case (
            nodes.Builtin(name="group", arguments=(whole, s, *_)),
            nodes.Compare(operator="==", left=nodes.Cell(indices=(start,)) as cell),
        ) if s.local is not None:
            return whole.reads is cell.variable and s.local == start.local
    return False


def _is_fixed(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression has the same value in all states, given the locals of clauses."""
    if lowering.evaluator.known(node, scope) is not None:
        return True
    if node.local is not None:
        meaning = scope.of(node.local)
        if isinstance(meaning, Bound):
            return _is_fixed(lowering, meaning.node, meaning.scope)
        return isinstance(meaning, Code) and meaning.expr is ANY
    parts = expressions_of(node)
    return (
        isinstance(node, FIXED)
        and bool(parts)
        and all(_is_fixed(lowering, part, scope) for part in parts)
    )
