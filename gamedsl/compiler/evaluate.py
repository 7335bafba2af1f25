"""Evaluate what does not depend on the state: expressions whose locals are known values.

In: a typed expression and a scope, optionally with values assumed for some code. Out: its value,
or `NotKnownError`. Works on the model alone, by `model.operations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.types import SetType
from gamedsl.model.values import Atom, Value, Vector, unique


class NotKnownError(Exception):
    """The expression depends on the state, or on a local that is not known."""


class Evaluator:
    """Evaluates expressions of one game at compile time."""

    def __init__(self, board: Board | None, players: tuple[Atom, ...]) -> None:
        self.board = board
        self.players = players

    def value(
        self, node: nodes.Expr, scope: Scope, assumed: Mapping[Expr, Value] | None = None
    ) -> Value:
        """The value. Raises NotKnownError; OperationError where the operation has no answer."""
        return _Evaluation(self, assumed or {}).of(node, scope, {})


class _Evaluation:
    def __init__(self, evaluator: Evaluator, assumed: Mapping[Expr, Value]) -> None:
        self.board = evaluator.board
        self.players = evaluator.players
        self.assumed = assumed

    def of(self, node: nodes.Expr, scope: Scope, bound: dict[int, Value]) -> Value:
        def part(one: nodes.Expr) -> Value:
            return self.of(one, scope, bound)

        match node:
            case nodes.Const():
                return node.value
            case nodes.Local():
                return self._local(node.slot, scope, bound)
            case nodes.Turn():
                return self._meaning(scope.turn)
            case nodes.Me():
                if scope.me is None:
                    raise NotKnownError
                return self._meaning(scope.me)
            case nodes.Cell() | nodes.Whole() | nodes.Stuck():
                raise NotKnownError
            case nodes.Not():
                return not part(node.operand)
            case nodes.Negate():
                return operations.negate(part(node.operand))
            case nodes.Arithmetic():
                return operations.ARITHMETIC[node.operator](part(node.left), part(node.right))
            case nodes.Compare():
                return operations.COMPARISONS[node.operator](part(node.left), part(node.right))
            case nodes.Step():
                assert self.board is not None
                square, offset = part(node.square), part(node.offset)
                assert isinstance(square, Atom)
                assert isinstance(offset, Atom | Vector)
                return self.board.step(square, offset)
            case nodes.AddOffsets():
                return operations.add_offsets(part(node.left), part(node.right))
            case nodes.Scale():
                return operations.scale(part(node.factor), part(node.offset))
            case nodes.Member():
                members = part(node.collection)
                assert isinstance(members, tuple)
                return any(operations.equal(part(node.element), one) for one in members)
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
                return unique(_elements(part(node.left)) + _elements(part(node.right)))
            case nodes.Quantify():
                return self._quantify(node, scope, bound)
            case nodes.Apply():
                values = [part(argument) for argument in node.arguments]
                inner = {**bound, **dict(zip(node.definition.slots, values, strict=True))}
                return self.of(node.definition.body, scope, inner)
            case nodes.ListItem():
                return operations.list_item(part(node.items), part(node.index))
            case nodes.Builtin():
                if any(isinstance(argument, nodes.Whole) for argument in node.arguments):
                    raise NotKnownError
                return self._builtin(node.name, [part(argument) for argument in node.arguments])

    def _local(self, slot: int, scope: Scope, bound: dict[int, Value]) -> Value:
        if slot in bound:
            return bound[slot]
        meaning = scope.of(slot)
        if meaning is None:
            raise NotKnownError
        return self._meaning(meaning)

    def _meaning(self, meaning: Known | Code | Bound | Held) -> Value:
        match meaning:
            case Held():
                raise NotKnownError
            case Known():
                return meaning.value
            case Code():
                if meaning.expr in self.assumed:
                    return self.assumed[meaning.expr]
                raise NotKnownError
            case Bound():
                return self.of(meaning.node, meaning.scope, {})

    def _quantify(self, node: nodes.Quantify, scope: Scope, bound: dict[int, Value]) -> Value:
        inner = dict(bound)
        values = (
            self.of(node.element, scope, inner) for _ in self._rounds(node.clauses, scope, inner)
        )
        match node.kind:
            case "any":
                return any(value is True for value in values)
            case "all":
                return all(value is True for value in values)
            case "first":
                return operations.first(
                    tuple(value for value in [next(values, None)] if value is not None)
                )
            case "set":
                return unique(values)
            case "list":
                return tuple(values)
        return operations.REDUCTIONS[node.kind](tuple(values))

    def _rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, bound: dict[int, Value]
    ) -> Iterator[None]:
        clause, rest = clauses[0], clauses[1:]
        domain = self.of(clause.domain, scope, bound)
        assert isinstance(domain, tuple)
        for value in domain:
            bound[clause.slot] = value
            if clause.condition is None or self.of(clause.condition, scope, bound):
                if rest:
                    yield from self._rounds(rest, scope, bound)
                else:
                    yield

    def _builtin(self, name: str, arguments: list[Value]) -> Value:
        first = arguments[0]
        match name:
            case "row":
                return operations.row(first)
            case "column":
                return operations.column(first)
            case "abs":
                return operations.magnitude(first)
            case "next" | "other":
                if first not in self.players:
                    raise operations.OperationError(f"`{name}` needs a player")
                number = self.players.index(first)
                return self.players[(number + 1) % len(self.players)]
            case "len":
                return len(_elements(first))
            case "neighbours" if self.board is not None and isinstance(first, Atom):
                return self.board.neighbours(first)
            case "ray" if self.board is not None and isinstance(first, Atom):
                way = arguments[1]
                assert isinstance(way, Vector | Atom)
                return self.board.ray(first, way)
        return operations.REDUCTIONS[name](_elements(first))


def _elements(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)
