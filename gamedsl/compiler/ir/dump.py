"""The intermediate representation as readable text: the output of `gamedsl show --format ir`.

Every name has its type at the first assignment; every guard is written `fault SITE(detail, place)`.
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
WIDTH = 100
"""Width in letters beyond which each condition of a test gets its own line."""
LARGEST_DECIMAL = 10
"""Largest set of squares written in decimal; numbers are always decimal."""


def dump_value(value: Value) -> str:
    """A value on one line, in parentheses if the value has parts."""
    args = [dump_value(arg) for arg in value.args]
    match value.op:
        case Op.CONST:
            return _constant(value)
        case Op.NAME:
            return value.name
        case Op.STATE:
            return value.name or "state"
        case Op.ALL | Op.ANY:
            return f"({f' {value.op.value} '.join(args)})"
        case Op.NOT:
            return f"(not {args[0]})"
        case Op.COMPLEMENT:
            return f"~{args[0]}"
        case Op.NEGATE:
            return f"-{args[0]}"
        case Op.SELECT:
            return f"({args[1]} if {args[0]} else {args[2]})"
        case Op.LOOKUP:
            return f"{_table(value)}[{_bare(value.args[0])}]"
        case Op.LOAD:
            return f"{args[0]}[{_bare(value.args[1])}]"
        case Op.CALL:
            return f"{value.name}({_listed(value.args)})"
        case Op.BIND:
            return f"({value.name} := {_bare(value.args[0])})"
        case Op.GUARD:
            return f"({args[1]} if {args[0]} else fault {value.arg}({_listed(value.args[2:])}))"
    if value.op in INFIX:
        return f"({args[0]} {value.op.value} {args[1]})"
    return f"{value.op.value}({_listed(value.args)})"


def _bare(value: Value) -> str:
    """A value without enclosing parentheses."""
    text = dump_value(value)
    has_own = text.startswith("(") and value.op is not Op.BIND
    return text[1:-1] if has_own else text


def _listed(values: tuple[Value, ...]) -> str:
    return ", ".join(map(_bare, values))


def _constant(value: Value) -> str:
    is_set = value.type.kind == "bits" and value.const >= LARGEST_DECIMAL
    return hex(value.const) if is_set else str(value.const)


def _table(value: Value) -> str:
    assert isinstance(value.arg, tuple)
    shown = ", ".join(map(str, value.arg[:MOST_ENTRIES]))
    more = f", ... {len(value.arg)}" if len(value.arg) > MOST_ENTRIES else ""
    return f"[{shown}{more}]"


def dump_function(function: ir.Function) -> str:
    """A function."""
    return "\n".join(_Dump(function).lines())


def dump_module(module: ir.Module) -> str:
    """A module."""
    aliases = [f"{name} = {of}" for name, of in module.aliases.items()]
    return "\n\n".join([*map(dump_function, module.functions.values()), *aliases]) + "\n"


class _Dump:
    """Writes one function; records which names have been given a type."""

    def __init__(self, function: ir.Function) -> None:
        self._function = function
        self._typed = {parameter.name for parameter in function.parameters}

    def lines(self) -> Iterator[str]:
        """The function, line by line."""
        function = self._function
        parameters = ", ".join(_parameter(parameter) for parameter in function.parameters)
        results = ", ".join(map(str, function.results)) or "nothing"
        yield f"function {function.name}({parameters}) -> {results}"
        yield from self._block(function.body, 1)

    def _block(self, body: ir.Body, depth: int) -> Iterator[str]:
        indent = "    " * depth
        for statement in body:
            yield from (indent + line for line in self._statement(statement, WIDTH - len(indent)))
            if isinstance(statement, ir.If):
                yield from self._branches(statement, depth)
                continue
            for block in ir.blocks_of(statement):
                yield from self._block(block, depth + 1)

    def _branches(self, statement: ir.If, depth: int) -> Iterator[str]:
        indent = "    " * depth
        yield from self._block(statement.then, depth + 1)
        if statement.otherwise:
            yield f"{indent}else"
            yield from self._block(statement.otherwise, depth + 1)

    def _statement(self, statement: ir.Statement, room: int) -> Iterator[str]:
        match statement:
            case ir.Assign() | ir.AssignAll():
                yield f"{self._targets(statement)} = {_bare(statement.value)}"
            case ir.Store():
                row, value, index = map(_bare, ir.values_of(statement))
                yield f"{row}[{index}] = {value}"
            case ir.Evaluate():
                yield f"evaluate {_bare(statement.value)}"
            case ir.Fault():
                yield f"fault {statement.site}({_listed(ir.values_of(statement))})"
            case ir.If():
                yield from _test("if", statement.test, room)
            case ir.While():
                yield from _test("while", statement.test, room)
            case ir.For():
                low, high = map(_bare, ir.values_of(statement))
                yield f"for {self._targets(statement)} in range({low}, {high})"
            case ir.ForEntries():
                yield f"for {self._targets(statement)} in {list(statement.entries)}"
            case ir.Return():
                yield f"return {_listed(statement.values)}"
            case ir.ReturnState():
                yield _returned(statement)
            case ir.Comment():
                yield f"# {statement.line}: {statement.text}"
            case ir.Break() | ir.Continue():
                yield type(statement).__name__.lower()

    def _targets(self, statement: ir.Statement) -> str:
        return ", ".join(map(self._target, ir.targets_of(statement)))

    def _target(self, target: Value) -> str:
        """A name, with its type at the first occurrence."""
        if target.name in self._typed:
            return dump_value(target)
        self._typed.add(target.name)
        return f"{dump_value(target)}: {target.type}"


def _parameter(value: Value) -> str:
    is_state = value.op is Op.STATE and not value.name
    return "state" if is_state else f"{dump_value(value)}: {value.type}"


def _returned(statement: ir.ReturnState) -> str:
    """The state made up of the fields; at a chance event, the event and the saved locals."""
    is_plain = statement.event.is_const and statement.event.const == 0
    event = "" if is_plain else f" before event {_bare(statement.event)}"
    saved = f" with {_listed(statement.saved)}" if statement.saved else ""
    more = f", {_listed(statement.more)}" if statement.more else ""
    return f"return state{event}{saved}{more}"


def _test(word: str, test: Value, room: int) -> Iterator[str]:
    """The head of a statement; if long, with each condition on its own line."""
    whole = f"{word} {_bare(test)}"
    if len(whole) <= room or test.op not in {Op.ALL, Op.ANY}:
        yield whole
        return
    first, *rest = map(dump_value, test.args)
    yield f"{word} {first}"
    yield from (f"        {test.op.value} {condition}" for condition in rest)
