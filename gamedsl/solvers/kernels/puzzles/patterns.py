"""Build pattern databases from the rules: an admissible estimate of the distance to the goal.

In: a puzzle with a compiled engine, and a state. Out: `Patterns`: databases made by kernels, whose
sum never exceeds the length of a shortest solution; or `UnsupportedGameError` if the rules do not
show a variable whose values are only moved, one value per move. Both conditions are proved before
any database is built: `model.rewriting.merging` proves that values may be merged; an enumeration of
all states with only two distinct values proves that no move carries two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import factorial, prod
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.faults import Fault
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import INT, ROW, Value, integer, load, name
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.state_words import decoding, encode
from gamedsl.game.accelerator import Progress, SearchLimits
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.model.nodes import Variable
from gamedsl.model.rewriting.merging import Carried, carried
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import numbering_kernel, transposition_table
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.puzzles import patterns_kernel as kernel
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable
from gamedsl.source.records import dataclass

MOST_MAPPED = (600_000, 6_000_000)
"""Approximate maximal number of mapped states of a pattern: for databases made in a second, and
for databases that take ten times as long, for long searches."""
MOST_NUMBERED = 20_000_000
"""Maximal number of mapped states, including the values of the remaining variables."""
MOST_PLACES = 1 << 24
"""Maximal bytes of one database."""
MOST_PAIRS = 100_000
"""Maximal number of states with only two distinct values."""

ROW_, GROUPS, WEIGHTS, AT = (name(title, ROW) for title in ("row", "groups", "weights", "at"))
FIRST = name("first", INT)

Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Patterns:
    """Databases, as arguments of `deepening_kernel`.

    Attributes:
        values: the digits of each pattern.
        groups, weights: by digit.
        databases: database after database, `size` numbers each.
    """

    values: tuple[Digits, ...]
    groups: list[int]
    weights: list[int]
    databases: Any
    size: int


def cell_definitions(engine: CompiledEngine, board: Carried) -> Definitions:
    """`CELLS`, `cell_digits` and `weigh` of `abi`."""
    if engine.generated.layout.is_wide:
        raise UnsupportedGameError("its states are wider than a word", "use breadth-first search")
    words = game_words(engine)
    cells = list(_contents(engine.generated.layout, board.variable, words))
    weigh = FunctionBuilder("weigh", *words, GROUPS, WEIGHTS, AT)
    for n, cell in enumerate(cells):
        digit = weigh.local("digit", cell, INT)
        weigh.add_to(AT, load(GROUPS, digit), load(WEIGHTS, digit) * n)
    weigh.give(0)
    return contents_of(engine, (board.variable,)) | Definitions(functions=(weigh.function,))


def contents_of(engine: CompiledEngine, variables: Iterable[Variable]) -> Definitions:
    """`CELLS` and `cell_digits` of `abi`, for the cells of variables."""
    words, layout = game_words(engine), engine.generated.layout
    digits = FunctionBuilder("cell_digits", *words, ROW_, FIRST)
    count = 0
    for variable in variables:
        for cell in _contents(layout, variable, words):
            digits.store(ROW_, FIRST + count, cell)
            count += 1
    digits.give(0)
    return Definitions({"CELLS": count}, (digits.function,))


def _contents(layout: Layout, variable: Variable, words: tuple[Value, ...]) -> Iterator[Value]:
    """The content of each cell of the variable."""
    place = layout.place_of(variable)
    for n in range(variable.size):
        if isinstance(place, Planes):
            content: Value = integer(place.default)
            for digit, title in place.names:
                field = layout.field(title)
                content += (words[field.word] >> field.shift + n & 1) * (digit - place.default)
            yield content
        else:
            field = layout.field(place.names[n // place.per_chunk])
            shift = field.shift + n % place.per_chunk * place.bits
            yield words[field.word] >> shift & (1 << place.bits) - 1


def carried_in(engine: CompiledEngine, state: State) -> Carried:
    """The variable whose values are moved one per move, with each free value present exactly once.

    Raises UnsupportedGameError if the rules do not show this property.
    """
    board = carried(engine.model)
    if isinstance(board, Unknown):
        raise UnsupportedGameError(board.reason, "use breadth-first search")
    if not board.goals or any(not goal for goal in board.goals):
        raise UnsupportedGameError("no cell is known to be asked for", "use breadth-first search")
    free = free_digits(board)
    if len(free) < 4:
        raise UnsupportedGameError("too few values are carried about", "use breadth-first search")
    cells = held_by(board, state)
    if any(cells.count(digit) != 1 for digit in free):
        raise UnsupportedGameError("a value is there several times", "use breadth-first search")
    try:
        is_one_at_a_time = _is_one_at_a_time(engine, board, state)
    except Fault as fault:
        raise UnsupportedGameError("the rules fail", "use breadth-first search") from fault
    if not is_one_at_a_time:
        raise UnsupportedGameError("a move carries several values", "use breadth-first search")
    return board


def free_digits(board: Carried) -> Digits:
    """The digits of the values that the rules do not tell apart."""
    values = board.variable.domain.values
    return tuple(n for n, value in enumerate(values) if value not in board.told_apart)


def held_by(board: Carried, state: State) -> tuple[int | None, ...]:
    """The digits in the cells of the variable."""
    start = board.variable.offset
    return state.cells[start : start + board.variable.size]


def mapped(board: Carried, state: State, image: Mapping[int, int]) -> State:
    """The state with values replaced by their images."""
    cells, start = list(state.cells), board.variable.offset
    for number in range(start, start + board.variable.size):
        digit = cells[number]
        cells[number] = digit if digit is None else image.get(digit, digit)
    return State(tuple(cells), state.turn)


def _is_one_at_a_time(engine: CompiledEngine, board: Carried, state: State) -> bool:
    """Whether every move leaves all values but one in place, and each value stays present once.

    Two values suffice for the test: the rest, and the choice of the two, do not matter (`merging`).
    All states reachable for two values are enumerated; the values are called `a` and `b`, the
    rest `rest`.
    """
    free = free_digits(board)
    a, b, rest = free[:3]
    layout, start = engine.generated.layout, board.variable.offset
    rules = Assembly(engine, (), native=False)
    legal, apply = rules.kernel("legal"), rules.kernel("apply")
    actions = [0] * (engine.model.facts.action_count + 1)
    waiting = []
    for pair in permutations(free, 2):
        image = dict.fromkeys(free, rest) | {pair[0]: a, pair[1]: b}
        waiting.append(encode(layout, mapped(board, state, image).cells, state.turn))
    seen = set(waiting)
    places: dict[tuple[int, ...], tuple[int, int] | None] = {}
    cells_of = decoding(layout)

    def where(words: tuple[int, ...]) -> tuple[int, int] | None:
        if words not in places:
            cells = cells_of(words)[start : start + board.variable.size]
            once = cells.count(a) == 1 == cells.count(b)
            places[words] = (cells.index(a), cells.index(b)) if once else None
        return places[words]

    while waiting:
        words = waiting.pop()
        before = where(words)
        for number in range(legal(*words, actions, 0)):
            after = apply(*words, actions[number])
            now = where(after)
            if before is None or now is None or (now[0] != before[0] and now[1] != before[1]):
                return False
            if after not in seen:
                if len(seen) > MOST_PAIRS:
                    return False
                seen.add(after)
                waiting.append(after)
    return True


def divided(board: Carried, state: State, most: int) -> tuple[Digits, ...]:
    """The values divided into consecutive patterns as large as the limits allow."""
    free, cells = free_digits(board), held_by(board, state)
    fixed_counts = [cells.count(n) for n in range(len(board.variable.domain)) if n not in free]
    arrangements = factorial(sum(fixed_counts)) // prod(factorial(count) for count in fixed_counts)
    size, total = 1, len(cells)
    while size < len(free):
        states = arrangements * factorial(total) // factorial(total - size - 1 - sum(fixed_counts))
        states //= factorial(sum(fixed_counts))
        if states > most or total ** (size + 1) > MOST_PLACES:
            break
        size += 1
    count = -(-len(free) // size)
    return tuple(free[n * len(free) // count : (n + 1) * len(free) // count] for n in range(count))


class PatternRun(NumberingRun[Sequence[int]]):
    """The construction of one database; `_kinds` are the places of mapped states."""

    extra_width = 2

    def __init__(self, table: TranspositionTable, board: Carried, pattern: Digits) -> None:
        super().__init__(table)
        self._board, self._pattern = board, pattern

    def solve(self, state: State, progress: Progress | None) -> Sequence[int]:
        """The database of the pattern, eight distances per number."""
        table = self._table
        groups, weights = weighing(self._board, (self._pattern,))
        self._weighing = kernel.Weighing(
            groups=table.row(groups), weights=table.row(weights), at=table.row([0, 0])
        )
        self.number_states(mapped_for(self._board, state, self._pattern), progress)
        return self._distances(progress)

    def explore(self) -> int:
        """Like `NumberingRun.explore`."""
        table = self._table
        return table.call(
            "number_mapped", self._arrays(), table.most, self._weighing, table.notes,
            transposition_table.SLICE,
        )  # fmt: skip

    def _arrays(self) -> kernel.PatternArrays:
        return kernel.PatternArrays(
            **self._table.arrays(self._keys), places=self._kinds, predecessor_counts=self._counts
        )

    def _distances(self, progress: Progress | None) -> Sequence[int]:
        table = self._table
        edges = table.call("prefix_sum", self._counts, table.used)
        before, distances = table.zeros(edges), table.zeros(table.used)
        table.notes.node = 0
        status = codes.SLICED
        while status != codes.DONE:
            status = table.call(
                "link_mapped", self._arrays(), before, table.notes, transposition_table.SLICE
            )
            table.keep_to_limits(progress)
        now, later = table.zeros(2 * table.used), table.zeros(2 * table.used)
        goals = table.row(list(_goal_rows(self._board, self._pattern)))
        digits = table.row([0] * self._board.variable.size)
        waiting = table.call("init_goals", self._keys, goals, digits, distances, now, table.notes)
        graph = kernel.MappedGraph(
            places=self._kinds,
            predecessor_counts=self._counts,
            predecessors=before,
            distances=distances,
        )
        distance = 0
        while waiting:
            waiting = table.call("spread_distance", distance, graph, now, later, table.notes)
            now, later, distance = later, now, distance + 1
            table.notes.now = waiting
            table.keep_to_limits(progress)
        size = self._board.variable.size ** len(self._pattern) // 8 + 1
        database = table.row([-1] * size)
        if table.call("keep_least", self._kinds, distances, database, table.notes):
            raise UnsupportedGameError("a distance is too long", "use breadth-first search")
        return database  # type: ignore[no-any-return]


def mapped_for(board: Carried, state: State, pattern: Digits) -> State:
    """The state with all values outside a pattern merged."""
    return mapped(board, state, _image(board, pattern))


def _image(board: Carried, pattern: Digits) -> dict[int, int]:
    outside = [digit for digit in free_digits(board) if digit not in pattern]
    return dict.fromkeys(outside, outside[0]) if outside else {}


def _goal_rows(board: Carried, pattern: Digits) -> Iterator[int]:
    image, digit_of = _image(board, pattern), board.variable.domain.digit
    for goal in board.goals:
        for cell in range(board.variable.size):
            digit = digit_of[goal[cell]] if cell in goal else -1
            yield image.get(digit, digit)


def weighing(board: Carried, patterns: Sequence[Digits]) -> tuple[list[int], list[int]]:
    """The group and the weight of every digit."""
    size, many = len(board.variable.domain), len(patterns)
    groups, weights = [many] * size, [0] * size
    for number, pattern in enumerate(patterns):
        for place, digit in enumerate(pattern):
            groups[digit], weights[digit] = number, board.variable.size**place
    return groups, weights


class KernelPatterns(TableSolver[Sequence[int]]):
    """Makes the database of one pattern."""

    kernels = (
        kernel.number_mapped,
        kernel.link_mapped,
        kernel.init_goals,
        kernel.spread_distance,
        kernel.keep_least,
        numbering_kernel.prefix_sum,
        codes.rehash,
    )
    notes = kernel.PatternNotes
    least_room = ROOM
    _pattern: Digits = ()

    def __init__(self, engine: CompiledEngine, board: Carried, *, native: bool) -> None:
        super().__init__(engine, native=native, more=cell_definitions(engine, board))
        self._board = board

    def begin(self, table: TranspositionTable) -> PatternRun:
        """Like `TableSolver.begin`."""
        return PatternRun(table, self._board, self._pattern)

    def databases(self, state: State, patterns: Sequence[Digits], limits: SearchLimits) -> Patterns:
        """The databases of a puzzle, for all states reachable from a state.

        Raises UnsupportedGameError if a database cannot be made.
        """
        databases, limits = [], replace(limits, positions=MOST_NUMBERED)
        for self._pattern in patterns:
            try:
                databases.append(self.solve(state, limits))
            except (GameRuleError, OutOfBudgetError, OutOfMemoryError) as error:
                reason = f"a database cannot be made: {error}"
                raise UnsupportedGameError(reason, "use breadth-first search") from error
        size = max(map(len, databases))
        together: list[int] = []
        for database in databases:
            together += [*database, *[-1] * (size - len(database))]
        return Patterns(tuple(patterns), *weighing(self._board, patterns), together, size)
