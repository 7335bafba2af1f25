"""Values narrowed by the conditions above: every value is of the narrowed type.

Where the operand has a value outside the narrowed type, `narrowed` gives the first value of the
type; such results are never used. The narrowed value therefore cannot fail, and expressions that
depend on its type, for example tables, may be evaluated early.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, integer, select
from gamedsl.compiler.lowering.values import cells, numbers
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, meet


def narrowed(lowering: Lowering, node: nodes.Narrowed, scope: Scope) -> Low:
    """The operand, restricted to the narrowed type."""
    operand, kind = node.operand, node.type
    if isinstance(operand, nodes.Cell):
        low = cells.read(lowering, operand, scope, kind)
    else:
        low = lowering.lower(operand, scope)
    if isinstance(low, Known):
        return Known(kind.settled(low.value))
    if low.per != 1 or kind.rational:
        raise CannotCompileError("a fraction that may be no number", node.span)
    left = meet(low.type, kind)
    if left == low.type:
        return low
    first = integer(lowering.codes.code(kind.first))
    code = lowering.integer_of(low)
    return numbers.coded(select(_is_left(lowering, low, left, code), code, first), left)


def _is_left(lowering: Lowering, low: Code, left: Scalar, code: Expr) -> Expr:
    """Whether a value is of the narrowed type."""
    remainder = replace(low.type, atoms=low.type.atoms - left.atoms)
    if replace(remainder, atoms=left.atoms) == left:
        out = sorted(low.type.atoms - left.atoms, key=lambda atom: atom.order)
        return all_of([code.ne(lowering.codes.code(atom)) for atom in out])
    values = left.enumerate()
    if values is None:
        raise CannotCompileError("one of too many values")
    return lowering.among(code, tuple(lowering.codes.code(value) for value in values))
