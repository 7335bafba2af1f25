"""Formulas and fluents as expressions and statements of the language.

In: formulas. Out: the declaration of the state, conditions, blocks of assignments. A part that a
block needs several times, or that is nested deeply, is a `let` of the block.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise, product, starmap
from math import prod
from typing import TypeVar

from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.kif.folding import folded_values
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.functions import Fall, Function
from gamedsl.syntax.kif.gathering import Gathering, place_text, word
from gamedsl.syntax.kif.ground import Atom, Ground, components
from gamedsl.syntax.kif.merging import Merging
from gamedsl.syntax.kif.names import Names, plain
from gamedsl.syntax.kif.parameters import MOST_COMBINATIONS, Parameters
from gamedsl.syntax.kif.quantifiers import Quantifying, joined, united
from gamedsl.syntax.kif.rules import Term, is_number, numbered, order
from gamedsl.syntax.kif.shifting import number_of, sum_of

SPARSE = 4
"""An array has at most so many times more cells than fluents, and otherwise is single variables."""
LONGEST_DEFINITION = 50_000
"""Most formulas in all instances of a relation that becomes a `def`."""
LONGEST_COPIES = 20_000
"""Most nodes in a copy of a `def` for each instance; a longer `def` has parameters with domains, so
that it is elaborated once for all calls."""
SHORTER = 2
"""A definition with conditions on its parameters is at least so many times shorter than all
that it stands for."""
FEWEST_COUNTED = 4
"""Fewest values of a function that is written as a number that is counted."""
FEWEST_NUMBERED = 3
"""Fewest constants with numbers in a row that are written as numbers."""
DEEPEST = 12
"""Greatest depth of nested connectives in an expression."""


@dataclass(frozen=True, slots=True)
class _Array:
    """The fluents of a relation as a variable.

    Attributes:
        name: the variable; "" if each cell is a variable of its own.
        place: the argument that is the value of a cell; None if cells are truth values.
        is_partial: whether a cell may hold `none`.
    """

    name: str
    place: int | None
    is_partial: bool

    def key(self, arguments: tuple[Term, ...]) -> tuple[Term, ...]:
        """The indices of a fluent's cell."""
        if self.place is None:
            return arguments
        return arguments[: self.place] + arguments[self.place + 1 :]


Part = TypeVar("Part", bound=ast.Node)
Definition = TypeVar("Definition", ast.DefDecl, ast.Let)


