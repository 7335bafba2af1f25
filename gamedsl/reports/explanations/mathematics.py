"""Expressions of a file as formulas with mathematical symbols: `not a` becomes ¬a.

Formulas are not simplified, and names stay as in the file. The choice of symbols depends only on
the text: `count` of conditions becomes the size of a set, `-` becomes ∖ if the left operand is
certainly a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from gamedsl.syntax import ast

LOOSEST, OR, AND, NOT, COMPARE, UNION, SUM, TERM, MINUS, PRIMARY = range(10)
"""Binding strength of formulas, from loose to tight."""

_COMPARISONS = {
    "==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥", "in": "∈", "not in": "∉",
}  # fmt: skip
_BINARY = {"+": ("+", SUM), "-": ("-", SUM), "*": ("·", TERM), "/": ("/", TERM),
           "%": ("mod", TERM)}  # fmt: skip
_SETS = frozenset({"square", "players", "directions", "columns", "rows"})
_SINGLE = frozenset({"turn", "opponent", "me", "none", "empty", "true", "false"})
_TRUTHS = frozenset({"any", "all", "full", "line"})
_SHORT_RANGE = 2
"""Whole ranges are written out up to this width."""


def names_in(node: object) -> Iterator[str]:
    """All names in a part of the syntax tree; `stuck()` for the question `stuck(p, moves)`."""
    for part in ast.nodes_in(node):
        if isinstance(part, ast.Name):
            yield part.text
        elif isinstance(part, ast.Call) and part.function.text == "stuck":
            yield "stuck()"


class Mathematics:
    """Writes the formulas of a file; `values` are the names of single values."""

    def __init__(self, declarations: Iterable[ast.Declaration], values: Iterable[str] = ()) -> None:
        declared = tuple(declarations)
        self._values = frozenset(values) | _SINGLE
        self._definitions = {d.name.text: d.value for d in declared if isinstance(d, ast.DefDecl)}
        self._types = {d.name.text for d in declared if isinstance(d, ast.TypeDecl)}
        self._switches = {
            variable.name.text
            for d in declared
            if isinstance(d, ast.StateDecl)
            for variable in d.variables
            if isinstance(variable.domain, ast.Name) and variable.domain.text == "bool"
        }

    def formula(self, node: ast.Expression, level: int = LOOSEST) -> str:
        """The formula; in parentheses if the formula binds looser than `level`."""
        text, binding = self._bare(node)
        return f"({text})" if binding < level else text

    def read_by(self, node: object) -> set[str]:
        """The names read by an expression, including names read by the `def`s used."""
        names: set[str] = set()
        waiting = set(names_in(node))
        while waiting:
            name = waiting.pop()
            names.add(name)
            behind = set(names_in(self._definitions.get(name)))
            if name == "opponent":
                behind.add("turn")
            waiting |= behind - names
        return names

    def quantified(
        self, clauses: Iterable[ast.Clause], *, comma: str = ", ", such: str = " with "
    ) -> str:
        """`v ∈ S with c, w ∈ T`."""
        return comma.join(
            self.bound(clause.name.text, clause.domain)
            + ("" if clause.condition is None else such + self.formula(clause.condition))
            for clause in clauses
        )

    def bound(self, name: str, domain: ast.Expression, *, is_subset: bool = False) -> str:
        """`n ∈ {1, 2, 3}`, `s ⊆ {1, 2, 3}`."""
        return f"{name} {'⊆' if is_subset else '∈'} {self.formula(domain, UNION)}"

    def is_truth(self, node: ast.Expression, depth: int = 8) -> bool:
        """Whether the text alone shows that an expression has a truth value."""
        match node:
            case ast.Compare() | ast.Logic():
                return True
            case ast.Unary(operator=operator):
                return operator == "not"
            case ast.Quantifier(function=function):
                return function.text in _TRUTHS
            case ast.Name(text=text) | ast.Call(function=ast.Name(text=text)):
                definition = self._definitions.get(text)
                is_known = (
                    definition is not None and depth > 0 and self.is_truth(definition, depth - 1)
                )
                return text in _TRUTHS | self._switches | {"stuck"} or is_known
            case ast.Index(base=ast.Name(text=text)):
                return text in self._switches
            case _:
                return False

    def _bare(self, node: ast.Expression) -> tuple[str, int]:
        match node:
            case ast.Name(text=text) | ast.Decimal(text=text):
                return text, PRIMARY
            case ast.Number(value=value):
                return str(value), PRIMARY
            case ast.Unary(operator="-", operand=operand):
                return f"-{self.formula(operand, MINUS)}", MINUS
            case ast.Unary(operand=operand):
                return f"¬{self.formula(operand, NOT)}", NOT
            case ast.Binary():
                return self._binary(node)
            case ast.Series():
                return self._series(node)
            case ast.Compare(first=first, rest=rest):
                text = self.formula(first, UNION)
                for operator, right in rest:
                    text += f" {_COMPARISONS[operator]} {self.formula(right, UNION)}"
                return text, COMPARE
            case ast.Logic(operator=operator, operands=operands):
                sign, level = ("∧", AND) if operator == "and" else ("∨", OR)
                return f" {sign} ".join(self.formula(part, level + 1) for part in operands), level
            case ast.Conditional(then=then, condition=condition, otherwise=otherwise):
                text = f"{self.formula(then, OR)} if {self.formula(condition, OR)}"
                return f"{text}, else {self.formula(otherwise)}", LOOSEST
            case ast.Call(function=function, arguments=arguments):
                return self._call(function.text, arguments), PRIMARY
            case ast.Index(base=base, indices=indices):
                return f"{self.formula(base, PRIMARY)}[{self._listed(indices)}]", PRIMARY
            case ast.SetLiteral(items=items):
                return f"{{{self._listed(items)}}}", PRIMARY
            case ast.ListLiteral(items=items):
                return f"[{self._listed(items)}]", PRIMARY
            case ast.TupleLiteral(items=items):
                return f"({self._listed(items)})", PRIMARY
            case ast.Quantifier():
                return self._quantifier(node)
            case ast.SetBuild(element=element, clauses=clauses):
                return self._built(element, clauses), PRIMARY
            case ast.ListBuild(element=element, clauses=clauses):
                return f"[{self._built(element, clauses)[1:-1]}]", PRIMARY
            case ast.Weights(pairs=pairs):
                return ", ".join(f"{self.formula(k)}: {self.formula(w)}" for k, w in pairs), PRIMARY
            case ast.WeightsBuild(key=key, weight=weight, clauses=clauses):
                text = f"{self.formula(key)}: {self.formula(weight)}"
                return f"{text} for {self.quantified(clauses)}", PRIMARY
            case _:
                assert_never(node)

    def _listed(self, items: Iterable[ast.Expression]) -> str:
        return ", ".join(self.formula(item) for item in items)

    def _binary(self, node: ast.Binary) -> tuple[str, int]:
        match node.operator, node.left, node.right:
            case "..", ast.Number(value=low), ast.Number(value=high) if high - low <= _SHORT_RANGE:
                return "{" + ", ".join(map(str, range(low, high + 1))) + "}", PRIMARY
            case "..", low, high:
                return f"{{{self.formula(low)}, ..., {self.formula(high)}}}", PRIMARY
            case "//", left, right:
                return f"⌊{self.formula(left, TERM)} / {self.formula(right, MINUS)}⌋", PRIMARY
            case "-", left, right if self._is_set(left):
                return f"{self._as_set(left)} ∖ {self._as_set(right)}", UNION
            case "|", left, right:
                return f"{self._as_set(left)} ∪ {self._as_set(right)}", UNION
        sign, level = _BINARY[node.operator]
        return (
            f"{self.formula(node.left, level)} {sign} {self.formula(node.right, level + 1)}",
            level,
        )

    def _series(self, node: ast.Series) -> tuple[str, int]:
        first, *rest = node.operands
        if self._is_set(node):
            text = self._as_set(first)
            for operator, operand in zip(node.operators, rest, strict=True):
                text += f" {'∪' if operator == '|' else '∖'} {self._as_set(operand)}"
            return text, UNION
        level = _BINARY[node.operators[0]][1]
        text = self.formula(first, level)
        for operator, operand in zip(node.operators, rest, strict=True):
            if operator == "//":
                text = f"⌊{text} / {self.formula(operand, MINUS)}⌋"
            else:
                text += f" {_BINARY[operator][0]} {self.formula(operand, level + 1)}"
        return text, level

    def _as_set(self, node: ast.Expression) -> str:
        is_value = isinstance(node, ast.Number) or (
            isinstance(node, ast.Name) and node.text in self._values
        )
        return f"{{{self.formula(node)}}}" if is_value else self.formula(node, UNION)

    def _is_set(self, node: ast.Expression) -> bool:
        match node:
            case ast.SetLiteral() | ast.SetBuild():
                return True
            case ast.Binary(operator=operator, left=left):
                return operator in ("..", "|") or (operator == "-" and self._is_set(left))
            case ast.Series(operators=(operator, *_), operands=(first, *_)):
                return operator == "|" or (operator == "-" and self._is_set(first))
            case ast.Name(text=text):
                return text in _SETS or text in self._types
            case _:
                return False

    def _call(self, function: str, arguments: tuple[ast.Expression, ...]) -> str:
        if function == "abs" and len(arguments) == 1:
            return f"|{self.formula(arguments[0])}|"
        if function in ("count", "len") and len(arguments) == 1 and self._is_set(arguments[0]):
            return f"|{self.formula(arguments[0])}|"
        return f"{function}({self._listed(arguments)})"

    def _quantifier(self, node: ast.Quantifier) -> tuple[str, int]:
        function, element = node.function.text, node.element
        match function:
            case "any" | "all":
                sign = "∃" if function == "any" else "∀"
                return f"{sign} {self.quantified(node.clauses)}: {self.formula(element)}", LOOSEST
            case "count":
                return f"|{self._counted(element, node.clauses)}|", PRIMARY
            case "sum":
                over = self.quantified(node.clauses)
                return f"Σ({self.formula(element)} : {over})", PRIMARY
        built = self._built(element, node.clauses)
        if node.arguments:
            built = f"{{{self._listed(node.arguments)}}} ∪ {built}"
        return f"{function} {built}", MINUS

    def _counted(self, element: ast.Expression, clauses: tuple[ast.Clause, ...]) -> str:
        """The set of bound names whose size is the count."""
        names = ", ".join(clause.name.text for clause in clauses)
        who = f"({names})" if len(clauses) > 1 else names
        over = self.quantified(clauses, such=", ")
        condition = f", {self.formula(element)}" if self.is_truth(element) else ""
        return f"{{{who} : {over}{condition}}}"

    def _built(self, element: ast.Expression, clauses: tuple[ast.Clause, ...]) -> str:
        return f"{{{self.formula(element)} : {self.quantified(clauses, such=', ')}}}"
