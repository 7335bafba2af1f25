"""Scalar expressions by kind: typed nodes become values of the generated code.

A node in a scope becomes `Known` or `Code`. Evaluation order and failures follow the language.
"""

from __future__ import annotations

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.lowering import recursive
from gamedsl.compiler.lowering.bodies import legal_counts
from gamedsl.compiler.lowering.sets import lines, quantified
from gamedsl.compiler.lowering.values import (
    cells,
    conditions,
    expressions,
    narrowed,
    numbers,
    quantifiers,
)
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Bound, Code, Held, Known, Low, Scope, SquareSet
from gamedsl.model import nodes
from gamedsl.model.builtins import row_of
from gamedsl.model.types import BOOLEAN, Scalar, is_always_number


def lower_by_kind(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Low:
    """An expression that is neither known nor a table, by its kind."""
    match node:
        case nodes.Const():
            return Known(node.value)
        case nodes.Local():
            meaning = scope.of(node.slot)
            assert meaning is not None
            if isinstance(meaning, Held | SquareSet):
                raise CannotCompileError("a held collection as a value", node.span)
            if isinstance(meaning, Bound):
                return lowering.lower(meaning.node, meaning.scope)
            return meaning
        case nodes.Mover():
            return scope.mover(node.word)
        case nodes.Stuck():
            if node.player is not None:
                player = lowering.lower(node.player, scope)
                return legal_counts.stuck_among(lowering, player, node.moves)
            assert scope.stuck is not None
            return Code(scope.stuck, BOOLEAN)
        case nodes.Cell():
            return cells.read(lowering, node, scope)
        case nodes.Not():
            return numbers.negated(lowering.lower(node.operand, scope))
        case nodes.Narrowed():
            return narrowed.narrowed(lowering, node, scope)
        case nodes.Arithmetic():
            return numbers.arithmetic(lowering, node, scope)
        case nodes.Compare():
            return quantified.compare(lowering, node, scope)
        case nodes.Member():
            return quantifiers.member(lowering, node, scope)
        case nodes.Logic():
            return conditions.logic(lowering, node, scope)
        case nodes.Conditional():
            return conditions.choose(lowering, node, scope)
        case nodes.Comprehension():
            return quantified.quantify(lowering, node, scope)
        case nodes.Apply():
            return expressions.apply(lowering, node, scope)
        case nodes.ApplyRecursive():
            return recursive.apply_recursive(lowering, node, scope)
        case nodes.Builtin():
            return _builtin(lowering, node, scope)
        case nodes.Collection() | nodes.ArrayRef():
            raise _not_gone_through(node)


def _not_gone_through(node: nodes.Expr) -> CannotCompileError:
    return CannotCompileError("a collection that is neither known nor gone through", node.span)


def _builtin(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    value = row_of(node.name).value
    if value is None:
        return lines.board_builtin(lowering, node, scope)
    if node.name == "[]":
        return expressions.list_item(lowering, node, scope)
    if node.name == "at":
        return cells.square_at(lowering, node, scope)
    if node.name in {"..", "|"}:
        raise _not_gone_through(node)
    if node.name == "abs":
        return numbers.magnitude(lowering, node, scope)
    if node.name == "-n" and is_always_number(node.arguments[0].type):
        return numbers.negate(lowering, node, scope)
    types = (node.type, *(argument.type for argument in node.arguments))
    if all(isinstance(kind, Scalar) for kind in types):
        return numbers.by_table(lowering, node, value(lowering.model), scope)
    return quantified.reduce(lowering, node, scope)
