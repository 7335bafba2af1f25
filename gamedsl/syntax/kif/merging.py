"""Moves with parameters and with statements that depend on the parameters.

In: moves of a relation with different effects, such as the presses of lamps at the edge and in
the middle. Out: a move with parameters; a statement of a few moves stands under a condition on the
parameters. Statements of equal shape become a statement with parameters if the constants are
arguments of the moves, numbers at a fixed distance from arguments, or equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heapreplace
from itertools import product
from math import prod
from typing import Generic

from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.kif.folding import Instance
from gamedsl.syntax.kif.gathering import place_text
from gamedsl.syntax.kif.parameters import Parameters
from gamedsl.syntax.kif.quantifiers import Part, Quantifying, joined
from gamedsl.syntax.kif.shifting import sum_of

MOST_WAYS = 200
"""Most ways to read the constants of a statement as arguments."""
MOST_STATEMENTS = 6_000
"""Most statements of all moves."""

Way = tuple[tuple[int, int | str], ...]
"""For every different constant of a statement: the number of an argument and the distance from the
argument, or -1 and the constant."""


@dataclass(frozen=True, slots=True)
class _Unit(Generic[Part]):
    """A statement, or a condition, with parameters.

    Attributes:
        cases: by number of a move, the statement of the move.
    """

    statement: Part
    cases: Mapping[int, Part]
    shape: int

    def is_like(self, other: _Unit[Part]) -> bool:
        """Whether the units may share a block or a loop."""
        return self.cases.keys() == other.cases.keys() or self.shape == other.shape


class Merging:
    """Writes the moves of a relation as a single move.

    Attributes:
        reads: the cells that a statement reads; None for a text without the cells.
    """

    def __init__(
        self,
        quantifying: Quantifying,
        parameters: Parameters,
        names: Sequence[ast.Name],
        reads: Callable[[ast.Node], frozenset[str] | None],
    ) -> None:
        self.quantifying, self.parameters, self.names = quantifying, parameters, names
        self.reads = reads

    def body(self, instances: Sequence[Instance]) -> ast.Block | None:
        """The body of the common move; None without a common move."""
        blocks = [[*self._parted(instance.move.body)] for instance in instances]
        groups: defaultdict[int, list[tuple[int, ast.Statement]]] = defaultdict(list)
        for number, block in enumerate(blocks):
            for statement in block:
                groups[self.quantifying.shape(statement)].append((number, statement))
        arguments = [tuple(map(_value, instance.constants)) for instance in instances]
        units: list[_Unit[ast.Statement]] = []
        for group in groups.values():
            units += self._units(group, arguments)
        ordered = self._in_order(units)
        return None if ordered is None else (*self._written(ordered, len(instances)),)

    def condition(
        self, conditions: Sequence[ast.Expression], constants: Sequence[Sequence[ast.Expression]]
    ) -> ast.Expression:
        """The condition with parameters that stands for conditions.

        Args:
            constants: the arguments of each condition.
        """
        rows: list[ast.Expression] = [*map(self._sorted, conditions)]  # type: ignore[list-item]
        kinds = Counter(row.operator for row in rows if isinstance(row, ast.Logic))
        operator = max(kinds, key=kinds.__getitem__, default="and")
        groups: defaultdict[int, list[tuple[int, ast.Expression]]] = defaultdict(list)
        for number, row in enumerate(rows):
            is_joined = isinstance(row, ast.Logic) and row.operator == operator
            for part in row.operands if is_joined else (row,):  # type: ignore[union-attr]
                groups[self.quantifying.shape(part)].append((number, part))
        arguments = [tuple(map(_value, row)) for row in constants]
        units = [unit for group in groups.values() for unit in self._units(group, arguments)]
        everywhere, span = {*range(len(rows))}, self.names[0].span
        parts: list[ast.Expression] = []
        for unit in units:
            part = unit.statement
            own = unit.cases.keys()
            if own != everywhere:
                test = self.parameters.among(own if operator == "or" else everywhere - own, span)
                part = joined(span, "and" if operator == "or" else "or", (test, part))
            parts.append(part)
        return joined(span, operator, parts)

    def _parted(self, block: ast.Block) -> Iterator[ast.Statement]:
        """The statements, a requirement for every condition; operands in an order that depends on
        shapes and constants alone."""
        for statement in map(self._sorted, block):
            assert isinstance(statement, ast.Node)
            condition = statement.condition if isinstance(statement, ast.Require) else None
            if isinstance(condition, ast.Logic) and condition.operator == "and":
                yield from (ast.Require(statement.span, part) for part in condition.operands)
            else:
                yield statement  # type: ignore[misc]

    def _sorted(self, value: object) -> object:
        node = ast.rebuilt(value, self._sorted)
        if not isinstance(node, ast.Logic):
            return node

        def key(part: ast.Expression) -> tuple[object, ...]:
            values = map(_value, self.quantifying.holes(part))
            return self.quantifying.shape(part), [(isinstance(one, str), one) for one in values]

        return ast.Logic(node.span, node.operator, (*sorted(node.operands, key=key),))

    def _units(
        self, group: Sequence[tuple[int, Part]], arguments: Sequence[tuple[int | str, ...]]
    ) -> Iterator[_Unit[Part]]:
        """Statements of equal shape with parameters, common to most moves first."""
        holes = [tuple(map(_value, self.quantifying.holes(part))) for _, part in group]
        columns = [*zip(*holes, strict=True)]
        firsts = {column: place for place, column in reversed([*enumerate(columns)])}
        places = sorted(firsts.values())
        numeric = [
            all(isinstance(value, int) for value in column)
            for column in zip(*arguments, strict=True)
        ]
        ways = [
            self._ways([holes[row][place] for place in places], arguments[number], numeric)
            for row, (number, _) in enumerate(group)
        ]
        for best, rows in _covering(ways, [number for number, _ in group]):
            model = group[next(iter(rows.values()))][1]
            meant = dict(zip((columns[place] for place in places), best, strict=True))
            constants = [
                self._constant(hole, *meant[column])
                for hole, column in zip(self.quantifying.holes(model), columns, strict=True)
            ]
            statement = self.quantifying.filled(model, constants)
            cases = {number: group[row][1] for number, row in rows.items()}
            yield _Unit(statement, cases, self.quantifying.shape(statement))

    def _ways(
        self,
        values: Sequence[int | str],
        arguments: Sequence[int | str],
        numeric: Sequence[bool],
    ) -> list[Way]:
        """The ways to read constants as arguments."""
        options: list[list[tuple[int, int | str]]] = []
        for value in values:
            here: list[tuple[int, int | str]] = [(-1, value)]
            for place, argument in enumerate(arguments):
                if numeric[place] and isinstance(value, int) and isinstance(argument, int):
                    here.append((place, value - argument))
                elif value == argument:
                    here.append((place, 0))
            options.append(here)
        if prod(map(len, options)) > MOST_WAYS:
            options = [
                [option for option in here if option[1] == 0] or here[:1] for here in options
            ]
        if prod(map(len, options)) > MOST_WAYS:
            options = [here[:1] for here in options]
        return [*product(*options)]

    def _constant(self, hole: ast.Expression, place: int, distance: int | str) -> ast.Expression:
        if place < 0:
            return hole
        name = self.names[place]
        return sum_of(name, 1, distance) if isinstance(distance, int) else name

    def _in_order(self, units: Sequence[_Unit[ast.Statement]]) -> list[_Unit[ast.Statement]] | None:
        """Requirements, then the further statements, the reader of a cell before the statement that
        assigns the cell; None without such an order."""
        before: defaultdict[int, set[int]] = defaultdict(set)
        readers: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for place, unit in enumerate(units):
            for number, statement in unit.cases.items():
                cells = self.reads(statement)
                if cells is None:
                    return None
                for cell in cells:
                    readers[number, cell].add(place)
        for place, unit in enumerate(units):
            for number, statement in unit.cases.items():
                for target in _targets(statement):
                    before[place] |= readers[number, target] - {place}
        waiting = sorted(
            range(len(units)), key=lambda place: not isinstance(units[place].statement, ast.Require)
        )
        ordered: list[int] = []
        done: set[int] = set()
        while waiting:
            possible = [place for place in waiting if before[place] <= done]
            if not possible:
                return None
            ready = possible[0]
            if ordered and not isinstance(units[ready].statement, ast.Require):
                last = units[ordered[-1]]
                alike = (place for place in possible if units[place].is_like(last))
                ready = next(alike, ready)
            waiting.remove(ready)
            ordered.append(ready)
            done.add(ready)
        return [units[place] for place in ordered]

    def _written(
        self, units: Sequence[_Unit[ast.Statement]], count: int
    ) -> Iterator[ast.Statement]:
        """The statements, under a condition unless all moves have the statement; the requirements
        of all moves are a single requirement."""
        span = self.names[0].span
        always: list[ast.Expression] = []
        rest: list[ast.Statement] = []
        for unit in units:
            statement, is_everywhere = unit.statement, len(unit.cases) == count
            condition = self.parameters.among(unit.cases, span)
            if not isinstance(statement, ast.Require):
                block = (statement,)
                rest.append(
                    statement if is_everywhere else ast.If(span, ((condition, block),), None)
                )
            elif is_everywhere:
                always.append(statement.condition)
            else:
                others = self.parameters.among({*range(count)} - unit.cases.keys(), span)
                rest.append(ast.Require(span, joined(span, "or", (others, statement.condition))))
        if always:
            yield ast.Require(span, joined(span, "and", always))
        yield from self._in_blocks(rest)

    def _in_blocks(self, statements: Iterable[ast.Statement]) -> Iterator[ast.Statement]:
        """Statements in a row with equal conditions, as a block."""
        last: ast.If | None = None
        for statement in statements:
            if (
                isinstance(statement, ast.If)
                and last
                and statement.otherwise is None
                and [test for test, _ in statement.branches] == [test for test, _ in last.branches]
            ):
                ((test, block),) = last.branches
                last = ast.If(last.span, ((test, block + statement.branches[0][1]),), None)
                continue
            if last is not None:
                yield last
            last = None
            if (
                isinstance(statement, ast.If)
                and len(statement.branches) == 1
                and statement.otherwise is None
            ):
                last = statement
            else:
                yield statement
        if last is not None:
            yield last


def are_few(moves: Iterable[ast.MoveDecl]) -> bool:
    """Whether moves have few statements, of kinds that may be merged."""
    statements = [part for move in moves for part in move.body]
    conditions = (part.condition for part in statements if isinstance(part, ast.Require))
    size = len(statements) + sum(
        len(condition.operands) - 1
        for condition in conditions
        if isinstance(condition, ast.Logic) and condition.operator == "and"
    )
    kinds = ast.Let | ast.AssignAll | ast.Again
    return size <= MOST_STATEMENTS and not any(isinstance(part, kinds) for part in statements)


def _value(constant: ast.Expression) -> int | str:
    if isinstance(constant, ast.Number):
        return constant.value
    return constant.text if isinstance(constant, ast.Name) else place_text(constant)


def _covering(
    ways: Sequence[Sequence[Way]], numbers: Sequence[int]
) -> Iterator[tuple[Way, dict[int, int]]]:
    """Ways until every row is read, each with its rows by number of a move; of the rows that are
    left, the way with the most moves first. A rank falls only, so a way waits behind its last.

    Args:
        ways: the ways of each row.
        numbers: the move of each row.
    """
    members: defaultdict[Way, list[tuple[int, int]]] = defaultdict(list)
    for row, options in enumerate(ways):
        for place, way in enumerate(options):
            members[way].append((row, place))
    rest = {*range(len(ways))}

    def ranked(way: Way) -> tuple[int, int, tuple[int, int], Way]:
        left = members[way] = [member for member in members[way] if member[0] in rest]
        return -len({numbers[row] for row, _ in left}), _distance(way), (*left, (0, 0))[0], way

    waiting = [*map(ranked, members)]
    heapify(waiting)
    while rest:
        *rank, best = waiting[0]
        now = ranked(best)
        if now[:3] != (*rank,):
            heapreplace(waiting, now)
            continue
        rows: dict[int, int] = {}
        for row, _ in members[best]:
            rows.setdefault(numbers[row], row)
        rest.difference_update(rows.values())
        yield best, rows


def _distance(way: Way) -> int:
    """Constants count most, then distances."""
    fixed = sum(place < 0 for place, _ in way)
    return fixed * 1_000 + sum(abs(d) for place, d in way if place >= 0 and isinstance(d, int))


def _targets(statement: ast.Statement) -> Iterable[str]:
    """The cells that a statement assigns."""
    return [
        place_text(node.target) for node in ast.nodes_in(statement) if isinstance(node, ast.Assign)
    ]
