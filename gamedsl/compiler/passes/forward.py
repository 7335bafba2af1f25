"""Forwarding: a local read exactly once is replaced by its value at the place of the read.

The functions of the module work on fields. Values from separate statements become one expression,
so that algebra can simplify the whole, and are not evaluated in branches that do not use them. A
value is moved if it cannot fail, reads no row and is small. Values are never moved into a loop.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import substitute, with_blocks, with_values
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import Op, Value
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.passes.available import Changes

LARGEST = 24
"""Largest number of operations of a value that is moved."""
Moved = dict[str, Value]


def forward(module: Module, layout: Layout, _: int) -> Module:
    """The module with the values of locals moved to the reads."""
    fields = frozenset(field.name for field in layout.fields)
    functions = {
        title: _forwarded(function, fields) for title, function in module.functions.items()
    }
    return replace(module, functions=functions)


def _forwarded(function: ir.Function, fields: frozenset[str]) -> ir.Function:
    reads, writes = Counter[str](), Counter[str]()
    for statement in ir.walk(function.body):
        reads.update(frozenset[str]().union(*(value.names for value in ir.values_of(statement))))
        writes.update(target.name for target in ir.targets_of(statement))
    parameters = {parameter.name for parameter in function.parameters}
    once = {title for title, many in writes.items() if many == 1 and reads[title] == 1}
    movable = once - fields - parameters
    if not movable:
        return function
    return replace(function, body=_Mover(movable).body(function.body, {}))


class _Mover:
    """Moves the values of given locals."""

    def __init__(self, movable: set[str]) -> None:
        self._movable = movable
        self._changes = Changes()

    def body(self, body: ir.Body, moved: Moved) -> ir.Body:
        """A block; `moved` maps the locals valid at its start to values and is updated to its
        end.
        """
        statements: list[ir.Statement] = []
        for statement in body:
            made = self._statement(statement, moved)
            changed = self._changes.of(statement)
            for local in [local for local in moved if not moved[local].names.isdisjoint(changed)]:
                del moved[local]
            if isinstance(made, ir.Assign) and self._is_movable(made):
                moved[made.target.name] = made.value
            statements.append(made)
        return tuple(statements)

    def _is_movable(self, made: ir.Assign) -> bool:
        is_local = made.target.name in self._movable and made.target.type is made.value.type
        return is_local and _is_movable(made.value)

    def _statement(self, statement: ir.Statement, moved: Moved) -> ir.Statement:
        if isinstance(statement, ir.While):
            return with_blocks(statement, lambda block: self.body(block, {}))
        made = with_values(statement, lambda value: substitute(value, moved))
        known = moved if isinstance(statement, ir.If) else {}
        return with_blocks(made, lambda block: self.body(block, dict(known)))


def _is_movable(value: Value) -> bool:
    if value.can_fail:
        return False
    parts = list(islice(ir.parts(value), LARGEST + 1))
    return len(parts) <= LARGEST and all(
        part.type.kind != "row" and part.op not in {Op.CALL, Op.BIND} for part in parts
    )
