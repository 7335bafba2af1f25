"""The value of an expression in which the state has no part, by the values of its names.

In: a typed expression, the board and the players, and what its names stand for. Out: its value, or
`NotKnownError`; `OperationError` where an operation has no answer. Parts that do not matter are not
evaluated, as in the game. Constants are folded, bodies followed and tables made from this; games
are played by the engines, which have the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from gamedsl.model import nodes, operations
from gamedsl.model.builtins import Setting, row_of
from gamedsl.model.types import ListType, Scalar, SetType
from gamedsl.model.values import Atom, Value, Vector, unique


class NotKnownError(Exception):
    """The expression depends on the state, or on a name whose value is not known."""


class Names(Protocol):
    """What the names of an expression stand for; each method may raise `NotKnownError`."""

    def local(self, slot: int) -> Value:
        """The value of a local name."""
        ...

    def turn(self) -> Value:
        """The player to move."""
        ...

    def me(self) -> Value:
        """The player who chooses."""
        ...


class Locals:
    """Names of which some locals are known and nothing else."""

    def __init__(self, known: Mapping[int, Value]) -> None:
        self._known = known

    def local(self, slot: int) -> Value:
        """The value of a local name."""
        if slot not in self._known:
            raise NotKnownError
        return self._known[slot]

    def turn(self) -> Value:
        """Never known."""
        raise NotKnownError

    def me(self) -> Value:
        """Never known."""
        raise NotKnownError


NO_NAMES = Locals({})
"""Of an expression without names."""


def evaluate(node: nodes.Expr, setting: Setting, names: Names) -> Value:
    """The value. Raises NotKnownError; OperationError where an operation has no answer."""
    return _Evaluation(setting, names).of(node, {})


class _Evaluation:
    """One evaluation; `bound` has the locals that the expression itself binds."""

    def __init__(self, setting: Setting, names: Names) -> None:
        self.setting = setting
        self.names = names

    def of(self, node: nodes.Expr, bound: dict[int, Value]) -> Value:
        def part(one: nodes.Expr) -> Value:
            return self.of(one, bound)

        match node:
            case nodes.Const():
                return node.value
            case nodes.Local():
                return bound[node.slot] if node.slot in bound else self.names.local(node.slot)
            case nodes.Turn():
                return self.names.turn()
            case nodes.Me():
                return self.names.me()
            case nodes.Cell() | nodes.Whole() | nodes.Stuck():
                raise NotKnownError
            case nodes.Not():
                return not part(node.operand)
            case nodes.Negate():
                operand = part(node.operand)
                negate = operations.opposite if is_offset(node) else operations.negate
                return negate(operand)
            case nodes.Arithmetic():
                return operations.ARITHMETIC[node.operator](part(node.left), part(node.right))
            case nodes.Compare():
                return _compared(node, part(node.left), part(node.right))
            case nodes.Step():
                return self._step(part(node.square), part(node.offset))
            case nodes.AddOffsets():
                return operations.add_offsets(part(node.left), part(node.right))
            case nodes.Scale():
                return operations.scale(part(node.factor), part(node.offset))
            case nodes.Member():
                members = part(node.collection)
                assert isinstance(members, tuple)
                return bool(members) and operations.is_member(part(node.element), members)
            case nodes.Logic():
                wanted = node.operator == "or"
                return wanted if any(part(o) is wanted for o in node.operands) else not wanted
            case nodes.Choose():
                return part(node.then if part(node.condition) else node.otherwise)
            case nodes.Collect():
                items = tuple([part(item) for item in node.items])
                return unique(items) if isinstance(node.type, SetType) else items
            case nodes.Range():
                return operations.span_of_numbers(part(node.low), part(node.high))
            case nodes.Union():
                left, right = part(node.left), part(node.right)
                return unique(operations.as_collection(left) + operations.as_collection(right))
            case nodes.Quantify():
                return self._quantify(node, bound)
            case nodes.Apply():
                values = [part(argument) for argument in node.arguments]
                inner = {**bound, **dict(zip(node.definition.slots, values, strict=True))}
                return self.of(node.definition.body, inner)
            case nodes.ListItem():
                return operations.list_item(part(node.items), part(node.index))
            case nodes.Builtin():
                value = row_of(node.name).value
                if value is None:
                    raise NotKnownError
                return value(self.setting)(*[part(argument) for argument in node.arguments])

    def _step(self, square: Value, offset: Value) -> Value:
        if self.setting.board is None:
            raise NotKnownError
        assert isinstance(square, Atom)
        assert isinstance(offset, Atom | Vector)
        return self.setting.board.step(square, offset)

    def _quantify(self, node: nodes.Quantify, bound: dict[int, Value]) -> Value:
        inner = dict(bound)
        values = (self.of(node.element, inner) for _ in self._rounds(node.clauses, inner))
        match node.kind:
            case "any":
                return any(value is True for value in values)
            case "all":
                return all(value is True for value in values)
            case "first":
                return next(values, operations.first(()))
            case "set":
                return unique(values)
            case "list":
                return tuple(values)
        return operations.REDUCTIONS[node.kind](tuple(values))

    def _rounds(self, clauses: tuple[nodes.Clause, ...], bound: dict[int, Value]) -> Iterator[None]:
        clause, rest = clauses[0], clauses[1:]
        domain = self.of(clause.domain, bound)
        assert isinstance(domain, tuple)
        for value in domain:
            bound[clause.slot] = value
            if clause.condition is None or self.of(clause.condition, bound):
                if rest:
                    yield from self._rounds(rest, bound)
                else:
                    yield


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


def _compared(node: nodes.Compare, left: Value, right: Value) -> bool:
    if node.operator in {"==", "!="} and compares_sets(node):
        return operations.equal_sets(left, right) == (node.operator == "==")
    return operations.COMPARISONS[node.operator](left, right)
