"""Interpret expressions: a typed node becomes a function of an `Environment`.

A node becomes a Python closure, written to resemble the text of the rule. Expressions do not change
the environment's cells; a failed operation raises `GameRuleError`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.interpreter.geometry import Array, array_builtin, full
from gamedsl.model import messages, nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.builtins import row_of, ways_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.evaluate import compares_sets, is_offset
from gamedsl.model.limits import MOST_CALLS
from gamedsl.model.operations import as_collection
from gamedsl.model.types import Scalar, SetType
from gamedsl.model.values import NONE, Atom, Value, text_of, unique
from gamedsl.source import Span


class RuledOutError(AssertionError):
    """An expression has a value that a condition above excludes. Only raised where code behind an
    outcome that holds is evaluated nevertheless."""


class Expressions:
    """Builds the functions of the expressions of a game."""

    def __init__(
        self, board: Board | None, players: tuple[Atom, ...], most_calls: int = MOST_CALLS
    ) -> None:
        self.board = board
        self.players = players
        self.most_calls = most_calls
        self._definitions: dict[int, Meaning] = {}

    def meaning(self, node: nodes.Expr) -> Meaning:
        """The function that evaluates the node."""
        match node:
            case nodes.Const(value=value):
                return lambda _: value
            case nodes.Local(slot=slot):
                return lambda env: env.locals[slot]
            case nodes.Turn():
                return lambda env: env.turn
            case nodes.Me():
                return lambda env: env.me
            case nodes.Stuck():
                return lambda env: env.is_stuck()
            case nodes.Cell():
                return self._cell(node)
            case nodes.ArrayRef():
                raise AssertionError("a whole variable has no value of its own")
            case nodes.Not():
                operand = self.meaning(node.operand)
                return lambda env: not operand(env)
            case nodes.Negate():
                operation = operations.opposite if is_offset(node) else operations.negate
                return self._guarded(node.span, operation, node.operand)
            case nodes.Narrowed():
                return self._narrowed(node)
            case nodes.Arithmetic():
                return self._arithmetic(node)
            case nodes.Compare():
                return self._compare(node)
            case nodes.Step():
                return self._step(node)
            case nodes.AddOffsets():
                return self._guarded(node.span, operations.add_offsets, node.left, node.right)
            case nodes.Scale():
                return self._guarded(node.span, operations.scale, node.factor, node.offset)
            case nodes.Member():
                return self._member(node)
            case nodes.Logic():
                return self._logic(node)
            case nodes.Conditional():
                return self._choose(node)
            case nodes.Collection():
                return self._collect(node)
            case nodes.Range():
                return self._guarded(node.span, operations.span_of_numbers, node.low, node.high)
            case nodes.Union():
                left, right = self.meaning(node.left), self.meaning(node.right)
                return lambda env: operations.joined(left(env), right(env))
            case nodes.Comprehension():
                return self._quantify(node)
            case nodes.Apply():
                return self._apply(node)
            case nodes.ApplyRecursive():
                return self._apply_recursive(node)
            case nodes.Builtin():
                return self._builtin(node)
            case nodes.ListItem():
                return self._guarded(node.span, operations.list_item, node.items, node.index)

    def condition(self, node: nodes.Expr | None) -> Callable[[Environment], bool]:
        """The function of a condition; None always holds."""
        if node is None:
            return lambda _: True
        meaning = self.meaning(node)
        return lambda env: meaning(env) is True

    def _guarded(
        self, span: Span, operation: Callable[..., Value], *operands: nodes.Expr
    ) -> Meaning:
        """An operation that may fail; the error then names the place."""
        worked_out = _applied(operation, tuple(self.meaning(operand) for operand in operands))

        def evaluate(env: Environment) -> Value:
            try:
                return worked_out(env)
            except operations.OperationError as error:
                raise GameRuleError("E3007", str(error), span, hint=error.hint) from None

        return evaluate

    # --- cells -----------------------------------------------------------------------------

    def _cell(self, node: nodes.Cell) -> Meaning:
        variable, values = node.variable, node.variable.domain.values
        place = self.place(variable, node.indices)
        may_be_unset = None in variable.initial

        def read(env: Environment) -> Value:
            number = place(env)
            return NONE if number is None else values[env.cells[number]]  # type: ignore[index]

        def read_if_set(env: Environment) -> Value:
            number = place(env)
            if number is not None and env.cells[number] is None:
                raise GameRuleError.of("E3008", messages.not_set(variable), node.span)
            return read(env)

        return read_if_set if may_be_unset else read

    def place(
        self, variable: nodes.Variable, indices: tuple[nodes.Expr, ...]
    ) -> Callable[[Environment], int | None]:
        """The number of the cell with the given indices; for too few indices, the number of the
        first cell that begins with the indices; None for `none`."""
        offset = variable.offset
        if not indices:
            return lambda _: offset
        if len(indices) == len(variable.indices) == 1:
            index, domain, span = self.meaning(indices[0]), variable.indices[0], indices[0].span
            digits = domain.digit

            def find(env: Environment) -> int | None:
                value = index(env)
                digit = digits.get(value)
                if digit is not None:
                    return offset + digit
                if value is NONE:
                    return None
                raise _no_cell(span, variable, 0, value)

            return find
        meanings = tuple((self.meaning(index), index.span) for index in indices)
        missing, whole = variable.missing, indices[0].span.to(indices[-1].span)
        cells = prod(len(domain) for domain in variable.indices[len(indices) :])

        def find_many(env: Environment) -> int | None:
            number = 0
            each = zip(meanings, variable.indices, strict=False)
            for place, ((meaning, span), domain) in enumerate(each):
                value = meaning(env)
                digit = domain.digit.get(value)
                if digit is None:
                    if value is NONE:
                        return None
                    raise _no_cell(span, variable, place, value)
                number = number * len(domain) + digit
            if len(indices) == len(variable.indices) and number in missing:
                said = messages.missing_cell(variable, number)
                raise GameRuleError.of("E3002", said, whole)
            return offset + number * cells

        return find_many

    # --- operators -------------------------------------------------------------------------

    def _narrowed(self, node: nodes.Narrowed) -> Meaning:
        operand, admits = self.meaning(node.operand), node.type.admits

        def narrowed(env: Environment) -> Value:
            value = operand(env)
            if not admits(value):
                raise RuledOutError(f"a condition above leaves {node.type}, not {text_of(value)}")
            return value

        return narrowed

    def _arithmetic(self, node: nodes.Arithmetic) -> Meaning:
        plain = {"+": operator.add, "-": operator.sub, "*": operator.mul}.get(node.operator)
        if plain is None or not (_surely_number(node.left) and _surely_number(node.right)):
            operation = operations.ARITHMETIC[node.operator]
            return self._guarded(node.span, operation, node.left, node.right)
        left, right = self.meaning(node.left), self.meaning(node.right)
        return lambda env: plain(left(env), right(env))

    def _compare(self, node: nodes.Compare) -> Meaning:
        left, right = self.meaning(node.left), self.meaning(node.right)
        if node.operator in {"==", "!="} and compares_sets(node):
            wanted = node.operator == "=="
            return lambda env: operations.equal_sets(left(env), right(env)) is wanted
        if node.operator == "==":
            return lambda env: left(env) == right(env)
        if node.operator == "!=":
            return lambda env: left(env) != right(env)
        if _surely_number(node.left) and _surely_number(node.right):
            plain: Callable[[Any, Any], bool] = {
                "<": operator.lt,
                "<=": operator.le,
                ">": operator.gt,
                ">=": operator.ge,
            }[node.operator]
            return lambda env: plain(left(env), right(env))
        comparison = operations.COMPARISONS[node.operator]
        return self._guarded(node.span, comparison, node.left, node.right)

    def _step(self, node: nodes.Step) -> Meaning:
        assert self.board is not None
        step, square, offset = self.board.step, self.meaning(node.square), self.meaning(node.offset)
        return lambda env: step(square(env), offset(env))  # type: ignore[arg-type]

    def _member(self, node: nodes.Member) -> Meaning:
        element = self.meaning(node.element)
        if isinstance(node.collection, nodes.Const):
            members = frozenset(as_collection(node.collection.value))
            return lambda env: element(env) in members
        collection = self.meaning(node.collection)
        return lambda env: element(env) in collection(env)  # type: ignore[operator]

    def _logic(self, node: nodes.Logic) -> Meaning:
        operands = tuple(self.meaning(operand) for operand in node.operands)
        if len(operands) == 2:
            left, right = operands
            if node.operator == "and":
                return lambda env: left(env) and right(env)
            return lambda env: left(env) or right(env)
        if node.operator == "and":
            return lambda env: all(operand(env) for operand in operands)
        return lambda env: any(operand(env) for operand in operands)

    def _choose(self, node: nodes.Conditional) -> Meaning:
        condition = self.meaning(node.condition)
        then, otherwise = self.meaning(node.then), self.meaning(node.otherwise)
        return lambda env: then(env) if condition(env) else otherwise(env)

    def _collect(self, node: nodes.Collection) -> Meaning:
        items = tuple(self.meaning(item) for item in node.items)
        if isinstance(node.type, SetType):
            return lambda env: unique(item(env) for item in items)
        return lambda env: tuple([item(env) for item in items])

    # --- quantifiers and calls -------------------------------------------------------------

    def rounds(self, clauses: tuple[nodes.Clause, ...]) -> Callable[[Environment], Iterator[None]]:
        """Iterates over the bindings of `for` clauses, with a yield for each binding."""
        clause, rest = clauses[0], clauses[1:]
        slot, domain = clause.slot, self.meaning(clause.domain)
        condition = None if clause.condition is None else self.meaning(clause.condition)
        inner = self.rounds(rest) if rest else None

        def go_through(env: Environment) -> Iterator[None]:
            for value in domain(env):  # type: ignore[union-attr]
                env.locals[slot] = value
                if condition is None or condition(env):
                    if inner is None:
                        yield
                    else:
                        yield from inner(env)

        return go_through

    def _quantify(self, node: nodes.Comprehension) -> Meaning:
        rounds, element = self.rounds(node.clauses), self.meaning(node.element)
        match node.kind:
            case "any":
                return lambda env: any(element(env) for _ in rounds(env))
            case "all":
                return lambda env: all(element(env) for _ in rounds(env))
            case "first":

                def first(env: Environment) -> Value:
                    for _ in rounds(env):
                        return element(env)
                    return NONE

                return first
            case "set":
                return lambda env: unique(element(env) for _ in rounds(env))
            case "list":
                return lambda env: tuple([element(env) for _ in rounds(env)])
        reduce, span = operations.REDUCTIONS[node.kind], node.span

        def evaluate(env: Environment) -> Value:
            try:
                return reduce(tuple([element(env) for _ in rounds(env)]))
            except operations.OperationError as error:
                raise GameRuleError("E3007", str(error), span, hint=error.hint) from None

        return evaluate

    def _apply(self, node: nodes.Apply) -> Meaning:
        body = self._definitions.get(id(node.definition))
        if body is None:
            body = self.meaning(node.definition.body)
            self._definitions[id(node.definition)] = body
        called = body
        slots = node.definition.slots
        arguments = tuple(self.meaning(argument) for argument in node.arguments)
        if len(slots) == 1:
            (slot,), (argument,) = slots, arguments

            def apply_to_one(env: Environment) -> Value:
                env.locals[slot] = argument(env)
                return called(env)

            return apply_to_one

        def apply(env: Environment) -> Value:
            values = [argument(env) for argument in arguments]
            for slot, value in zip(slots, values, strict=True):
                env.locals[slot] = value
            return called(env)

        return apply

    def _apply_recursive(self, node: nodes.ApplyRecursive) -> Meaning:
        """A call with its own locals; the caller's locals are restored at the end."""
        definition = node.definition
        slots = [parameter.slot for parameter in definition.parameters]
        arguments = [
            self._argument(definition, parameter, argument)
            for parameter, argument in zip(definition.parameters, node.arguments, strict=True)
        ]

        def apply(env: Environment) -> Value:
            values = [value(env) for value in arguments]
            before, env.calls = env.calls, env.calls + 1
            if env.calls > self.most_calls:
                said = messages.too_many_calls(definition.name, self.most_calls)
                raise GameRuleError.of("E3013", said, definition.value.span)
            outer, env.locals = env.locals, env.locals.copy()
            for slot, value in zip(slots, values, strict=True):
                env.locals[slot] = value
            result = self._body_of(definition)(env)
            env.locals = outer
            if not before:
                env.calls = 0
            return result

        return apply

    def _body_of(self, definition: nodes.RecursiveDefinition) -> Meaning:
        """The function of a `def`'s body, built at the first call."""
        body = self._definitions.get(id(definition))
        if body is None:
            body = self._definitions[id(definition)] = self.meaning(definition.value)
        return body

    def _argument(
        self,
        definition: nodes.RecursiveDefinition,
        parameter: nodes.Bounded,
        argument: nodes.Expr,
    ) -> Meaning:
        """An argument, checked against its domain."""
        meaning, domain = self.meaning(argument), parameter.domain

        def checked(env: Environment) -> Value:
            value = meaning(env)
            elements = as_collection(value) if parameter.is_subset else (value,)
            for element in elements:
                if domain.position(element) is None:
                    said = messages.outside_its_domain(definition.name, parameter, element)
                    raise GameRuleError.of("E3012", said, argument.span)
            return domain.subset(elements) if parameter.is_subset else value

        return checked

    def _builtin(self, node: nodes.Builtin) -> Meaning:
        value = row_of(node.name).value
        if value is not None:
            return self._guarded(node.span, value(self), *node.arguments)
        whole, *rest = node.arguments
        assert isinstance(whole, nodes.ArrayRef)
        start = self.place(whole.variable, whole.fixed)
        array = Array(start, whole.indices, whole.variable.domain)
        if node.name == "full":
            return full(array, frozenset(whole.variable.offset + n for n in whole.variable.missing))
        assert self.board is not None
        meanings = tuple(self.meaning(argument) for argument in rest)
        return array_builtin(node.name, self.board, array, meanings, ways_of(node))


def stored_digit(variable: nodes.Variable) -> Callable[[int, Value], int | None]:
    """The digit of a value in a cell given by number; None if the cell cannot hold the value."""
    digits, domains, offset = variable.domain.digit, variable.domains, variable.offset
    if domains is None:
        return lambda _, value: digits.get(value)

    def digit(number: int, value: Value) -> int | None:
        return digits[value] if value in domains[number - offset].digit else None

    return digit


def _applied(operation: Callable[..., Value], meanings: tuple[Meaning, ...]) -> Meaning:
    if len(meanings) == 1:
        (only,) = meanings
        return lambda env: operation(only(env))
    if len(meanings) == 2:
        left, right = meanings
        return lambda env: operation(left(env), right(env))
    return lambda env: operation(*[meaning(env) for meaning in meanings])


def _surely_number(node: nodes.Expr) -> bool:
    return isinstance(node.type, Scalar) and node.type.kinds == {"number"}


def _no_cell(span: Span, variable: nodes.Variable, place: int, value: Value) -> GameRuleError:
    return GameRuleError.of("E3002", messages.no_cell(variable, place, value), span)
