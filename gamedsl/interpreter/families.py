"""A family of actions: a `move` with all instances of the parameters."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.interpreter.bodies import Body
from gamedsl.interpreter.environment import Environment
from gamedsl.interpreter.expressions import Expressions
from gamedsl.model import nodes
from gamedsl.model.action_names import arguments_of, name_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.values import Value


class Family:
    """A move: legal instances and action ids."""

    def __init__(self, move: nodes.Move, body: Body, expressions: Expressions) -> None:
        self.move = move
        self.body = body
        self._choices = tuple(
            None if p.choices is None else expressions.meaning(p.choices) for p in move.parameters
        )
        self._conditions = tuple(
            None if p.condition is None else expressions.meaning(p.condition)
            for p in move.parameters
        )

    def legal(self, env: Environment) -> Iterator[int]:
        """The ids of the legal instances, ascending: all arguments from the parameters' sets, in
        declaration order, that satisfy `where`, then the body's `require`s and `ensure`s."""
        try:
            yield from self._instances(env, 0, 0)
        except GameRuleError as error:
            if error.action is None:
                error.action = self.move.name
            raise

    def _instances(self, env: Environment, depth: int, number: int) -> Iterator[int]:
        if depth == len(self.move.parameters):
            if self._is_legal(env, self.move.first_id + number):
                yield self.move.first_id + number
            return
        parameter = self.move.parameters[depth]
        condition = self._conditions[depth]
        size = len(parameter.values)
        for digit, value in self._values(env, depth):
            env.locals[parameter.slot] = value
            if condition is None or condition(env):
                yield from self._instances(env, depth + 1, number * size + digit)
                env.locals[parameter.slot] = value

    def _is_legal(self, env: Environment, action: int) -> bool:
        try:
            return self.body.is_legal(env)
        except GameRuleError as error:
            error.action = name_of(self.move, action)
            raise

    def _values(self, env: Environment, depth: int) -> Iterator[tuple[int, Value]]:
        values = self.move.parameters[depth].values
        choices = self._choices[depth]
        if choices is None:
            yield from enumerate(values.values)
        else:
            yield from sorted((values.digit[value], value) for value in set(choices(env)))  # type: ignore[arg-type]

    def bind(self, env: Environment, action: int) -> None:
        """Store the arguments of an action in the parameters' slots."""
        arguments = arguments_of(self.move, action)
        for parameter, value in zip(self.move.parameters, arguments, strict=True):
            env.locals[parameter.slot] = value
