"""Interval iteration by kernels: values of games with chance, between proven bounds.

In: a game with chance of one player or two players, with a compiled engine, and a state. Out:
`SolvedPositions`: for every reachable state the value of best play, within an error bound. Raises
UnsupportedGameError if the bounds do not converge, for example if both players can and prefer to
circle for ever; `solvers.chance.value_iteration` then takes a closer look.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import SolvedChance, SolvedPositions, StoredPositions
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_anything,
    is_count,
    is_fraction,
    is_number,
    is_positive,
    is_size,
    is_truth,
    many,
    refuse_odd,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import numbering_kernel, transposition_table
from gamedsl.solvers.kernels.chance import components_kernel, event_graph_kernel
from gamedsl.solvers.kernels.chance import interval_kernel as kernel
from gamedsl.solvers.kernels.contents import FINDING, Contents, payoffs_of, payoffs_stored
from gamedsl.solvers.kernels.functions.standard import largest_event
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

EDGES_AT_FIRST = 1 << 16
EXTRA_WIDTH = 2
"""Numbers per entry besides its key while states are numbered, without edges."""
BEHIND = 8
"""Numbers per state afterwards."""
FINEST = 52
"""Bits of a bound; fewer for large weights, to avoid overflow of products."""
COARSEST = 34
TOLERANCE = Fraction(1, 10**9)
"""The greatest error of a value, in units of payoff."""
FACTS = {
    "events": is_count,
    "error": is_size,
    "ends_surely": is_truth,
    "scale": lambda value: many(is_fraction, 2)(value) and is_positive(value[1]),
}
"""The stored facts."""
VALUES = ("lower", "upper", "choices")
"""The arrays that are saved and stored."""
EASY = 8
"""Number of states ordered or swept in the time of finding one state."""
SHARES = 4096
"""A component may use one part in `SHARES` of the total tolerance."""


class IntervalRun(NumberingRun[SolvedPositions]):
    """Solving one game: the arrays of the kernels.

    A checkpoint holds only the values, as far as known: states are numbered and ordered again, by a
    deterministic procedure, so numbers and order need not be trusted.
    """

    extra_width = EXTRA_WIDTH
    steps = first_kept = 3
    _work: StoredPositions | None = None

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        self._edges = table.zeros(max(EDGES_AT_FIRST, 2 * table.room))
        self._weights = table.assembly.row(largest_event(table.assembly.engine))

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states: number, order, and bound them from the end."""
        self.number_states(state, progress)
        table = self._table
        if not table.payoffs:
            raise UnsupportedGameError("play never ends")
        held = table.entries * (2 * table.layout.width + EXTRA_WIDTH) + len(self._edges)
        if (held + BEHIND * table.used) * NUMBER > table.limits.bytes:
            raise OutOfMemoryError(table.used, held * NUMBER)
        self.take_step(self._begin_order, self._order_on, progress)
        return self._bounded(progress)

    def take_up(self, work: StoredPositions) -> None:
        """Like `TableRun.take_up`, to be used after the numbering."""
        refuse_odd(work.facts, {"notes": are_notes})
        refuse_odd(work.arrays, dict.fromkeys(VALUES, is_anything), "its arrays")
        self._work = work

    def work(self) -> StoredPositions:
        """Like `TableRun.work`."""
        facts = {**super().work().facts, "notes": list(self._table.notes.numbers(kernel.NOTED))}
        return StoredPositions(facts, dict(zip(VALUES, self._values, strict=True)))

    @property
    def _values(self) -> tuple[Any, Any, Any]:
        return self._lower, self._upper, self._choices

    def explore(self) -> int:
        """Like `NumberingRun.explore`."""
        table = self._table
        arrays = event_graph_kernel.EventArrays(
            **table.arrays(self._keys),
            kinds=self._kinds,
            firsts=self._counts,
            edges=self._edges,
            weights=self._weights,
        )
        return table.call("explore", arrays, table.most, table.notes, transposition_table.SLICE)

    def see_to(self, status: int) -> None:
        """Like `NumberingRun.see_to`: make room for edges; large weights are not supported."""
        if status == codes.HIGH:
            self._edges = self._table.enlarged(self._edges, 2 * len(self._edges))
        elif status == codes.UNFIT:
            raise UnsupportedGameError("the weights of a chance event are too large")

    def _begin_order(self) -> None:
        """Allocate the order in which states are settled, and the rank of each state."""
        table = self._table
        self._order, self._ranks, self._stack = (table.zeros(table.used) for _ in range(3))
        self._path = table.zeros(len(components_kernel.Visit.FIELDS) * table.used)

    def _order_on(self) -> bool:
        table, path = self._table, Rows(components_kernel.Visit, self._path)
        graph = components_kernel.OrderedGraph(
            firsts=self._counts, edges=self._edges, ranks=self._ranks, order=self._order
        )
        status = table.call(
            "find_components", graph, self._stack, path, table.notes,
            EASY * transposition_table.SLICE,
        )  # fmt: skip
        return status == codes.DONE

    def _bounded(self, progress: Progress | None) -> SolvedPositions:
        table, facts = self._table, self._table.assembly.engine.model.facts
        endless_payoff = facts.endless or table.payoffs[0]
        self._table.refuse_unless_opposed(endless_payoff)
        firsts = [payoff[0] for payoff in table.payoffs]
        scale = Scale.of([*firsts, endless_payoff[0]], table.notes.heaviest)
        begin, go_on = (
            partial(self._put_endings, scale, firsts, endless_payoff[0]),
            partial(self._settle, scale, endless_payoff),
        )
        self.take_step(begin, go_on, progress)
        lower, upper, choices = self._lower, self._upper, self._choices
        if table.notes.returning and facts.endless is None:
            raise UnsupportedGameError("the rules do not say what endless play is worth")
        graph = self._graph(table.zeros(table.used))
        error = scale.length(table.call("greatest_gap", graph, table.notes)) / 2
        if error > TOLERANCE:
            raise UnsupportedGameError("the bounds of some value stay apart")
        surely = not table.notes.staying or table.call("ends_surely", graph, table.notes)
        facts_stored = {
            "positions": table.used - table.notes.events,
            "endings": table.notes.endings,
            "events": table.notes.events,
            "payoffs": payoffs_stored(table.payoffs),
            "error": str(error),
            "ends_surely": bool(surely),
            "scale": scale.stored(),
        }
        arrays = {"lower": lower, "upper": upper, "choices": choices}
        contents = table.contents
        return positions(contents, contents.stored(facts_stored, arrays))

    def _put_endings(self, scale: Scale, firsts: list[Fraction], endless_payoff: Fraction) -> None:
        table = self._table
        self._lower, self._upper, self._choices = (table.zeros(table.used) for _ in range(3))
        if self._work is not None:
            self._take_up_values(self._work, scale.high(max(*firsts, endless_payoff)))
        lows, highs = (table.row(list(map(bound, firsts))) for bound in (scale.low, scale.high))
        table.call("put_endings", self._kinds, lows, highs, self._lower, self._upper, table.notes)

    def _take_up_values(self, work: StoredPositions, most: int) -> None:
        """Restore saved values and check that no value exceeds the greatest bound."""
        table, count = self._table, self._table.used
        if any(len(work.arrays[name]) != count for name in VALUES):
            raise SolutionFileError("it has not as many bounds and choices as positions")
        self._lower, self._upper, self._choices = (self.copied(work.arrays[n]) for n in VALUES)
        table.notes.put_numbers(kernel.NOTED, work.facts["notes"])
        odd = table.call("odd_value", most, self._graph(self._stack), table.notes)
        if odd != kernel.RIGHT:
            raise SolutionFileError(f"the bounds or the choice of position {odd:,} cannot be")

    def _graph(self, marks: Any) -> kernel.BoundedGraph:
        """The graph with all arrays; the path of the ordering step is used again."""
        return kernel.BoundedGraph(
            firsts=self._counts,
            edges=self._edges,
            ranks=self._ranks,
            order=self._order,
            kinds=self._kinds,
            lower=self._lower,
            upper=self._upper,
            choices=self._choices,
            before=self._path,
            marks=marks,
        )

    def _settle(self, scale: Scale, endless_payoff: Vector) -> bool:
        """Settle a slice of states; the arrays of the ordering step are used again as working
        space."""
        table = self._table
        status = table.call(
            "settle", scale.low(endless_payoff[0]), scale.high(endless_payoff[0]),
            scale.units // SHARES, self._graph(self._stack), table.notes,
            EASY * transposition_table.SLICE,
        )  # fmt: skip
        return status == codes.DONE


