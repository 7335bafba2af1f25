"""The intermediate representation as readable text: the output of `gamedsl show --format ir`.

Printed as Python is, but before packing too, and with operations of the representation in place of
Python's. Every name has its type at the first assignment.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value
from gamedsl.compiler.printers.python import AND, ATOM, Printer

MOST_ENTRIES = 4
"""Entries of a table that are shown."""
WIDTH = 90
"""Width in letters beyond which each condition of a test gets its own line."""
LARGEST_DECIMAL = 10
"""Sets of squares are hexadecimal from here on; numbers are always decimal."""


def dump_function(function: ir.Function) -> str:
    """A function."""
    return _Dump().function(function)


def dump_module(module: ir.Module) -> str:
    """A module."""
    aliases = [f"{name} = {of}" for name, of in module.aliases.items()]
    return "\n\n".join([*map(dump_function, module.functions.values()), *aliases]) + "\n"


class _Dump(Printer):
    """Prints one function; records which names have been given a type."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: set[str] = set()

    def head(self, function: ir.Function) -> str:
        """The first line of a function, with the types of parameters and results."""
        parameters = ", ".join(map(self.target, function.parameters))
        results = ", ".join(map(str, function.results)) or "nothing"
        return f"function {function.name}({parameters}) -> {results}:"

    def target(self, target: Value) -> str:
        """A name, with its type at the first occurrence."""
        name = self.value(target)
        if name in self._typed or (target.op is Op.STATE and not target.name):
            return name
        self._typed.add(name)
        return f"{name}: {target.type}"

    def statement(self, statement: ir.Statement) -> Iterator[str]:
        """The first line of a statement; of a long test, a line for each condition."""
        match statement:
            case ir.ReturnState():
                yield self._returned(statement)
            case ir.If(test) | ir.While(test) if test.op in {Op.ALL, Op.ANY}:
                (line,) = super().statement(statement)
                if len(line) > WIDTH:
                    parts = [self.value(condition, AND + 1) for condition in test.args]
                    line = f"\n        {test.op.value} ".join(parts)
                    line = f"{'if' if isinstance(statement, ir.If) else 'while'} {line}:"
                yield from line.splitlines()
            case _:
                yield from super().statement(statement)

    def text(self, value: Value) -> tuple[str, int]:
        """A value without parentheses around it, and its precedence."""
        if value.op is Op.STATE:
            return value.name or "state", ATOM
        if value.op in {Op.LOWEST, Op.HIGHEST, Op.COUNT, Op.TUPLE}:
            return f"{value.op.value}({self.listed(value.args)})", ATOM
        if value.is_const and value.const >= LARGEST_DECIMAL:
            return (hex if value.type.kind == "bits" else str)(value.const), ATOM
        return super().text(value)

    def table(self, entries: tuple[int, ...]) -> str:
        """The first entries of a table, and the number of all."""
        more = f", ... {len(entries)}" if len(entries) > MOST_ENTRIES else ""
        return f"[{', '.join(map(str, entries[:MOST_ENTRIES]))}{more}]"

    def _returned(self, statement: ir.ReturnState) -> str:
        """The state made up of the fields; at a chance event, the event and the saved locals."""
        is_plain = statement.event.is_const and statement.event.const == 0
        event = "" if is_plain else f" before event {self.value(statement.event)}"
        saved = f" with {self.listed(statement.saved)}" if statement.saved else ""
        more = f", {self.listed(statement.more)}" if statement.more else ""
        return f"return state{event}{saved}{more}"
