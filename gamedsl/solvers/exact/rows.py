"""Grundy values of rows: games whose moves strike out a few neighbouring cells of a row.

In: a game proved impartial from the statements, with one variable over a range of numbers, whose
moves are alike along the row. Out: `RowSolver`. A position is a sum of rows of live cells; the
value of a row of every length is computed from the values of the shorter rows. These are the octal
games of R. Guy and C. Smith, "The G-values of various games" (1956): Kayles, Dawson's Kayles, and
their like. Their theorem ends the table early: where the values repeat with a period for as long as
the theorem asks, the values repeat for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from itertools import groupby, product
from operator import xor

from gamedsl.game.accelerator import Progress
from gamedsl.model import nodes
from gamedsl.model.action_names import arguments_of, number_of_move
from gamedsl.model.model import Model
from gamedsl.model.rewriting.normal_forms import Transition, transition_of
from gamedsl.model.rewriting.propositions import Proposition
from gamedsl.model.rewriting.shifts import is_shifted
from gamedsl.model.values import Value
from gamedsl.solvers.exact.grundy import mex
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.source.records import dataclass

MOST_STROKES = 256
"""Limit on the kinds of moves of a row."""
FIRST_LOOK = 64
"""The length of the first row after whose value a period is looked for."""


@dataclass(frozen=True)
class Stroke:
    """A move on neighbouring live cells: which of the cells stay live.

    Attributes:
        first: the first of the cells, counted from the number that the move names.
        stays: for each of the cells whether the cell stays live.
    """

    first: int
    stays: tuple[bool, ...]

    @cached_property
    def left(self) -> int:
        """Cells that stay joined to the row before."""
        return _leading(self.stays)

    @cached_property
    def right(self) -> int:
        """Cells that stay joined to the row behind."""
        return _leading(self.stays[::-1])

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """The lengths of the rows between."""
        return _runs(self.stays[self.left : len(self.stays) - self.right])


@dataclass(frozen=True, slots=True)
class RowRules:
    """The rules of a row.

    Attributes:
        live: the digit of a live cell.
        strokes: the stroke of each action, by the number of its move and its arguments, the
            argument that is a place on the row left out.
        places: for each move the position, among the parameters, of the place on the row.
        zero: the cell of place 0, if there were one.
    """

    live: int
    strokes: Mapping[tuple[int, tuple[Value, ...]], Stroke]
    places: tuple[int, ...]
    zero: int


def row_rules(model: Model) -> RowRules | None:
    """The rules of a row, of a game proved impartial from the statements; None for other games."""
    variables = [variable for variable in model.variables if not variable.is_constant]
    if len(variables) != 1 or len(variables[0].indices) != 1 or len(variables[0].domain) != 2:
        return None
    row = variables[0]
    numbers = row.indices[0].values
    if not _are_consecutive(numbers) or len(numbers) != row.size or len(model.groups) != 1:
        return None
    strokes: dict[tuple[int, tuple[Value, ...]], Stroke] = {}
    places: list[int] = []
    written: set[Value] = set()
    for number, move in enumerate(model.moves):
        place = next((n for n in range(len(move.parameters)) if is_shifted(move, n, row)), None)
        if place is None or move.size // len(move.parameters[place].values) > MOST_STROKES:
            return None
        if not _are_consecutive(move.parameters[place].values.values):
            return None
        places.append(place)
        for others in product(*(p.values.values for p in _without(move.parameters, place))):
            seen = _stroke(model, move, place, others, row)
            if seen is None:
                return None
            stroke, dead = seen
            written.add(dead)
            strokes[number, others] = stroke
    if len(written) != 1:
        return None
    live = 1 - row.domain.values.index(written.pop())
    return RowRules(live, strokes, tuple(places), row.offset - int(numbers[0]))  # type: ignore[arg-type]


def _stroke(
    model: Model, move: nodes.Move, place: int, others: tuple[Value, ...], row: nodes.Variable
) -> tuple[Stroke, Value] | None:
    """The stroke of a move, and the content of a cell that is no longer live; None if the move does
    not strike out live cells, or not everywhere on the row."""
    numbers, along = row.indices[0].values, move.parameters[place].values.values
    middle = along[len(along) // 2]
    transition = transition_of(model, move, (*others[:place], middle, *others[place:]))
    if transition is None or not transition.cells:
        return None
    dead = {value for _, cases in transition.cells for value, _ in cases}
    cleared = {cell - row.offset for cell, cases in transition.cells if cases == {(*dead, True)}}
    if len(dead) != 1 or len(cleared) != len(transition.cells):
        return None
    (gone,) = dead
    asked = _asked(transition, row, gone)
    if asked is None or not cleared <= asked or max(asked) - min(asked) + 1 != len(asked):
        return None
    first = min(asked) - numbers.index(middle)
    stays = tuple(cell not in cleared for cell in sorted(asked))
    begins = numbers.index(along[0]) + first
    ends = numbers.index(along[-1]) + first + len(stays)
    if begins != 0 or ends != len(numbers):
        return None
    return Stroke(first, stays), gone


def _asked(transition: Transition, row: nodes.Variable, dead: Value) -> set[int] | None:
    """The cells that have to be live, by their place on the row; None for other conditions."""
    legal = transition.legal
    literals: list[Proposition] = (
        list(legal[1]) if legal is not True and legal[0] == "and" else [legal]
    )
    asked = set()
    for literal in literals:
        match literal:
            case ("cell", cell, value) if value != dead:
                asked.add(cell - row.offset)
            case ("not", ("cell", cell, value)) if value == dead:
                asked.add(cell - row.offset)
            case _:
                return None
    return asked


class RowSolver:
    """The values of the positions of a row.

    Args:
        most: greatest length of a row whose value is computed; beyond, OutOfBudgetError is raised.
    """

    def __init__(
        self, model: Model, rules: RowRules, *, most: int, progress: Progress | None = None
    ) -> None:
        self._model, self._rules = model, rules
        self._most, self._progress = most, progress
        self._kinds = {stroke.stays: stroke for stroke in rules.strokes.values()}.values()
        self._least = min(len(stroke.stays) for stroke in self._kinds)
        self._values: list[int] = []
        self.period: tuple[int, int] | None = None

    @property
    def looked_at(self) -> int:
        """Rows whose value was computed, the empty row left out."""
        return max(0, len(self._values) - 1)

    def values(self, digits: Sequence[int | None]) -> list[tuple[int, tuple[int, ...]]]:
        """The Grundy value and the cells of each row with a move."""
        runs = [run for run in self._live_runs(digits) if len(run) >= self._least]
        return [(self.value(len(run)), tuple(run)) for run in runs]

    def total(self, digits: Sequence[int | None]) -> int:
        """The Grundy value of a position."""
        return reduce(xor, (value for value, _ in self.values(digits)), 0)

    def totals_after(self, digits: Sequence[int | None], actions: Sequence[int]) -> list[int]:
        """The Grundy values after legal actions."""
        total, home = self.total(digits), {}
        for run in self._live_runs(digits):
            home.update(dict.fromkeys(run, run))
        return [total ^ self._change(home, action) for action in actions]

    def _change(self, home: Mapping[int, range], action: int) -> int:
        """The change of the Grundy value by an action, to be added without carrying."""
        number = number_of_move(self._model.moves, action)
        arguments = arguments_of(self._model.moves[number], action)
        place = self._rules.places[number]
        stroke = self._rules.strokes[number, (*arguments[:place], *arguments[place + 1 :])]
        begin = self._rules.zero + int(arguments[place]) + stroke.first  # type: ignore[arg-type]
        run = home[begin]
        before = begin - run.start
        behind = len(run) - before - len(stroke.stays)
        return self.value(len(run)) ^ _after(stroke, before, behind, self.value)

    def _live_runs(self, digits: Sequence[int | None]) -> list[range]:
        """The cells of each row."""
        runs, live = [], self._rules.live
        for is_live, cells in groupby(range(len(digits)), lambda cell: digits[cell] == live):
            if is_live:
                run = list(cells)
                runs.append(range(run[0], run[-1] + 1))
        return runs

    def value(self, length: int) -> int:
        """The Grundy value of a row of live cells."""
        while len(self._values) <= length and self.period is None:
            self._add_value()
        if length < len(self._values) or self.period is None:
            return self._values[length]
        begin, period = self.period
        return self._values[begin + (length - begin) % period]

    def _add_value(self) -> None:
        length = len(self._values)
        if length > self._most:
            raise OutOfBudgetError(self._most, length, 0)
        if self._progress is not None:
            self._progress(length, 0)
        reached = {
            _after(stroke, before, length - before - len(stroke.stays), self._values.__getitem__)
            for stroke in self._kinds
            for before in range(length - len(stroke.stays) + 1)
        }
        self._values.append(mex(reached))
        if length >= FIRST_LOOK and length & (length - 1) == 0:
            self.period = self._period()

    def _period(self) -> tuple[int, int] | None:
        """The length from which on the values repeat, and the period; None if the theorem of Guy
        and Smith does not apply to the values known so far."""
        values, known = self._values, len(self._values)
        taken = max(len(stroke.stays) for stroke in self._kinds)
        for period in range(1, known // 2):
            begin = known - period
            while begin > taken and values[begin - 1] == values[begin - 1 + period]:
                begin -= 1
            if known >= 2 * begin + 2 * period + taken:
                return begin, period
        return None


def _after(stroke: Stroke, before: int, behind: int, value: Callable[[int], int]) -> int:
    """The value after a stroke with cells of its row before and behind."""
    total = value(before + stroke.left) ^ value(behind + stroke.right)
    return reduce(xor, map(value, stroke.inner), total)


def _leading(stays: Sequence[bool]) -> int:
    """The number of live cells before the first cell struck out."""
    return list(stays).index(False)


def _runs(stays: Sequence[bool]) -> tuple[int, ...]:
    """The lengths of the runs of live cells."""
    return tuple(len(list(run)) for live, run in groupby(stays) if live)


def _without(parameters: Sequence[nodes.Parameter], place: int) -> list[nodes.Parameter]:
    return [*parameters[:place], *parameters[place + 1 :]]


def _are_consecutive(values: Sequence[Value]) -> bool:
    """Whether values are numbers, each one more than the number before."""
    return all(
        isinstance(value, int) and not isinstance(value, bool) and value == values[0] + n  # type: ignore[operator]
        for n, value in enumerate(values)
    )
