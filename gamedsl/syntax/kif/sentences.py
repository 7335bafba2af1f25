"""Formulas and fluents as expressions and statements of the language.

In: formulas. Out: the declaration of the state, conditions, blocks of assignments. A part that a
block needs several times, or that is nested deeply, is a `let` of the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.ground import Ground
from gamedsl.syntax.kif.names import Names, plain
from gamedsl.syntax.kif.rules import Term, is_number, order

SPARSE = 4
"""An array has at most so many times more cells than fluents, and otherwise is single variables."""
DEEPEST = 12
"""Connectives inside one another in an expression."""


@dataclass(frozen=True, slots=True)
class _Array:
    """The fluents of a relation as a variable with indices; the values of each index."""

    name: str
    values: tuple[tuple[Term, ...], ...]


class Sentences:
    """Writes the parts of a game."""

    def __init__(self, ground: Ground, formulas: Formulas, known: Mapping[int, int]) -> None:
        self.ground = ground
        self.formulas = formulas
        self.names = Names()
        self.roles = {
            role: self.names.of(("role", role), plain(role).capitalize()) for role in ground.roles
        }
        self.constants: dict[str, None] = {}
        self.arrays: dict[str, _Array] = {}
        self.fluents: defaultdict[str, list[int]] = defaultdict(list)
        self.span = Span(0, 0)
        self.moves: Callable[[int], ast.Expression] | None = None
        self.wishes: dict[int, str] = {}
        for number, formula in known.items():
            if formulas.kinds[formula] in {"and", "or"}:
                relation, arguments = ground.atoms[number]
                self.wishes.setdefault(formula, plain((relation, *arguments)))

    def name(self, text: str) -> ast.Name:
        """A name."""
        return ast.Name(self.span, text)

    def truth(self, value: bool) -> ast.Name:
        """`true` or `false`."""
        return self.name("true" if value else "false")

    def number(self, value: int) -> ast.Expression:
        """A number, negative or not."""
        if value < 0:
            return ast.Unary(self.span, "-", ast.Number(self.span, -value))
        return ast.Number(self.span, value)

    def constant(self, term: Term) -> ast.Expression:
        """A constant as a number, a player or an atom."""
        if isinstance(term, str) and is_number(term):
            return ast.Number(self.span, int(term))
        if term in self.roles:
            return self.name(self.roles[term])
        name = self.names.of(("constant", term), plain(term))
        self.constants[name] = None
        return self.name(name)

    def state(self, fluents: Iterable[int]) -> tuple[ast.StateDecl, tuple[ast.Statement, ...]]:
        """The declaration of the state, and the statements of `setup:`."""
        for fluent in fluents:
            self.fluents[self.ground.atoms[fluent][0]].append(fluent)
        variables: list[ast.VariableDecl] = []
        setup: list[ast.Statement] = []
        for relation, numbers in self.fluents.items():
            self.span = self.ground.spans.get("next" + relation[4:], self.span)
            variables += self._variables(relation, numbers)
            if relation in self.arrays:
                initial = [number for number in numbers if number in self.ground.initial]
                setup += [self.assign(number, self.truth(True)) for number in initial]
        return ast.StateDecl(self.span, tuple(variables)), tuple(setup)

    def _variables(self, relation: str, numbers: Sequence[int]) -> list[ast.VariableDecl]:
        atoms, kind = self.ground.atoms, self.name("bool")
        columns = [*zip(*(atoms[number][1] for number in numbers), strict=True)]
        values = tuple(tuple(sorted(set(column), key=order)) for column in columns)
        cells = 1
        for column in values:
            cells *= len(column)
        if not values or cells > SPARSE * len(numbers):
            return [
                ast.VariableDecl(
                    self.span,
                    self.name(self._single(number)),
                    (),
                    kind,
                    self.truth(number in self.ground.initial),
                    None,
                )
                for number in numbers
            ]
        name = self.names.of(("fluent", relation), plain(relation[5:]))
        self.arrays[relation] = _Array(name, values)
        indices = tuple(ast.IndexDecl(self.span, None, self._set(column)) for column in values)
        return [
            ast.VariableDecl(self.span, self.name(name), indices, kind, self.truth(False), None)
        ]

    def _single(self, fluent: int) -> str:
        relation, arguments = self.ground.atoms[fluent]
        return self.names.of(("fluent", fluent), plain((relation[5:], *arguments)))

    def _set(self, values: Sequence[Term]) -> ast.Expression:
        """A set of constants: a range if possible."""
        numbers = [int(value) for value in values if isinstance(value, str) and is_number(value)]
        if len(numbers) == len(values) and numbers[-1] - numbers[0] == len(numbers) - 1 > 0:
            low, high = self.number(numbers[0]), self.number(numbers[-1])
            return ast.Binary(self.span, "..", low, high)
        return ast.SetLiteral(self.span, tuple(map(self.constant, values)))

    def cell(self, fluent: int) -> ast.Expression:
        """The truth value of a fluent in the state."""
        relation, arguments = self.ground.atoms[fluent]
        array = self.arrays.get(relation)
        if array is None:
            return self.name(self._single(fluent))
        indices = tuple(map(self.constant, arguments))
        return ast.Index(self.span, self.name(array.name), indices)

    def cell_name(self, fluent: int) -> str:
        """The cell of a fluent as the language writes it, `cell[1, 1, b]`."""
        cell = self.cell(fluent)
        if isinstance(cell, ast.Name):
            return cell.text
        assert isinstance(cell, ast.Index) and isinstance(cell.base, ast.Name)
        indices = (
            index.text if isinstance(index, ast.Name) else str(getattr(index, "value", index))
            for index in cell.indices
        )
        return f"{cell.base.text}[{', '.join(indices)}]"

    def assign(self, fluent: int, value: ast.Expression) -> ast.Assign:
        """`fluent = value`."""
        return ast.Assign(self.span, self.cell(fluent), "=", value)

    def lets(self, roots: Iterable[int], named: dict[int, str]) -> list[ast.Statement]:
        """A `let` for each part of formulas that is needed several times; adds to `named`."""
        formulas = self.formulas
        uses: defaultdict[int, int] = defaultdict(int)
        ascending = formulas.below(roots)
        for root in roots:
            uses[root] += 1
        for formula in ascending:
            if formulas.kinds[formula] in {"not", "and", "or"}:
                for part in formulas.parts[formula]:
                    uses[part] += 1
        depths: dict[int, int] = {}
        lets: list[ast.Statement] = []
        for formula in ascending:
            if formulas.kinds[formula] in {"const", "atom"} or formula in named:
                depths[formula] = 0
                continue
            depths[formula] = 1 + max(depths[part] for part in formulas.parts[formula])
            is_long = formulas.kinds[formula] != "not"
            if is_long and (uses[formula] > 1 or depths[formula] > DEEPEST):
                value = self.expression(formula, named)
                name = self.names.of(("let", formula), self.wishes.get(formula, "part"))
                lets.append(ast.Let(self.span, self.name(name), value))
                named[formula] = name
                depths[formula] = 0
        return lets

    def expression(self, formula: int, named: Mapping[int, str]) -> ast.Expression:
        """A formula as an expression; parts with names are called by name."""
        if formula in named:
            return self.name(named[formula])
        parts = self.formulas.parts[formula]
        match self.formulas.kinds[formula]:
            case "const":
                return self.truth(formula == TRUE)
            case "atom":
                if self.moves is not None and self.ground.atoms[parts[0]][0].startswith("does "):
                    return self.moves(parts[0])
                return self.cell(parts[0])
            case "not":
                return ast.Unary(self.span, "not", self.expression(parts[0], named))
        operands = tuple(self.expression(part, named) for part in parts)
        return ast.Logic(self.span, self.formulas.kinds[formula], operands)

    def chain(
        self,
        cases: Sequence[tuple[int, ast.Expression]],
        last: ast.Expression,
        named: Mapping[int, str],
    ) -> ast.Expression:
        """The value of the first case whose formula holds, else `last`; halved where the chain is
        long, so that few expressions stand inside one another."""
        if len(cases) > DEEPEST:
            half = len(cases) // 2
            first = tuple(self.expression(formula, named) for formula, _ in cases[:half])
            return ast.Conditional(
                self.span,
                self.chain(cases[: half - 1], cases[half - 1][1], named),
                ast.Logic(self.span, "or", first),
                self.chain(cases[half:], last, named),
            )
        for formula, value in reversed(cases):
            last = ast.Conditional(self.span, value, self.expression(formula, named), last)
        return last

    def changes(
        self, changes: Sequence[tuple[int, int]], named: dict[int, str]
    ) -> list[ast.Statement]:
        """Assignments of new values, all of which are evaluated before any is stored."""
        open_values = [pair for pair in changes if pair[1] not in (FALSE, TRUE)]
        statements = self.lets([value for _, value in open_values], named)
        targets = tuple(self.cell(fluent) for fluent, _ in open_values)
        values = tuple(self.expression(value, named) for _, value in open_values)
        if len(targets) == 1:
            statements.append(ast.Assign(self.span, targets[0], "=", values[0]))
        elif targets:
            statements.append(ast.AssignAll(self.span, targets, values))
        for fluent, value in changes:
            if value in (FALSE, TRUE):
                statements.append(self.assign(fluent, self.truth(value == TRUE)))
        return statements
