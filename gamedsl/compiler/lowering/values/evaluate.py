"""Compile-time evaluation of expressions that do not depend on the state.

The locals of the expression must be known in its scope; values may be assumed for some code.
`gamedsl.model.semantics` defines the values of expressions; this module defines the values of the
names in a scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values.scope import Bound, Code, Found, Known, Scope
from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.needs import NeedsOfNodes
from gamedsl.model.semantics import evaluate
from gamedsl.model.semantics.evaluate import Asked, NotKnownError
from gamedsl.model.values import Atom, Value
from gamedsl.source.records import dataclass

__all__ = ["Evaluator", "NotKnownError"]

Result = TypeVar("Result")

MOST_CALLS = 20_000
"""Limit on recursive calls of `def`s evaluated while a game is compiled; beyond the limit, code is
generated.
"""


class Evaluator:
    """Evaluates expressions of one game at compile time."""

    def __init__(self, board: Board | None, players: tuple[Atom, ...]) -> None:
        self.board = board
        self.players = players
        self._evaluator = evaluate.Evaluator(self, MOST_CALLS)
        self._needs = NeedsOfNodes()

    def value(
        self, node: nodes.Expr, scope: Scope, assumed: Mapping[Expr, Value] | None = None
    ) -> Value:
        """The value. Raises NotKnownError; OperationError where the operation has no result."""
        if not assumed and not self._may_be_known(node, scope):
            raise NotKnownError
        return self._evaluator.value(node, _Meanings(self, scope, assumed or {}))

    def known(
        self, node: nodes.Expr, scope: Scope, assumed: Mapping[Expr, Value] | None = None
    ) -> Value | None:
        """The value; None if the value is unknown, or the operation has no result."""
        try:
            return self.value(node, scope, assumed)
        except (NotKnownError, operations.OperationError):
            return None

    def function(
        self, node: nodes.Expr, scope: Scope, names: Sequence[Expr]
    ) -> Callable[..., Value]:
        """A function from assumed values of some code, in order, to the value of an expression; it
        raises the errors of `value`. The names of the scope are resolved once, and all calls share
        one evaluation.
        """
        meaning = self._evaluator.meaning(node)
        return self._function(meaning, node, scope, names, is_shared=True)

    def solutions(
        self,
        node: nodes.Expr,
        scope: Scope,
        names: Sequence[Expr],
        is_name: Asked,
        depends: Asked,
    ) -> Callable[..., Iterable[Value]] | None:
        """A function from assumed values of some code, as in `function`, to the values of a name
        that satisfy a condition; None where `semantics.evaluate` cannot find them.
        """
        solve = self._evaluator.solutions(node, is_name, depends)
        return None if solve is None else self._function(solve, node, scope, names)

    def _function(
        self,
        meaning: Callable[[evaluate.Evaluation], Result],
        node: nodes.Expr,
        scope: Scope,
        names: Sequence[Expr],
        *,
        is_shared: bool = False,
    ) -> Callable[..., Result]:
        """As `function`; `is_shared`: each result is complete before the next call, so that the
        calls can share one evaluation."""
        assumed: dict[Expr, Value] = {}
        meanings = _Meanings(self, scope, assumed)
        known: dict[int, Value] = {}
        assumed_slots: list[tuple[int, int]] = []
        for slot in self._needs.of(node).slots:
            slot_meaning = scope.of(slot)
            if isinstance(slot_meaning, Known):
                known[slot] = slot_meaning.value
            elif isinstance(slot_meaning, Code) and slot_meaning.expr in names:
                assumed_slots.append((slot, names.index(slot_meaning.expr)))

        shared = evaluate.Evaluation(meanings)

        def value(*values: Value) -> Result:
            assumed.update(zip(names, values, strict=True))
            now = shared if is_shared else evaluate.Evaluation(meanings)
            now.locals.clear()
            now.locals.update(known)
            for slot, place in assumed_slots:
                now.locals[slot] = values[place]
            return meaning(now)

        return value

    def _may_be_known(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether all certain dependencies of the value are known, judged by names."""
        needs = self._needs.of(node)
        if needs.state or (needs.turn and not isinstance(scope.turn, Known)):
            return False
        if needs.me and not isinstance(scope.me, Known):
            return False
        return all(self._is_known(scope.of(slot)) for slot in needs.slots)

    def _is_known(self, meaning: Found) -> bool:
        if isinstance(meaning, Bound):
            return self._may_be_known(meaning.node, meaning.scope)
        return isinstance(meaning, Known)


@dataclass(frozen=True, slots=True)
class _Meanings:
    """The names of a scope, with values assumed for some code."""

    evaluator: Evaluator
    scope: Scope
    assumed: Mapping[Expr, Value]

    def local(self, slot: int) -> Value:
        return self._value(self.scope.of(slot))

    def mover(self, word: nodes.MoverWord) -> Value:
        return self._value(self.scope.mover(word))

    def _value(self, meaning: Found) -> Value:
        match meaning:
            case Known():
                return meaning.value
            case Code() if meaning.expr in self.assumed:
                return self.assumed[meaning.expr]
            case Bound():
                return self.evaluator.value(meaning.node, meaning.scope, self.assumed)
            case _:
                raise NotKnownError
