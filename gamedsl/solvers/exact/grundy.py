"""Grundy values: the Nim heap equivalent to a position of an impartial game.

In: rules proved impartial under normal play (`model.rewriting.normal_play`), and the digits of a
state. Out: the values of the state and of the state's independent parts. The value is the least
number that no move leads to (mex); positions of value 0 are lost for the player to move, all others
are won (R. Sprague, 1935; P. Grundy, 1939). The value of a sum of parts is the sum of their values
in binary without carrying.

A position splits into parts where no possible later move touches cells of two parts. Possible moves
are over-approximated: each cell is given every value that some move may write, until no value is
added. A move that is illegal under all these values is dead, and a cell with a single value joins
no moves. Rows of Kayles therefore split at a gap, and heaps of Nim are separate from the start.
Parts are alike, and solved once, if their moves and cells are equal up to an order-preserving
renumbering of the cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import xor
from typing import NamedTuple

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.normal_forms import CaseSet, Transition
from gamedsl.model.rewriting.normal_play import NormalPlay
from gamedsl.model.rewriting.propositions import Proposition
from gamedsl.model.values import Value
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress
from gamedsl.source.records import dataclass

Masks = tuple[int, ...]
"""A state: for each cell the possible digits as a bit set, with a single bit for a known digit."""
REPORTED = 1024
"""Positions between two reports of progress."""


Likeness = tuple[int, Masks]
"""The common key of parts that are alike: the number of their shape, and the contents of the
cells."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a position: numbers of the moves, the state, and the part's cells that can still
    change."""

    moves: tuple[int, ...]
    held: Masks
    cells: tuple[int, ...]
    likeness: Likeness


class GrundySolver:
    """Values of positions of one game, with a cache.

    Args:
        parts: whether positions are split into parts; the values do not depend on splitting.
        most: greatest number of parts of positions to expand; beyond, OutOfBudgetError is raised.
    """

    def __init__(
        self,
        model: Model,
        play: NormalPlay,
        *,
        parts: bool = True,
        most: int,
        progress: Progress | None = None,
    ) -> None:
        assert play.is_impartial, "the players' moves differ"
        self._rules = _Rules(model, play)
        self._splits = parts and not play.endings and len({m.group for m in play.transitions}) <= 1
        self._most, self._progress = most, progress
        self._known: dict[Likeness, int] = {}
        self.looked_at = 0

    def parts(self, digits: Sequence[int | None]) -> tuple[Part, ...]:
        """The parts of a state that still have moves; a single part without splitting."""
        return self._parts(self._rules.masks(digits), self._rules.all_moves)

    def values(self, digits: Sequence[int | None]) -> list[tuple[int, tuple[int, ...]]]:
        """The Grundy value of each part of a state, and the part's cells that can still change."""
        return [(self.value(part), part.cells) for part in self.parts(digits)]

    def value(self, part: Part) -> int:
        """The Grundy value of a part.

        Raises:
            UnsupportedGameError: play can return to an earlier position, and a value may not exist.
            OutOfBudgetError: too many positions.
        """
        if part.likeness in self._known:
            return self._known[part.likeness]
        frames = [_Frame(part.likeness, self._options(part))]
        opened = {part.likeness}
        while frames:
            frame = frames[-1]
            below = next(
                (
                    missing_part
                    for missing_part in frame.missing
                    if missing_part.likeness not in self._known
                ),
                None,
            )
            if below is None:
                frames.pop()
                opened.discard(frame.likeness)
                self._known[frame.likeness] = mex(set(map(self._sum, frame.options)))
            elif below.likeness in opened:
                raise UnsupportedGameError(
                    "play can return to an earlier position, and then there may be no Grundy value"
                )
            else:
                opened.add(below.likeness)
                frames.append(_Frame(below.likeness, self._options(below)))
        return self._known[part.likeness]

    def total(self, digits: Sequence[int | None]) -> int:
        """The Grundy value of a state. Raises as `value`."""
        return reduce(xor, map(self.value, self.parts(digits)), 0)

    def _sum(self, option: tuple[Part, ...]) -> int:
        return reduce(xor, (self._known[part.likeness] for part in option), 0)

    def _options(self, part: Part) -> list[tuple[Part, ...]]:
        """The remaining parts after each move in a part."""
        self.looked_at += 1
        if self.looked_at > self._most:
            raise OutOfBudgetError(self._most, self.looked_at, 0)
        if self._progress is not None and self.looked_at % REPORTED == 0:
            self._progress(self.looked_at, 0)
        results = dict.fromkeys(self._rules.results(part.held, part.moves))
        return [self._parts(after, part.moves) for after in results]

    def _parts(self, held: Masks, among: tuple[int, ...]) -> tuple[Part, ...]:
        rules = self._rules
        if not self._splits:
            is_over = next(rules.results(held, among), None) is None
            if is_over and not rules.is_end(held):
                raise UnsupportedGameError("the rules do not say who wins where nobody can move")
            return () if is_over else (Part(among, held, (), (0, held)),)
        alive, later = rules.alive(held, among)
        parts = []
        for moves in rules.joined(alive, held, later):
            shape, cells = rules.shape(moves)
            changing = tuple(cell for cell in cells if later[cell] != held[cell])
            likeness = shape, tuple(held[cell] for cell in cells)
            parts.append(Part(moves, held, changing, likeness))
        return tuple(parts)


