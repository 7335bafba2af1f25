"""Prints the intermediate representation as Python, with the lines of the game as comments.

In: a module of the representation whose states are already words, not fields (`passes.pack`). Out:
the text of a Python module, without the definitions of `prelude`, which have to run first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value

LOOSEST, TEST, OR, AND, NOT, COMPARISON, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, SIGN, ATOM = (
    range(14)
)
"""Precedences of expressions, as in Python's grammar."""
INFIX = {
    Op.EQ: ("==", COMPARISON),
    Op.NE: ("!=", COMPARISON),
    Op.LT: ("<", COMPARISON),
    Op.LE: ("<=", COMPARISON),
    Op.OR: ("|", BIT_OR),
    Op.XOR: ("^", BIT_XOR),
    Op.AND: ("&", BIT_AND),
    Op.SHL: ("<<", SHIFT),
    Op.SHR: (">>", SHIFT),
    Op.ADD: ("+", SUM),
    Op.SUB: ("-", SUM),
    Op.MUL: ("*", TERM),
    Op.FLOORDIV: ("//", TERM),
    Op.MOD: ("%", TERM),
}
LARGEST_DECIMAL = 1024
"""Numbers from here on are printed in hexadecimal: most of them are sets of squares."""


def print_module(module: ir.Module, tables_begin: str = "T") -> str:
    """A module as Python: constant tables, functions, aliases. The tables are named `T0`, `T1` and
    so on, where `tables_begin` is the `T`."""
    printer = Printer(tables_begin)
    functions = [printer.function(function) for function in module.functions.values()]
    tables = "\n".join(f"{title} = {entries}" for entries, title in printer.tables.items())
    aliases = "\n".join(f"{alias} = {original}" for alias, original in module.aliases.items())
    return "\n\n\n".join(text for text in (tables, *functions, aliases) if text) + "\n"


