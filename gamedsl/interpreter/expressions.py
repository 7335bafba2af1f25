"""Interpret expressions: a typed node becomes a function of an `Environment`.

Expressions do not change the environment's cells; a failed operation raises `GameRuleError`. Order
of evaluation, scopes, calls and quantifiers are defined in `gamedsl.model.semantics.expressions`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.interpreter.geometry import Array, array_builtin, full
from gamedsl.model import messages, nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.builtins import ways_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.limits import MOST_CALLS
from gamedsl.model.semantics.expressions import ExpressionSemantics
from gamedsl.model.values import NONE, Atom, Value, text_of
from gamedsl.source import Span


class RuledOutError(AssertionError):
    """An expression has a value that a condition above excludes. Only raised where code behind an
    outcome that holds is evaluated nevertheless."""


class Expressions(ExpressionSemantics[Environment]):
    """Builds the functions of the expressions of a game."""

    def __init__(
        self, board: Board | None, players: tuple[Atom, ...], most_calls: int = MOST_CALLS
    ) -> None:
        super().__init__(board, players)
        self.most_calls = most_calls

    def condition(self, node: nodes.Expr | None) -> Callable[[Environment], bool]:
        """The function of a condition; None always holds."""
        if node is None:
            return lambda _: True
        meaning = self.meaning(node)
        return lambda env: meaning(env) is True

    # --- cells -----------------------------------------------------------------------------

    def read(self, node: nodes.Reading) -> Meaning:
        """The function of a cell."""
        assert isinstance(node, nodes.Cell), "a whole variable has no value of its own"
        variable, values = node.variable, node.variable.domain.values
        place = self.place(variable, node.indices)
        may_be_unset = None in variable.initial

        def held(env: Environment) -> Value:
            number = place(env)
            return NONE if number is None else values[env.cells[number]]  # type: ignore[index]

        def held_if_set(env: Environment) -> Value:
            number = place(env)
            if number is not None and env.cells[number] is None:
                raise GameRuleError.of("E3008", messages.not_set(variable), node.span)
            return held(env)

        return held_if_set if may_be_unset else held

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

    # --- narrowed values, calls, builtins over a whole variable -----------------------------

    def narrowed(self, node: nodes.Narrowed) -> Meaning:
        """The operand, which the condition has left in the type."""
        operand, admits = self.meaning(node.operand), node.type.admits

        def narrowed(env: Environment) -> Value:
            value = operand(env)
            if not admits(value):
                raise RuledOutError(f"a condition above leaves {node.type}, not {text_of(value)}")
            return value

        return narrowed

    def count_call(self, context: Environment, definition: nodes.RecursiveDefinition) -> None:
        """Counts the calls within the outermost call."""
        context.calls = 1 if context.locals is context.outermost else context.calls + 1
        if context.calls > self.most_calls:
            said = messages.too_many_calls(definition.name, self.most_calls)
            raise GameRuleError.of("E3013", said, definition.value.span)

    def failure(self, error: operations.OperationError, span: Span) -> GameRuleError:
        """The error in the game, with the place."""
        return GameRuleError(error.code, str(error), span, hint=error.hint)

    def array_builtin(self, node: nodes.Builtin) -> Meaning:
        """The function of `sight`, `group`, `line` or `full`."""
        whole, rest = node.array, node.arguments[1:]
        start = self.place(whole.variable, whole.fixed)
        array = Array(start, whole.indices, whole.variable.domain)
        if node.name == "full":
            return full(array, frozenset(whole.variable.offset + n for n in whole.variable.missing))
        assert self.board is not None
        meanings = tuple(self.meaning(argument) for argument in rest)
        return array_builtin(node.name, self.board, array, meanings, ways_of(node))


def _no_cell(span: Span, variable: nodes.Variable, place: int, value: Value) -> GameRuleError:
    return GameRuleError.of("E3002", messages.no_cell(variable, place, value), span)
