"""Dead code: unread assignments, unreachable statements, decided branches.

The pass drops assignments to locals that are not read before they are assigned again, statements
behind a `return`, branches with a constant test or equal arms, and loops without a round. Values
that may fail are still evaluated, and so are calls that write. A function that always fails keeps
one `return`, because the return types of a function are taken from its `return` statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import with_blocks
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import Value, not_
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.passes.available import NOTHING

Names = frozenset[str]


def prune(module: Module, _: Layout, __: int) -> Module:
    """The module without dead code; packed, so that fields are locals."""
    functions = {title: _pruned(function) for title, function in module.functions.items()}
    return replace(module, functions=functions)


def _pruned(function: ir.Function) -> ir.Function:
    body = function.body
    while (shorter := pruned(body, NOTHING, NOTHING)[0]) != body:
        body = shorter
    if not any(_returns(body)):
        body = (*body, *list(_returns(function.body))[-1:])
    return replace(function, body=body)


def _returns(body: ir.Body) -> Iterator[ir.Return]:
    return (statement for statement in ir.walk(body) if isinstance(statement, ir.Return))


def pruned(body: ir.Body, read: Names, around: Names) -> tuple[ir.Body, Names]:
    """A block without dead code, and the names read from its start on.

    Args:
        read: the names read behind the block, before they are assigned again.
        around: the names read in the loop around the block, or behind the loop.
    """
    statements: list[ir.Statement] = []
    for statement in reversed(body):
        remains, read = _remains(statement, read, around)
        statements += reversed(remains)
    statements.reverse()
    last = next((n for n, s in enumerate(statements) if _leaves(s)), len(statements))
    return tuple(statements[: last + 1]), read


def _remains(
    statement: ir.Statement, read: Names, around: Names
) -> tuple[tuple[ir.Statement, ...], Names]:
    """The remains of a statement, and the names read from its start on."""
    values = NOTHING.union(*(value.names for value in ir.values_of(statement)))
    match statement:
        case ir.Assign(target, value) if target.name not in read or target is value:
            return ((), read) if is_idle(value) else ((ir.Evaluate(value),), read | values)
        case ir.Evaluate(value) if is_idle(value):
            return (), read
        case ir.If():
            then, before = pruned(statement.then, read, around)
            otherwise, other = pruned(statement.otherwise, read, around)
            return _branch(statement.test, then, otherwise), before | other | values
        case ir.While(test) if test.is_const and not test.const:
            return (), read
        case ir.For(_, low, high) if low.is_const and high.is_const and low.const >= high.const:
            return (), read
        case ir.While() | ir.For() | ir.ForEntries():
            inner = (value.names for part in ir.walk((statement,)) for value in ir.values_of(part))
            again = read.union(*inner)
            return (with_blocks(statement, lambda block: pruned(block, again, again)[0]),), again
        case ir.Return() | ir.ReturnState() | ir.Fault():
            return (statement,), values
        case ir.Break() | ir.Continue():
            return (statement,), around
        case ir.Assign() | ir.AssignAll():
            read = read.difference(target.name for target in ir.targets_of(statement))
    return (statement,), read | values


def _branch(test: Value, then: ir.Body, otherwise: ir.Body) -> tuple[ir.Statement, ...]:
    if test.is_const:
        return then if test.const else otherwise
    if _lines(then) == _lines(otherwise):
        return then if is_idle(test) else (ir.Evaluate(test), *then)
    if not _lines(then):
        return (ir.If(not_(test), otherwise),)
    return (ir.If(test, then, otherwise if _lines(otherwise) else ()),)


def is_idle(value: Value) -> bool:
    """Whether evaluating a value has no effect and cannot fail."""
    return not value.can_fail and all(part.type.kind != "row" for part in ir.parts(value))


def _lines(body: ir.Body) -> ir.Body:
    return tuple(statement for statement in body if not isinstance(statement, ir.Comment))


def _leaves(statement: ir.Statement) -> bool:
    """Whether the statement behind is unreachable."""
    if isinstance(statement, ir.If):
        return all(block and _leaves(block[-1]) for block in ir.blocks_of(statement))
    return isinstance(statement, ir.Return | ir.ReturnState | ir.Fault | ir.Break | ir.Continue)