class Printer:
    """Prints functions, and collects in `tables` the names of the tables that they need."""

    def __init__(self, tables_begin: str = "T") -> None:
        self.tables: dict[tuple[int, ...], str] = {}
        self._tables_begin = tables_begin

    def function(self, function: ir.Function) -> str:
        """The text of a function."""
        return "\n".join([self.head(function), *self._lines(function.body, 1)])

    def head(self, function: ir.Function) -> str:
        """The first line of a function."""
        return f"def {function.name}({', '.join(map(self.target, function.parameters))}):"

    # --- statements --------------------------------------------------------------------------

    def _lines(self, body: ir.Body, depth: int) -> Iterator[str]:
        """The lines of a body at a depth of indentation; `pass` if nothing is executed."""
        indent = "    " * depth
        for statement in body:
            for line in self.statement(statement):
                yield indent + line
            if isinstance(statement, ir.If):
                yield from self._branches(statement, depth)
            else:
                for block in ir.blocks_of(statement):
                    yield from self._lines(block, depth + 1)
        if all(isinstance(statement, ir.Comment) for statement in body):
            yield f"{indent}pass"

    def _branches(self, statement: ir.If, depth: int) -> Iterator[str]:
        """All lines of an `if` behind the first: the body, `elif`s and `else`."""
        indent = "    " * depth
        yield from self._lines(statement.then, depth + 1)
        while len(statement.otherwise) == 1 and isinstance(statement.otherwise[0], ir.If):
            statement = statement.otherwise[0]
            yield f"{indent}elif {self.value(statement.test)}:"
            yield from self._lines(statement.then, depth + 1)
        if statement.otherwise:
            yield f"{indent}else:"
            yield from self._lines(statement.otherwise, depth + 1)

    def target(self, target: Value) -> str:
        """A name that is assigned."""
        return target.name

    def statement(self, statement: ir.Statement) -> Iterator[str]:
        """The first line of a statement, without the blocks inside."""
        match statement:
            case ir.Assign(target, value):
                yield f"{self.target(target)} = {self.value(value)}"
            case ir.AssignAll(targets, value):
                yield f"{', '.join(map(self.target, targets))}, = {self.value(value)}"
            case ir.Store(row, value, index):
                yield f"{row.name}[{self.value(index)}] = {self.value(value)}"
            case ir.Evaluate(value):
                yield self.value(value)
            case ir.Fault(site, detail, place):
                yield f"fault({site}, {self.value(detail)}, {self.value(place)})"
            case ir.If(test):
                yield f"if {self.value(test)}:"
            case ir.While(test):
                yield f"while {self.value(test)}:"
            case ir.For(target, low, high):
                start = "" if low.is_const and low.const == 0 else f"{self.value(low)}, "
                yield f"for {self.target(target)} in range({start}{self.value(high)}):"
            case ir.ForEntries(target, entries):
                yield f"for {self.target(target)} in {self.table(entries)}:"
            case ir.Return(values):
                yield f"return {self.listed(values)}"
            case ir.Comment(line, text):
                yield f"# {line}: {text}"
            case ir.Break() | ir.Continue():
                yield type(statement).__name__.lower()
            case ir.ReturnState():
                raise AssertionError("states are packed before they are printed")

    # --- values ------------------------------------------------------------------------------

    def value(self, value: Value, least: int = LOOSEST) -> str:
        """A value, in parentheses if its precedence is lower than `least`."""
        text, precedence = self.text(value)
        return text if precedence >= least else f"({text})"

    def listed(self, values: Iterable[Value]) -> str:
        """Values, separated by commas."""
        return ", ".join(map(self.value, values))

    def text(self, value: Value) -> tuple[str, int]:
        """A value without parentheses around it, and its precedence."""
        args = value.args
        match value.op:
            case Op.CONST:
                return _constant(value)
            case Op.NAME:
                return value.name, ATOM
            case Op.NOT:
                return f"not {self.value(args[0], NOT)}", NOT
            case Op.ALL:
                return " and ".join(self.value(arg, AND + 1) for arg in args), AND
            case Op.ANY:
                return " or ".join(self.value(arg, OR + 1) for arg in args), OR
            case Op.SELECT:
                test, then, otherwise = args
                return (
                    f"{self.value(then, OR)} if {self.value(test, OR)} "
                    f"else {self.value(otherwise, TEST)}",
                    TEST,
                )
            case Op.GUARD:
                test, guarded, *details = args
                fault = f"fault({', '.join([str(value.arg), *map(self.value, details)])})"
                return f"{self.value(guarded, OR)} if {self.value(test, OR)} else {fault}", TEST
            case Op.COMPLEMENT:
                return f"~{self.value(args[0], SIGN)}", SIGN
            case Op.NEGATE:
                return f"-{self.value(args[0], SIGN)}", SIGN
            case Op.LOWEST:
                squares = self.value(args[0], BIT_AND)
                return f"({squares} & -{self.value(args[0], SIGN)}).bit_length() - 1", SUM
            case Op.HIGHEST:
                return f"{self.value(args[0], ATOM)}.bit_length() - 1", SUM
            case Op.COUNT:
                return f"{self.value(args[0], ATOM)}.bit_count()", ATOM
            case Op.LOOKUP:
                assert isinstance(value.arg, tuple)
                return f"{self.table(value.arg)}[{self.value(args[0])}]", ATOM
            case Op.LOAD:
                return f"{args[0].name}[{self.value(args[1])}]", ATOM
            case Op.BIND:
                return f"({value.name} := {self.value(args[0])})", ATOM
            case Op.TUPLE:
                return f"({self.listed(args)},)", ATOM
            case Op.CALL | Op.ABS | Op.MIN | Op.MAX | Op.TO_INT:
                title = value.name if value.op is Op.CALL else value.op.value
                return f"{title}({self.listed(args)})", ATOM
        sign, precedence = INFIX[value.op]
        # `a == b == c` is a chain in Python, so that `(a == b) == c` keeps its parentheses
        least_left = precedence + 1 if precedence == COMPARISON else precedence
        return (
            f"{self.value(args[0], least_left)} {sign} {self.value(args[1], precedence + 1)}",
            precedence,
        )

    def table(self, entries: tuple[int, ...]) -> str:
        """The name of the table with the given entries, the same name for equal tables."""
        return self.tables.setdefault(entries, f"{self._tables_begin}{len(self.tables)}")


def _constant(value: Value) -> tuple[str, int]:
    constant = value.const
    if isinstance(constant, bool):
        return str(constant), ATOM
    if constant < 0:
        return str(constant), SIGN
    return (str(constant) if constant < LARGEST_DECIMAL else hex(constant)), ATOM
