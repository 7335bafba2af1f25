"""Quantifiers in place of conjunctions and disjunctions whose parts differ in constants alone.

In: parts of a program. Out: the parts, with
`all(cell[i, j] == x for j in 1..3)` in place of `cell[i, 1] == x and cell[i, 2] == x and ...`.
Parts are folded from the innermost outwards, so that a line in each row becomes a quantifier of
quantifiers. A constant of the parts is a variable of the quantifier, or a number that rises or
falls with a variable: `1 + i` and `6 - i` for i in 0..3, so that lines with different beginnings
have one shape. Where a beginning stays a number, the variable begins there at last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from string import ascii_lowercase
from typing import NamedTuple, TypeVar

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.kif.rules import order
from gamedsl.syntax.kif.shifting import number_of, shifted, sum_of

LETTERS = ascii_lowercase[8:] + ascii_lowercase[:8]
"""Wishes for the names of variables, innermost first: i, j, k, ..."""
FEWEST = 3
"""Fewest short parts that a quantifier replaces."""
MOST_TRIED = 24
"""Values in rows of which all ways to form products are tried; of more, the way with the fewest
pieces at first."""
LONG = 8
"""Nodes of a part of which two are replaced."""
Value = TypeVar("Value", bound=Hashable)
Part = TypeVar("Part", bound=ast.Node)
Row = tuple[int | str, ...]
"""The values of the constants of a part."""


class _Look(NamedTuple):
    """The shape of a part, as a number, the number of nodes, and the constants, in order."""

    shape: int
    size: int
    holes: tuple[ast.Name | ast.Number, ...]


class Quantifying:
    """Writes quantifiers.

    Attributes:
        kind_of: the kind of a name that is a constant, else None; constants of different kinds
            never share a variable.
        enclosing: the variables of the quantifiers around the present part.
    """

    def __init__(
        self,
        kind_of: Callable[[str], str | None],
        players: Sequence[str],
        name_of: Callable[[str], str],
    ) -> None:
        self.kind_of = kind_of
        self.players = tuple(players)
        self.name_of = name_of
        self.variables: list[str] = []
        self.levels: dict[str, int] = {}
        self.enclosing: list[ast.Node] = []
        self._shapes: dict[object, int] = {}
        self._looks: dict[int, tuple[object, _Look]] = {}
        self._rewritten: dict[tuple[int, ...], tuple[object, object]] = {}
        """By identity of a part and of the `enclosing` names, the part, and the part rewritten."""

    def rewritten(self, value: object) -> object:
        """A node, or a tuple, with quantifiers in all its parts."""
        if isinstance(value, ast.Name | ast.Number) or not isinstance(value, ast.Node | tuple):
            return value
        key = id(value), *map(id, self.enclosing)
        known = self._rewritten.get(key)
        if known is None:
            known = self._rewritten[key] = value, self._rewrite(value)
        return known[1]

    def _rewrite(self, value: ast.Node | tuple[object, ...]) -> object:
        before = len(self.enclosing)
        if isinstance(value, ast.Quantifier):
            self.enclosing += [clause.name for clause in value.clauses]
        elif isinstance(value, ast.For):
            self.enclosing.append(value.name)
        node: object = ast.rebuilt(value, self.rewritten)
        del self.enclosing[before:]
        return self._logic(node) if isinstance(node, ast.Logic) else node

    def _logic(self, node: ast.Logic) -> ast.Expression:
        groups: dict[object, list[ast.Expression]] = {}
        for operand in node.operands:
            groups.setdefault(self.shape(operand), []).append(operand)
        operands = [part for group in groups.values() for part in self._folded(node, group)]
        return joined(node.span, node.operator, operands)

    def _folded(self, node: ast.Logic, group: Sequence[ast.Expression]) -> Iterable[ast.Expression]:
        """Quantifiers that say the same as a group of equal shape, or the group."""
        if len(group) == 1:
            return group
        size = self._look(group[0]).size
        is_short = size < LONG and not isinstance(group[0], ast.Compare)
        if len(group) < (FEWEST if is_short else 2):
            return group
        rows, bases, pieces = self.pieces(group)
        quantifiers = [self._quantifier(node, rows, piece, bases) for piece in pieces]
        if sum(1 for _ in ast.nodes_in(shifted(tuple(quantifiers)))) >= size * len(group):
            return group
        return quantifiers

    def pieces(self, group: Sequence[Part]) -> tuple[dict[Row, Part], list[int], list[list[Row]]]:
        """Parts of equal shape by their constants; the columns on which all further columns depend;
        and the rows in pieces that are products of the values of these columns."""
        rows = {tuple(map(_value, self._look(part).holes)): part for part in group}
        columns = [*zip(*rows, strict=True)]
        changing = [place for place, column in enumerate(columns) if len(set(column)) > 1]
        firsts = {_course(columns[place]): place for place in reversed(changing)}
        bases = sorted(firsts.values())
        return rows, bases, products([*rows], bases)

    def generalized(
        self, model: Part, rows: Sequence[Row], bases: Sequence[int]
    ) -> tuple[Part, dict[int, ast.Name], tuple[ast.Clause, ...]]:
        """The part with variables that stands for rows, a product of the values of the columns
        `bases`; the variables by column; and the clauses of the variables."""
        span = model.span
        columns = [*zip(*rows, strict=True)]
        varying = [base for base in bases if len(set(columns[base])) > 1]
        level = self._level(model)
        names = {
            base: ast.Name(span, self.variable(level + number))
            for number, base in enumerate(reversed(varying))
        }
        by_course = {_course(columns[base]): base for base in reversed(names)}
        constants: list[ast.Expression] = [*self._look(model).holes]
        for place, column in enumerate(columns):
            if len(set(column)) > 1:
                base = by_course[_course(column)]
                relation = _distance(columns[base], column)
                constants[place] = _from(names[base], columns[base], *relation)
        element = self.filled(model, constants)
        clauses = tuple(
            ast.Clause(span, names[base], self._set_of(span, columns[base]), None)
            for base in varying
        )
        return element, names, clauses

    def _quantifier(
        self,
        node: ast.Logic,
        parts: Mapping[Row, ast.Expression],
        rows: Sequence[Row],
        bases: Sequence[int],
    ) -> ast.Expression:
        """The quantifier for rows that are a product of the values of the columns `bases`."""
        model, span = parts[rows[0]], node.span
        if len(rows) == 1:
            return model
        element, names, clauses = self.generalized(model, rows, bases)
        membership = self._membership(node, element, names, clauses)
        if membership is not None:
            return membership
        function = "all" if node.operator == "and" else "any"
        if isinstance(element, ast.Quantifier) and element.function.text == function:
            return ast.Quantifier(
                span, element.function, element.element, clauses + element.clauses
            )
        return ast.Quantifier(span, ast.Name(span, function), element, clauses)

    def _membership(
        self,
        node: ast.Logic,
        element: ast.Expression,
        names: Mapping[int, ast.Name],
        clauses: Sequence[ast.Clause],
    ) -> ast.Expression | None:
        """`cell in 1..5` for `any(cell == i for i in 1..5)`, `not in` for `all` and `!=`."""
        sign = "==" if node.operator == "or" else "!="
        if len(clauses) != 1 or not isinstance(element, ast.Compare) or len(element.rest) != 1:
            return None
        (name,) = names.values()
        (operator, value), first = element.rest[0], element.first
        is_variable = value == name or (
            isinstance(value, ast.Binary) and value.operator == "+" and value.right == name
        )
        if operator != sign or not is_variable or name in [*ast.nodes_in(first)]:
            return None
        domain = clauses[0].domain
        if isinstance(value, ast.Binary):
            match value.left, domain:
                case ast.Number() as low, ast.Binary(operator="..", right=ast.Number() as high):
                    top = ast.Number(node.span, low.value + high.value)
                    domain = ast.Binary(node.span, "..", low, top)
                case _:
                    return None
        test = "in" if sign == "==" else "not in"
        return ast.Compare(node.span, first, ((test, domain),))

    def _level(self, expression: ast.Node) -> int:
        """The number of variables to leave free for quantifiers inside."""
        return max(
            (
                self.levels[node.text] + 1
                for node in (*ast.nodes_in(expression), *self.enclosing)
                if isinstance(node, ast.Name) and node.text in self.levels
            ),
            default=0,
        )

    def variable(self, level: int) -> str:
        """The name of a variable; `level`: the number of the variables inside."""
        while len(self.variables) <= level:
            number = len(self.variables)
            name = self.name_of(LETTERS[number % len(LETTERS)])
            self.levels[name] = number
            self.variables.append(name)
        return self.variables[level]

    def _set_of(self, span: Span, column: Sequence[object]) -> ast.Expression:
        """The values of a variable as a set: a range, all players, or a list."""
        values = [*dict.fromkeys(column)]
        if isinstance(values[0], int):
            numbers = sorted(value for value in values if isinstance(value, int))
            if _is_row(values):
                low, high = ast.Number(span, 0), ast.Number(span, len(numbers) - 1)
                return ast.Binary(span, "..", low, high)
            return _ranges(span, numbers)
        if set(values) == set(self.players):
            return ast.Name(span, "players")
        names = sorted(map(str, values), key=order)  # equal sets have one form
        return ast.SetLiteral(span, tuple(ast.Name(span, name) for name in names))

    # The constants of a part, and a part with different constants: both walks meet the constants in
    # the same order.

    def is_constant(self, value: object) -> bool:
        """Whether a part is a number, or the name of a constant."""
        if isinstance(value, ast.Name):
            return self.kind_of(value.text) is not None
        return isinstance(value, ast.Number)

    def shape(self, value: object) -> int:
        """A part without constants, as a number; equal shapes have equal places for constants."""
        return self._look(value).shape

    def size(self, value: object) -> int:
        """The number of nodes of a part."""
        return self._look(value).size

    def holes(self, value: object) -> tuple[ast.Name | ast.Number, ...]:
        """The constants of a part, in order."""
        return self._look(value).holes

    def filled(self, value: Part, constants: Iterable[ast.Expression]) -> Part:
        """A part with different constants, in order."""
        part: Part = self._filled(value, iter(constants))  # type: ignore[assignment]
        return part

    def _look(self, value: object) -> _Look:
        """What is known of a part; each part is looked at once."""
        known = self._looks.get(id(value))
        if known is not None:
            return known[1]
        looks: list[_Look] = []
        shape: object = ("value", value)
        holes: tuple[ast.Name | ast.Number, ...] = ()
        if isinstance(value, ast.Number):
            shape, holes = "number", (value,)
        elif isinstance(value, ast.Name):
            kind = self.kind_of(value.text)
            shape, holes = (kind or ("name", value.text)), () if kind is None else (value,)
        elif isinstance(value, Span):
            shape = None
        elif isinstance(value, ast.Node | tuple):
            parts = ast.contents(value) if isinstance(value, ast.Node) else value
            looks = [self._look(part) for part in parts]
            shape = (type(value), *(look.shape for look in looks))
            holes = tuple(hole for look in looks for hole in look.holes)
        size = isinstance(value, ast.Node) + sum(look.size for look in looks)
        look = _Look(self._shapes.setdefault(shape, len(self._shapes)), size, holes)
        self._looks[id(value)] = value, look
        return look

    def _filled(self, value: object, constants: Iterator[ast.Expression]) -> object:
        """A part with different constants."""
        if self.is_constant(value):
            return next(constants)
        return ast.rebuilt(value, lambda part: self._filled(part, constants))


def joined(span: Span, operator: str, operands: Iterable[ast.Expression]) -> ast.Expression:
    """A conjunction or disjunction, without operands of the same kind."""
    flat: list[ast.Expression] = []
    for operand in operands:
        is_alike = isinstance(operand, ast.Logic) and operand.operator == operator
        flat += operand.operands if is_alike and isinstance(operand, ast.Logic) else (operand,)
    return flat[0] if len(flat) == 1 else ast.Logic(span, operator, tuple(flat))


def united(span: Span, parts: Sequence[ast.Expression]) -> ast.Expression:
    """The union of sets or single values; flat if there are many, as the parser has it."""
    if len(parts) > ast.LONGEST_SPINE:
        return ast.Series(span, ("|",) * (len(parts) - 1), (*parts,))
    return reduce(lambda left, right: ast.Binary(span, "|", left, right), parts)


def _value(constant: ast.Name | ast.Number) -> int | str:
    return constant.value if isinstance(constant, ast.Number) else constant.text


def _course(column: Sequence[int | str]) -> tuple[int | str, ...]:
    """What columns share of which one is the other, times 1 or -1, plus a number. The values of a
    column are all numbers, or all names."""
    numbers = [value for value in column if isinstance(value, int)]
    if not numbers:
        return (*column,)
    first = numbers[0]
    is_falling = next((value < first for value in numbers if value != first), False)
    return tuple([first - value if is_falling else value - first for value in numbers])


def _distance(base: Sequence[int | str], column: Sequence[int | str]) -> tuple[int, int]:
    """The factor 1 or -1 and the number that make a column of a base, of equal course."""
    for given, value in zip(base, column, strict=True):
        if isinstance(given, int) and isinstance(value, int) and given != base[0]:
            factor = 1 if given - base[0] == value - column[0] else -1  # type: ignore[operator]
            return factor, value - factor * given
    return 1, 0


def _ranges(span: Span, numbers: Sequence[int]) -> ast.Expression:
    """Sorted numbers as ranges, `0..29 | 31..60`, or as a list, if that is shorter."""
    ends = [at for at, one in enumerate(numbers) if one + 1 != (*numbers, None)[at + 1]]
    starts = [0, *(end + 1 for end in ends[:-1])]
    if 2 * len(ends) >= len(numbers):
        return ast.SetLiteral(span, tuple(ast.Number(span, number) for number in numbers))
    ranges: list[ast.Expression] = [
        ast.Binary(span, "..", ast.Number(span, numbers[start]), ast.Number(span, numbers[end]))
        for start, end in zip(starts, ends, strict=True)
    ]
    return united(span, ranges)


def _is_row(values: Iterable[object]) -> bool:
    """Whether values are numbers without gaps."""
    numbers = {value for value in values if isinstance(value, int)}
    return max(numbers) - min(numbers) == len(numbers) - 1


def _from(name: ast.Name, base: Sequence[object], factor: int, rest: int) -> ast.Expression:
    """The number with a factor and a distance to a base, whose variable is `name`: `first + name`
    or `first - name`, if the values of the base have no gaps and the variable begins with 0."""
    if not isinstance(base[0], int):
        return name
    if _is_row(base):
        rest += factor * min(value for value in base if isinstance(value, int))
        return ast.Binary(name.span, "+" if factor == 1 else "-", number_of(name.span, rest), name)
    return sum_of(name, factor, rest)


def products(
    rows: Sequence[tuple[Value, ...]], bases: Sequence[int]
) -> list[list[tuple[Value, ...]]]:
    """The rows in few pieces, each the product of the piece's values in the columns `bases`."""
    columns = [{row[base] for row in rows} for base in bases]
    if prod(map(len, columns)) == len(rows):
        return [[*rows]]
    best: list[list[tuple[Value, ...]]] = [[row] for row in rows]
    splits: list[list[list[tuple[Value, ...]]]] = []
    for base in bases:
        by_value: dict[Value, dict[tuple[Value, ...], tuple[Value, ...]]] = {}
        for row in rows:
            rest = tuple(row[place] for place in bases if place != base)
            by_value.setdefault(row[base], {})[rest] = row
        classes: dict[frozenset[tuple[Value, ...]], list[tuple[Value, ...]]] = {}
        for members in by_value.values():
            classes.setdefault(frozenset(members), []).extend(members.values())
        if len(classes) > 1:
            splits.append([*classes.values()])
    if len(rows) * len(bases) > MOST_TRIED:
        splits = sorted(splits, key=len)[:1]
    for groups in splits:
        pieces = [piece for group in groups for piece in products(group, bases)]
        if len(pieces) < len(best):
            best = pieces
    return best