class Sentences:
    """Writes the parts of a game."""

    def __init__(self, ground: Ground, formulas: Formulas, known: Mapping[int, int]) -> None:
        self.ground = ground
        self.formulas = formulas
        self.names = Names()
        self.roles = {
            role: self.names.of(("role", role), plain(role).capitalize()) for role in ground.roles
        }
        self.players = {
            **self.roles,
            **{mark: self.roles[role] for mark, role in marks_of(ground).items()},
        }
        """The names of players, by role and by mark of a role."""
        self.constants: dict[str, None] = {}
        self.values = values_of(ground.atoms, ground.roles)
        self.arrays: dict[str, _Array] = {}
        self.functions: Mapping[str, Function] = {}
        self.groups: dict[int, tuple[int, ...]] = {}
        self.movers: Mapping[int, Term] = {}
        self.span = Span(0, 0)
        self.moves: Callable[[int], ast.Expression] | None = None
        self.choices: dict[str, set[str]] = {}
        """By variable with a chosen argument, the values as written."""
        self.parameters: Parameters | None = None
        self.views: dict[int, Atom] = {}
        for number, formula in known.items():
            if formulas.kinds[formula] in {"and", "or"}:
                self.views.setdefault(formula, ground.atoms[number])
        self.calls: dict[int, ast.Expression] = {}
        self.tests: dict[tuple[int, bool, Span], ast.Expression] = {}
        self.read: dict[str, frozenset[str]] = {}
        self._bounded: dict[int, tuple[object, object]] = {}
        self.quantifying = Quantifying(
            self._kind_of,
            [*self.roles.values()],
            lambda wish: self.names.of(("variable", wish), wish),
        )
        self.gathering = Gathering(self.quantifying, self.read)

    def _kind_of(self, name: str) -> str | None:
        if name in self.constants:
            return "constant"
        return "player" if name in self.roles.values() else None

    def use(
        self,
        functions: Mapping[str, Function],
        excluded: Callable[[Mapping[int, int]], frozenset[int]],
        movers: Mapping[int, Term],
    ) -> None:
        """Write the fluents of some relations as functions, with values other than truth values.

        `excluded`: the fluents that cannot hold where other fluents do; `movers`: the fluents that
        hold where a role is to move.
        """
        self.functions = functions
        self.excluded = excluded
        self.movers = movers
        self.groups = {
            fluent: group
            for function in functions.values()
            for group in function.groups
            for fluent in group
        }

    def total_groups(self) -> list[tuple[int, ...]]:
        """The fluents of each cell of which exactly one holds."""
        total = (function for function in self.functions.values() if function.is_total)
        return [group for function in total for group in function.groups]

    def name(self, text: str) -> ast.Name:
        """A name."""
        return ast.Name(self.span, text)

    def truth(self, value: bool) -> ast.Name:
        """`true` or `false`."""
        return self.name("true" if value else "false")

    def number(self, value: int) -> ast.Expression:
        """A number, negative or not."""
        return number_of(self.span, value)

    def constant(self, term: Term) -> ast.Expression:
        """A constant as a number, a player or an atom."""
        value = self._number(term)
        if value is not None:
            return ast.Number(self.span, value)
        if term in self.players:
            return self.name(self.players[term])
        return self.name(self.word(("constant", term), plain(term)))

    def word(self, meaning: object, wish: str) -> str:
        """The name of a constant."""
        name = self.names.of(meaning, wish)
        self.constants[name] = None
        return name

    def values_or_none(self, values: Iterable[Term]) -> ast.Expression:
        """A set of constants, and `none`."""
        return self.union([*self._parts(sorted(values, key=order)), self.name("none")])

    def _number(self, term: Term) -> int | None:
        """The number that a constant is, or is written as."""
        return int(term) if isinstance(term, str) and is_number(term) else self.values.get(term)

    def state(self, fluents: Iterable[int]) -> tuple[ast.StateDecl, tuple[ast.Statement, ...]]:
        """The declaration of the state, and the statements of `setup:`."""
        relations: defaultdict[str, list[int]] = defaultdict(list)
        for fluent in fluents:
            if fluent not in self.movers:
                relations[self.ground.atoms[fluent][0]].append(fluent)
        variables: list[ast.VariableDecl] = []
        setup: list[ast.Statement] = []
        for relation, numbers in relations.items():
            self.span = self.ground.spans.get("next" + relation[4:], self.span)
            declared, later = self._variables(relation, numbers)
            variables += declared
            setup += later
        return ast.StateDecl(self.span, tuple(variables)), tuple(setup)

    def _variables(
        self, relation: str, numbers: Sequence[int]
    ) -> tuple[list[ast.VariableDecl], list[ast.Statement]]:
        """The variables of a relation, and assignments of initial values."""
        function = self.functions.get(relation)
        place = None if function is None else function.places[0]
        plain_array = _Array("", place, False)
        cells: dict[tuple[Term, ...], list[int]] = {}
        for number in numbers:
            cells.setdefault(plain_array.key(self.ground.atoms[number][1]), []).append(number)
        columns = [sorted(set(column), key=order) for column in zip(*cells, strict=True)]
        size = prod(map(len, columns))
        is_array = bool(columns) and size <= SPARSE * len(cells)
        is_partial = function is not None and (
            not function.is_total or (is_array and size > len(cells))
        )
        name = self.names.of(("fluent", relation), plain(relation[5:])) if is_array else ""
        self.arrays[relation] = _Array(name, place, is_partial)
        initial = {key: self._initial(group) for key, group in cells.items()}
        if not is_array:
            return [
                ast.VariableDecl(
                    self.span,
                    self.name(self._single(relation, key)),
                    (),
                    self._domain(relation, group),
                    self._value(relation, initial[key]),
                    None,
                )
                for key, group in cells.items()
            ], []
        counts = Counter(self._value(relation, fluent) for fluent in initial.values())
        usual = counts.most_common(1)[0][0]
        later: list[ast.Statement] = []
        for key, fluent in initial.items():
            value = self._value(relation, fluent)
            if value != usual:
                indices = tuple(map(self.constant, key))
                cell = ast.Index(self.span, self.name(name), indices)
                later.append(ast.Assign(self.span, cell, "=", value))
        indices_ = tuple(ast.IndexDecl(self.span, None, self.set_of(column)) for column in columns)
        domain = self._domain(relation, numbers)
        return [ast.VariableDecl(self.span, self.name(name), indices_, domain, usual, None)], later

    def _initial(self, group: Sequence[int]) -> int | None:
        """The fluent of a cell that holds at first."""
        return next((number for number in group if number in self.ground.initial), None)

    def _value(self, relation: str, fluent: int | None) -> ast.Expression:
        """The value of a cell in which a fluent holds, or none does."""
        place = self.arrays[relation].place
        if place is None:
            return self.truth(fluent is not None)
        if fluent is None:
            return self.name("none")
        return self.constant(self.ground.atoms[fluent][1][place])

    def _domain(self, relation: str, fluents: Sequence[int]) -> ast.Expression:
        array = self.arrays[relation]
        if array.place is None:
            return self.name("bool")
        values = {self.ground.atoms[fluent][1][array.place] for fluent in fluents}
        parts = self._parts(sorted(values, key=order))
        if array.is_partial:
            parts.append(self.name("none"))
        return self.union(parts)

    def _single(self, relation: str, key: tuple[Term, ...]) -> str:
        return self.names.of(("fluent", relation, key), plain((relation[5:], *key)))

    def _parts(self, values: Sequence[Term]) -> list[ast.Expression]:
        """Sorted constants as sets: numbers in a row as ranges, all players as `players`."""
        parts: list[ast.Expression] = []
        start = 0
        players = [value for value in values if value in self.players]
        if {*map(self.players.get, players)} == {*self.roles.values()} and len(players) > 1:
            rest = [value for value in values if value not in self.players]
            return [*self._parts(rest), self.name("players")]
        while start < len(values):
            stop = start + 1
            numbers = [*map(self._number, values)]
            while stop < len(values) and is_next(numbers[stop - 1], numbers[stop]):
                stop += 1
            low, high = self.constant(values[start]), self.constant(values[stop - 1])
            parts.append(low if stop - start == 1 else ast.Binary(self.span, "..", low, high))
            start = stop
        return parts

    def union(self, parts: Sequence[ast.Expression]) -> ast.Expression:
        """The union of sets and constants."""
        first, *rest = parts
        if isinstance(first, ast.Number):
            first = ast.Binary(self.span, "..", first, first)
        return united(self.span, (first, *rest))

    def set_of(self, values: Sequence[Term]) -> ast.Expression:
        """A set of constants: a range if possible."""
        parts = self._parts(values)
        if len(parts) == 1 and (isinstance(parts[0], ast.Binary) or len(values) > 1):
            return parts[0]
        return ast.SetLiteral(self.span, tuple(map(self.constant, values)))

    def _cell(self, fluent: int) -> ast.Expression:
        """The cell of a fluent."""
        if fluent in self.movers:
            return self.name("turn")
        relation, arguments = self.ground.atoms[fluent]
        array = self.arrays[relation]
        key = array.key(arguments)
        if not array.name:
            return self.name(self._single(relation, key))
        return ast.Index(self.span, self.name(array.name), tuple(map(self.constant, key)))

    def holds(self, fluent: int, is_true: bool = True) -> ast.Expression:
        """Whether a fluent holds, or does not; whether a move is chosen."""
        key = fluent, is_true, self.span
        test = self.tests.get(key)
        if test is None:
            test = self.tests[key] = self._test(fluent, is_true)
        return test

    def _test(self, fluent: int, is_true: bool) -> ast.Expression:
        relation = self.ground.atoms[fluent][0]
        if self.moves is not None and relation.startswith("does "):
            return self.moves(fluent)
        cell = self._cell(fluent)
        if fluent not in self.movers and self.arrays[relation].place is None:
            return cell if is_true else ast.Unary(self.span, "not", cell)
        sign = "==" if is_true else "!="
        return ast.Compare(self.span, cell, ((sign, self._held(fluent)),))

    def _held(self, fluent: int) -> ast.Expression:
        """The value of a fluent's cell where the fluent holds."""
        if fluent in self.movers:
            return self.constant(self.movers[fluent])
        return self._value(self.ground.atoms[fluent][0], fluent)

    def cell_text(self, fluent: int) -> tuple[str, str]:
        """The name of a fluent's cell, `cell[1, 1]`, and the value at which the fluent holds."""
        return place_text(self._cell(fluent)), word(self._held(fluent))

    def known(self, condition: ast.Expression) -> bool | None:
        """The value that a comparison of a cell with a constant has in every state; None if there
        is none, or for any other condition."""
        match condition:
            case ast.Unary(operator="not"):
                value = self.known(condition.operand)
                return None if value is None else not value
            case ast.Compare(rest=((("==" | "!=") as sign, constant),)):
                values = self._values.get(place_text(condition.first))
                if values is not None and word(constant) in self._all_values - values:
                    return sign == "!="
        return None

    @cached_property
    def _values(self) -> Mapping[str, frozenset[str]]:
        """For each cell the values at which a fluent of the cell may hold."""
        told = {group: [*map(self.cell_text, group)] for group in {*self.groups.values()}}
        return {
            pairs[0][0]: frozenset(value for _, value in pairs) for pairs in told.values() if pairs
        }

    @cached_property
    def _all_values(self) -> frozenset[str]:
        """The values of all cells together."""
        return frozenset().union(*self._values.values())

    def bounding(self, part: Part) -> Part:
        """A part in which a cell is compared with a bound, `cell > 2`, where all numbers of
        the cell above the bound are listed."""

        def bounded(value: object) -> object:
            if id(value) not in self._bounded:  # parts are shared
                self._bounded[id(value)] = value, within(value)
            return self._bounded[id(value)][1]

        def within(value: object) -> object:
            options = value.operands if isinstance(value, ast.Logic) else (value,)
            is_or = not isinstance(value, ast.Logic) or value.operator == "or"
            cells, numbers = set(), set()
            for option in options:
                match option:
                    case ast.Compare(first=cell, rest=(("==", ast.Number(value=number)),)) if is_or:
                        cells.add(place_text(cell))
                        numbers.add(number)
                    case _:
                        return ast.rebuilt(value, bounded)
            known = self.numbers.get(cells.pop() if len(cells) == 1 else "", ())
            above = [number for number in known if number >= min(numbers)]
            if numbers != {*above} or len(above) == len(known):
                return value
            first = options[0]
            assert isinstance(first, ast.Compare), "the options are comparisons"
            bound = self.number(min(numbers) - 1)
            return ast.Compare(self.span, first.first, ((">", bound),))

        rewritten: Part = bounded(part)  # type: ignore[assignment]
        return rewritten

    def is_bounded(
        self,
        body: ast.Block,
        names: Sequence[str],
        columns: Sequence[Sequence[Term]],
        rows: Collection[tuple[Term, ...]],
    ) -> bool:
        """Whether the requirements `cell > bound` of a body exclude all combinations of parameters
        other than `rows`, since no number of the cell is above the bound."""
        tests = []
        for statement in body:
            condition = statement.condition if isinstance(statement, ast.Require) else None
            is_and = isinstance(condition, ast.Logic) and condition.operator == "and"
            for part in condition.operands if is_and else (condition,):  # type: ignore[union-attr]
                if isinstance(part, ast.Compare) and part.rest[0][0] == ">":
                    tests.append(part)
        if prod(map(len, columns)) > MOST_COMBINATIONS:
            return False
        for row in {*product(*columns)}.difference(rows):
            constants = dict(zip(names, map(self.constant, row), strict=True))

            def put(value: object, constants: Mapping[str, ast.Expression] = constants) -> object:
                if isinstance(value, ast.Name):
                    return constants.get(value.text, value)
                return ast.rebuilt(value, put)

            cases = [(place_text(put(test.first)), put(test.rest[0][1])) for test in tests]  # type: ignore[arg-type]
            if not any(
                isinstance(bound, ast.Number)
                and max(self.numbers.get(cell, (bound.value + 1,))) <= bound.value
                for cell, bound in cases
            ):
                return False
        return True

    @cached_property
    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """By cell, as written, the numbers that the cell may hold, in order, if all cells of the
        variable hold numbers always."""
        numbers: dict[str, tuple[int, ...]] = {}
        for function in self.functions.values():
            held = {
                group[0]: [self._held(fluent) for fluent in group if fluent not in self.movers]
                for group in (function.groups if function.is_total else ())
            }
            listed = {
                place_text(self._cell(first)): (
                    *sorted(value.value for value in values if isinstance(value, ast.Number)),
                )
                for first, values in held.items()
            }
            if sum(map(len, listed.values())) == sum(map(len, held.values())):
                numbers |= {cell: values for cell, values in listed.items() if values}
        return numbers

    def define(self, roots: Iterable[int]) -> list[ast.DefDecl]:
        """A `def` for each relation of the file whose formulas differ in the arguments alone;
        expressions written later call it. `roots`: the formulas that are written."""
        formulas = self.formulas
        groups: defaultdict[str, dict[tuple[Term, ...], int]] = defaultdict(dict)
        for formula in sorted(self.views.keys() & self.formulas.below(roots)):
            relation, arguments = self.views[formula]
            if " " not in relation and relation not in {"goal", "terminal"}:
                groups[relation][arguments] = formula
        relations = {formula: self.views[formula][0] for formula in self.views}
        uses = {
            relation: [
                relations[part]
                for part in formulas.below(group.values())
                if relations.get(part, relation) != relation and relations[part] in groups
            ]
            for relation, group in groups.items()
        }
        definitions = []
        for relation in chain.from_iterable(components(uses)):
            group = groups[relation]
            atoms = {self.ground.atoms[atom][0] for atom in formulas.atoms_of(group.values())}
            has_moves = any(atom.startswith("does ") for atom in atoms)
            inner = {part for formula in group.values() for part in formulas.parts[formula]}
            is_recursive = not set(group.values()).isdisjoint(formulas.below(inner))
            is_short = self.written_size(group.values()) <= LONGEST_DEFINITION
            if is_short and not is_recursive and (self.moves is not None or not has_moves):
                definition = self._definition(relation, group)
                definitions += [] if definition is None else [definition]
        return definitions

    def written_size(self, roots: Iterable[int]) -> int:
        """The number of formulas in formulas, repeated parts counted each time."""
        sizes: dict[int, int] = {}
        for formula in self.formulas.below(roots, self.calls):
            is_leaf = self.formulas.kinds[formula] == "atom" or formula in self.calls
            parts = () if is_leaf else self.formulas.parts[formula]
            sizes[formula] = 1 + sum(sizes[part] for part in parts)
        return sum(sizes[root] for root in roots)

    def _definition(
        self, relation: str, group: Mapping[tuple[Term, ...], int]
    ) -> ast.DefDecl | None:
        self.span = self.ground.spans[relation]
        columns = [*zip(*group, strict=True)]
        places = [place for place, column in enumerate(columns) if len(set(column)) > 1]
        wishes = self.ground.parameters.get(relation, ())
        names = [
            self.name(self.parameter(wishes, place, ("parameter", place), f"argument_{place + 1}"))
            for place in places
        ]
        plain_values = [self.expression(formula, {}) for formula in group.values()]
        values: list[ast.Expression]
        values = [*map(self.quantifying.rewritten, plain_values)]  # type: ignore[list-item]
        constants = [tuple(map(self.constant, columns[place])) for place in places]
        value = folded_values(values, constants, names)
        if value is None:
            size = self.quantifying.size
            ways = [self._merged(each, names, places, group) for each in (values, plain_values)]
            value = min(ways, key=size)
            written = max(self.written_size(group.values()), sum(map(size, values)))
            if SHORTER * size(value) > written:
                return None
        wish = plain(relation)
        wish = wish if self.names.is_free(wish) else f"is_{wish}"
        name = self.name(self.names.of(("def", relation), wish))
        for arguments, formula in group.items():
            items = tuple(self.constant(arguments[place]) for place in places)
            call: ast.Expression = ast.Call(self.span, name, items) if items else name
            self.calls[formula] = call
            fluents = self.formulas.atoms_of([formula])
            self.read[place_text(call)] = frozenset(
                place for fluent in fluents for place in self._places(fluent)
            )
        is_long = self.quantifying.size(value) * len(group) > LONGEST_COPIES
        bounds = tuple(
            ast.Bound(self.span, self.set_of(sorted({*columns[place]}, key=order)), False)
            for place in places
        )
        none = (None,) * len(names)
        return ast.DefDecl(self.span, name, tuple(names), value, bounds if is_long else none)

    def parameter(
        self, wishes: Sequence[str], place: int, meaning: tuple[object, ...], wish: str
    ) -> str:
        """The name of an argument: the variable of the file, of `wishes`, if there is one."""
        if place < len(wishes):
            meaning = "parameter", wishes[place]
            wish = plain(wishes[place])
        return self.names.of(meaning, wish)

    def _merged(
        self,
        values: Sequence[ast.Expression],
        names: Sequence[ast.Name],
        places: Sequence[int],
        rows: Iterable[tuple[Term, ...]],
    ) -> ast.Expression:
        """The expression of parameters that has the given values, each under conditions on the
        parameters.

        Args:
            places: for each of `names`, the number of the argument in the rows of terms.
        """
        told = [tuple(row[place] for place in places) for row in rows]
        parameters = Parameters([name.text for name in names], dict(enumerate(told)), self)
        cells = self.gathering.cells
        merging = Merging(self.quantifying, parameters, names, cells, self.known)
        constants = [(*map(self.constant, row),) for row in told]
        value: ast.Expression
        value = self.quantifying.rewritten(merging.condition(values, constants))  # type: ignore[assignment]
        return value

    def _places(self, atom: int) -> Iterable[str]:
        """The cells that a fluent, or a move that is chosen, is read from."""
        if self.ground.atoms[atom][0].startswith("true "):
            return [place_text(self._cell(atom))]
        return [] if self.moves is None else map(place_text, ast.nodes_in(self.moves(atom)))

    def lets(self, roots: Iterable[int], named: dict[int, str]) -> list[ast.Let]:
        """A `let` for each repeated part of formulas; adds to `named`."""
        formulas = self.formulas
        uses: defaultdict[int, int] = defaultdict(int)
        ascending = formulas.below(roots, self.calls)
        for root in roots:
            uses[root] += 1
        for formula in ascending:
            if formulas.kinds[formula] in {"not", "and", "or"} and formula not in self.calls:
                for part in formulas.parts[formula]:
                    uses[part] += 1
        depths: dict[int, int] = {}
        lets: list[ast.Let] = []
        for formula in ascending:
            is_leaf = formulas.kinds[formula] in {"const", "atom"} or formula in self.calls
            if is_leaf or formula in named:
                depths[formula] = 0
                continue
            depths[formula] = 1 + max(depths[part] for part in formulas.parts[formula])
            is_long = formulas.kinds[formula] != "not"
            if is_long and (uses[formula] > 1 or depths[formula] > DEEPEST):
                value = self.expression(formula, named)
                relation, arguments = self.views.get(formula, ("part", ()))
                name = self.names.of(("let", formula), plain((relation, *arguments)))
                lets.append(ast.Let(self.span, self.name(name), value))
                named[formula] = name
                depths[formula] = 0
        return lets

    def expression(self, formula: int, named: Mapping[int, str]) -> ast.Expression:
        """A formula as an expression; parts with names are called by name."""
        if formula in named:
            return self.name(named[formula])
        if formula in self.calls:
            return self.calls[formula]
        parts = self.formulas.parts[formula]
        match self.formulas.kinds[formula]:
            case "const":
                return self.truth(formula == TRUE)
            case "atom":
                if self.parameters is not None and self._is_move(formula):
                    return self.parameters.among([parts[0]], self.span)
                return self.holds(parts[0])
            case "not":
                if self._is_fluent(parts[0]) and parts[0] not in named:
                    return self.holds(self.formulas.parts[parts[0]][0], False)
                return ast.Unary(self.span, "not", self.expression(parts[0], named))
        kind = self.formulas.kinds[formula]
        if kind == "or" and (common := self._common(parts, named)):
            rest = self._without(parts, common)
            inner = (*(self.expression(part, named) for part in common),)
            return joined(self.span, "and", (*inner, self.expression(rest, named)))
        if self.parameters is not None:
            return self._with_parameters(self.parameters, kind, parts, named)
        operands = tuple(self.expression(part, named) for part in parts)
        return ast.Logic(self.span, kind, operands)

    def _common(self, parts: Sequence[int], named: Mapping[int, str]) -> list[int]:
        """The calls of definitions that are conditions of all alternatives."""
        rows = [self._conditions(part) for part in parts]
        whole = any(part in named or part in self.calls for part in parts)
        common = [] if whole else [one for one in rows[0] if all(one in row for row in rows[1:])]
        return [one for one in common if one in self.calls or self._inside(one) in self.calls]

    def _conditions(self, formula: int) -> tuple[int, ...]:
        return self.formulas.parts[formula] if self.formulas.kinds[formula] == "and" else (formula,)

    def _without(self, parts: Iterable[int], common: Collection[int]) -> int:
        """Alternatives without some of their conditions."""
        both, either = self.formulas.both, self.formulas.either
        rows = map(self._conditions, parts)
        return either(both(one for one in row if one not in common) for row in rows)

    def _inside(self, formula: int) -> int:
        """What is negated, or the formula."""
        is_not = self.formulas.kinds[formula] == "not"
        return self.formulas.parts[formula][0] if is_not else formula

    def _with_parameters(
        self, parameters: Parameters, kind: str, parts: Sequence[int], named: Mapping[int, str]
    ) -> ast.Expression:
        """A disjunction or conjunction; alternatives that differ in the move alone are one."""
        moves: dict[tuple[int, ...], list[int]] = {}
        operands: list[ast.Expression] = []
        for part in parts:
            split = self._split(kind, part, named)
            if split is None:
                operands.append(self.expression(part, named))
            else:
                moves.setdefault(split[1], []).append(split[0])
        told = self._by_move(parameters, [*moves.items()], named)
        operands += (ast.Unary(self.span, "not", part) for part in told) if kind == "and" else told
        return joined(self.span, kind, operands)

    def _by_move(
        self,
        parameters: Parameters,
        cases: Sequence[tuple[tuple[int, ...], list[int]]],
        named: Mapping[int, str],
    ) -> Iterator[ast.Expression]:
        """The alternatives that some conditions hold and the move is one of a group; of many, those
        with a value of a parameter share one test of the parameter."""
        place, split = parameters.split([group for _, group in cases])
        for value, numbers in split.items():
            mine = [cases[number] for number in numbers]
            within = [*self._by_move(parameters.where(place, value), mine, named)]
            test = parameters.test(place, value, self.span)
            is_sure = self.truth(True) in within
            yield (
                test
                if is_sure
                else joined(self.span, "and", (test, joined(self.span, "or", within)))
            )
        done = {number for numbers in split.values() for number in numbers}
        for number, (rest, group) in enumerate(cases):
            if number not in done:
                condition = parameters.among(group, self.span)
                inner = tuple(self.expression(part, named) for part in rest)
                is_sure = isinstance(condition, ast.Name) and bool(rest)
                yield joined(self.span, "and", inner if is_sure else (condition, *inner))

    def _split(
        self, kind: str, part: int, named: Mapping[int, str]
    ) -> tuple[int, tuple[int, ...]] | None:
        """The move and the other conditions of an alternative (of a condition, if the kind is
        `and`: of what is negated); None if there is not exactly one move."""
        formulas = self.formulas
        if part in named or part in self.calls:
            return None
        if kind == "and":
            if formulas.kinds[part] != "not":
                return None
            return self._split("or", formulas.parts[part][0], named)
        inside = formulas.parts[part] if formulas.kinds[part] == "and" else (part,)
        moves = [one for one in inside if self._is_move(one)]
        if len(moves) != 1:
            return None
        return formulas.parts[moves[0]][0], tuple(one for one in inside if one != moves[0])

    def _is_move(self, formula: int) -> bool:
        if self.formulas.kinds[formula] != "atom":
            return False
        return self.ground.atoms[self.formulas.parts[formula][0]][0].startswith("does ")

    def chain(
        self,
        cases: Sequence[tuple[int, ast.Expression]],
        last: ast.Expression,
        named: Mapping[int, str],
    ) -> ast.Expression:
        """The value of the first case whose formula holds, else `last`; a long chain is halved, so
        that expressions are not nested deeply."""
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

    def _is_fluent(self, formula: int) -> bool:
        if self.formulas.kinds[formula] != "atom":
            return False
        return self.ground.atoms[self.formulas.parts[formula][0]][0].startswith("true ")

    def changes(
        self, changes: Sequence[tuple[int, int]], named: dict[int, str]
    ) -> list[ast.Statement]:
        """Assignments of new values; all values are evaluated before the first is stored."""
        values = dict(changes)
        statements = self.lets([value for value in values.values() if value > TRUE], named)
        fixed: list[ast.Statement] = []
        targets: list[ast.Expression] = []
        new: list[ast.Expression] = []
        done: set[int] = set()
        for fluent, formula in changes:
            if fluent in done or fluent in self.movers:
                continue
            group = self.groups.get(fluent, (fluent,))
            done.update(group)
            cell = self._cell(fluent)
            if len(group) > 1 or self.arrays[self.ground.atoms[fluent][0]].place is not None:
                value = self._new_value(group, values, named)
                if value == cell:
                    continue
                is_none = isinstance(value, ast.Name) and value.text == "none"
                is_constant = is_none or self.quantifying.is_constant(value)
            else:
                value = self.expression(formula, named)
                is_constant = formula in (FALSE, TRUE)
            if is_constant:
                fixed.append(ast.Assign(self.span, cell, "=", value))
            else:
                targets.append(cell)
                new.append(value)
        assigned = [*self._in_sequence(dict(zip(targets, new, strict=True))), *fixed]
        return [*used(statements, assigned), *assigned]

    def fall(self, fall: Fall) -> tuple[tuple[ast.Statement, ast.Statement], ast.Statement] | None:
        """The statements that find the first vacant cell of a fall, and the assignment to the cell;
        None unless the cells are one array's, in the order of an index that is a number."""
        relation, first = self.ground.atoms[fall.filled[0]]
        array, place = self.arrays[relation], fall.place
        rows = [self.ground.atoms[fluent][1][place] for fluent in fall.filled]
        numbers = [*map(self._number, rows)]
        if not array.name or array.place is None or not all(starmap(is_next, pairwise(numbers))):
            return None
        name, none = self.name(self.names.of(("let", "fall"), "place")), self.name("none")
        variable = self.name(self.quantifying.variable(0))
        indices = [*map(self.constant, array.key(first))]
        index = place - (place > array.place)
        indices[index] = variable
        vacant = fall.vacant[0]
        value = self._value(relation, vacant.fluents[0] if vacant.is_told else None)
        cell = ast.Index(self.span, self.name(array.name), tuple(indices))
        is_vacant = ast.Compare(self.span, cell, (("==", value),))
        clause = ast.Clause(self.span, variable, self.set_of(rows), is_vacant)
        found_first = ast.Quantifier(self.span, self.name("first"), variable, (clause,))
        indices[index] = name
        filled = ast.Index(self.span, self.name(array.name), tuple(indices))
        return (
            ast.Let(self.span, name, found_first),
            ast.Require(self.span, ast.Compare(self.span, name, (("!=", none),))),
        ), ast.Assign(self.span, filled, "=", self._value(relation, fall.filled[0]))

    def _in_sequence(
        self, values: Mapping[ast.Expression, ast.Expression]
    ) -> Iterable[ast.Statement]:
        """Assignments of values by cell, each cell after its last use by another cell's value; at
        once where cells need each other."""
        rest = {place_text(cell): (cell, value) for cell, value in values.items()}
        known = {place: self.gathering.cells(value) for place, (_, value) in rest.items()}
        reads = {
            place: rest.keys() if cells is None else rest.keys() & cells
            for place, cells in known.items()
        }
        users: dict[str, set[str]] = {place: set() for place in rest}
        for place, cells in reads.items():
            for cell in cells - {place}:
                users[cell].add(place)
        while rest:
            free = next((place for place in rest if not users[place]), None)
            if free is None:
                targets, together = zip(*rest.values(), strict=True)
                yield ast.AssignAll(self.span, targets, together)
                return
            target, value = rest.pop(free)
            for cell in reads[free]:
                users[cell].discard(free)
            yield ast.Assign(self.span, target, "=", value)

    def _new_value(
        self, group: Sequence[int], values: Mapping[int, int], named: Mapping[int, str]
    ) -> ast.Expression:
        """The new value of a function, of whose fluents some change."""
        relation = self.ground.atoms[group[0]][0]
        changed = [fluent for fluent in group if fluent in values]
        for fluent in changed:
            if values[fluent] == TRUE:
                return self._value(relation, fluent)
        cell = self._cell(group[0])
        cases = [
            (values[fluent], self._value(relation, fluent))
            for fluent in changed
            if values[fluent] != FALSE
        ]
        moved = self._copied(group, values) or self._moved(group, cases, values)
        moved = moved or self._counted(group, values, named)
        if moved is not None:
            return moved
        gains = {fluent: self._gain(fluent, values[fluent]) for fluent in changed}
        lost = [fluent for fluent in changed if gains[fluent] is None]
        is_total = self.functions[relation].is_total
        if len(lost) < len(group):
            cases = [
                (formula, self._value(relation, fluent))
                for fluent, gain in gains.items()
                if (formula := values[fluent] if gain is None else gain) != FALSE
            ]
            last: ast.Expression = cell
            if not is_total and lost:
                gone = tuple(self._value(relation, fluent) for fluent in lost)
                test = ast.Compare(self.span, cell, (("in", ast.SetLiteral(self.span, gone)),))
                if len(gone) == 1:
                    test = ast.Compare(self.span, cell, (("==", gone[0]),))
                last = ast.Conditional(self.span, self.name("none"), test, cell)
            source = self._copied_where(gains, values)
            return self.chain(cases if source is None else [source], last, named)
        chosen = self._chosen(cases)
        if chosen is not None:
            is_sure = chosen[0] == TRUE
            return chosen[1] if is_sure else self.chain([chosen], self.name("none"), named)
        if is_total:  # no case: the step is never made, as after an end that always holds
            last = cases.pop()[1] if cases else cell
        else:
            last = self.name("none")
        return self.chain(cases, last, named)

    def _chosen(
        self, cases: Sequence[tuple[int, ast.Expression]]
    ) -> tuple[int, ast.Expression] | None:
        """The variable with a chosen argument, `none` or an argument that a function takes, and the
        condition under which the function does."""
        formulas, told_by = self.formulas, self.moves
        if told_by is None:
            return None
        rests: set[int] = set()
        cells: dict[str, ast.Expression] = {}
        for formula, value in cases:
            parts = formulas.parts[formula] if formulas.kinds[formula] == "and" else (formula,)
            moves = [part for part in parts if self._is_move(part)]
            test = told_by(formulas.parts[moves[0]][0]) if len(moves) == 1 else None
            if not isinstance(test, ast.Compare) or test.rest != (("==", value),):
                return None
            cells[place_text(test.first)] = test.first
            rests.add(formulas.both(part for part in parts if part != moves[0]))
        if len(cells) != 1 or len(rests) != 1:
            return None
        (cell,) = cells.values()
        values = {word(value) for _, value in cases}
        is_whole = isinstance(cell, ast.Index) and values == self.choices.get(word(cell.base))
        return (rests.pop(), cell) if is_whole else None

    def _counted(
        self, group: Sequence[int], values: Mapping[int, int], named: Mapping[int, str]
    ) -> ast.Expression | None:
        """`cell + 1 if condition else cell`, for a function that counts where a condition holds."""
        formulas, cell = self.formulas, self._cell(group[0])
        numbers = {formulas.atom(fluent): self._number(self._value_of(fluent)) for fluent in group}
        if len(group) < FEWEST_COUNTED or None in numbers.values():
            return None
        before_by: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for fluent in group:
            formula = values.get(fluent, formulas.atom(fluent))
            is_or = formulas.kinds[formula] == "or"
            for part in formulas.parts[formula] if is_or else (formula,) * (formula != FALSE):
                inside = formulas.parts[part] if formulas.kinds[part] == "and" else (part,)
                own = [atom for atom in inside if atom in numbers]
                before, after = numbers.get(own[0]) if own else None, numbers[formulas.atom(fluent)]
                if len(own) != 1 or before is None or after is None:
                    return None
                rest = formulas.both(atom for atom in inside if atom != own[0])
                before_by[after - before, rest].add(before)
        known = {number for number in numbers.values() if number is not None}
        is_total = self.functions[self.ground.atoms[group[0]][0]].is_total
        rows: list[tuple[ast.Expression, ast.Expression]] = []
        for step in sorted({step for step, _ in before_by}, key=lambda step: (step == 0, step)):
            rests = [rest for other, rest in before_by if other == step]
            starts = before_by[step, rests[0]]
            low, high = min(starts), max(starts)
            if len(starts) == 1 or any(before_by[step, rest] != starts for rest in rests):
                return None
            if {number for number in known if low <= number <= high} != starts:
                return None
            tests = [self.expression(formulas.either(rests), named)]
            if starts != known or (step and not is_total):
                within = ast.Binary(self.span, "..", self.number(low), self.number(high))
                tests.insert(0, ast.Compare(self.span, cell, (("in", within),)))
            value = sum_of(cell, 1, step)
            rows.append((value, joined(self.span, "and", tests)))
        last = rows.pop()[0] if is_total else self.name("none")
        for value, test in reversed(rows):
            last = ast.Conditional(self.span, value, test, last)
        return last

    def read_off(self, values: Mapping[int, int]) -> ast.Expression | None:
        """The cell whose number is a value, where formulas by value say that a cell holds it."""
        atoms = [*values.values()]
        fluents = [self.formulas.parts[atom][0] if self._is_fluent(atom) else 0 for atom in atoms]
        group = self.groups.get(fluents[0], ())
        if len(group) < FEWEST_COUNTED or {*group} != {*fluents}:
            return None
        numbers = [self._number(self._value_of(fluent)) for fluent in fluents]
        return self._cell(group[0]) if numbers == [*values] else None

    def _gain(self, fluent: int, formula: int) -> int | None:
        """Where a fluent begins to hold, if it holds ever after; None if it may end."""
        formulas, atom = self.formulas, self.formulas.atom(fluent)
        if formula == atom:
            return FALSE
        if formulas.kinds[formula] != "or" or atom not in formulas.parts[formula]:
            return None
        return formulas.either(part for part in formulas.parts[formula] if part != atom)

    def _copied(self, group: Sequence[int], values: Mapping[int, int]) -> ast.Expression | None:
        """A second cell whose value a function takes."""
        formulas, atoms = self.formulas, self.ground.atoms
        if any(fluent not in values for fluent in group):
            return None
        sources = set()
        for fluent in group:
            formula = values[fluent]
            if formula == FALSE:
                continue
            source = formulas.parts[formula][0] if self._is_fluent(formula) else 0
            if source not in self.groups or self._value_of(source) != self._value_of(fluent):
                return None
            sources.add(source)
        others = {self.groups[source] for source in sources}
        if len(sources) < 2 or len(others) > 1:
            return None
        whole = others.pop()
        is_total = self.functions[atoms[group[0]][0]].is_total
        return self._cell(whole[0]) if is_total or len(sources) == len(whole) else None

    def _copied_where(
        self, gains: Mapping[int, int | None], values: Mapping[int, int]
    ) -> tuple[int, ast.Expression] | None:
        """A second cell whose value a function takes, and the condition under which it does."""
        formulas = self.formulas
        conditions: set[int] = set()
        sources: set[int] = set()
        for fluent, gain in gains.items():
            formula = values[fluent] if gain is None else gain
            if formula == FALSE:
                continue
            parts = formulas.parts[formula] if formulas.kinds[formula] == "and" else ()
            held = [
                part
                for part in parts
                if self._is_fluent(part)
                and (source := formulas.parts[part][0]) in self.groups
                and source not in gains
                and self._value_of(source) == self._value_of(fluent)
            ]
            if len(held) != 1:
                return None
            sources.add(formulas.parts[held[0]][0])
            conditions.add(formulas.both(part for part in parts if part != held[0]))
        if len(sources) < 2 or len(conditions) > 1:
            return None
        groups = {self.groups[source] for source in sources}
        condition = conditions.pop()
        if len(groups) > 1:
            return None
        whole = groups.pop()
        excluded = self.excluded(formulas.fixed_by(condition))
        is_total = self.functions[self.ground.atoms[whole[0]][0]].is_total
        if not is_total or any(
            member not in sources and member not in excluded for member in whole
        ):
            return None
        return condition, self._cell(whole[0])

    def _value_of(self, fluent: int) -> Term:
        """The value of a function if a fluent holds, as a constant."""
        relation, arguments = self.ground.atoms[fluent]
        return arguments[self.functions[relation].places[0]]

    def _moved(
        self,
        group: Sequence[int],
        cases: Sequence[tuple[int, ast.Expression]],
        values: Mapping[int, int],
    ) -> ast.Expression | None:
        """`cell + 1 if cell in 0..9 else none`, for a function that counts up or down."""
        if len(cases) < 2 or any(fluent not in values for fluent in group):
            return None
        atoms = {self.formulas.atom(fluent): fluent for fluent in group}
        steps = {}
        for formula, value in cases:
            if formula not in atoms or not isinstance(value, ast.Number):
                return None
            before = self._value(self.ground.atoms[group[0]][0], atoms[formula])
            if not isinstance(before, ast.Number):
                return None
            steps[before.value] = value.value - before.value
        low, high = min(steps), max(steps)
        if len(set(steps.values())) > 1 or high - low >= len(steps):
            return None
        step, cell = steps[low], self._cell(group[0])
        sign, size = ("+", step) if step > 0 else ("-", -step)
        moved = ast.Binary(self.span, sign, cell, self.number(size))
        within = ast.Binary(self.span, "..", self.number(low), self.number(high))
        condition = ast.Compare(self.span, cell, (("in", within),))
        if self.functions[self.ground.atoms[group[0]][0]].is_total:
            return moved  # no step is taken from values without a next value
        return ast.Conditional(self.span, moved, condition, self.name("none"))


