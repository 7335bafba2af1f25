"""Dead code: unread assignments, unreachable statements, decided branches.

The pass drops assignments to locals that are never read, statements behind a `return`, branches
with a constant test or equal arms, and loops without a round. Values that may fail are still
evaluated, and so are calls that write. A function that always fails keeps one `return`, because the
return types of a function are taken from its `return` statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import with_blocks
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import Value, not_
from gamedsl.compiler.layout import Layout


def prune(module: Module, _: Layout, __: int) -> Module:
    """The module without dead code; packed, so that fields are locals."""
    functions = {title: _pruned(function) for title, function in module.functions.items()}
    return replace(module, functions=functions)


def _pruned(function: ir.Function) -> ir.Function:
    body = function.body
    while True:
        names = (value.names for statement in ir.walk(body) for value in ir.values_of(statement))
        shorter = pruned(body, frozenset[str]().union(*names))
        if shorter == body:
            break
        body = shorter
    if not any(_returns(body)):
        body = (*body, *list(_returns(function.body))[-1:])
    return replace(function, body=body)


def _returns(body: ir.Body) -> Iterator[ir.Return]:
    return (statement for statement in ir.walk(body) if isinstance(statement, ir.Return))


def pruned(body: ir.Body, read: frozenset[str]) -> ir.Body:
    """A block without dead code; `read`: the names that are read anywhere."""
    statements: list[ir.Statement] = []
    for statement in body:
        statements += _remains(statement, read)
        if statements and _leaves(statements[-1]):
            break
    return tuple(statements)


def _remains(statement: ir.Statement, read: frozenset[str]) -> tuple[ir.Statement, ...]:
    """The remains of a statement."""
    match statement:
        case ir.Assign(target, value) if target.name not in read or target is value:
            return () if is_idle(value) else (ir.Evaluate(value),)
        case ir.Evaluate(value) if is_idle(value):
            return ()
        case ir.If():
            then, otherwise = pruned(statement.then, read), pruned(statement.otherwise, read)
            return _branch(statement.test, then, otherwise)
        case ir.While(test) if test.is_const and not test.const:
            return ()
        case ir.For(_, low, high) if low.is_const and high.is_const and low.const >= high.const:
            return ()
        case ir.While() | ir.For() | ir.ForEntries():
            return (with_blocks(statement, lambda block: pruned(block, read)),)
    return (statement,)


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