class _Frame:
    """A part under evaluation: the results of the part's moves, visited once."""

    def __init__(self, likeness: Likeness, options: list[tuple[Part, ...]]) -> None:
        self.likeness = likeness
        self.options = options
        self.missing = iter([part for option in options for part in option])


def mex(values: set[int]) -> int:
    """The least non-negative integer missing from the values."""
    least = 0
    while least in values:
        least += 1
    return least


# --- rules over sets of digits -----------------------------------------------------------------


class _Test(NamedTuple):
    """A conjunction or disjunction of tests: a cell holds one of some digits; nested tests.

    Literals and parts are sorted, for tests are compared, and propositions hold sets, whose order
    differs from process to process.
    """

    needs_all: bool
    literals: tuple[tuple[int, int], ...]
    parts: tuple[_Test, ...] = ()

    def holds(self, held: Sequence[int]) -> bool:
        """Whether the test holds for known cells; for unknown cells, False only if the test cannot
        hold."""
        if self.needs_all:
            for cell, mask in self.literals:
                if not held[cell] & mask:
                    return False
            return not self.parts or all(part.holds(held) for part in self.parts)
        for cell, mask in self.literals:
            if held[cell] & mask:
                return True
        return bool(self.parts) and any(part.holds(held) for part in self.parts)

    def moved(self, places: Mapping[int, int]) -> _Test:
        """The test with renumbered cells."""
        literals = tuple((places[cell], mask) for cell, mask in self.literals)
        return _Test(self.needs_all, literals, tuple(part.moved(places) for part in self.parts))


@dataclass(frozen=True, slots=True)
class _Move:
    """A transition over masks; a written value outside the cell's domain is None."""

    group: int
    legal: _Test
    writes: tuple[tuple[int, tuple[tuple[int | None, _Test], ...]], ...]
    touched: frozenset[int]

    def moved(self, places: Mapping[int, int]) -> _Move:
        """The move with renumbered cells."""
        writes = tuple(
            (places[cell], tuple((bit, test.moved(places)) for bit, test in cases))
            for cell, cases in self.writes
        )
        touched = frozenset(places[cell] for cell in self.touched)
        return _Move(self.group, self.legal.moved(places), writes, touched)


