"""Necessary conditions on the board alone, for conditions that have no set of squares of their own.

In: a condition of the rules. Out: a condition that reads no state and cannot fail; where the latter
does not hold, the former is false, and its evaluation does not fail. `reaches(a, b)` gives the
squares that a man could reach on an empty board: a table of sets leaves out all other squares
before the condition itself is asked, even a guard that may fail.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN
from gamedsl.model.walk import within


def necessary(lowering: Lowering, node: nodes.Expr) -> nodes.Expr | None:
    """A necessary condition on the board alone; None where there is none but `true`."""
    kept = lowering.memo.necessary
    if id(node) not in kept:
        kept[id(node)] = node, _necessary(lowering, node)  # kept alive: the ids stay unique
    return kept[id(node)][1]


def _necessary(lowering: Lowering, node: nodes.Expr) -> nodes.Expr | None:
    if _is_certain(lowering, node):
        return node
    match node:
        case nodes.Logic(operator="and"):
            return _of_all(lowering, node)
        case nodes.Logic():
            parts = [necessary(lowering, operand) for operand in node.operands]
            some = tuple(part for part in parts if part is not None)
            return replace(node, operands=some) if len(some) == len(parts) else None
        case nodes.Conditional() if _is_certain(lowering, node.condition):
            then, otherwise = (necessary(lowering, part) for part in (node.then, node.otherwise))
            if then is None and otherwise is None:
                return None
            true = nodes.Const(node.span, BOOLEAN, True)
            return replace(node, then=then or true, otherwise=otherwise or true)
        case nodes.Comprehension(kind="any"):
            element = necessary(lowering, node.element)
            is_certain = all(_is_certain(lowering, part) for part in _ranges(node))
            return replace(node, element=element) if is_certain and element is not None else None
        case nodes.Member(collection=nodes.Builtin(name="sight") as sight):
            way = replace(sight, name="ray", arguments=sight.arguments[1:])
            seen = replace(node, collection=way)
            return seen if _is_certain(lowering, seen) else None
        case nodes.Apply() if all(_is_certain(lowering, part) for part in node.arguments):
            body = necessary(lowering, node.definition.body)
            if body is not None:
                return replace(node, definition=replace(node.definition, body=body, truth=None))
    return None


def _is_certain(lowering: Lowering, node: nodes.Expr) -> bool:
    """Whether an expression reads no state and cannot fail."""
    return not lowering.can_fail(node) and not any(
        part.asks in {"state", "moves"} or isinstance(part, nodes.ApplyRecursive)
        for part in within(node)
    )


def _of_all(lowering: Lowering, node: nodes.Logic) -> nodes.Expr | None:
    """The operands up to the first that may fail: behind it, an operand may be false where it
    fails."""
    some: list[nodes.Expr] = []
    for operand in node.operands:
        part = necessary(lowering, operand)
        if part is not None:
            some.append(part)
        if lowering.can_fail(operand):
            break
    if len(some) > 1:
        return replace(node, operands=tuple(some))
    return some[0] if some else None


def _ranges(node: nodes.Comprehension) -> list[nodes.Expr]:
    """The collections and conditions of the clauses."""
    clauses = node.clauses
    conditions = [clause.condition for clause in clauses if clause.condition is not None]
    return [*(clause.domain for clause in clauses), *conditions]
