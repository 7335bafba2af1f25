"""Small changes to a Python file, each a mistake that somebody could have made.

In: the text of a file. Out: all changes of these kinds, in the order of the text: another
comparison or operator, `and` for `or`, a condition turned round, a number one larger, a statement
left out, `min` for `max`. Left alone is what no test could tell: annotations, texts, assertions and
what errors say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
LIMIT = 1_000
"""Numbers from here on are limits of what is tried or kept, and one more of them is as good."""
SETTINGS = {"strict", "slots", "frozen", "repr", "eq", "kw_only", "init", "compare", "maxsize"}
"""Arguments that change nothing that a game could show."""
SILENT = (ast.Assert, ast.Raise, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.pattern)


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a text.

    Attributes:
        line: where it is, from 1.
        start: the first byte that is replaced, and `end` the first that is not.
        written: what stands there instead.
        title: what becomes of what, in one line.
    """

    line: int
    start: int
    end: int
    written: str
    title: str

    def apply(self, text: str) -> str:
        """The text with this change."""
        content = text.encode()
        return (content[: self.start] + self.written.encode() + content[self.end :]).decode()


def changes(text: str) -> list[Change]:
    """All changes to a text."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = []
    for node, after in dict.fromkeys(_changed(ast.parse(text))):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        is_statement = isinstance(after, ast.stmt)
        written = ast.unparse(after)
        title = f"`{_short(ast.unparse(node))}` becomes `{_short(written)}`"
        if isinstance(node, ast.Constant):
            title += f" in `{_short(lines[node.lineno - 1].decode())}`"
        changed = written if is_statement else f"({written})"
        found.append(Change(node.lineno, start, end, changed, title))
    return sorted(found, key=lambda one: (one.start, one.end, one.written))


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 80 else f"{line[:77]}..."


Changed = tuple["ast.expr | ast.stmt", "ast.expr | ast.stmt"]


def _changed(node: ast.AST) -> Iterator[Changed]:
    """What in a part of a program can be changed, and what it becomes."""
    if isinstance(node, SILENT):
        return
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.expr):
        yield from _of_expression(node)
    elif isinstance(node, ast.comprehension):
        yield from (pair for test in node.ifs for pair in _condition(test))
    for child in _shown(node):
        yield from _changed(child)


def _of_statement(node: ast.stmt) -> Iterator[Changed]:
    match node:
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Constant):
            yield from _condition(test)
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield node, ast.Pass()
        case ast.AugAssign():
            yield node, ast.Pass()
            if (operator := OPERATORS.get(type(node.op))) is not None:
                yield node, ast.AugAssign(node.target, operator(), node.value)
        case ast.Continue() | ast.Break():
            yield node, ast.Pass()
        case _:
            pass


def _of_expression(node: ast.expr) -> Iterator[Changed]:
    match node:
        case ast.Compare(left, [operator, *others], comparators):
            yield node, ast.Compare(left, [COMPARISONS[type(operator)](), *others], comparators)
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            if not _is_text(left) and not _is_text(right):
                yield node, ast.BinOp(left, OPERATORS[type(operator)](), right)
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield node, ast.BoolOp(other, values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield node, operand
        case ast.IfExp(test):
            yield from _condition(test)
        case ast.Constant(bool() as value):
            yield node, ast.Constant(not value)
        case ast.Constant(int() as value) if value < LIMIT:
            yield node, ast.Constant(value + 1)
        case ast.Call(ast.Name(name) as function, _, _) if name in FUNCTIONS:
            yield function, ast.Name(FUNCTIONS[name])
        case _:
            pass


def _shown(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a part, but for those in which no change shows."""
    hidden: list[ast.AST | None] = []
    match node:
        case ast.FunctionDef():
            if node.name == "__repr__":
                return
            hidden = [*node.decorator_list, node.returns]
        case ast.ClassDef():
            hidden = [*node.decorator_list]
        case ast.arg() | ast.AnnAssign():
            hidden = [node.annotation]
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return
        case ast.Call():
            hidden = [one for one in node.keywords if one.arg in SETTINGS]
            if isinstance(node.func, ast.Name) and node.func.id in {"cast", "isinstance"}:
                hidden += node.args[{"cast": 0, "isinstance": 1}[node.func.id] :][:1]
        case ast.Assign(targets=[ast.Name(name)]) if _is_type(node.value, name):
            return
        case _:
            pass
    yield from (child for child in ast.iter_child_nodes(node) if child not in hidden)


def _is_type(value: ast.expr, name: str) -> bool:
    """Whether an assignment gives a name to a type, such as `Step = Callable[[State], int]`."""
    is_written_so = isinstance(value, ast.Subscript | ast.BinOp) and name[:1].isupper()
    return is_written_so and not name.isupper()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _condition(test: ast.expr) -> Iterator[Changed]:
    """A condition turned round, where no other change does the same."""
    match test:
        case ast.UnaryOp(ast.Not()):
            pass
        case ast.Compare(_, [ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], _):
            pass
        case ast.Compare(_, [ast.Is() | ast.IsNot()], _):
            pass
        case _:
            yield test, ast.UnaryOp(ast.Not(), test)