def are_notes(value: Any) -> bool:
    """Whether values are valid notes of a component being settled."""
    ranges = kernel.NOTED.values()
    return many(is_number, len(ranges))(value) and all(
        least <= note <= most for note, (least, most) in zip(value, ranges, strict=True)
    )


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """The solved positions, from the table and its stored facts."""
    facts, payoffs = stored.facts, payoffs_of(stored)
    refuse_odd(facts, FACTS)
    count = facts["positions"] + facts["events"]
    if any(len(stored.arrays.get(name, ())) != count for name in VALUES):
        raise SolutionFileError("it has not as many bounds and choices as positions")
    total, players, scale = sum(payoffs[0]), len(payoffs[0]), Scale.restored(facts["scale"])
    lower, upper, choices = (stored.arrays[name] for name in VALUES)

    def number_of(state: State) -> int | None:
        code = contents.code(state)
        if not 0 <= code <= count:
            raise SolutionFileError(f"it has a position of number {code:,}, and has {count:,}")
        return code - 1 if code else None

    def look_up(state: State) -> tuple[Vector, int | None] | None:
        number = number_of(state)
        if number is None:
            return None
        value = scale.payoff(Fraction(lower[number] + upper[number], 2))
        return (value, total - value)[:players], None

    def choose(state: State) -> int | None:
        number = number_of(state)
        return None if number is None or choices[number] < 0 else choices[number]

    error, surely = Fraction(facts["error"]), facts["ends_surely"]
    chance = SolvedChance(facts["events"], error, choose, surely, frozenset(payoffs))
    return contents.solved(stored, look_up, chance)


