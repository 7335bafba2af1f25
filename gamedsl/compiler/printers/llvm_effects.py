"""Facts about functions and values, computed before printing: faults, effects on rows, size.

`Callees` takes all functions of a packed module. For each function it tells the types, whether the
function can fail, its effect on rows, and whether LLVM inlines the function. Recursive functions
are examined until a fixed point is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.signatures import INTRINSICS, Signature, signature_of
from gamedsl.compiler.ir.values import Op, Value

LARGEST_INLINED = 400
"""Largest function that is inlined, in operations, including those of all functions it calls."""


class Effect(IntEnum):
    """The effect of a function or value on rows."""

    NONE = 0
    READS = 1
    WRITES = 2


class Callees:
    """The functions of a module."""

    def __init__(self, functions: dict[str, ir.Function]) -> None:
        self.functions = functions
        self._signatures: dict[str, Signature] = {}
        self._values = {name: list(_values_in(function)) for name, function in functions.items()}
        self._calls = {
            name: {value.name for value in values if _is_call(value)}
            for name, values in self._values.items()
        }
        self._fails = self._spread(
            {name for name in functions if self._fails_itself(name)},
        )
        self._writes = self._spread(
            {
                name
                for name, function in functions.items()
                if any(isinstance(statement, ir.Store) for statement in ir.walk(function.body))
                or any(value.name == "exchange" for value in self._values[name] if _is_known(value))
            }
        )
        self._reads = self._spread(
            {
                name
                for name, values in self._values.items()
                if any(value.op is Op.LOAD for value in values)
            }
        )
        self._sizes: dict[str, int] = {}
        self._effects: dict[Value, Effect] = {}
        self._harmless: dict[Value, bool] = {}

    def _fails_itself(self, name: str) -> bool:
        body = self.functions[name].body
        return any(isinstance(statement, ir.Fault) for statement in ir.walk(body)) or any(
            value.op is Op.GUARD for value in self._values[name]
        )

    def _spread(self, first: set[str]) -> set[str]:
        """The given functions and all their direct and indirect callers."""
        callers: dict[str, list[str]] = {}
        for name, called in self._calls.items():
            for callee in called:
                callers.setdefault(callee, []).append(name)
        reached, pending = set(first), list(first)
        while pending:
            for caller in callers.get(pending.pop(), ()):
                if caller not in reached:
                    reached.add(caller)
                    pending.append(caller)
        return reached

    # --- functions -----------------------------------------------------------------------------

    def signature(self, name: str) -> Signature:
        """The types that a function takes and gives."""
        return signature_of(name, self.functions.__getitem__, self._signatures)

    def fails(self, name: str) -> bool:
        """Whether the function can fail."""
        return name in self._fails

    def effect(self, name: str) -> Effect:
        """The effect of the function on rows. Rows allocated by the function itself are counted
        too, although callers cannot see them.
        """
        if name in self._writes:
            return Effect.WRITES
        return Effect.READS if name in self._reads else Effect.NONE

    def is_small(self, name: str) -> bool:
        """Whether calls of the function are inlined."""
        return self._size(name) <= LARGEST_INLINED

    def _size(self, name: str) -> int:
        """Operations of a function and its callees; over the limit if the function is recursive."""
        if name not in self._sizes:
            self._sizes[name] = LARGEST_INLINED + 1
            size = sum(len(value.args) > 0 for value in self._values[name])
            size += sum(
                isinstance(statement, ir.If | ir.Store) for statement in self._statements(name)
            )
            calls = (value.name for value in self._values[name] if _is_call(value))
            self._sizes[name] = size + sum(map(self._size, calls))
        return self._sizes[name]

    def _statements(self, name: str) -> Iterator[ir.Statement]:
        return ir.walk(self.functions[name].body)

    # --- values --------------------------------------------------------------------------------

    def effect_of(self, value: Value) -> Effect:
        """The effect of evaluating a value on rows."""
        known = self._effects.get(value)
        if known is None:
            direct = Effect.NONE
            if value.op is Op.LOAD:
                direct = Effect.READS
            elif value.op is Op.CALL:
                direct = Effect.WRITES if value.name in {"numbers", "exchange"} else Effect.NONE
                direct = self.effect(value.name) if _is_call(value) else direct
            known = max([direct, *map(self.effect_of, value.args)])
            self._effects[value] = known
        return known

    def is_harmless(self, value: Value) -> bool:
        """Whether evaluating a value has no effect and cannot fail."""
        known = self._harmless.get(value)
        if known is None:
            known = can_be_vain(value) and value.op is not Op.BIND
            known = known and all(map(self.is_harmless, value.args))
            self._harmless[value] = known
        return known


def can_be_vain(value: Value) -> bool:
    """Whether an operation, apart from its arguments, may be evaluated without being needed."""
    if value.op in {Op.FLOORDIV, Op.MOD}:
        return value.args[1].is_const and value.args[1].const > 0
    return value.op not in {Op.CALL, Op.LOAD, Op.LOOKUP, Op.GUARD}


def _values_in(function: ir.Function) -> Iterator[Value]:
    """All values in a function; a value is repeated for each statement that contains it."""
    for statement in ir.walk(function.body):
        for value in ir.values_of(statement):
            yield from ir.parts(value)


def _is_call(value: Value) -> bool:
    return value.op is Op.CALL and value.name not in INTRINSICS


def _is_known(value: Value) -> bool:
    return value.op is Op.CALL and value.name in INTRINSICS
