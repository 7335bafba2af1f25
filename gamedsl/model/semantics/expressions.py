"""Define the values of expressions: a typed node becomes a function of a context.

The definition covers the order of evaluation, scopes, calls and quantifiers. A subclass defines
the reading of cells and whole variables, the treatment of narrowed values, the limit on recursive
calls and the error of a failed operation.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.builtins import row_of
from gamedsl.model.messages import outside_its_domain
from gamedsl.model.operations import OperationError, as_collection
from gamedsl.model.types import (
    ListType,
    SetType,
    are_confused,
    element_of,
    is_always_number,
    without_none,
)
from gamedsl.model.values import NONE, Atom, Value, unique
from gamedsl.source import Span


class Context(Protocol):
    """The values of names during an evaluation; a context without a value raises an error.

    Attributes:
        locals: the values of local names by slot; `copy()` is a scope of its own.
    """

    locals: Any

    @property
    def turn(self) -> Value:
        """The player to move."""

    @property
    def me(self) -> Value:
        """The player who chooses, in a `simultaneous` body."""

    def is_stuck(self, player: Value | None = None, moves: tuple[str, ...] = ()) -> bool:
        """Whether the player to move has no legal move; of `player`: none of some moves."""


C = TypeVar("C", bound=Context)
Meaning = Callable[[C], Value]
"""The meaning of an expression: a function from a context to a value."""


class ExpressionSemantics(ABC, Generic[C]):
    """Builds the functions of the expressions of a game, each function once."""

    def __init__(self, board: Board | None, players: tuple[Atom, ...]) -> None:
        self.board = board
        self.players = players
        self._meanings: dict[int, tuple[nodes.Expr, Meaning[C]]] = {}

    # --- defined by a subclass -------------------------------------------------------------

    @abstractmethod
    def read(self, node: nodes.Reading) -> Meaning[C]:
        """The function of a cell; of a whole variable only where the value is asked for."""

    @abstractmethod
    def array_builtin(self, node: nodes.Builtin) -> Meaning[C]:
        """The function of a call of a builtin over a whole variable."""

    @abstractmethod
    def narrowed(self, node: nodes.Narrowed) -> Meaning[C]:
        """The function of an operand with a type narrowed by a condition."""

    @abstractmethod
    def count_call(self, context: C, definition: nodes.RecursiveDefinition) -> None:
        """Count a call before the body is evaluated. Raises an error above the limit."""

    @abstractmethod
    def failure(self, error: OperationError, span: Span) -> Exception:
        """The exception to raise for a failed operation at a place in the rules."""

    # --- nodes -----------------------------------------------------------------------------

    def meaning(self, node: nodes.Expr) -> Meaning[C]:
        """The function that evaluates the node."""
        entry = self._meanings.get(id(node))
        if entry is None:  # the node is kept so that its identity is not reused
            entry = self._meanings[id(node)] = node, self._built(node)
        return entry[1]

    def _built(self, node: nodes.Expr) -> Meaning[C]:
        match node:
            case nodes.Const(value=value):
                return lambda _: value
            case nodes.Local(slot=slot):
                return lambda now: now.locals[slot]
            case nodes.Mover():
                return operator.attrgetter(node.word)
            case nodes.Stuck(player=asked, moves=moves):
                if asked is None:
                    return lambda now: now.is_stuck()
                player = self.meaning(asked)
                return lambda now: now.is_stuck(player(now), moves)
            case nodes.Reading():
                return self.read(node)
            case nodes.Not():
                operand = self.meaning(node.operand)
                return lambda now: not operand(now)
            case nodes.Narrowed():
                return self.narrowed(node)
            case nodes.Arithmetic():
                return self._arithmetic(node)
            case nodes.Compare():
                return self._compare(node)
            case nodes.Member():
                return self._member(node)
            case nodes.Logic():
                return self._logic(node)
            case nodes.Conditional():
                condition = self.meaning(node.condition)
                then, otherwise = self.meaning(node.then), self.meaning(node.otherwise)
                return lambda now: then(now) if condition(now) else otherwise(now)
            case nodes.Collection():
                items = tuple(self.meaning(item) for item in node.items)
                gather = unique if isinstance(node.type, SetType) else tuple
                return lambda now: gather([item(now) for item in items])
            case nodes.Comprehension():
                return self._quantified(node)
            case nodes.Apply():
                return self._apply(node)
            case nodes.ApplyRecursive():
                return self.recursive_call(node)
            case nodes.Builtin():
                function = row_of(node.name).value
                if function is None:
                    return self.array_builtin(node)
                return self.applied(node.span, function(self), *node.arguments)

    def applied(
        self, span: Span, operation: Callable[..., Value], *operands: nodes.Expr
    ) -> Meaning[C]:
        """The function of an operation that may fail, on operands evaluated from the left."""
        meanings = tuple(self.meaning(operand) for operand in operands)
        one, other = meanings[0], meanings[-1]

        def of_one(now: C) -> Value:
            try:
                return operation(one(now))
            except OperationError as error:
                raise self.failure(error, span) from None

        def of_two(now: C) -> Value:
            try:
                return operation(one(now), other(now))
            except OperationError as error:
                raise self.failure(error, span) from None

        def of_many(now: C) -> Value:
            try:
                return operation(*[meaning(now) for meaning in meanings])
            except OperationError as error:
                raise self.failure(error, span) from None

        return of_many if len(meanings) > 2 else of_two if len(meanings) == 2 else of_one

    def certain(
        self, operation: Callable[..., Value], left: nodes.Expr, right: nodes.Expr
    ) -> Meaning[C]:
        """The function of an operation that cannot fail."""
        one, other = self.meaning(left), self.meaning(right)
        return lambda now: operation(one(now), other(now))

    # --- operators -------------------------------------------------------------------------

    def _arithmetic(self, node: nodes.Arithmetic) -> Meaning[C]:
        if node.operator in PLAIN and _are_numbers(node):
            return self.certain(PLAIN[node.operator], node.left, node.right)
        return self.applied(node.span, operations.ARITHMETIC[node.operator], node.left, node.right)

    def _compare(self, node: nodes.Compare) -> Meaning[C]:
        """Comparisons by Python's operators where these answer as `operations`."""
        operation = operations.COMPARISONS[node.operator]
        if node.operator not in {"==", "!="}:
            if _are_numbers(node):
                return self.certain(PLAIN[node.operator], node.left, node.right)
            return self.applied(node.span, operation, node.left, node.right)
        left, right = self.meaning(node.left), self.meaning(node.right)
        if compares_sets(node):
            wanted = node.operator == "=="
            return lambda now: operations.equal_sets(left(now), right(now)) is wanted
        if are_confused(node.left.type, node.right.type):
            return self.certain(operation, node.left, node.right)
        if node.operator == "==":
            return lambda now: left(now) == right(now)
        return lambda now: left(now) != right(now)

    def _member(self, node: nodes.Member) -> Meaning[C]:
        """Evaluates the element first: a failing element fails for an empty collection too."""
        if are_confused(node.element.type, element_of(node.collection.type)):
            return self.certain(operations.is_member, node.element, node.collection)
        element = self.meaning(node.element)
        if node.collection.known is not None:
            members = frozenset(as_collection(node.collection.known))
            return lambda now: element(now) in members
        collection = self.meaning(node.collection)
        return lambda now: element(now) in collection(now)  # type: ignore[operator]

    def _logic(self, node: nodes.Logic) -> Meaning[C]:
        operands = tuple(self.meaning(operand) for operand in node.operands)
        if len(operands) == 2:
            left, right = operands
            if node.operator == "and":
                return lambda now: left(now) and right(now)
            return lambda now: left(now) or right(now)
        if node.operator == "and":
            return lambda now: all(operand(now) for operand in operands)
        return lambda now: any(operand(now) for operand in operands)

    # --- quantifiers and calls -------------------------------------------------------------

    def rounds(self, clauses: tuple[nodes.Clause, ...]) -> Callable[[C], Iterator[None]]:
        """Iterates over the bindings of `for` clauses, with a yield for each binding."""
        clause, rest = clauses[0], clauses[1:]
        slot, domain = clause.slot, self.meaning(clause.domain)
        condition = None if clause.condition is None else self.meaning(clause.condition)
        inner = self.rounds(rest) if rest else None

        def go_through(now: C) -> Iterator[None]:
            for value in domain(now):  # type: ignore[union-attr]
                now.locals[slot] = value
                if condition is None or condition(now):
                    if inner is None:
                        yield
                    else:
                        yield from inner(now)

        return go_through

    def _quantified(self, node: nodes.Comprehension) -> Meaning[C]:
        rounds, element, span = self.rounds(node.clauses), self.meaning(node.element), node.span
        match node.kind:
            case "any":
                return lambda now: any(element(now) for _ in rounds(now))
            case "all":
                return lambda now: all(element(now) for _ in rounds(now))
            case "first":

                def first(now: C) -> Value:
                    for _ in rounds(now):
                        return element(now)
                    return NONE

                return first
            case "set":
                return lambda now: unique(element(now) for _ in rounds(now))
            case "list":
                return lambda now: tuple([element(now) for _ in rounds(now)])
        reduce = operations.REDUCTIONS[node.kind]

        def evaluate(now: C) -> Value:
            try:
                return reduce(tuple([element(now) for _ in rounds(now)]))
            except OperationError as error:
                raise self.failure(error, span) from None

        return evaluate

    def _apply(self, node: nodes.Apply) -> Meaning[C]:
        """Evaluates arguments first; every slot of a game has one binder, so no slot has to be
        restored."""
        body, slots = self.meaning(node.definition.body), node.definition.slots
        arguments = tuple(self.meaning(argument) for argument in node.arguments)
        if len(slots) == 1:
            (slot,), (argument,) = slots, arguments

            def apply_to_one(now: C) -> Value:
                now.locals[slot] = argument(now)
                return body(now)

            return apply_to_one

        def apply(now: C) -> Value:
            values = [argument(now) for argument in arguments]
            for slot, value in zip(slots, values, strict=True):
                now.locals[slot] = value
            return body(now)

        return apply

    def recursive_call(self, node: nodes.ApplyRecursive) -> Meaning[C]:
        """A call with its own locals, the caller's locals restored at the end; the function of the
        body is built at the first call."""
        definition = node.definition
        slots = [parameter.slot for parameter in definition.parameters]
        arguments = [
            self._argument(definition, parameter, argument)
            for parameter, argument in zip(definition.parameters, node.arguments, strict=True)
        ]

        def apply(now: C) -> Value:
            values = [argument(now) for argument in arguments]
            self.count_call(now, definition)
            outer, now.locals = now.locals, now.locals.copy()
            for slot, value in zip(slots, values, strict=True):
                now.locals[slot] = value
            result = self.meaning(definition.value)(now)
            now.locals = outer
            return result

        return apply

    def _argument(
        self, definition: nodes.RecursiveDefinition, parameter: nodes.Bounded, argument: nodes.Expr
    ) -> Meaning[C]:
        """An argument, checked against its domain."""
        meaning, domain = self.meaning(argument), parameter.domain

        def checked(now: C) -> Value:
            value = meaning(now)
            elements = as_collection(value) if parameter.is_subset else (value,)
            for element in elements:
                if domain.position(element) is None:
                    said, hint = outside_its_domain(definition.name, parameter, element)
                    raise self.failure(OperationError(said, hint, "E3012"), argument.span)
            return domain.subset(elements) if parameter.is_subset else value

        return checked


PLAIN: dict[str, Callable[[Any, Any], Value]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""Operators that are Python's where both operands are numbers."""


def _are_numbers(node: nodes.Arithmetic | nodes.Compare) -> bool:
    return is_always_number(node.left.type) and is_always_number(node.right.type)


def compares_sets(node: nodes.Compare) -> bool:
    """Whether the order of elements is ignored: an operand is a set, not a list."""
    kinds = [type(without_none(side.type)) for side in (node.left, node.right)]
    return SetType in kinds and {*kinds} <= {SetType, ListType}
