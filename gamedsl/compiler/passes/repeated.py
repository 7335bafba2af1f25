"""Large values that a statement repeats in several arms, with no first evaluation.

`Repeated` decides which values to evaluate before the statement, and which values to turn into
functions. Otherwise, in a chain of definitions that use their successor twice, the number of
copies would double with each definition.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import LAZY, MANY, Op, Value
from gamedsl.compiler.passes.available import Available

LARGE = 30
"""Largest value that may be copied, in operations."""
UNSURE = frozenset({Op.FLOORDIV, Op.MOD, Op.LOAD, Op.GUARD, Op.TUPLE, Op.BIND})
"""Operations that may fail, or give a different value on reevaluation."""
BY_RANGE = frozenset({Op.SHL, Op.SHR, Op.LOOKUP})
"""Operations that fail if their last argument is out of range."""


class Movable:
    """Whether values can be evaluated elsewhere, cached."""

    def __init__(self) -> None:
        self._early: dict[Value, bool] = {}
        self._alone: dict[Value, bool] = {}

    def can_be_early(self, value: Value) -> bool:
        """Whether a value can be evaluated without being needed."""
        self._measure(value)
        return self._early[value]

    def can_be_alone(self, value: Value) -> bool:
        """Whether a function can compute a value: no row is read or written."""
        self._measure(value)
        return self._alone[value]

    def _measure(self, value: Value) -> None:
        if value in self._early:
            return
        for part in parts(value, self._early):
            args = part.args
            self._early[part] = _is_sure(part) and all(self._early[arg] for arg in args)
            is_plain = part.type.kind != "row" and part.op not in {Op.BIND, Op.TUPLE, Op.STATE}
            self._alone[part] = is_plain and all(self._alone[arg] for arg in args)


def _is_sure(value: Value) -> bool:
    if value.can_fail or value.op in UNSURE or value.type.kind == "row":
        return False
    return value.op not in BY_RANGE or value.args[-1].is_const


class Repeated:
    """Repeated values of one statement.

    Attributes:
        early: values to evaluate before the statement, each before the values that contain it.
        alone: values to turn into functions.
    """

    def __init__(self, movable: Movable, known: Available, can_be_before: bool) -> None:
        self.early: dict[Value, None] = {}
        self.alone: set[Value] = set()
        self._movable, self._known, self._can_be_before = movable, known, can_be_before
        self._met: set[Value] = set()

    def look_at(self, values: Iterable[Value]) -> None:
        """Examine the values of a statement, in order."""
        roots = tuple(values)
        for value in roots:
            self._value(value)
        if len(self.early) > 1:
            order = (part for value in roots for part in parts(value))
            self.early = dict.fromkeys(part for part in order if part in self.early)

    def _value(self, value: Value) -> None:
        if value.is_atom or self._known.place(value) is not None:
            return
        if value in self._met and self._is_taken(value):
            return
        self._met.add(value)
        first, *rest = value.args or (value,)
        if value.args:
            self._value(first)
        if value.op not in LAZY:
            for arg in rest:
                self._value(arg)
        elif value.op in {Op.SELECT, Op.GUARD}:
            for arg in rest:
                with self._known.branch():
                    self._value(arg)
        else:
            with self._known.branch():
                for arg in rest:
                    self._value(arg)
        self._known.add(value, 0)

    def _is_taken(self, value: Value) -> bool:
        """Whether a repeated value is no longer copied."""
        if value in self.early or value in self.alone:
            return True
        if value.type is MANY or value.size <= LARGE:
            return False
        if self._can_be_before and self._movable.can_be_early(value):
            self.early[value] = None
            return True
        if self._movable.can_be_alone(value):
            self.alone.add(value)
            return True
        return False