def used(definitions: Sequence[Definition], users: Sequence[ast.Node]) -> list[Definition]:
    """The definitions whose names are used, by users or through later definitions."""
    names = _names_in((*users,))
    kept: list[Definition] = []
    for definition in reversed(definitions):
        if definition.name.text in names:
            names |= _names_in(definition)
            kept.append(definition)
    return kept[::-1]


def _names_in(part: object) -> set[str]:
    return {node.text for node in ast.nodes_in(part, is_once=True) if isinstance(node, ast.Name)}


def is_next(first: int | None, second: int | None) -> bool:
    """Whether two values are numbers in a row."""
    return first is not None and second is not None and second - first == 1


def values_of(atoms: Iterable[Atom], roles: Iterable[Term]) -> dict[Term, int]:
    """The numbers of constants `s1`, `s2`, ... in a row, which are read more easily as 1, 2, ...,
    unless a number has two meanings in one place of a relation."""
    columns: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for relation, arguments in atoms:
        for place, term in enumerate(arguments):
            if isinstance(term, str):
                columns[relation, place].add(term)
    rows: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for constant in {*chain.from_iterable(columns.values())} - {*roles}:
        stem, value = numbered(constant)
        if stem and value >= 0:
            rows[stem][constant] = value
    chosen = {
        stem: row
        for stem, row in rows.items()
        if len(row) >= FEWEST_NUMBERED and max(row.values()) - min(row.values()) == len(row) - 1
    }
    for column in columns.values():
        stems = {stem for part in column if part in chosen.get(stem := numbered(part)[0], ())}
        if len(stems) > 1 or (stems and any(map(is_number, column))):
            for stem in stems:
                del chosen[stem]
    return {term: value for row in chosen.values() for term, value in row.items()}


