"""Moves with parameters and with statements that depend on the parameters.

In: moves of a relation with different effects, such as the presses of lamps at the edge and in
the middle. Out: a move with parameters; a statement of a few moves stands under a condition on the
parameters. Statements of equal shape become a statement with parameters if the constants are
arguments of the moves, numbers at a fixed distance from arguments, or equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import islice, product
from math import prod
from typing import Generic

from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.kif.folding import Instance
from gamedsl.syntax.kif.gathering import place_text
from gamedsl.syntax.kif.parameters import Parameters, negation
from gamedsl.syntax.kif.quantifiers import Part, Quantifying, joined
from gamedsl.syntax.kif.shifting import sum_of

MOST_WAYS = 200
"""Most ways to read the constants of a statement as arguments."""
MOST_COMPARED = 12
"""Most ways of which it is asked for which moves a condition says nothing new."""
MOST_STATEMENTS = 6_000
"""Most statements of all moves."""

Way = tuple[tuple[int, int | str], ...]
"""For every different constant of a statement: the number of an argument and the distance from the
argument, or -1 and the constant."""
_Rank = tuple[int, int, tuple[int, int], Way]
"""The negative number of moves, the distance, the first row with the place of the way, the way."""


@dataclass(frozen=True, slots=True)
class _Unit(Generic[Part]):
    """A statement, or a condition, with parameters.

    Attributes:
        cases: by number of a move, the statement of the move.
        idle: further moves, of which the statement says nothing new: a condition that they have
            besides, or that holds in every state (`and`) or in none (`or`).
    """

    statement: Part
    cases: Mapping[int, Part]
    shape: int
    idle: frozenset[int]

    def is_like(self, other: _Unit[Part]) -> bool:
        """Whether the units may share a block or a loop."""
        return self.cases.keys() == other.cases.keys() or self.shape == other.shape


@dataclass(frozen=True, slots=True)
class _Meant:
    """How the constants of statements of one shape are read.

    Attributes:
        slots: for each place of a constant, the number within a way of what is said of it.
        arguments: the arguments of each move.
        held: the statements, as the number of the move and the constants.
        idle: the value at which a condition says nothing; None for other statements.
    """

    slots: Sequence[int]
    arguments: Sequence[tuple[int | str, ...]]
    held: Collection[tuple[int | str, ...]]
    idle: bool | None

    def of(self, way: Way) -> list[tuple[int, int | str]]:
        """For each place what a way says of the constant."""
        return [way[slot] for slot in self.slots]

    def values(self, way: Way) -> Iterator[tuple[int, tuple[int | str, ...] | None]]:
        """The moves, and the constants of the statement of each; None where there are none."""
        wheres = self.of(way)
        return ((number, _read(wheres, own)) for number, own in enumerate(self.arguments))


class Merging:
    """Writes the moves of a relation as a single move.

    Attributes:
        reads: the cells that a statement reads; None for a text without the cells.
        known: the value that a condition has in every state; None if there is none.
    """

    def __init__(
        self,
        quantifying: Quantifying,
        parameters: Parameters,
        names: Sequence[ast.Name],
        reads: Callable[[ast.Node], frozenset[str] | None],
        known: Callable[[ast.Expression], bool | None],
    ) -> None:
        self.quantifying, self.parameters, self.names = quantifying, parameters, names
        self.reads, self.known = reads, known

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
            is_required = isinstance(group[0][1], ast.Require)
            units += self._units(group, arguments, idle=True if is_required else None)
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
        units = [
            unit
            for group in groups.values()
            for unit in self._units(group, arguments, idle=operator == "and")
        ]
        everywhere, span = {*range(len(rows))}, self.names[0].span
        parts: list[ast.Expression] = []
        for unit in units:
            part = unit.statement
            own = unit.cases.keys()
            if own | unit.idle != everywhere:
                test = self.parameters.among(own if operator == "or" else everywhere - own, span)
                part = joined(span, "and" if operator == "or" else "or", (test, part))
            parts.append(part)
        return joined(span, operator, parts)

    def _parted(self, block: ast.Block) -> Iterator[ast.Statement]:
        """The statements, a requirement for every condition; operands in an order that depends on
        shapes and constants alone."""
        for statement in map(self._sorted, block):
            assert isinstance(statement, ast.Node)
            if isinstance(statement, ast.Require):
                parts = _conjuncts(statement.condition)
                yield from (ast.Require(statement.span, part) for part in parts)
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
        self,
        group: Sequence[tuple[int, Part]],
        arguments: Sequence[tuple[int | str, ...]],
        idle: bool | None,
    ) -> Iterator[_Unit[Part]]:
        """Statements of equal shape with parameters, common to most moves first; `idle`: the value
        at which a condition says nothing, None for other statements."""
        holes = [tuple(map(_value, self.quantifying.holes(part))) for _, part in group]
        columns = [*zip(*holes, strict=True)]
        firsts = {column: place for place, column in reversed([*enumerate(columns)])}
        places = sorted(firsts.values())
        numeric = [
            all(isinstance(value, int) for value in column)
            for column in zip(*arguments, strict=True)
        ]
        values = [[row[place] for place in places] for row in holes]
        ways = self._ways(values, [arguments[number] for number, _ in group], numeric)
        held = {(number, *values) for (number, _), values in zip(group, holes, strict=True)}
        slots = [places.index(firsts[column]) for column in columns]
        meant = _Meant(slots, arguments, held, idle)
        covering = _Covering(ways, [number for number, _ in group], 1 if idle is None else -1)
        while covering.rest:
            way, rows, silent = self._best(covering, group, meant)
            covering.rest.difference_update(rows.values())
            model = group[next(iter(rows.values()))][1]
            constants = [
                self._constant(hole, *where)
                for hole, where in zip(self.quantifying.holes(model), meant.of(way), strict=True)
            ]
            statement = self.quantifying.filled(model, constants)
            cases = {number: group[row][1] for number, row in rows.items()}
            yield _Unit(statement, cases, self.quantifying.shape(statement), silent)

    def _best(
        self, covering: _Covering, group: Sequence[tuple[int, Part]], meant: _Meant
    ) -> tuple[Way, dict[int, int], frozenset[int]]:
        """The way to read most statements, or almost as many if the statement then says something
        new of no other move; with the row of each move, and the moves of which the statement says
        nothing new."""
        if meant.idle is None:
            (way,) = covering.first(1)
            return way, covering.rows(way), frozenset()
        ways = covering.first(MOST_COMPARED)
        rows = {way: covering.rows(way) for way in ways}
        best = min(ways, key=lambda way: (-len(rows[way]), _distance(way)))

        def silences(way: Way) -> Iterator[tuple[int, bool]]:
            model = group[next(iter(rows[way].values()))][1]
            for number, values in meant.values(way):
                if number not in rows[way]:
                    is_held = values is not None and (number, *values) in meant.held
                    yield number, is_held or self._is_silent(model, values, meant.idle)

        for way in ways:
            if all(is_silent for _, is_silent in silences(way)):
                return way, rows[way], frozenset(number for number, _ in silences(way))
        silent = frozenset(number for number, is_silent in silences(best) if is_silent)
        return best, rows[best], silent

    def _is_silent(
        self, model: Part, values: Sequence[int | str] | None, idle: bool | None
    ) -> bool:
        """Whether a condition, or requirement, with other constants has the value `idle` in every
        state. Comparisons alone are asked about: a long condition costs its copy for nothing."""
        told = model.condition if isinstance(model, ast.Require) else model
        while isinstance(told, ast.Unary) and told.operator == "not":
            told = told.operand
        if values is None or not isinstance(told, ast.Compare):
            return False
        span = self.names[0].span
        constants = [
            ast.Number(span, value) if isinstance(value, int) else ast.Name(span, value)
            for value in values
        ]
        part = self.quantifying.filled(model, constants)
        condition = part.condition if isinstance(part, ast.Require) else part
        return self.known(condition) is idle  # type: ignore[arg-type]

    def _ways(
        self,
        values: Sequence[Sequence[int | str]],
        arguments: Sequence[Sequence[int | str]],
        numeric: Sequence[bool],
    ) -> list[list[Way]]:
        """For each statement the ways to read its constants as arguments; of a statement with many
        ways, those that are common among the other statements."""
        ways = [[*_readings(*pair, numeric)] for pair in zip(values, arguments, strict=True)]
        counts = Counter(way for row in ways if len(row) <= MOST_WAYS for way in row)
        common = [way for way, _ in counts.most_common(MOST_WAYS)]
        for number, row in enumerate(ways):
            if len(row) > MOST_WAYS:
                wanted, own = (*values[number],), arguments[number]
                fitting = [way for way in common if _read(way, own) == wanted]
                ways[number] = fitting or row[:1]
        return ways

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
            statement, is_everywhere = unit.statement, len(unit.cases) + len(unit.idle) == count
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


def _conjuncts(condition: ast.Expression) -> Iterator[ast.Expression]:
    """The parts of a conjunction, or of the negation of a disjunction."""
    match condition:
        case ast.Logic(operator="and"):
            for part in condition.operands:
                yield from _conjuncts(part)
        case ast.Unary(operator="not", operand=ast.Logic(operator="or", operands=parts)):
            for part in parts:
                yield from _conjuncts(negation(part))
        case _:
            yield condition


def _value(constant: ast.Expression) -> int | str:
    if isinstance(constant, ast.Number):
        return constant.value
    return constant.text if isinstance(constant, ast.Name) else place_text(constant)


def _readings(
    values: Sequence[int | str], arguments: Sequence[int | str], numeric: Sequence[bool]
) -> Iterator[Way]:
    """The ways to read constants as arguments, constants first; at most one more than
    `MOST_WAYS`."""
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
        fewer = [[way for way in here if way[0] < 0 or way[1] == 0] for here in options]
        options = fewer if prod(map(len, fewer)) <= MOST_WAYS else options
    return islice(product(*options), MOST_WAYS + 1)


def _read(
    wheres: Sequence[tuple[int, int | str]], arguments: Sequence[int | str]
) -> tuple[int | str, ...] | None:
    """The constants of a statement by the arguments of a move; None where an argument is no
    number."""
    values: list[int | str] = []
    for place, distance in wheres:
        value = distance if place < 0 else arguments[place]
        if place >= 0 and isinstance(distance, int) and isinstance(value, int):
            value += distance
        elif place >= 0 and distance:
            return None
        values.append(value)
    return tuple(values)


class _Covering:
    """Ways to read the rows that are left, those of most moves first. A rank falls only, so a way
    waits behind its last rank.

    Attributes:
        rest: the rows that are left.
    """

    def __init__(self, ways: Sequence[Sequence[Way]], numbers: Sequence[int], sign: int) -> None:
        """`ways`, `numbers`: the ways and the move of each row; `sign`: 1 if of ways with as many
        moves the nearest comes first, -1 if the farthest."""
        self.rest = {*range(len(ways))}
        self._numbers, self._sign = numbers, sign
        self._members: defaultdict[Way, list[tuple[int, int]]] = defaultdict(list)
        for row, options in enumerate(ways):
            for place, way in enumerate(options):
                self._members[way].append((row, place))
        self._waiting = [*map(self._ranked, self._members)]
        heapify(self._waiting)

    def first(self, count: int) -> list[Way]:
        """Up to `count` ways."""
        taken: list[_Rank] = []
        while self._waiting and len(taken) < count:
            rank = heappop(self._waiting)
            now = self._ranked(rank[-1])
            if now == rank:
                taken.append(rank)
            elif now[0]:
                heappush(self._waiting, now)
        for rank in taken:
            heappush(self._waiting, rank)
        return [rank[-1] for rank in taken]

    def rows(self, way: Way) -> dict[int, int]:
        """The row of each move that a way reads."""
        rows: dict[int, int] = {}
        for row, _ in self._members[way]:
            rows.setdefault(self._numbers[row], row)
        return rows

    def _ranked(self, way: Way) -> _Rank:
        left = self._members[way] = [one for one in self._members[way] if one[0] in self.rest]
        moves = len({self._numbers[row] for row, _ in left})
        return -moves, self._sign * _distance(way), (*left, (0, 0))[0], way


def _distance(way: Way) -> int:
    """Constants count most, then distances."""
    fixed = sum(place < 0 for place, _ in way)
    return fixed * 1_000 + sum(abs(d) for place, d in way if place >= 0 and isinstance(d, int))


def _targets(statement: ast.Statement) -> Iterable[str]:
    """The cells that a statement assigns."""
    return [
        place_text(node.target) for node in ast.nodes_in(statement) if isinstance(node, ast.Assign)
    ]
