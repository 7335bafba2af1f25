"""Prove that the actions of a move are alike along a row of cells.

In: a move, the position of one of its parameters, and a variable over a range of numbers. Out:
whether a larger argument does the same to cells further on: the argument serves as an index of the
variable alone, after additions, and cells are named by the argument alone.

Every expression has a degree: 1 for a place that moves along with the argument, 0 for a value that
stays the same; other expressions have none.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.walk import expressions_of, parts


class _NoDegreeError(Exception):
    """An expression is neither a place on the row nor a value."""


def is_shifted(move: nodes.Move, place: int, row: nodes.Variable) -> bool:
    """Whether the actions of a move are alike along a row, by the parameter at a place.

    Shared are conditions and effects; whether the arguments reach both ends of the row is not
    asked.
    """
    slots = {parameter.slot: int(n == place) for n, parameter in enumerate(move.parameters)}
    shifts = _Degrees(row, slots)
    try:
        for parameter in move.parameters:
            for condition in expressions_of(parameter):
                shifts.value(condition)
        shifts.block(move.body)
    except _NoDegreeError:
        return False
    return True


class _Degrees:
    """The degrees of expressions, given the degrees of local names by slot."""

    def __init__(self, row: nodes.Variable, slots: dict[int, int]) -> None:
        self._row = row
        self._slots = slots

    def block(self, block: nodes.Block) -> None:
        """Raise _NoDegreeError unless statements are alike along the row."""
        for statement in block:
            match statement:
                case nodes.Require():
                    self.value(statement.condition)
                case nodes.Put():
                    self._place(statement.place.variable, statement.place.indices)
                    self.value(statement.value)
                case nodes.Let():
                    self._slots[statement.slot] = self.degree(statement.value)
                case nodes.Loop():
                    self._slots[statement.slot] = self.degree(statement.domain)
                    for condition in (statement.condition, statement.going):
                        if condition is not None:
                            self.value(condition)
                    self.block(statement.body)
                case nodes.Branch():
                    for condition, inner in statement.branches:
                        self.value(condition)
                        self.block(inner)
                    self.block(statement.otherwise)
                case _:
                    raise _NoDegreeError

    def value(self, node: nodes.Expr) -> int:
        """0; _NoDegreeError for a place."""
        if self.degree(node) != 0:
            raise _NoDegreeError
        return 0

    def degree(self, node: nodes.Expr) -> int:
        """The degree of an expression; of a collection, the degree of its elements."""
        match node:
            case nodes.Local():
                return self._slots.get(node.slot, 0)
            case nodes.Cell():
                return self._place(node.variable, node.indices)
            case nodes.Arithmetic(operator="+"):
                return self._within_one(self.degree(node.left) + self.degree(node.right))
            case nodes.Arithmetic(operator="-"):
                return self._within_one(self.degree(node.left) - self.degree(node.right))
            case nodes.Compare():
                self._equal(node.left, node.right)
                return 0
            case nodes.Builtin(name="..", arguments=(low, high)):
                return self._equal(low, high)
            case nodes.Comprehension():
                for clause in node.clauses:
                    self._slots[clause.slot] = self.degree(clause.domain)
                    if clause.condition is not None:
                        self.value(clause.condition)
                self.value(node.element)
                return 0
            case nodes.Apply() | nodes.ApplyRecursive() | nodes.ArrayRef():
                raise _NoDegreeError
        return max((self.value(part) for part in parts(node)), default=0)

    def _place(self, variable: nodes.Variable, indices: tuple[nodes.Expr, ...]) -> int:
        """0, the degree of a cell's content; the cell is a place on the row."""
        if variable != self._row or [self.degree(index) for index in indices] != [1]:
            raise _NoDegreeError
        return 0

    def _within_one(self, degree: int) -> int:
        if degree not in (0, 1):
            raise _NoDegreeError
        return degree

    def _equal(self, first: nodes.Expr, second: nodes.Expr) -> int:
        degree = self.degree(first)
        if degree != self.degree(second):
            raise _NoDegreeError
        return degree
