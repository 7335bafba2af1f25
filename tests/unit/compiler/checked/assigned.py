"""Which locals have been assigned wherever they are read, whatever way a function takes.

In: a function whose state, if it has one, is in words (fields are not locals). Out: the first value
that reads a local too early, or none. Behind a loop only what its test binds is known to be
assigned; a name from behind `and`, `or` or one arm of `if-else` holds there alone.
"""

from __future__ import annotations

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value

Names = frozenset[str]


def read_too_early(function: ir.Function) -> Value | None:
    """A value that reads a local which is not assigned on some way to it."""
    walk = _Walk()
    walk.block(function.body, frozenset(one.name for one in function.parameters))
    return walk.early


class _Walk:
    """One walk in the order of evaluation; `None` stands for what is known where nobody comes."""

    def __init__(self) -> None:
        self.early: Value | None = None
        self._breaks: list[list[Names]] = []

    def block(self, body: ir.Body, known: Names | None) -> Names | None:
        """What is assigned behind a block."""
        for statement in body:
            if known is None:
                return None
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: ir.Statement, known: Names) -> Names | None:
        match statement:
            case ir.If():
                known = self._value(statement.test, known)
                return _met(
                    self.block(statement.then, known), self.block(statement.otherwise, known)
                )
            case ir.While():
                known = self._value(statement.test, known)
                broken = self._loop(statement.body, known)
                is_endless = statement.test.is_const and bool(statement.test.const)
                return _met(None if is_endless else known, broken)
        for value in ir.values_of(statement):
            known = self._value(value, known)
        within = known | {target.name for target in ir.targets_of(statement)}
        match statement:
            case ir.For() | ir.ForEntries():
                return _met(known, self._loop(statement.body, within))
            case ir.Break():
                self._breaks[-1].append(known)
                return None
            case ir.Return() | ir.ReturnState() | ir.Fault() | ir.Continue():
                return None
        return within

    def _loop(self, body: ir.Body, known: Names) -> Names | None:
        """What is assigned where the loop is left by `break`."""
        self._breaks.append([])
        self.block(body, known)
        met: Names | None = None
        for one in self._breaks.pop():
            met = _met(met, one)
        return met

    def _value(self, value: Value, known: Names) -> Names:
        """What is assigned behind a value."""
        match value.op:
            case Op.NAME | Op.STATE:
                if value.name not in known and self.early is None:
                    self.early = value
                return known
            case Op.ALL | Op.ANY:
                return self._first(value.args, known)
            case Op.GUARD:
                test, found, *numbers = value.args
                known = self._value(test, known)
                self._first((*numbers,), known)
                return self._value(found, known)
            case Op.SELECT:
                test, then, otherwise = value.args
                known = self._value(test, known)
                return self._value(then, known) & self._value(otherwise, known)
        for argument in value.args:
            known = self._value(argument, known)
        return known | {value.name} if value.op is Op.BIND else known

    def _first(self, values: tuple[Value, ...], known: Names) -> Names:
        """Only the first is worked out in any case; each finds what those before it bind."""
        behind = within = self._value(values[0], known)
        for value in values[1:]:
            within = self._value(value, within)
        return behind


def _met(one: Names | None, other: Names | None) -> Names | None:
    """What is assigned where two ways meet."""
    if one is None or other is None:
        return other if one is None else one
    return one & other
