"""The intermediate representation as text to be read: what `gamedsl show --stage ir` prints.

In: values, functions, modules. Out: lines; every name with its type where it is assigned.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value

INFIX = frozenset(
    {
        Op.EQ, Op.NE, Op.LT, Op.LE, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.SHR, Op.ADD, Op.SUB, Op.MUL,
        Op.FLOORDIV, Op.MOD,
    }
)  # fmt: skip
MOST_ENTRIES = 4
"""Entries of a table that are shown."""


def dump_value(value: Value) -> str:
    """A value on one line."""
    args = [dump_value(one) for one in value.args]
    match value.op:
        case Op.CONST:
            known = value.const
            return str(known) if value.type.kind != "bits" or known < 10 else f"{known:#x}"
        case Op.NAME:
            return value.name
        case Op.STATE:
            return f"state {value.name}".strip()
        case Op.ALL | Op.ANY:
            return f"({f' {value.op.value} '.join(args)})"
        case Op.NOT:
            return f"(not {args[0]})"
        case Op.COMPLEMENT:
            return f"~{args[0]}"
        case Op.LOOKUP:
            assert isinstance(value.arg, tuple)
            shown = ", ".join(map(str, value.arg[:MOST_ENTRIES]))
            more = f", ... {len(value.arg)}" if len(value.arg) > MOST_ENTRIES else ""
            return f"[{shown}{more}][{args[0]}]"
        case Op.LOAD:
            return f"{args[0]}[{args[1]}]"
        case Op.CALL:
            return f"{value.name}({', '.join(args)})"
        case Op.BIND:
            return f"({value.name} := {args[0]})"
        case Op.GUARD:
            return f"guard{value.arg}({', '.join(args)})"
    if value.op in INFIX:
        return f"({args[0]} {value.op.value} {args[1]})"
    return f"{value.op.value}({', '.join(args)})"


def dump_function(function: ir.Function) -> str:
    """A function."""
    given = ", ".join(f"{dump_value(one)}: {one.type}" for one in function.parameters)
    results = ", ".join(map(str, function.results)) or "state"
    return "\n".join([f"function {function.name}({given}) -> {results}", *_lines(function.body, 1)])


def dump_module(module: ir.Module) -> str:
    """A module."""
    aliases = [f"{name} = {of}" for name, of in module.aliases.items()]
    return "\n\n".join([*map(dump_function, module.functions.values()), *aliases]) + "\n"


def _lines(body: ir.Body, depth: int) -> Iterator[str]:
    for statement in body:
        yield "    " * depth + _head(statement)
        if isinstance(statement, ir.If):
            yield from _lines(statement.then, depth + 1)
            if statement.otherwise:
                yield "    " * depth + "else"
                yield from _lines(statement.otherwise, depth + 1)
            continue
        for block in ir.blocks_of(statement):
            yield from _lines(block, depth + 1)


def _head(statement: ir.Statement) -> str:
    values = [dump_value(one) for one in ir.values_of(statement)]
    targets = ", ".join(f"{dump_value(one)}: {one.type}" for one in ir.targets_of(statement))
    match statement:
        case ir.Assign() | ir.AssignAll():
            return f"{targets} = {values[0]}"
        case ir.Store():
            return f"{values[0]}[{values[2]}] = {values[1]}"
        case ir.Evaluate():
            return f"evaluate {values[0]}"
        case ir.Fault():
            return f"fault {statement.site}, {values[0]}, {values[1]}"
        case ir.If():
            return f"if {values[0]}"
        case ir.While():
            return f"while {values[0]}"
        case ir.For():
            return f"for {targets} in {values[0]} .. {values[1]} - 1"
        case ir.ForEntries():
            return f"for {targets} in {list(statement.entries)}"
        case ir.Return():
            return f"return {', '.join(values)}"
        case ir.ReturnState():
            return f"return state {', '.join(values)}"
        case ir.Comment():
            return f"# {statement.line}: {statement.text}"
    return type(statement).__name__.lower()
