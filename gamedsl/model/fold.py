"""Fold constants: a typed node with constant parts becomes a constant.

The parts are already folded. A failed operation is reported at the node. Logic, conditionals, calls
and quantifiers are not evaluated.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.builtins import Setting
from gamedsl.model.evaluate import NO_NAMES, NotKnownError, evaluate
from gamedsl.model.types import Scalar, SetType, Type, set_of, type_of
from gamedsl.model.values import Value
from gamedsl.model.walk import parts

FOLDED = (
    nodes.Not | nodes.Negate | nodes.Narrowed | nodes.Arithmetic | nodes.Compare | nodes.AddOffsets
    | nodes.Scale | nodes.Step | nodes.Member | nodes.Range | nodes.Union | nodes.Collection
    | nodes.ListItem | nodes.Builtin
)  # fmt: skip
"""Nodes that are evaluated at once: a node costs no more than the parts."""


def fold(node: nodes.Expr, setting: Setting) -> nodes.Expr:
    """The node, or the node's constant value. Raises `operations.OperationError`."""
    if not isinstance(node, FOLDED) or not all(isinstance(p, nodes.Const) for p in parts(node)):
        return node
    try:
        value = evaluate(node, setting, NO_NAMES)
    except NotKnownError:
        return node
    return nodes.Const(node.span, _type_of_constant(value, node.type), value)


def _type_of_constant(value: Value, known: Type) -> Type:
    if isinstance(known, Scalar) and known.can_be_none:
        return known  # `a1 + N == none` makes sense on a board of any size
    if isinstance(value, tuple):
        is_plain = isinstance(known, SetType) and isinstance(known.element, Scalar)
        return set_of(value) if is_plain and value else known
    return type_of(value)
