"""Backward induction with means and matrix games, by kernels: values between proven bounds.

In: a game with chance or choices at once, of one player or two with opposed interests, with a
compiled engine, and a state. Out: `SolvedPositions`: for every reachable state the value of best
play, rewards and a discount included, within an error bound. Where play returns, components of the
graph are bounded one by one, and forgotten; if a component is large, if its bounds stay apart, or
if play does not surely end, an error is raised, and `chance.interval` has to be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from math import floor
from typing import Any, ClassVar

from gamedsl.compiler.definitions import Constant, Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Checkpoints,
    Refusal,
    SearchLimits,
    SolvedChance,
    SolvedPositions,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.chance import bounds_kernel, components_kernel, event_graph_kernel
from gamedsl.solvers.kernels.chance.interval import (
    MOST_LABELS,
    SHARES,
    TOLERANCE,
    ChanceSolver,
)
from gamedsl.solvers.kernels.functions.payoffs import paid_function
from gamedsl.solvers.kernels.induction import FIRST_FRAMES, ReturningPlayError
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.stages import matrix_kernel
from gamedsl.solvers.kernels.stages import stage_kernel as kernel
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_solver import LEAST_SHARES, TableRun
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    TranspositionTable,
)

FIRST_KEYS = 1 << 14
"""Numbers of the first stack of keys."""
ABOVE = (1, 8, 15)
"""Bits of a value above the greatest payoff, tried one after the other where steps pay."""
DIVISORS = 3_603_600
"""Divisor of units: a product of 16, 9, 25, 7, 11 and 13."""
ERROR_BITS = {True: 20, False: 16}
"""Bits of the error of a value, with choices at once and without; the value has 45 or 41."""
MOST_BITS = 61
"""Bits of a value and its error, and of products of a value with a weight or a discount."""
FIRST_MEMBERS = 1 << 12
MOST_MEMBERS = 1 << 25
"""Number of members of components at first and at most, and of half of their edges; members and
settled successors are told apart by the bits below the label of an edge."""
NUMBERS_A_MEMBER = 21
"""Numbers of all arrays for a member with four edges, which share two numbers."""
DEEP = 1 << 22
KEYS_AN_ENTRY = 4
"""With returning play, the stack of keys may grow beyond `DEEP` numbers up to so many times the
table: a search through a large component is as deep as the component."""
TOO_MANY = "play returns to too many positions"
MOST_CELLS = 1 << 14
"""Limit on the entries of a matrix game."""
REFUSALS = {
    codes.NEW_REWARD: "what one player is paid the other need not pay",
    codes.NEW_SUM: "the weights of a chance event are too large",
    codes.LOST: "best play is not known to end",
}


class ValueOverflowError(UnsupportedGameError):
    """A value does not fit its bits."""


class StageRun(TableRun[SolvedPositions]):
    """Solving one game: a table, the values by number, and the stack of a search."""

    refusals: ClassVar[Mapping[int, str]] = REFUSALS

    def __init__(self, table: TranspositionTable, above: int, passes: bool) -> None:
        """`above`: bits of a value above the greatest payoff. `passes`: whether forced moves behind
        choices at once are passed over."""
        super().__init__(table)
        facts = table.assembly.engine.model.facts
        self._stack = table.assembly.rows(kernel.Frame, FIRST_FRAMES)
        self._keys = table.assembly.row(FIRST_KEYS)
        self._values = table.zeros(table.most + 1)
        self._passes = passes
        self._actions = table.assembly.row(2 * (len(facts.players) + 1) * (facts.action_count + 1))
        players = max(2, len(facts.players))
        self._sizes, self._payment = table.row([0] * 2 * players), table.row([0] * (players + 1))
        self._cases = {name: table.row([0]) for name in ("case", "cases", "slots", "ranks")}
        lines = facts.action_count if facts.is_simultaneous else 1
        self._games = matrix_kernel.MatrixArrays(
            matrix=table.assembly.row(lines * lines),
            tableau=table.assembly.row((lines + 1) * (lines + 1)),
            basis=table.assembly.row(2 * lines),
            mixtures=table.assembly.row(2 * lines),
        )
        largest = max(map(abs, (*facts.utility_bounds, *(facts.endless or ())))) or 1
        if not facts.pays_at_the_end:
            largest = max(largest, 1)  # rewards may be greater than all outcomes
        self._error_bits = ERROR_BITS[facts.is_simultaneous]
        most = 1 << MOST_BITS - self._error_bits
        self._unit = _unit(Fraction(most, 1 << above) / largest)
        self._worths = table.row([])
        table.notes.top, table.notes.unit = codes.FRESH, self._unit
        self._make_components(most)

    def _make_components(self, largest: int) -> None:
        """Make empty arrays for components; `largest`: limit on the absolute value of a bound."""
        table = self._table
        endless = (table.assembly.engine.model.facts.endless or (Fraction(0),))[0] * self._unit
        notes = table.notes
        notes.endless_low, notes.endless_high = floor(endless), -floor(-endless)
        notes.allowed = int(TOLERANCE * self._unit) // SHARES
        notes.largest, notes.widest_slack = largest, int(TOLERANCE * self._unit)
        self._members, self._choices = table.row([]), table.row([])
        self._tolls = table.assembly.rows(event_graph_kernel.Toll, 0)
        names = (*components_kernel.OrderedGraph.FIELDS, *bounds_kernel.BoundedGraph.FIELDS)
        self._graph = {name: table.row([]) for name in names if name != "tolls"}

    def _make_room_for_members(self) -> None:
        """Make room for more members of components: at first for some, later for twice as many."""
        table = self._table
        if table.assembly.engine.model.facts.is_simultaneous:
            raise ReturningPlayError("play can return to an earlier position", "use bounds")
        count = 2 * len(self._members) or FIRST_MEMBERS
        if count > MOST_MEMBERS or count * NUMBERS_A_MEMBER * NUMBER > table.limits.bytes:
            raise UnsupportedGameError(TOO_MANY)
        self._refuse_wide_numbers()
        if not len(self._members):
            labels = components_kernel.MOST_NARROW if table.layout.is_tight else MOST_LABELS
            self._tolls = table.assembly.rows(event_graph_kernel.Toll, labels)
            self._choices = table.zeros(table.most // 2 + 1)
        self._members = self._grown(self._members, count)
        for name, size in (("nodes", count), ("edges", 2 * count)):
            self._graph[name] = self._grown(self._graph[name], size)
        behind = count + (4 if table.layout.is_tight else 2) * count
        for name in ("lower", "upper", "ranks", "order"):
            self._graph[name] = table.zeros(behind)
        for name in ("before", "marks"):
            self._graph[name] = table.zeros(count)

    def _refuse_wide_numbers(self) -> None:
        """Raise UnsupportedGameError if the numbers of states reach the labels of edges."""
        if self._table.most > 1 << components_kernel.LABEL_SHIFT:
            raise UnsupportedGameError(TOO_MANY)

    def _grown(self, row: Any, count: int) -> Any:
        return self._table.enlarged(row, count) if len(row) else self._table.zeros(count)

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states."""
        table = self._table
        self.take_step(lambda: table.put_key(state, self._keys), self._go_on, progress)
        return self._positions()

    def _go_on(self) -> bool:
        """Do a slice and handle its status; return whether the work is done."""
        table = self._table
        arrays = kernel.StageArrays(
            **{**table.arrays(self._keys), "actions": self._actions},
            values=self._values,
            worths=self._worths,
            sizes=self._sizes,
            paid=self._payment,
            stack=self._stack,
            games=self._games,
            members=self._members,
            graph=bounds_kernel.BoundedGraph(**self._graph, tolls=self._tolls),
            choices=self._choices,
            **self._cases,
        )
        slice_size = transposition_table.SLICE
        status = table.call("settle_stages", table.most, arrays, table.notes, slice_size)
        if status == codes.FULL:
            self._enlarge()
        elif status == codes.RETURNS:
            self._make_room_for_members()
        elif status == codes.HIGH:
            most = max(DEEP, KEYS_AN_ENTRY * len(table.table))
            if len(self._members) and len(self._keys) > most:
                raise UnsupportedGameError(TOO_MANY)
            self._stack = Rows(kernel.Frame, self._table.assembly.doubled(self._stack.row))
            self._keys = self._table.assembly.doubled(self._keys)
        elif status == codes.NEW_PAYOFF:
            self._worths = table.row([*self._worths, self._worth()])
        elif status == codes.NEW_PAIR:
            self._answer()
        else:
            _refuse(status, self.refusals)
        return status == codes.DONE

    def _enlarge(self) -> None:
        """Make room for more states, as far as memory holds an entry and a value for each."""
        table = self._table
        table.make_room(1)
        self._values = table.enlarged(self._values, table.most + 1)
        if len(self._choices):
            self._refuse_wide_numbers()
            self._choices = table.enlarged(self._choices, table.most // 2 + 1)

    def _worth(self) -> int:
        """Make the payoffs of an ending known; return the value."""
        self._table.notes.payoff = self._payment[:LEAST_SHARES]
        self._table.add_payoff()
        worth = self._table.payoffs[-1][0] * self._unit
        return floor(worth) << self._error_bits | int(worth.denominator > 1)

    def _answer(self) -> None:
        """Solve the matrix game that the kernel leaves, exactly."""
        notes, matrix = self._table.notes, self._games.matrix
        rows = [
            [Fraction(matrix[row * notes.columns + column]) for column in range(notes.columns)]
            for row in range(notes.rows)
        ]
        low = floor(solve_matrix(rows).value)
        notes.is_given, notes.low, notes.high = 1, low, low + 1

    def _positions(self) -> SolvedPositions:
        table, values, unit, error_bits = self._table, self._values, self._unit, self._error_bits
        notes, contents, choices = table.notes, table.contents, self._choices
        self._refuse_values()
        players, total = len(table.assembly.engine.players), sum(table.payoffs[0])

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = self._code_of(state)
            if code == 0:
                return None
            value = Fraction(values[code - 1] >> error_bits, unit)
            return (value, total - value)[:players], None

        def choose(state: State) -> int | None:
            code = contents.code(state)
            choice = components_kernel.half_at(choices, code - 1) - 1 if code else -1
            return None if choice < 0 else choice

        error = Fraction(notes.greatest, unit)
        kept = choose if notes.returning else None
        chance = SolvedChance(notes.events, error, kept, True, frozenset(table.payoffs))
        positions = notes.used - notes.events
        return SolvedPositions(positions, notes.endings, look_up, chance, entries=contents.states)

    def _code_of(self, state: State) -> int:
        """The code of a state, or of the state behind a forced move that is passed over."""
        contents = self._table.contents
        code = contents.code(state)
        return contents.code(self._passed(state)) if code == 0 and self._passes else code

    def _passed(self, state: State) -> State:
        """As `passed` of the kernel."""
        engine = self._table.assembly.engine
        if engine.is_terminal(state) or engine.current_player(state) < 0:
            return state
        actions = engine.legal_actions(state)
        return engine.result(state, actions[0]) if len(actions) == 1 else state

    def _refuse_values(self) -> None:
        """Raise UnsupportedGameError if values are not those of play for opposed interests that
        surely ends, or are not near enough."""
        table, facts = self._table, self._table.assembly.engine.model.facts
        if not table.payoffs:
            if facts.pays_at_the_end:
                raise UnsupportedGameError("play never ends")
            table.payoffs = [(Fraction(0),) * len(table.assembly.engine.players)]
        if sum(table.payoffs[0]) != 0 and not facts.pays_at_the_end and len(table.payoffs[0]) > 1:
            raise UnsupportedGameError("discounted payoffs do not add up to the same")
        if not table.notes.returning:
            return
        if table.notes.returning_free and facts.endless is None:
            raise UnsupportedGameError("the rules do not say what endless play is worth")
        table.refuse_unless_opposed(facts.endless or table.payoffs[0])
        if table.notes.greatest > TOLERANCE * self._unit:
            raise UnsupportedGameError("the bounds of some value stay apart")


def _unit(most: Fraction) -> int:
    """The greatest number of units in a payoff of 1, up to a limit, with many divisors, so that
    means of few outcomes are exact."""
    times = floor(most / DIVISORS)
    if times == 0:
        raise UnsupportedGameError("payoffs are too large")
    return DIVISORS << times.bit_length() - 1


def _refuse(status: int, refusals: Mapping[int, str]) -> None:
    """Raise the error of a status, if any."""
    if status == codes.ODD:
        raise CodeOverflowError("local variables do not fit")
    if status == codes.UNFIT:
        raise ValueOverflowError("sums of rewards, or errors, are too large")
    if status in refusals:
        raise UnsupportedGameError(refusals[status])


class KernelStages(ChanceSolver):
    """Backward induction with means and matrix games on one game.

    Attributes:
        is_general: whether interests need not be opposed.
        passes: whether positions with a forced move behind choices at once, such as a move that
            works out the next position, have no entries, and do not count.
    """

    kernels = (kernel.settle_stages, codes.rehash, codes.code_of)
    notes = kernel.StageNotes
    behind = 1
    is_general: ClassVar[bool] = False
    _above = ABOVE[0]
    passes = True
    _passes = False

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Like `TableSolver.refusal`."""
        facts = engine.model.facts
        if len(engine.players) > 2:
            return Refusal("native solving with chance is for one player or two")
        if facts.is_simultaneous and facts.action_count**2 > MOST_CELLS:
            return Refusal("there are too many choices at once")
        most_lasting = 1 << ERROR_BITS[facts.is_simultaneous]
        if max(facts.discount.numerator, facts.discount.denominator) > most_lasting:
            return Refusal("the discount has too many digits")
        return transposition_table.refusal(
            engine, with_chance=True, any_values=True, with_stages=True
        )

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> SolvedPositions:
        """Like `TableSolver.solve`, with greater units where values do not fit."""
        facts = self._engine.model.facts
        self._passes = self.passes and facts.is_simultaneous and facts.pays_at_the_end
        pays = not self._engine.model.facts.pays_at_the_end
        for above in ABOVE if pays else ABOVE[:1]:
            self._above = above
            with suppress(ValueOverflowError):
                return super().solve(state, limits, checkpoints)
        raise UnsupportedGameError("sums of rewards, or errors, are too large")

    def begin(self, table: TranspositionTable) -> StageRun:
        """Like `TableSolver.begin`."""
        return StageRun(table, self._above, self._passes)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        error_bits = ERROR_BITS[self._engine.model.facts.is_simultaneous]
        constants: dict[str, Constant] = {
            "ERROR_BITS": error_bits,
            "VALUE_BITS": MOST_BITS - error_bits,
            "IS_NARROW": layout.is_tight,
            "IS_GENERAL": self.is_general,
            "PASSES": self._passes,
        }
        return super().definitions(layout) | Definitions(constants, (paid_function(self._engine),))
