"""Fold constants: a typed node all of whose parts are constants becomes one constant.

In: a node fresh from elaboration, its parts already folded. Out: the same node or a `Const`.
An operation without an answer is reported where it stands. Conditions are not decided here.
"""

from __future__ import annotations

from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.types import ListType, Scalar, SetType, Type, set_of, type_of
from gamedsl.model.values import Atom, Value, Vector, unique
from gamedsl.model.walk import parts


def fold(node: nodes.Expr, board: Board | None, players: tuple[Atom, ...]) -> nodes.Expr:
    """The node, or the constant it comes to. Raises `operations.OperationError`."""
    if not all(isinstance(part, nodes.Const) for part in parts(node)):
        return node
    values = tuple(part.value for part in parts(node) if isinstance(part, nodes.Const))
    value = _value(node, values, board, players)
    if value is None:
        return node
    return nodes.Const(node.span, _type_of_constant(value, node.type), value)


def _type_of_constant(value: Value, known: Type) -> Type:
    if isinstance(known, Scalar) and known.can_be_none:
        return known  # `a1 + N == none` makes sense on a board of any size
    if isinstance(value, tuple):
        is_plain = isinstance(known, SetType) and isinstance(known.element, Scalar)
        return set_of(value) if is_plain and value else known
    return type_of(value)


def _value(
    node: nodes.Expr, values: tuple[Value, ...], board: Board | None, players: tuple[Atom, ...]
) -> Value | None:
    match node, values:
        case nodes.Not(), (bool() as truth,):
            return not truth
        case nodes.Negate(), (one,):
            return operations.opposite(one) if is_offset(node) else operations.negate(one)
        case nodes.Arithmetic(), (left, right):
            return operations.ARITHMETIC[node.operator](left, right)
        case nodes.Compare(operator="==" | "!="), (left, right) if compares_sets(node):
            return operations.equal_sets(left, right) == (node.operator == "==")
        case nodes.Compare(), (left, right):
            return operations.COMPARISONS[node.operator](left, right)
        case nodes.AddOffsets(), (left, right):
            return operations.add_offsets(left, right)
        case nodes.Scale(), (factor, offset):
            return operations.scale(factor, offset)
        case nodes.Step(), (Atom() as square, Vector() as offset) if board:
            return board.step(square, offset)
        case nodes.Member(), (element, tuple() as members):
            return element in members
        case nodes.Range(), (low, high):
            return operations.span_of_numbers(low, high)
        case nodes.Union(), (left, right):
            return unique(as_collection(left) + as_collection(right))
        case nodes.Collect(), _:
            return unique(values) if isinstance(node.type, SetType) else values
        case nodes.ListItem(), (items, index):
            return operations.list_item(items, index)
        case nodes.Builtin(), _:
            return _builtin(node.name, values, board, players)
        case _:
            return None


def is_offset(node: nodes.Negate) -> bool:
    """Whether a direction is turned round, not a number negated."""
    return isinstance(node.type, Scalar) and bool(node.type.vectors)


def compares_sets(node: nodes.Compare) -> bool:
    """Whether the order of elements is no matter: one side is a set, not a list."""
    collections = (SetType, ListType)
    return (
        isinstance(node.left.type, collections)
        and isinstance(node.right.type, collections)
        and SetType in {type(node.left.type), type(node.right.type)}
    )


def as_collection(value: Value) -> tuple[Value, ...]:
    """A collection as it is, a scalar as the set of itself: the sides of `|`."""
    return value if isinstance(value, tuple) else (value,)


def _builtin(
    name: str, values: tuple[Value, ...], board: Board | None, players: tuple[Atom, ...]
) -> Value | None:
    match name, values:
        case "neighbours", (Atom() as square,) if board:
            return board.neighbours(square)
        case "ray", (Atom() as square, Vector() as way) if board:
            return board.ray(square, way)
        case (("next" | "other"), (Atom() as player,)) if player in players:
            return players[(players.index(player) + 1) % len(players)]
        case "row", (square,):
            return operations.row(square)
        case "column", (square,):
            return operations.column(square)
        case "abs", (amount,):
            return operations.magnitude(amount)
        case "len", (tuple() as items,):
            return len(items)
        case _, (tuple() as items,) if name in operations.REDUCTIONS:
            return operations.REDUCTIONS[name](items)
        case _:
            return None
