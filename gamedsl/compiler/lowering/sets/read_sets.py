"""Bounds on the squares that an expression may read, derived from the rules without a state.

The results are masks of the squares whose cells of some variables an expression may read, or of the
squares an expression may give. A mask is never too small, and has all squares where nothing is
known.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.compiler.ir.values import INT, name
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.sets import square_sets
from gamedsl.compiler.lowering.values import collections, expressions
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Scope
from gamedsl.model import nodes
from gamedsl.model.values import Square, Value, Vector
from gamedsl.model.walk import parts
from gamedsl.source.records import dataclass

ANY = name("any", INT)
Given = Mapping[Expr, Value]


@dataclass(frozen=True, slots=True)
class Among(Code):
    """A square out of a mask of possible squares; never becomes code."""

    squares: int = 0


class ReadSets:
    """The squares that expressions of one game may read or give.

    Attributes:
        written: the variables whose cells count, by offset.
        given: the values assumed for code.
    """

    def __init__(self, lowering: Lowering, written: frozenset[int], assumed: Given) -> None:
        self._lowering = lowering
        self._everything = square_sets.everything(lowering)
        self._written = written
        self._assumed = assumed

    def among(self, slot: int, squares: int, scope: Scope) -> Scope:
        """The scope in which a local is a square out of a mask."""
        return scope.having(
            slot, Among(ANY, collections.square_type(self._lowering), squares=squares)
        )

    def reads(self, node: nodes.Expr, scope: Scope) -> int:
        """The squares whose cells an expression may read."""
        match node:
            case nodes.Builtin(name="sight"):
                squares = self.collection(node, scope)
                within = (*parts(node.arguments[0]), *node.arguments[1:])
                return squares | self._of_all(within, scope)
            case nodes.ArrayRef():
                whole = self._everything if node.variable.offset in self._written else 0
                return whole | self._of_all(node.fixed, scope)
            case nodes.Cell() if node.variable.offset in self._written:
                where = self.place(node.indices[0], scope) if node.indices else 0
                return where | self._of_all(node.indices, scope)
            case _ if node.asks == "moves" or isinstance(node, nodes.ApplyRecursive):
                return self._everything
            case nodes.Comprehension():
                return self._of_quantifier(node, scope)
        inside = expressions.behind(self._lowering, node, scope)
        if inside is None and isinstance(node, nodes.Apply):
            return self._everything
        squares = 0 if inside is None else self.reads(*inside)
        return squares | self._of_all(parts(node), scope)

    def _of_all(self, some: tuple[nodes.Expr, ...], scope: Scope) -> int:
        squares = 0
        for node in some:
            squares |= self.reads(node, scope)
        return squares

    def _of_quantifier(self, node: nodes.Comprehension, scope: Scope) -> int:
        squares = 0
        for clause in node.clauses:
            squares |= self.reads(clause.domain, scope)
            scope = self.among(clause.slot, self.collection(clause.domain, scope), scope)
            if clause.condition is not None:
                squares |= self.reads(clause.condition, scope)
        return squares | self.reads(node.element, scope)

    def place(self, node: nodes.Expr, scope: Scope) -> int:
        """The squares that an expression may give."""
        opened, inner = expressions.opened(self._lowering, node, scope)
        meaning = inner.of(opened.local)
        if isinstance(meaning, Among):
            return meaning.squares
        value = self._value(node, scope)
        if value is not None:
            return self._lowering.sets.mask((value,))
        match opened:
            case nodes.Conditional():
                return self.place(opened.then, inner) | self.place(opened.otherwise, inner)
            case nodes.Comprehension(kind="first" | "last") if collections.is_own_element(opened):
                return self.collection(opened.clauses[0].domain, inner)
        return self._everything

    def collection(self, node: nodes.Expr, scope: Scope) -> int:
        """The squares that may be in a collection."""
        node, scope = expressions.opened(self._lowering, node, scope)
        value = self._value(node, scope)
        if isinstance(value, tuple):
            return self._lowering.sets.mask(value)
        match node:
            case nodes.Builtin(name="sight", arguments=(_, start, way)):
                ray = self._ray(self._value(start, scope), self._value(way, scope))
                if ray is not None:
                    return ray
            case nodes.Comprehension(kind="set" | "list") if collections.is_own_element(node):
                return self.collection(node.clauses[0].domain, scope)
        return self._everything

    def _ray(self, start: Value | None, way: Value | None) -> int | None:
        board = self._lowering.model.board
        if board is None or not isinstance(start, Square) or not isinstance(way, Vector):
            return None
        return self._lowering.sets.mask(board.ray(start, way))

    def _value(self, node: nodes.Expr, scope: Scope) -> Value | None:
        return self._lowering.evaluator.known(node, scope, self._assumed)