class _Rules:
    """The transitions of a game over masks."""

    def __init__(self, model: Model, play: NormalPlay) -> None:
        self._digits = [
            {value: digit for digit, value in enumerate(variable.domain_of(n).values)}
            for variable in model.variables
            for n in range(variable.size)
        ]
        self.moves = [self._move(transition) for transition in play.transitions]
        self.all_moves = tuple(range(len(self.moves)))
        self._ends = [self._test(ending) for ending in play.endings]
        self._ends_when_stuck = play.ends_when_stuck
        self._shapes: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
        self._numbers: dict[frozenset[_Move], int] = {}

    def shape(self, moves: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """A number shared by all move sets equal up to renumbering of the touched cells; and the
        touched cells in order."""
        if moves not in self._shapes:
            cells = tuple(sorted(set().union(*(self.moves[move].touched for move in moves))))
            places = {cell: place for place, cell in enumerate(cells)}
            form = frozenset(self.moves[move].moved(places) for move in moves)
            self._shapes[moves] = self._numbers.setdefault(form, len(self._numbers)), cells
        return self._shapes[moves]

    def masks(self, digits: Sequence[int | None]) -> Masks:
        """The cells of a state."""
        return tuple(0 if digit is None else 1 << digit for digit in digits)

    def is_end(self, held: Masks) -> bool:
        """Whether play is over in a position without moves."""
        return self._ends_when_stuck or any(end.holds(held) for end in self._ends)

    def results(self, held: Masks, among: tuple[int, ...]) -> Iterator[Masks]:
        """Results of the legal moves of a position among the given moves; none at an ending."""
        if any(end.holds(held) for end in self._ends):
            return
        group = -1
        for number in among:
            move = self.moves[number]
            if group >= 0 and move.group != group:
                return
            if not move.legal.holds(held):
                continue
            group = move.group
            after = list(held)
            for cell, cases in move.writes:
                written = [bit for bit, test in cases if test.holds(held)]
                if len(written) != 1 or written[0] is None:
                    raise UnsupportedGameError("a move writes what a variable cannot hold")
                after[cell] = written[0]
            yield tuple(after)

    def alive(self, held: Masks, among: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """The moves that may still become legal, and the possible contents of each cell."""
        later, alive = list(held), dict.fromkeys(among, False)
        changes = True
        while changes:
            changes = False
            for number in among:
                move = self.moves[number]
                if not move.legal.holds(later):
                    continue
                alive[number] = True
                for cell, cases in move.writes:
                    for bit, test in cases:
                        if bit is not None and not later[cell] & bit and test.holds(later):
                            later[cell] |= bit
                            changes = True
        return [number for number in among if alive[number]], later

    def joined(
        self, alive: Sequence[int], held: Masks, later: Sequence[int]
    ) -> list[tuple[int, ...]]:
        """Groups of moves connected by common cells that can change."""
        home: dict[int, int] = {}
        leader = {number: number for number in alive}

        def first(number: int) -> int:
            while leader[number] != number:
                leader[number] = leader[leader[number]]
                number = leader[number]
            return number

        for number in alive:
            for cell in self.moves[number].touched:
                if later[cell] == held[cell]:
                    continue
                neighbour = home.setdefault(cell, number)
                if neighbour != number:
                    here, there = first(number), first(neighbour)
                    leader[max(here, there)] = min(here, there)
        groups: dict[int, list[int]] = {}
        for number in alive:
            groups.setdefault(first(number), []).append(number)
        return [tuple(group) for group in groups.values()]

    def _move(self, transition: Transition) -> _Move:
        writes = tuple((cell, self._cases(cell, cases)) for cell, cases in sorted_cells(transition))
        legal = self._test(transition.legal)
        tests = [legal, *(test for _, cases in writes for _, test in cases)]
        touched = {cell for test in tests for cell in _cells(test)} | {cell for cell, _ in writes}
        return _Move(transition.group, legal, writes, frozenset(touched))

    def _cases(self, cell: int, cases: CaseSet) -> tuple[tuple[int | None, _Test], ...]:
        digits = self._digits[cell]
        pairs = ((digits.get(value), self._test(test)) for value, test in cases)
        masks = [(None if digit is None else 1 << digit, test) for digit, test in pairs]
        return tuple(sorted(masks, key=lambda pair: (pair[0] or 0, pair[1])))

    def _test(self, proposition: Proposition) -> _Test:
        """A compact test: literals of one cell are joined, and most tests are a short list."""
        if isinstance(proposition, bool):
            return ALWAYS if proposition else NEVER
        if proposition[0] not in ("and", "or"):
            return _Test(True, (self._literal(proposition),))
        needs_all = proposition[0] == "and"
        literals: dict[int, int] = {}
        parts = []
        for part in proposition[1]:
            test = self._test(part)
            if len(test.literals) == 1 and not test.parts:
                ((cell, mask),) = test.literals
                before = literals.get(cell)
                joined = mask if before is None else before & mask if needs_all else before | mask
                literals[cell] = joined
            else:
                parts.append(test)
        if len(literals) == 1 and not parts:
            needs_all = True
        return _Test(needs_all, tuple(sorted(literals.items())), tuple(sorted(parts)))

    def _literal(self, literal: Proposition) -> tuple[int, int]:
        is_not = literal[0] == "not"
        atom = literal[1] if is_not else literal
        if atom[0] != "cell":
            raise UnsupportedGameError(
                f"a condition asks for {_ASKED.get(atom[0], f'`{atom[0]}`')}, and Grundy values are"
                " worked out where conditions ask what single cells hold",
                "`solve` tells who wins",
            )
        _, cell, value = atom
        digits: Mapping[Value, int] = self._digits[cell]
        mask = 1 << digits[value] if value in digits else 0
        return cell, ((1 << len(digits)) - 1) & ~mask if is_not else mask


_ASKED = {"total": "how many or how much there is of several cells"}
ALWAYS, NEVER = _Test(True, ()), _Test(False, ())


def sorted_cells(transition: Transition) -> list[tuple[int, CaseSet]]:
    """The cells written by a transition, by number of the cell."""
    return sorted(transition.cells, key=lambda pair: pair[0])


@cache
def _cells(test: _Test) -> frozenset[int]:
    inner = (_cells(part) for part in test.parts)
    return frozenset(cell for cell, _ in test.literals).union(*inner)
