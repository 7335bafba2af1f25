"""Static test whether an expression can fail during play, by the types of its parts.

An expression that cannot fail may be evaluated earlier, later, for all squares at once, or not at
all.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.builtins import row_of
from gamedsl.model.types import Scalar, Type, is_always_number
from gamedsl.model.values import NONE, Domain
from gamedsl.model.walk import parts, within


class Safety:
    """The test for one game, cached by node."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}
        self._bodies: dict[nodes.RecursiveDefinition, bool] = {}
        self._nodes: list[nodes.Expr] = []

    def can_fail(self, node: nodes.Expr) -> bool:
        """Whether some evaluation might raise an error in the game."""
        fails = self._known.get(id(node))
        if fails is None:
            self._nodes.append(node)  # kept alive, so that its id stays unique
            fails = self.fails_itself(node) or any(self.can_fail(part) for part in parts(node))
            if not fails and isinstance(node, nodes.Apply):
                fails = self.can_fail(node.definition.body)
            self._known[id(node)] = fails
        return fails

    def fails_itself(self, node: nodes.Expr) -> bool:
        """Whether an operation might raise an error, apart from its operands."""
        match node:
            case nodes.Reading(variable=variable):
                indices = parts(node)
                if node.whole is None and (
                    variable.may_be_unset
                    or (variable.missing and any(index.known is None for index in indices))
                ):
                    return True
                pairs = zip(indices, variable.indices, strict=False)
                return any(not fits(index.type, domain) for index, domain in pairs)
            case nodes.Arithmetic():
                if not (is_always_number(node.left.type) and is_always_number(node.right.type)):
                    return True
                return node.operator in {"/", "//", "%"} and may_be_zero(node.right.type)
            case nodes.Compare():
                if node.operator in {"==", "!="}:
                    return False
                return not (node.left.type.is_something and node.right.type.is_something)
            case nodes.Comprehension():
                if node.kind == "sum":
                    return not is_always_number(node.element.type)
                return node.kind in {"min", "max"}
            case nodes.Stuck():
                return node.player is not None
            case nodes.ApplyRecursive():
                return node.is_within or not all(node.proved) or self._breaks_off(node.definition)
            case nodes.Builtin():
                return row_of(node.name).can_fail(node.arguments)
            case _:
                return False

    def _breaks_off(self, definition: nodes.RecursiveDefinition) -> bool:
        """Whether the body of a recursive `def` may fail, apart from its recursive calls. Recursive
        calls must not be evaluated without need, but terminate where they are needed.
        """
        fails = self._bodies.get(definition)
        if fails is None:
            inside = list(within(definition.value))
            fails = self._bodies[definition] = any(
                not all(part.proved)
                if isinstance(part, nodes.ApplyRecursive)
                else self.fails_itself(part)
                for part in inside
            )
        return fails


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
