"""Expressions of a file as formulas with mathematical symbols: `not a` becomes ¬a.

The formulas are trees (`gamedsl.reports.formulas`). They are not simplified, and names stay as in
the file. The choice of symbols depends only on the text: `count` of conditions becomes the size of
a set, `-` becomes ∖ if the left operand is certainly a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from gamedsl.reports.formulas.tree import (
    Cases,
    Formula,
    Fraction,
    Group,
    Indexed,
    Kind,
    Row,
    Sign,
    Total,
    Word,
    joined,
    parenthesized,
    row,
)
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
_SLANTED = frozenset({"turn", "opponent", "me"})
"""Names of single values that change from state to state."""
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

    def formula(self, node: ast.Expression, level: int = LOOSEST) -> Formula:
        """The formula; in parentheses if the formula binds looser than `level`."""
        formula, binding = self._bare(node)
        return parenthesized(formula) if binding < level else formula

    def name(self, text: str) -> Word:
        """A name of the file: upright for single values, slanted for variables."""
        return Word(text, Kind.VALUE if text in self._values - _SLANTED else Kind.VARIABLE)

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
    ) -> Formula:
        """`v ∈ S with c, w ∈ T`."""
        return joined(
            comma,
            (
                row(
                    self.bound(clause.name.text, clause.domain),
                    *(() if clause.condition is None else (such, self.formula(clause.condition))),
                )
                for clause in clauses
            ),
        )

    def bound(self, name: str, domain: ast.Expression, *, is_subset: bool = False) -> Formula:
        """`n ∈ {1, 2, 3}`, `s ⊆ {1, 2, 3}`."""
        return row(Word(name), f" {'⊆' if is_subset else '∈'} ", self.formula(domain, UNION))

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

    def _bare(self, node: ast.Expression) -> tuple[Formula, int]:
        match node:
            case ast.Name(text=text):
                return self.name(text), PRIMARY
            case ast.Decimal(text=text):
                return Word(text, Kind.NUMBER), PRIMARY
            case ast.Number(value=value):
                return _number(value), PRIMARY
            case ast.Unary(operator="-", operand=operand):
                return row(Sign("-"), self.formula(operand, MINUS)), MINUS
            case ast.Unary(operand=operand):
                return row(Sign("¬"), self.formula(operand, NOT)), NOT
            case ast.Binary():
                return self._binary(node)
            case ast.Series():
                return self._series(node)
            case ast.Compare(first=first, rest=rest):
                parts: list[str | Formula] = [self.formula(first, UNION)]
                for operator, right in rest:
                    parts += [f" {_COMPARISONS[operator]} ", self.formula(right, UNION)]
                return row(*parts), COMPARE
            case ast.Logic(operator=operator, operands=operands):
                sign, level = ("∧", AND) if operator == "and" else ("∨", OR)
                written = (self.formula(part, level + 1) for part in operands)
                return joined(f" {sign} ", written), level
            case ast.Conditional(then=then, condition=condition, otherwise=otherwise):
                chosen = Cases(
                    self.formula(then, OR), self.formula(condition, OR), self.formula(otherwise)
                )
                return chosen, LOOSEST
            case ast.Call(function=function, arguments=arguments):
                return self._call(function.text, arguments), PRIMARY
            case ast.Index(base=base, indices=indices):
                return Indexed(self.formula(base, PRIMARY), self._listed(indices)), PRIMARY
            case ast.SetLiteral(items=items):
                return Group("{", self._listed(items), "}"), PRIMARY
            case ast.ListLiteral(items=items):
                return Group("[", self._listed(items), "]"), PRIMARY
            case ast.TupleLiteral(items=items):
                return Group("(", self._listed(items), ")"), PRIMARY
            case ast.Quantifier():
                return self._quantifier(node)
            case ast.SetBuild(element=element, clauses=clauses):
                return Group("{", self._built(element, clauses), "}"), PRIMARY
            case ast.ListBuild(element=element, clauses=clauses):
                return Group("[", self._built(element, clauses), "]"), PRIMARY
            case ast.Weights(pairs=pairs):
                return joined(", ", (self._weight(*pair) for pair in pairs)), PRIMARY
            case ast.WeightsBuild(key=key, weight=weight, clauses=clauses):
                over = self.quantified(clauses)
                return row(self._weight(key, weight), " for ", over), PRIMARY
            case _:
                assert_never(node)

    def _weight(self, key: ast.Expression, weight: ast.Expression) -> Formula:
        return row(self.formula(key), ": ", self.formula(weight))

    def _listed(self, items: Iterable[ast.Expression]) -> Formula:
        return joined(", ", (self.formula(item) for item in items))

    def _binary(self, node: ast.Binary) -> tuple[Formula, int]:
        match node.operator, node.left, node.right:
            case "..", ast.Number(value=low), ast.Number(value=high) if high - low <= _SHORT_RANGE:
                numbers = map(_number, range(low, high + 1))
                return Group("{", joined(", ", numbers), "}"), PRIMARY
            case "..", low, high:
                ends = row(self.formula(low), ", ..., ", self.formula(high))
                return Group("{", ends, "}"), PRIMARY
            case "//", left, right:
                return self._floor(self.formula(left, TERM), right), PRIMARY
            case "-", left, right if self._is_set(left):
                return row(self._as_set(left), " ∖ ", self._as_set(right)), UNION
            case "|", left, right:
                return row(self._as_set(left), " ∪ ", self._as_set(right)), UNION
        level = _BINARY[node.operator][1]
        first, second = self.formula(node.left, level), self.formula(node.right, level + 1)
        return _operation(first, node.operator, second), level

    def _series(self, node: ast.Series) -> tuple[Formula, int]:
        first, *rest = node.operands
        if self._is_set(node):
            parts: list[str | Formula] = [self._as_set(first)]
            for operator, operand in zip(node.operators, rest, strict=True):
                parts += [f" {'∪' if operator == '|' else '∖'} ", self._as_set(operand)]
            return row(*parts), UNION
        level = _BINARY[node.operators[0]][1]
        formula = self.formula(first, level)
        for operator, operand in zip(node.operators, rest, strict=True):
            if operator == "//":
                formula = self._floor(formula, operand)
            elif operator == "/":
                formula = Fraction(formula, self.formula(operand, level + 1))
            else:
                formula = _appended(
                    formula, f" {_BINARY[operator][0]} ", self.formula(operand, level + 1)
                )
        return formula, level

    def _floor(self, above: Formula, below: ast.Expression) -> Formula:
        return Group("⌊", Fraction(above, self.formula(below, MINUS)), "⌋")

    def _as_set(self, node: ast.Expression) -> Formula:
        is_value = isinstance(node, ast.Number) or (
            isinstance(node, ast.Name) and node.text in self._values
        )
        return Group("{", self.formula(node), "}") if is_value else self.formula(node, UNION)

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

    def _call(self, function: str, arguments: tuple[ast.Expression, ...]) -> Formula:
        if function == "abs" and len(arguments) == 1:
            return Group("|", self.formula(arguments[0]), "|")
        if function in ("count", "len") and len(arguments) == 1 and self._is_set(arguments[0]):
            return Group("|", self.formula(arguments[0]), "|")
        return row(Word(function, Kind.OPERATOR), parenthesized(self._listed(arguments)))

    def _quantifier(self, node: ast.Quantifier) -> tuple[Formula, int]:
        function, element = node.function.text, node.element
        match function:
            case "any" | "all":
                sign = Sign("∃" if function == "any" else "∀")
                over = self.quantified(node.clauses)
                return row(sign, " ", over, ": ", self.formula(element)), LOOSEST
            case "count":
                return Group("|", self._counted(element, node.clauses), "|"), PRIMARY
            case "sum":
                return Total(self.quantified(node.clauses), self.formula(element)), PRIMARY
        built: Formula = Group("{", self._built(element, node.clauses), "}")
        if node.arguments:
            built = row(Group("{", self._listed(node.arguments), "}"), " ∪ ", built)
        return row(Word(function, Kind.OPERATOR), " ", built), MINUS

    def _counted(self, element: ast.Expression, clauses: tuple[ast.Clause, ...]) -> Formula:
        """The set of bound names whose size is the count."""
        names = joined(", ", (Word(clause.name.text) for clause in clauses))
        who = parenthesized(names) if len(clauses) > 1 else names
        condition = (", ", self.formula(element)) if self.is_truth(element) else ()
        return Group("{", row(who, " : ", self.quantified(clauses, such=", "), *condition), "}")

    def _built(self, element: ast.Expression, clauses: tuple[ast.Clause, ...]) -> Formula:
        return row(self.formula(element), " : ", self.quantified(clauses, such=", "))


def _number(value: int) -> Formula:
    number = Word(str(abs(value)), Kind.NUMBER)
    return row(Sign("-"), number) if value < 0 else number


def _operation(left: Formula, operator: str, right: Formula) -> Formula:
    if operator == "/":
        return Fraction(left, right)
    return _appended(left, f" {_BINARY[operator][0]} ", right)


def _appended(left: Formula, sign: str, right: Formula) -> Formula:
    """`left sign right` as one flat row: chains of sums do not nest."""
    before = left.parts if isinstance(left, Row) else (left,)
    return row(*before, sign, right)
