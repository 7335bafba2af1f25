"""Evaluate what does not depend on the state: expressions whose locals are known values.

In: a typed expression and a scope, optionally with values assumed for some code. Out: its value,
or `NotKnownError`. What operations come to is said by `gamedsl.model.evaluate`; here is only what
the names of a scope stand for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.evaluate import NotKnownError, evaluate
from gamedsl.model.values import Atom, Value

__all__ = ["Evaluator", "NotKnownError"]


class Evaluator:
    """Evaluates expressions of one game at compile time."""

    def __init__(self, board: Board | None, players: tuple[Atom, ...]) -> None:
        self.board = board
        self.players = players

    def value(
        self, node: nodes.Expr, scope: Scope, assumed: Mapping[str, Value] | None = None
    ) -> Value:
        """The value. Raises NotKnownError; OperationError where the operation has no answer."""
        return evaluate(node, self, _Meanings(self, scope, assumed or {}))


@dataclass(frozen=True, slots=True)
class _Meanings:
    """The names of a scope, some code of which has assumed values."""

    evaluator: Evaluator
    scope: Scope
    assumed: Mapping[str, Value]

    def local(self, slot: int) -> Value:
        return self._value(self.scope.of(slot))

    def turn(self) -> Value:
        return self._value(self.scope.turn)

    def me(self) -> Value:
        return self._value(self.scope.me)

    def _value(self, meaning: Known | Code | Bound | Held | None) -> Value:
        match meaning:
            case Known():
                return meaning.value
            case Code() if meaning.text in self.assumed:
                return self.assumed[meaning.text]
            case Bound():
                return self.evaluator.value(meaning.node, meaning.scope, self.assumed)
            case _:
                raise NotKnownError
