"""Narrow the types of expressions by conditions: `a[s] != empty` leaves numbers.

From a typed condition that holds, or fails, follow narrowed types of expressions. The types are in
force behind the condition until a variable that the expressions read changes.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import key
from gamedsl.model.statement_facts import facts_in
from gamedsl.model.symbols.scope import NOTHING_KNOWN, TURN, KnownType, KnownTypes, Scope
from gamedsl.model.types import (
    Bound,
    ListType,
    Scalar,
    SetType,
    TupleType,
    Type,
    clashes,
    element_of,
    is_number,
    join_all,
    meet,
    scalar_of,
)
from gamedsl.model.walk import within
from gamedsl.source import Span
from gamedsl.syntax import ast

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
NUMBERS = 1 << 2000
"""Beyond all numbers of the language."""
DEEPEST_CALL = 3
"""Depth to which calls in the bodies of `def`s are analysed."""


def learned(condition: nodes.Expr, holds: bool = True, depth: int = DEEPEST_CALL) -> KnownTypes:
    """The types narrowed by a condition that holds, or (`holds` False) fails."""
    match condition:
        case nodes.Not():
            return learned(condition.operand, not holds, depth)
        case nodes.Logic():
            return _of_operands(condition, holds, depth)
        case nodes.Compare():
            operator = condition.operator if holds else _OPPOSITE[condition.operator]
            return _of_comparison(operator, condition.left, condition.right)
        case nodes.Member():
            return _of_membership(condition.element, condition.collection, holds)
        case nodes.Apply() if depth > 0:
            return _of_call(condition, holds, depth - 1)
        case _:
            return NOTHING_KNOWN


def known_to_be(node: nodes.Expr, kind: Scalar) -> KnownTypes:
    """The narrowed type of an expression whose value has type `kind`."""
    node = as_written(node)
    if node.known is not None or not isinstance(node.type, Scalar):
        return NOTHING_KNOWN
    kinds = node.type.kinds
    if not (node.type.is_number_or_else or kinds & {"player", "none"}):
        return NOTHING_KNOWN  # conditions allow no further uses of other values
    if any(isinstance(part, nodes.Stuck) and part.moves for part in within(node)):
        return NOTHING_KNOWN  # what moves read is not among the reads
    left = meet(node.type, kind)
    if left == node.type or not left.kinds or _is_between_values(node, left):
        return NOTHING_KNOWN
    return KnownTypes({key(node): KnownType(left, reads(node))})


def holding(span: Span, place: nodes.Place, kind: Scalar, scope: Scope) -> Scope:
    """The scope in which a place holds a new value of type `kind`, and not the value before."""
    variable, indices = place.cell_variable, place.indices
    if variable is None:
        is_turn = place.variable.offset == nodes.TURN
        return scope.after_changes(frozenset({TURN})) if is_turn else scope
    scope = scope.after_changes(frozenset({variable.name}))
    if any(variable.name in reads(index) for index in indices):
        return scope  # the indices may now choose another cell
    cell = nodes.Cell(span, scalar_of(variable.domain.values), variable, indices)
    return scope.knowing(known_to_be(cell, kind))


def _is_between_values(node: nodes.Expr, left: Scalar) -> bool:
    """Whether the narrowed type contains no number of the variable's domain: then the code behind
    the condition is never carried out."""
    if not isinstance(node, nodes.Cell) or not is_number(left):
        return False
    values = node.variable.domain.values
    return not any(meet(left, scalar_of((value,))).has_numbers for value in values)


def narrowed(node: nodes.Expr, scope: Scope) -> nodes.Expr:
    """The expression with its type narrowed by the scope."""
    if not scope.known or not isinstance(node.type, Scalar) or node.known is not None:
        return node
    known = scope.known.of(key(node))
    left = None if known is None else meet(node.type, known)
    if left is None or left == node.type or not left.kinds:
        return node
    return nodes.Narrowed(node.span, left, as_written(node))


def as_written(node: nodes.Expr) -> nodes.Expr:
    """The expression with its type before narrowing, items of tuples and sets included."""
    match node:
        case nodes.Narrowed():
            return node.operand
        case nodes.Collection():
            items = tuple(as_written(item) for item in node.items)
            if all(item is original for item, original in zip(items, node.items, strict=True)):
                return node
            return replace(node, type=_of(node, items), items=items)
        case _:
            return node


def _of(collection: nodes.Collection, items: tuple[nodes.Expr, ...]) -> Type:
    """The type of a tuple, set or list with replaced items."""
    kinds = tuple(item.type for item in items)
    match collection.type:
        case TupleType():
            return TupleType(kinds)
        case SetType() | ListType() as whole if not clashes(join_all(kinds)):
            return replace(whole, element=join_all(kinds))
        case _:
            return collection.type


# --- conditions --------------------------------------------------------------------------------


def _of_operands(condition: nodes.Logic, holds: bool, depth: int) -> KnownTypes:
    """Narrowing by `and` and `or`: a true `and` and a false `or` combine the operands' types by
    `and_`; a false `and` and a true `or` combine them by `or_`."""
    first, *rest = condition.operands
    total, hold_all = learned(first, holds, depth), (condition.operator == "and") == holds
    for operand in rest:
        if not (total or hold_all):
            break  # nothing is known under all alternatives
        known = learned(operand, holds, depth)
        total = total.and_(known) if hold_all else total.or_(known)
    return total


def _of_comparison(operator: str, left: nodes.Expr, right: nodes.Expr) -> KnownTypes:
    known = NOTHING_KNOWN
    for side, opposite, said in (
        (left, right, operator),
        (right, left, _MIRRORED.get(operator, operator)),
    ):
        if isinstance(side.type, Scalar) and isinstance(opposite.type, Scalar):
            known = known.and_(known_to_be(side, _left_by(said, side.type, opposite)))
    return known


def _left_by(operator: str, kind: Scalar, operand: nodes.Expr) -> Scalar:
    """The type `kind` narrowed by `... operator operand`."""
    assert isinstance(operand.type, Scalar)
    match operator:
        case "==":
            return meet(kind, operand.type)
        case "!=":
            return kind.without(operand.known) if operand.known is not None else kind
        case _ if is_number(kind) and is_number(operand.type) and operand.type.has_numbers:
            low, high = _interval_beyond(operator, operand.type)
            return kind.without_none().between(low, high)
        case _:
            return kind.without_none()


def _interval_beyond(operator: str, kind: Scalar) -> tuple[Bound, Bound]:
    """The interval of numbers less (or greater) than some number of a type."""
    low, high = kind.interval
    step = 0 if kind.rational or operator in {"<=", ">="} else 1
    return (-NUMBERS, high - step) if operator in {"<", "<="} else (low + step, NUMBERS)


def _of_membership(element: nodes.Expr, collection: nodes.Expr, holds: bool) -> KnownTypes:
    kind, inside = element.type, element_of(collection.type)
    if not isinstance(kind, Scalar) or not isinstance(inside, Scalar):
        return NOTHING_KNOWN
    if holds:
        return known_to_be(element, meet(kind, inside))
    if isinstance(collection.known, tuple):
        for value in collection.known:
            kind = kind.without(value)
    return known_to_be(element, kind)


def _of_call(call: nodes.Apply, holds: bool, depth: int) -> KnownTypes:
    """Narrowing by the body of a `def`, expressed in the arguments of the call."""
    inside = learned(call.definition.body, holds, depth)
    if not inside:
        return inside
    arguments = dict(zip(call.definition.slots, call.arguments, strict=True))
    keys = {slot: key(argument) for slot, argument in arguments.items()}
    also = frozenset[str]().union(*(reads(argument) for argument in arguments.values()))
    return KnownTypes(
        {
            _with_arguments(parameter_key, keys): KnownType(known.type, known.reads | also)
            for parameter_key, known in inside.types.items()
        }
    )


def _with_arguments(expression: Hashable, keys: dict[int, Hashable]) -> Hashable:
    """The key of an expression over the parameters, rewritten to the arguments."""
    match expression:
        case ("Local", int() as slot) if slot in keys:
            return keys[slot]
        case tuple():
            return tuple(_with_arguments(part, keys) for part in expression)
        case _:
            return expression


# --- what is read, what is changed ---------------------------------------------------------------


def reads(node: nodes.Expr) -> frozenset[str]:
    """The variables that an expression reads, `turn` included."""
    names = set[str]()
    for part in within(node):
        if part.reads is not None:
            names.add(part.reads.name)
        elif part.asks == "turn":
            names.add(TURN)
    return frozenset(names)


def changed_by(block: nodes.Block) -> frozenset[str]:
    """The variables that a block may change, `turn` included."""
    rows = list(facts_in(block))
    names = {facts.writes.name for facts in rows if facts.writes is not None}
    return frozenset(names | {TURN} if any(facts.sets_turn for facts in rows) else names)


def changed_in(block: ast.Block, scope: Scope) -> frozenset[str] | None:
    """The variables that a syntax-tree block may change; None if the block calls an `effect`."""
    names = frozenset[str]()
    for written in ast.nodes_in(block):
        match written:
            case ast.Assign(target=target) | ast.Chance(target=target):
                names |= _base(target, scope)
            case ast.AssignAll(targets=targets):
                names = names.union(*(_base(target, scope) for target in targets))
            case ast.CallEffect():
                return None
    return names


def _base(target: ast.Expression, scope: Scope) -> frozenset[str]:
    base = target.base if isinstance(target, ast.Index) else target
    if not isinstance(base, ast.Name):
        return frozenset()
    meant = scope.find(base.text)
    whole = None if meant is None else meant.whole
    return frozenset({base.text if whole is None else whole.variable.name})
