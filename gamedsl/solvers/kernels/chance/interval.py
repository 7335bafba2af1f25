"""Interval iteration by kernels: values of games with chance, between proven bounds.

In: a game with chance of one player or two players, with a compiled engine, and a state. Out:
`SolvedPositions`: for every reachable state the value of best play, rewards and a discount
included, within an error bound. Raises UnsupportedGameError if the bounds do not converge, for
example if both players can and prefer to circle for ever; `solvers.chance.value_iteration` then
takes a closer look.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from gamedsl.compiler.definitions import Constant, Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import Refusal, SolvedChance, SolvedPositions, StoredPositions
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
from gamedsl.model import State, UndefinedValueError, UnsupportedGameError
from gamedsl.solvers.graphs.extended import INFINITY, is_infinite
from gamedsl.solvers.graphs.graph import OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.chance import bounds_kernel, components_kernel
from gamedsl.solvers.kernels.chance import event_graph_kernel as kernel_of_events
from gamedsl.solvers.kernels.chance import interval_kernel as kernel
from gamedsl.solvers.kernels.contents import Contents, payoffs_of, payoffs_stored
from gamedsl.solvers.kernels.functions.payoffs import reward_function
from gamedsl.solvers.kernels.functions.standard import largest_event
from gamedsl.solvers.kernels.memory import NUMBER, give_back
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.table_layout import EntryLayout, entry_layout
from gamedsl.solvers.kernels.table_solver import LEAST_SHARES, TableSolver
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    TranspositionTable,
)

EDGES_AT_FIRST = 1 << 16
BEHIND = 5
"""Numbers per state besides its entry and its edges: the state, its bounds, its order and rank
together, and working space for some of the states."""
MOST_LABELS = 4096
"""Greatest number of different weights and rewards of steps: kernels look a label up in a list."""
ABOVE = 6
"""Bits for sums of rewards, at first and each time that they do not suffice."""
FINEST = 52
"""Bits of a bound; fewer for large weights, to avoid overflow of products."""
COARSEST = 34
TOLERANCE = Fraction(1, 10**9)
"""The greatest error of a value, in units of payoff."""
FACTS = {
    "events": is_count,
    "error": is_size,
    "is_open": is_truth,
    "ends_surely": is_truth,
    "scale": lambda value: many(is_fraction, 2)(value) and is_positive(value[1]),
}
"""The stored facts."""
VALUES = ("lower", "upper", "choices")
"""The arrays that are saved and stored."""
EASY = 8
"""Number of states ordered or swept in the time of finding one state."""
KEPT = 1 << 10
"""Numbers before the first key in use that stay: memory is given back in whole pages."""
DISCOUNT_INSTEAD = "write `discount = 99/100`, or let going round cost something"
SHARES = 4096
"""A component may use one part in `SHARES` of the total tolerance."""
FEW_SHARES = 16
"""The same where values are discounted without chance: the errors of earlier components are
discounted."""


class IntervalRun(NumberingRun[SolvedPositions]):
    """Solving one game: the arrays of the kernels.

    A checkpoint holds only the values, as far as known: states are numbered and ordered again, by a
    deterministic procedure, so numbers and order need not be trusted.
    """

    steps = first_kept = 3
    _work: StoredPositions | None = None

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        self._edges = table.zeros(max(EDGES_AT_FIRST, 2 * table.room))
        self._weights = table.assembly.row(largest_event(table.assembly.engine))
        self._asked = table.assembly.row(kernel_of_events.PAID_AT + LEAST_SHARES)
        self._asked[kernel_of_events.PAID_AT] = 1  # the denominator, where nothing pays
        self._labels: list[list[int]] = []
        self._label_rows = table.row([])
        self._above, self._given_back = ABOVE, 0

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states: number, order, and bound them from the end."""
        self.number_states(state, progress)
        table = self._table
        if not table.payoffs:
            if self._ends_matter:
                raise UnsupportedGameError("play never ends")
            table.payoffs = [(Fraction(0),) * len(table.assembly.engine.players)]
        needed = int(table.entries * table.layout.width + table.used * self._per_state) * NUMBER
        if needed > table.limits.bytes:
            raise OutOfMemoryError(table.used, needed)
        self.take_step(self._begin_order, self._order_on, progress)
        give_back(self._path, 0, len(self._path))
        return self._bounded(progress)

    @property
    def _ends_matter(self) -> bool:
        """Whether only endings pay, and nothing is discounted."""
        return self._table.assembly.engine.model.facts.pays_at_the_end

    # --- room ---------------------------------------------------------------------------------

    def _sizes(self) -> tuple[int, int, int]:
        """Like `NumberingRun._sizes`; the kinds have all that is known of a state."""
        keys, nodes, _ = super()._sizes()
        return keys, nodes, 0

    @property
    def _per_state(self) -> float:
        """Numbers held for each state besides its entry, in the end."""
        notes = self._table.notes
        edges: float = notes.edges / max(1, notes.used)
        return BEHIND + (edges / 2 if self._is_narrow else edges)

    @property
    def _is_narrow(self) -> bool:
        return self._table.layout.is_tight

    def _enlarge(self) -> None:
        """Make room for more states, as far as memory holds all that will be held for them."""
        table = self._table
        table.make_room(self._per_state)
        smaller = self._keys, self._kinds, self._counts
        self._keys, self._kinds, self._counts = map(table.enlarged, smaller, self._sizes())

    # --- numbering ----------------------------------------------------------------------------

    def take_up(self, work: StoredPositions) -> None:
        """Like `TableRun.take_up`, to be used after the numbering."""
        refuse_odd(work.facts, {"notes": are_notes, "above": lambda n: is_count(n) and n <= FINEST})
        refuse_odd(work.arrays, dict.fromkeys(VALUES, is_anything), "its arrays")
        self._work, self._above = work, work.facts["above"]

    def work(self) -> StoredPositions:
        """Like `TableRun.work`."""
        notes = dict(zip(kernel.NOTED, self._table.notes.numbers(kernel.NOTED), strict=True))
        if notes["stage"] > kernel.NOTED["stage"][1]:  # without the working space: begins again
            notes.update(stage=0, sweeps=0)
        facts = {**super().work().facts, "notes": list(notes.values()), "above": self._above}
        return StoredPositions(facts, dict(zip(VALUES, self._values, strict=True)))

    def explore(self) -> int:
        """Like `NumberingRun.explore`; keys of states that are done with are given back."""
        table = self._table
        arrays = kernel_of_events.EventArrays(
            **table.arrays(self._keys),
            nodes=self._kinds,
            edges=self._edges,
            labels=self._label_rows,
            asked=self._asked,
            weights=self._weights,
        )
        status = table.call("explore", arrays, table.most, table.notes, transposition_table.SLICE)
        done = table.notes.node * table.layout.width
        give_back(self._keys, self._given_back, done)
        self._given_back = max(0, done - KEPT)
        return status

    def see_to(self, status: int) -> None:
        """Like `NumberingRun.see_to`: make room for edges, and add labels; large weights are not
        supported."""
        if status == codes.HIGH:
            self._edges = self._table.enlarged(self._edges, 2 * len(self._edges))
        elif status == codes.NEW_REWARD:
            self._add_label(list(self._asked))
        elif status == codes.ODD:
            raise CodeOverflowError("local variables do not fit")
        elif status == codes.UNFIT:
            raise UnsupportedGameError("the weights of a chance event are too large")

    def _add_label(self, row: list[int]) -> None:
        """Make a weight with a reward known. Raises CodeOverflowError if there are too many for
        edges that share numbers."""
        paid = row[kernel_of_events.PAID_AT + 1 :]
        if len(self._table.assembly.engine.players) == 2 and sum(paid) != 0:
            raise UnsupportedGameError("what one player is paid the other need not pay")
        most = components_kernel.MOST_NARROW if self._is_narrow else MOST_LABELS
        if len(self._labels) == most:
            if self._is_narrow:
                raise CodeOverflowError("labels do not fit")
            raise UnsupportedGameError("there are too many different rewards and weights")
        self._labels.append(row)
        self._label_rows = self._table.row([*self._label_rows, *row])
        self._table.notes.labels = len(self._labels)

    def _begin_order(self) -> None:
        """Allocate the order in which states are settled, and the rank of each state."""
        table = self._table
        self._order, self._ranks = (table.zeros(table.used // 2 + 1) for _ in range(2))
        self._stack = table.zeros(table.used)
        self._path = table.zeros(len(components_kernel.Visit.FIELDS) * table.used)

    def _order_on(self) -> bool:
        table, path = self._table, Rows(components_kernel.Visit, self._path)
        graph = components_kernel.OrderedGraph(
            nodes=self._kinds, edges=self._edges, ranks=self._ranks, order=self._order
        )
        status = table.call(
            "find_components", graph, self._stack, path, table.notes,
            EASY * transposition_table.SLICE,
        )  # fmt: skip
        return status == codes.DONE

    def _bounded(self, progress: Progress | None) -> SolvedPositions:
        table = self._table
        self._table.refuse_unless_opposed(self._endless)
        if self._is_discounted and sum(table.payoffs[0]) != 0 and len(table.payoffs[0]) > 1:
            raise UnsupportedGameError("discounted payoffs do not add up to the same")
        self.take_step(self._put_endings, self._settle, progress)
        if table.notes.returning_free and table.assembly.engine.model.facts.endless is None:
            raise UnsupportedGameError("the rules do not say what endless play is worth")
        marks = table.zeros(table.used)
        error = self._scale.length(table.call("greatest_gap", self._graph(marks), table.notes)) / 2
        is_apart = self._lower[0] != self._upper[0]
        is_exact = self._sums_are_exact and not (is_apart and table.notes.estimated)
        if is_exact:
            self._refuse_undefined()
        elif error > TOLERANCE:
            raise UnsupportedGameError("the bounds of some value stay apart")
        is_open = error > TOLERANCE
        surely = not table.notes.staying or table.call(
            "ends_surely", self._graph(marks), table.notes
        )
        facts_stored = {
            "positions": table.used - table.notes.events,
            "endings": table.notes.endings,
            "events": table.notes.events,
            "payoffs": payoffs_stored(table.payoffs),
            "error": "0" if is_open else str(error),
            "is_open": is_open,
            "ends_surely": bool(surely),
            "scale": self._scale.stored(),
        }
        for array in (self._edges, self._order, self._ranks):
            give_back(array, 0, len(array))
        arrays = dict(zip(VALUES, self._values, strict=True))
        return positions(table.contents, table.contents.stored(facts_stored, arrays))

    def _refuse_undefined(self) -> None:
        """Raise UndefinedValueError if the exact bounds of the first state are infinite or differ:
        then the rewards have no sum under best play."""
        model = self._table.assembly.engine.model
        low, high = (self._scale.bound(values[0]) for values in (self._lower, self._upper))
        if low != high:
            raise UndefinedValueError(
                f"rewards of {model.title} need have no sum: under best play the sum for "
                f"{model.players[0]} goes up and down for ever, between {low} and {high}",
                DISCOUNT_INSTEAD,
            )
        if is_infinite(low):
            does = "gets" if low > 0 else "pays"
            raise UndefinedValueError(
                f"best play of {model.title} has no finite value: {model.players[0]} {does} more "
                "and more",
                DISCOUNT_INSTEAD,
            )

    @property
    def _sums_are_exact(self) -> bool:
        """Whether bounds are limits of sums, unless a component is estimated."""
        is_sum = not (self.has_chance or self._is_discounted)
        return is_sum and bool(self._table.notes.is_exact)

    @property
    def has_chance(self) -> bool:
        """Whether the game has chance events."""
        return bool(self._table.assembly.engine.model.facts.has_chance)

    @property
    def _values(self) -> tuple[Any, Any, Any]:
        choices = self._table.zeros(self._table.used)
        self._table.call("copy_choices", self._kinds, choices, self._table.notes)
        return self._lower, self._upper, choices

    @property
    def _endless(self) -> Vector:
        endless: Vector | None = self._table.assembly.engine.model.facts.endless
        return endless or self._table.payoffs[0]

    @property
    def _is_discounted(self) -> bool:
        return bool(self._table.assembly.engine.model.facts.discount != 1)

    # --- bounds -------------------------------------------------------------------------------

    def _set_scale(self) -> None:
        """Choose the unit, and convert rewards to units."""
        table, facts = self._table, self._table.assembly.engine.model.facts
        payoffs = [payoff[0] for payoff in (*table.payoffs, self._endless)]
        paid = [Fraction(row[3], row[2]) for row in self._labels]
        if self._ends_matter:
            self._scale = Scale.of(payoffs, table.notes.heaviest)
        else:
            heaviest = max(table.notes.heaviest, facts.discount.denominator)
            self._scale = Scale.of_sums([*payoffs, *paid], heaviest, self._above)
        scale, notes = self._scale, table.notes
        notes.largest, notes.widest_slack = scale.largest, scale.units
        notes.is_exact = int(all(scale.is_exact(number) for number in (*payoffs, *paid)))
        self._tolls = Rows(kernel_of_events.Toll, table.row([
            number
            for (weight, lasts, *_), reward in zip(self._labels, paid, strict=True)
            for number in (
                weight, lasts, scale.low_length(reward), scale.high_length(reward),
                (reward > 0) - (reward < 0),
            )
        ]))  # fmt: skip

    def _put_endings(self) -> None:
        table = self._table
        self._set_scale()
        self._lower, self._upper = (table.zeros(table.used) for _ in range(2))
        if self._work is not None:
            self._take_up_values(self._work)
        scale, firsts = self._scale, [payoff[0] for payoff in table.payoffs]
        lows, highs = (table.row(list(map(bound, firsts))) for bound in (scale.low, scale.high))
        table.call("put_endings", self._kinds, lows, highs, self._lower, self._upper, table.notes)

    def _take_up_values(self, work: StoredPositions) -> None:
        """Restore saved values and check that no value exceeds the greatest bound."""
        table, count = self._table, self._table.used
        if any(len(work.arrays[name]) != count for name in VALUES):
            raise SolutionFileError("it has not as many bounds and choices as positions")
        self._lower, self._upper, choices = (self.copied(work.arrays[n]) for n in VALUES)
        table.notes.put_numbers(kernel.NOTED, work.facts["notes"])
        odd = table.call("put_choices", choices, self._kinds, table.notes)
        if odd == kernel.RIGHT:
            least, most = self._scale.range_of([*table.payoffs, self._endless])
            odd = table.call("odd_value", least, most, self._graph(self._stack), table.notes)
        if odd != kernel.RIGHT:
            raise SolutionFileError(f"the bounds or the choice of position {odd:,} cannot be")

    def _graph(self, marks: Any) -> bounds_kernel.BoundedGraph:
        """The graph with all arrays; the path of the ordering step is used again."""
        return bounds_kernel.BoundedGraph(
            nodes=self._kinds,
            edges=self._edges,
            ranks=self._ranks,
            order=self._order,
            tolls=self._tolls,
            lower=self._lower,
            upper=self._upper,
            before=self._path,
            marks=marks,
        )

    def _settle(self) -> bool:
        """Settle a slice of states; the arrays of the ordering step are used again as working
        space. Sums of rewards that do not fit are bounded again in greater units."""
        table, scale = self._table, self._scale
        table.notes.endless_low = scale.low(self._endless[0])
        table.notes.endless_high = scale.high(self._endless[0])
        is_few = self._is_discounted and not self.has_chance
        table.notes.allowed = scale.units // (FEW_SHARES if is_few else SHARES)
        status = table.call(
            "settle", self._graph(self._stack), table.notes, EASY * transposition_table.SLICE
        )
        if status == codes.UNFIT:
            raise UnsupportedGameError("the bounds of some value stay apart")
        if status == codes.HIGH:
            self._above += ABOVE
            table.notes.put_numbers(kernel.NOTED, [0] * len(kernel.NOTED))
            self._work = None
            self._put_endings()
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
        if lower[number] == upper[number]:
            value = scale.bound(lower[number])
        else:
            value = scale.payoff(Fraction(lower[number] + upper[number], 2))
        return (value, total - value)[:players], None

    def bounds(state: State) -> tuple[Fraction, Fraction] | None:
        number = number_of(state)
        return None if number is None else (scale.bound(lower[number]), scale.bound(upper[number]))

    def choose(state: State) -> int | None:
        number = number_of(state)
        return None if number is None or choices[number] < 0 else choices[number]

    error, surely = Fraction(facts["error"]), facts["ends_surely"]
    chance = SolvedChance(
        facts["events"],
        error,
        choose,
        surely,
        frozenset(payoffs),
        bounds if facts["is_open"] else None,
    )
    return contents.solved(stored, look_up, chance)


class Scale:
    """The unit of bounds: payoffs of the first player as integers from 0 on.

    Attributes:
        units: `TOLERANCE` as a number of units.
        largest: the greatest absolute value of a bound, for sums of rewards; 0 without rewards.
    """

    def __init__(self, least: Fraction, per: Fraction, largest: int = 0) -> None:
        self._least = least
        self._per = per
        self.units = int(TOLERANCE * per)
        self.largest = largest

    @classmethod
    def of(cls, payoffs: list[Fraction], heaviest: int) -> Scale:
        """The finest scale that weights with this sum allow."""
        bits = min(FINEST, 62 - heaviest.bit_length())
        if bits < COARSEST:
            raise UnsupportedGameError("the weights of a chance event are too large")
        return cls(min(payoffs), Fraction(1 << bits) / (max(payoffs) - min(payoffs) or 1))

    @classmethod
    def of_sums(cls, paid: list[Fraction], heaviest: int, above: int) -> Scale:
        """The finest scale for sums of payoffs and rewards, of `above` bits more than each, which
        are whole numbers of units if possible; bounds are multiplied by numbers up to
        `heaviest`."""
        bits = min(FINEST, 61 - heaviest.bit_length())
        if bits - above < COARSEST:
            raise UnsupportedGameError("payoffs, rewards or weights are too large")
        per = Fraction(1 << bits - above) / (max(map(abs, paid)) or 1)
        whole = lcm(*(number.denominator for number in paid))
        return cls(Fraction(0), Fraction(per // whole * whole) or per, 1 << bits)

    def range_of(self, payoffs: list[Vector]) -> tuple[int, int]:
        """The least and the greatest bound."""
        if self.largest:
            return -bounds_kernel.INFINITE, bounds_kernel.INFINITE
        return 0, self.high(max(payoff[0] for payoff in payoffs))

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

    def low_length(self, paid: Fraction) -> int:
        """A reward in units, rounded down."""
        return paid * self._per // 1

    def high_length(self, paid: Fraction) -> int:
        """A reward in units, rounded up."""
        return -(-paid * self._per // 1)

    def length(self, number: int) -> Fraction:
        """A difference of bounds as a difference of payoffs."""
        return number / self._per

    def is_exact(self, payoff: Fraction) -> bool:
        """Whether a payoff is a whole number of units."""
        return self.low(payoff) == self.high(payoff)

    def bound(self, number: int) -> Fraction:
        """A bound as a payoff, which may be infinite."""
        if abs(number) < bounds_kernel.INFINITE:
            return self.payoff(Fraction(number))
        return INFINITY if number > 0 else -INFINITY

    def payoff(self, number: Fraction) -> Fraction:
        """A bound as a payoff."""
        return self._least + number / self._per


class ChanceSolver(TableSolver[SolvedPositions]):
    """A solver of games with chance, rewards and a discount, of one player or two."""

    least_room = ROOM
    with_chance = True

    @classmethod
    def width(cls, engine: CompiledEngine) -> int:
        """Like `TableSolver.width`."""
        return layout_of(engine, is_tight=True).width

    def layout(self, *, is_tight: bool) -> EntryLayout:
        """Like `TableSolver.layout`."""
        return layout_of(self._engine, is_tight=is_tight)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        facts = self._engine.model.facts
        constants: dict[str, Constant] = {
            "PAYS": not facts.pays_at_the_end,
            "LASTING": facts.discount.numerator,
            "WHOLE": facts.discount.denominator,
            "OPENING": (0, *(int(event.move < 0) for event in self._engine.generated.events)),
        }
        return super().definitions(layout) | Definitions(constants)


class KernelInterval(ChanceSolver):
    """Interval iteration on one game."""

    kernels = (
        kernel_of_events.explore,
        codes.rehash,
        components_kernel.find_components,
        kernel_of_events.put_endings,
        kernel.odd_value,
        kernel.put_choices,
        kernel.copy_choices,
        kernel.settle,
        kernel.greatest_gap,
        kernel.ends_surely,
        codes.code_of,
    )
    notes = bounds_kernel.IntervalNotes
    behind, edges = BEHIND, 0.5
    run = IntervalRun

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Like `TableSolver.refusal`."""
        if len(engine.players) > 2:
            return Refusal("native solving with chance is for one player or two")
        return transposition_table.refusal(engine, with_chance=True, any_values=True)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        return super().definitions(layout) | Definitions(
            {"IS_NARROW": layout.is_tight}, (reward_function(self._engine),)
        )


def layout_of(engine: CompiledEngine, *, is_tight: bool) -> EntryLayout:
    """The layout of a game's entries, as tight as possible or loose."""
    return entry_layout(engine, is_tight=is_tight, least_room=ROOM, may_be_dense=True)