def marks_of(ground: Ground) -> dict[Term, Term]:
    """The constants that stand for roles, with the roles: `x` for the role `xplayer`, if the moves
    of each role, and of no further role, bring a single constant of its own to an argument of a
    relation. They are written as players."""
    columns: defaultdict[tuple[str, int], set[Term]] = defaultdict(set)
    for relation, arguments in ground.atoms:
        for place, term in enumerate(arguments):
            columns[relation, place].add(term)
    bringers: defaultdict[tuple[str, int], defaultdict[Term, set[Term]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for head, bodies in ground.bodies.items():
        relation, arguments = ground.atoms[head]
        if not relation.startswith("next "):
            continue
        parts = [ground.atoms[part] for body in bodies.values() for part in body if part > 0]
        movers = {terms[0] for name, terms in parts if name.startswith("does ")}
        for place, term in enumerate(arguments):
            if isinstance(term, str) and not is_number(term):
                bringers[relation, place][term] |= movers
    marks: dict[Term, Term] = {}
    for terms in bringers.values():
        own = {term: next(iter(movers)) for term, movers in terms.items() if len(movers) == 1}
        if len(own) != len(ground.roles) or {*own.values()} != {*ground.roles} or len(own) < 2:
            continue
        players = {**dict.fromkeys(ground.roles), **marks, **own}
        meant = {term: role or term for term, role in players.items()}
        if all(
            len(told := [meant[term] for term in column if term in meant]) == len({*told})
            for column in columns.values()
        ):
            marks |= own
    return {mark: role for mark, role in marks.items() if mark not in ground.roles}
