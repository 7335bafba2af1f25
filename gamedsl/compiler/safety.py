"""Whether an expression can fail while the game is played, by the static types of its parts.

What cannot fail may be evaluated earlier, later, for all squares at once, or not at all.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.types import Scalar, Type, element_of
from gamedsl.model.values import NONE, Domain
from gamedsl.model.walk import parts


class Safety:
    """Answers for one game, each node once."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}
        self._nodes: list[nodes.Expr] = []

    def can_fail(self, node: nodes.Expr) -> bool:
        """Whether some evaluation might raise an error in the game."""
        found = self._known.get(id(node))
        if found is None:
            self._nodes.append(node)  # kept alive, so that no other node gets its identity
            found = self._fails_itself(node) or any(self.can_fail(part) for part in parts(node))
            if not found and isinstance(node, nodes.Apply):
                found = self.can_fail(node.definition.body)
            self._known[id(node)] = found
        return found

    def _fails_itself(self, node: nodes.Expr) -> bool:
        match node:
            case nodes.Cell():
                return None in node.variable.initial or any(
                    not fits(index.type, domain)
                    for index, domain in zip(node.indices, node.variable.indices, strict=True)
                )
            case nodes.Arithmetic():
                if not (is_number(node.left.type) and is_number(node.right.type)):
                    return True
                return node.operator in {"/", "//", "%"} and may_be_zero(node.right.type)
            case nodes.Negate():
                return not (is_number(node.operand.type) or _is_offset(node.operand.type))
            case nodes.Scale():
                pair = (node.factor.type, node.offset.type)
                return not (
                    any(is_number(one) for one in pair) and any(_is_offset(one) for one in pair)
                )
            case nodes.Compare():
                if node.operator in {"==", "!="}:
                    return False
                return any(_may_be_none(side.type) for side in (node.left, node.right))
            case nodes.Range():
                return not (is_number(node.low.type) and is_number(node.high.type))
            case nodes.ListItem():
                return not _is_position(node)
            case nodes.Quantify():
                if node.kind == "sum":
                    return not is_number(node.element.type)
                return node.kind in {"min", "max"}
            case nodes.Builtin():
                return self._builtin_fails(node)
            case _:
                return False

    def _builtin_fails(self, node: nodes.Builtin) -> bool:
        kind = node.arguments[0].type
        if node.name in {"next", "other"}:
            return not (isinstance(kind, Scalar) and kind.kinds == {"player"})
        if node.name == "abs":
            return not is_number(kind)
        if node.name == "sum":
            return not is_number(element_of(kind))
        if node.name in {"min", "max"}:
            given = node.arguments[0]
            is_some = isinstance(given, nodes.Collect) and bool(given.items)
            return not (is_some and is_number(element_of(kind)))
        return False


def is_number(kind: Type) -> bool:
    """Whether every value is a number."""
    return isinstance(kind, Scalar) and not kind.unknown and kind.kinds == {"number"}


def may_be_zero(kind: Type) -> bool:
    """Whether a number may be 0."""
    if not isinstance(kind, Scalar):
        return True
    low, high = kind.interval
    return low <= 0 <= high


def fits(kind: Type, domain: Domain) -> bool:
    """Whether every value but `none` lies in the domain."""
    if not isinstance(kind, Scalar) or kind.rational or kind.size > 4096:
        return False
    values = kind.enumerate()
    return values is not None and all(
        value is NONE or domain.position(value) is not None for value in values
    )


def _is_offset(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.is_vector


def _may_be_none(kind: Type) -> bool:
    return not isinstance(kind, Scalar) or kind.can_be_none


def _is_position(node: nodes.ListItem) -> bool:
    kind = node.index.type
    if not isinstance(kind, Scalar) or not isinstance(node.items, nodes.Const):
        return False
    items = node.items.value
    if not isinstance(items, tuple) or not kind.kinds <= {"number", "none"}:
        return False
    low, high = kind.interval
    return not kind.has_numbers or (low >= 1 and high <= len(items))
