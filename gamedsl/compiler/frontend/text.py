"""Reading of kernels: functions, records, constants, tables, aliases in text of the Python subset.

Nothing is executed: constants are literals, or `table` of literals.
"""

from __future__ import annotations

import ast
from dataclasses import field

from gamedsl.compiler.ir.values import BOOL, INT, Value, number
from gamedsl.compiler.ir.wrapping import signed
from gamedsl.source.collecting import uncollected
from gamedsl.source.records import dataclass

BUILT_IN = frozenset(
    [
        "abs",
        "bool",
        "count_bits",
        "exchange",
        "highest",
        "int",
        "len",
        "limb",
        "lowest",
        "max",
        "min",
        "mixed",
        "narrow",
        "nth_bit",
        "numbers",
        "prefetch",
        "tail",
    ]
)
"""Names with a built-in meaning in the subset; no function of a text may have such a name."""


class SubsetError(RuntimeError):
    """A construct that is outside the subset, or meaningless in it: a bug in a kernel."""

    def __init__(self, message: str, node: ast.AST | None = None, file: str = "") -> None:
        line = getattr(node, "lineno", 0)
        shown = f": {ast.unparse(node)[:80]}" if node is not None else ""
        super().__init__(f"{file}:{line}: {message}{shown}")


class NotYetKnownError(Exception):
    """The result kind of a recursive function is not known yet."""


@dataclass(frozen=True, slots=True)
class RecordClass:
    """A class of `compiler.records`: the annotations of its fields, in order.

    Attributes:
        is_passed: whether the class is a structure of arguments (`Arrays`).
    """

    fields: dict[str, ast.expr]
    is_passed: bool

    def place(self, field: str) -> int:
        """The place of a field among all fields."""
        return list(self.fields).index(field)


@dataclass(frozen=True, slots=True)
class Text:
    """A module.

    Attributes:
        records: the classes of records and of structures.
    """

    name: str
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    records: dict[str, RecordClass] = field(default_factory=dict)
    constants: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    def function_name(self, name: str) -> str:
        """The name under which a function is defined."""
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def record(self, annotation: ast.expr | None) -> RecordClass | None:
        """The class that an annotation names; None if there is no such class."""
        return self.records.get(annotation.id) if isinstance(annotation, ast.Name) else None


def _parsed(text: str, name: str) -> ast.Module:
    """The syntax tree. CPython counts the depth of syntax trees in one place for all threads
    (python/cpython issue 106905), and garbage collection during parsing lets another thread parse;
    garbage collection is therefore off meanwhile.
    """
    with uncollected():
        return ast.parse(text, name)


def read_text(text: str, name: str = "<kernels>") -> Text:
    """Read a module.

    Raises SubsetError for statements other than functions, records and constants, and for a name
    with two values.
    """
    module = Text(name)
    for statement in _parsed(text, name).body:
        match statement:
            case ast.FunctionDef(name=title) if title in BUILT_IN:
                raise SubsetError(f"{title} has a meaning of its own here", statement, name)
            case ast.FunctionDef():
                module.functions[statement.name] = statement
            case ast.ClassDef(name=title, bases=[ast.Name(id="Record" | "Arrays" as base)]):
                fields = _fields(statement, name)
                module.records[title] = RecordClass(fields, base == "Arrays")
            case ast.Assign(targets=[ast.Name(id=title)], value=known):
                _define(module, title, known)
            case ast.Expr(value=ast.Constant()) | ast.ImportFrom() | ast.Import():
                pass
            case _:
                raise SubsetError("not a function, record or constant", statement, name)
    return module


def _fields(node: ast.ClassDef, file: str) -> dict[str, ast.expr]:
    fields = {}
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=title), annotation=annotation, value=None):
                fields[title] = annotation
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise SubsetError("not a field", statement, file)
    return fields


def _define(text: Text, name: str, value: ast.expr) -> None:
    match value:
        case ast.Name(id=of):
            text.aliases[name] = of
        case ast.Call(func=ast.Name(id="table"), args=[argument]):
            text.tables[name] = tuple(map(signed, ast.literal_eval(argument)))
        case _:
            try:
                known = ast.literal_eval(value)
            except ValueError:
                raise SubsetError("not a constant", value, text.name) from None
            constant = number(known, BOOL if isinstance(known, bool) else INT)
            if text.constants.setdefault(name, constant) != constant:
                raise SubsetError(f"{name} has two values", value, text.name)
