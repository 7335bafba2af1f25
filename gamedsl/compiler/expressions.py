"""Scalar expressions: typed nodes become expressions of the generated code.

In: a node and a scope. Out: `Known` or `Code`. Evaluation order and failures are those of the
language. Collections are the business of `collections`, sets of squares of `sets`.
"""

from __future__ import annotations

from gamedsl.compiler.conditions import Conditions
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.evaluate import NotKnownError
from gamedsl.compiler.scope import Bound, Code, Held, Known, Later, Meaning, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes, operations
from gamedsl.model.builtins import row_of
from gamedsl.model.types import BOOLEAN, Scalar
from gamedsl.model.walk import within


class Expressions(Conditions):
    """The scalar expressions of one game."""

    def _lower(self, node: nodes.Expr, scope: Scope) -> Low:
        match node:
            case nodes.Const():
                return Known(node.value)
            case nodes.Local():
                meaning = scope.of(node.slot)
                assert meaning is not None
                if isinstance(meaning, Held):
                    raise CannotCompileError("a held collection as a value", node.span)
                return (
                    self.lower(meaning.node, meaning.scope)
                    if isinstance(meaning, Bound)
                    else meaning
                )
            case nodes.Turn():
                return scope.turn
            case nodes.Me():
                assert scope.me is not None
                return scope.me
            case nodes.Stuck():
                assert scope.stuck is not None
                return Code(scope.stuck, BOOLEAN)
            case nodes.Cell():
                return self.read(node, scope)
            case nodes.Not():
                return self._not(self.lower(node.operand, scope))
            case nodes.Negate():
                return self._negate(node, scope)
            case nodes.Arithmetic():
                return self._arithmetic(node, scope)
            case nodes.Step():
                assert self.model.board is not None
                return self._by_table(
                    node, (node.square, node.offset), self.model.board.step, scope
                )
            case nodes.AddOffsets():
                return self._by_table(node, (node.left, node.right), operations.add_offsets, scope)
            case nodes.Scale():
                return self._by_table(node, (node.factor, node.offset), operations.scale, scope)
            case nodes.Compare():
                return self._compare(node, scope)
            case nodes.Member():
                return self.member(node, scope)
            case nodes.Logic():
                return self._logic(node, scope)
            case nodes.Choose():
                return self._choose(node, scope)
            case nodes.Quantify():
                return self.quantify(node, scope)
            case nodes.Apply():
                return self._apply(node, scope)
            case nodes.Builtin():
                return self._builtin(node, scope)
            case nodes.ListItem():
                return self._list_item(node, scope)
            case nodes.Collect() | nodes.Range() | nodes.Union() | nodes.Whole():
                raise CannotCompileError(
                    "a collection that is neither known nor gone through", node.span
                )

    # --- calls -----------------------------------------------------------------------------

    def bound(self, node: nodes.Apply, scope: Scope) -> Scope | None:
        """The scope of a call's body, its arguments worked out where they are used; None where
        that might change what fails."""
        inner = Scope(scope.turn, scope.me, {}, scope.stuck)
        for slot, argument in zip(node.definition.slots, node.arguments, strict=True):
            meaning = self.meaning_of(argument, scope)
            if meaning is None:
                return None
            inner = inner.having(slot, meaning)
        return inner

    def meaning_of(self, argument: nodes.Expr, scope: Scope) -> Meaning | None:
        """A known value, a name, or what cannot fail and so can wait; else None."""
        try:
            return Known(self.evaluator.value(argument, scope))
        except (NotKnownError, operations.OperationError):
            pass
        if isinstance(argument, nodes.Local):
            found = scope.of(argument.slot)
            return Later(found.node, found.scope) if isinstance(found, Bound) else found
        return None if self.safety.can_fail(argument) else Later(argument, scope)

    def _apply(self, node: nodes.Apply, scope: Scope) -> Low:
        """Small bodies in place, others as functions, one for each kind of arguments."""
        definition = node.definition
        inner = Scope(scope.turn, scope.me, {}, scope.stuck)
        given: dict[str, str] = {}
        shapes: list[object] = []
        in_place = True
        for slot, argument in zip(definition.slots, node.arguments, strict=True):
            if isinstance(argument.type, Scalar):
                low: Meaning = self.lower(argument, scope)
            else:
                found = self.meaning_of(argument, scope)
                if found is None:
                    raise CannotCompileError(
                        "a collection as an argument that may fail", argument.span
                    )
                low = found
            if isinstance(low, Code) and not low.is_name:
                in_place = False
            if isinstance(low, Later):
                shapes = []
                inner = inner.having(slot, low)
                continue
            inner = inner.having(slot, low)
            shapes.append(low)
        if in_place and (
            len(list(within(definition.body))) <= 12
            or any(isinstance(m, Later) for m in inner.slots.values())
        ):
            return self.lower(definition.body, inner)
        return self._call(node, inner, given, scope)

    def _call(self, node: nodes.Apply, inner: Scope, given: dict[str, str], scope: Scope) -> Low:
        definition = node.definition
        named = inner
        for slot, meaning in inner.slots.items():
            if isinstance(meaning, Code):
                name = self.program.named(f"{definition.name}_{slot}")
                given[name] = meaning.text
                named = named.having(slot, Code(name, meaning.type, meaning.per))
        result: list[Low] = []

        def write() -> None:
            low = self.lower(definition.body, named)
            result.append(low)
            if isinstance(low, Code):
                self.program.writer.line(f"return {low.text}")

        text = self.program.call(definition.name, write, given)
        low = result[0]
        return low if isinstance(low, Known) else Code(text, low.type, low.per)

    def _builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        if isinstance(node.arguments[0], nodes.Whole):
            return self.board_builtin(node, scope)
        if node.name == "abs":
            low = self.numeric(node.arguments[0], scope)
            assert isinstance(node.type, Scalar)
            return Code(f"abs({low.text})", node.type, low.per)
        value = row_of(node.name).value
        types = (node.type, *(argument.type for argument in node.arguments))
        if value is not None and all(isinstance(kind, Scalar) for kind in types):
            return self._by_table(node, node.arguments, value(self.model), scope)
        return self.reduce(node, scope)

    def _list_item(self, node: nodes.ListItem, scope: Scope) -> Low:
        items = self.lower(node.items, scope)
        index = self.lower(node.index, scope)
        assert isinstance(node.type, Scalar)
        found = (
            self.table_of(
                [items, index] if isinstance(items, Known) else [], operations.list_item, node.type
            )
            if isinstance(items, Known)
            else None
        )
        if found is None:
            raise CannotCompileError("a position that may lie outside its list", node.span)
        return found