class Scale:
    """The unit of bounds: payoffs of the first player as integers from 0 on.

    Attributes:
        units: `TOLERANCE` as a number of units.
    """

    def __init__(self, least: Fraction, per: Fraction) -> None:
        self._least = least
        self._per = per
        self.units = int(TOLERANCE * per)

    @classmethod
    def of(cls, payoffs: list[Fraction], heaviest: int) -> Scale:
        """The finest scale that weights with this sum allow."""
        bits = min(FINEST, 62 - heaviest.bit_length())
        if bits < COARSEST:
            raise UnsupportedGameError("the weights of a chance event are too large")
        return cls(min(payoffs), Fraction(1 << bits) / (max(payoffs) - min(payoffs) or 1))

    def stored(self) -> list[str]:
        """The scale as JSON."""
        return [str(self._least), str(self._per)]

    @classmethod
    def restored(cls, stored: Sequence[str]) -> Scale:
        """The scale from its stored form."""
        least, per = map(Fraction, stored)
        return cls(least, per)

    def low(self, payoff: Fraction) -> int:
        """A payoff, rounded down."""
        return (payoff - self._least) * self._per // 1

    def high(self, payoff: Fraction) -> int:
        """A payoff, rounded up."""
        return -(-(payoff - self._least) * self._per // 1)

    def length(self, number: int) -> Fraction:
        """A difference of bounds as a difference of payoffs."""
        return number / self._per

    def payoff(self, number: Fraction) -> Fraction:
        """A bound as a payoff."""
        return self._least + number / self._per


class KernelInterval(TableSolver[SolvedPositions]):
    """Interval iteration on one game."""

    modules = (codes, numbering_kernel, components_kernel, event_graph_kernel, kernel)
    kernels = (
        event_graph_kernel.explore,
        codes.rehash,
        components_kernel.find_components,
        event_graph_kernel.put_endings,
        kernel.odd_value,
        kernel.settle,
        kernel.greatest_gap,
        kernel.ends_surely,
        codes.code_of,
    )
    inner = (
        *FINDING,
        numbering_kernel.number_first,
        numbering_kernel.number_next,
        codes.successors_of,
        event_graph_kernel.kind_of,
        event_graph_kernel.outcomes_of,
        event_graph_kernel.number_outcomes,
        components_kernel.visit,
        components_kernel.close,
        kernel.bounds_of,
        kernel.value_of,
        kernel.returns_to,
        kernel.put_widest,
        kernel.begin_component,
        kernel.leaves_surely,
        kernel.sweep,
        kernel.approach,
        kernel.length_of_leap,
        kernel.share_of,
        kernel.leap,
        kernel.put_about,
        kernel.prove,
        kernel.estimate,
    )
    notes = kernel.IntervalNotes
    least_room = ROOM
    extra_width, behind, copies, edges = EXTRA_WIDTH, BEHIND, 2, 1
    with_chance = True
    run = IntervalRun
