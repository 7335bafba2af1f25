"""The transposition table shared by solving kernels: the Python side.

In: a game's module with kernels, the layout of entries, limits. Out: the arrays shared by the
kernels: the table, which grows, the payoffs of endings, and the notes, which live on between calls.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import Refusal
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.contents import Contents, put_key
from gamedsl.solvers.kernels.functions.standard import largest_event
from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, enlarged, give_back
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_records import TableNotes
from gamedsl.source.records import dataclass

FIRST_ENTRIES = 1 << 14
"""Entries of the first table; each later table has twice as many."""
LARGE = 1 << 26
"""Number of entries from which on a table grows by half only, because unused entries cost
memory."""
FULLEST = (7, 10)
"""Maximal load factor of a table: beyond it, chains grow long."""
FULL_AT_LAST = (9, 10)
"""Maximal load factor if there is no memory for a larger table."""
WORTH_SHARING = 1 << 16
"""Number of entries from which on several threads pay off."""
LEAST = 4
"""Number of states whose successors a thread must have room for."""
SLICE = 1 << 13
"""States visited between two returns to Python."""
MOST_PAYOFFS = 4096
"""Maximal number of different payoffs: kernels look a payoff up in a list."""


MOVED = 1 << 20
"""Entries moved to another table at a time."""


class CodeOverflowError(RuntimeError):
    """A code does not fit into its bits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximal number of visited positions, if any, and the maximal memory of all arrays."""

    positions: int | None
    bytes: int


class TranspositionTable:
    """The arrays for solving one game."""

    def __init__(
        self,
        assembly: Assembly,
        layout: EntryLayout,
        limits: Limits,
        notes: type[TableNotes],
        joint_actions: int = 0,
    ) -> None:
        """`notes`: the class of the kernels' notes; `joint_actions`: numbers of joint actions, and
        of their parts, for which there is room. `call`, `row`: as `Assembly` has them."""
        self.joint_actions = joint_actions
        self.assembly, self.call, self.row = assembly, assembly.call, assembly.row_of
        self.layout = layout
        self.limits = limits
        self.notes: Any = assembly.record(notes)
        self.orbits: Orbits | None = None
        self.payoffs: list[Vector] = []
        self.paid = assembly.row(0)
        self.actions = assembly.row(self.room)
        self.buckets = assembly.row(2 * self.room)
        self.first_entries = max(FIRST_ENTRIES, 2 * self.room * FULLEST[1] // FULLEST[0])
        self.fullest = FULLEST
        self.table = assembly.row(0)
        self.table = self.zeros(self.first_entries * layout.width)

    @property
    def room(self) -> int:
        """Number of all actions, of joint actions, or of all outcomes of a chance event, plus 1."""
        engine = self.assembly.engine
        actions = engine.model.facts.action_count
        return max(actions, self.joint_actions, largest_event(engine)) + 1

    @property
    def entries(self) -> int:
        """Entries of the table."""
        return len(self.table) // self.layout.width

    @property
    def most(self) -> int:
        """Maximal number of entries in use before the table has to grow."""
        return self.entries * self.fullest[0] // self.fullest[1]

    @property
    def usual_entries(self) -> int:
        """Entries of a table grown for one thread with sufficient memory."""
        entries = self.first_entries
        while self.used + len(self.actions) - 1 > entries * FULLEST[0] // FULLEST[1]:
            entries = larger(entries)
        return entries

    @property
    def used(self) -> int:
        """Entries in use."""
        count: int = self.notes.used
        return count

    # --- room of each thread in a round --------------------------------------------------------

    def is_worth_sharing(self, threads: int) -> bool:
        """Whether several threads can enter states, and there are enough states."""
        return threads > 1 and self.layout.width == 1 and self.used >= WORTH_SHARING

    def parts_for(self, threads: int) -> int:
        """Number of parts of the table for so many threads."""
        return threads if self.entries >= WORTH_SHARING else 1

    def room_each(self, threads: int) -> int:
        """Number of entries that each thread may take: limited by the free entries, and hardly more
        than the remaining number of positions."""
        most, room = self.limits.positions, (self.most - self.used) // threads
        if most is not None:
            room = min(room, max(0, most - self.used) // threads + self.room + 1)
        return room

    def is_full_for(self, threads: int) -> bool:
        """Whether the table has to grow."""
        return (self.most - self.used) // threads < LEAST * self.room

    # --- arrays -------------------------------------------------------------------------------

    def arrays(self, keys: Any) -> dict[str, Any]:
        """The fields of `TableArrays`."""
        return {
            "table": self.table,
            "keys": keys,
            "actions": self.actions,
            "buckets": self.buckets,
            "payoffs": self.paid,
        }

    def zeros(self, count: int) -> Any:
        """A large array of zeros. Raises OutOfMemoryError if the allocation fails."""
        return self._allocate(lambda: self.assembly.zeros(count))

    def enlarged(self, row: Any, count: int) -> Any:
        """A large array that begins with the contents of `row`, which must not be used afterwards.
        Raises OutOfMemoryError if the allocation fails."""
        more = count - len(row)
        return self._allocate(
            lambda: enlarged(row, count) if self.assembly.native else row + [0] * more
        )

    def make_room(self, beside: float) -> None:
        """Enlarge the table as far as memory holds, for each state, an entry and `beside` further
        numbers; if memory does not, fill the table up. Raises OutOfMemoryError if it is full."""
        full, of = FULL_AT_LAST
        each = (self.layout.width + beside * full / of) * NUMBER
        size = min(larger(self.entries), int(self.limits.bytes / each))
        if size >= self.entries * 5 // 4:
            self.move_to(self.zeros(size * self.layout.width))
        elif self.fullest == FULL_AT_LAST:
            raise OutOfMemoryError(self.used, int(self.entries * each))
        else:
            self.fullest = FULL_AT_LAST

    def _allocate(self, array: Callable[[], Any]) -> Any:
        try:
            return array()
        except OSError as error:
            raise OutOfMemoryError(self.used, len(self.table) * NUMBER) from error

    def larger_table(self, extra_width: int = 0) -> Any:
        """An empty table of twice the size (a large table: half as much again), or as large as
        memory allows. Raises OutOfMemoryError.

        `extra_width`: numbers per entry held in further arrays, including arrays of the previous
        table. The memory of the previous table itself is given back on the way, if the system
        supports it.
        """
        each = (self.layout.width + extra_width) * NUMBER
        held = extra_width if GIVES_BACK else self.layout.width + extra_width
        allowed = (self.limits.bytes - self.entries * held * NUMBER) // each
        size = min(larger(self.entries), allowed)
        if size < self.entries * 5 // 4:
            raise OutOfMemoryError(self.used, self.entries * each)
        return self.zeros(size * self.layout.width)

    def grow(self) -> None:
        """Make room for more entries: in a larger table, or else once by a higher load factor.
        Raises OutOfMemoryError."""
        try:
            self.move_to(self.larger_table())
        except OutOfMemoryError:
            if self.fullest == FULL_AT_LAST:
                raise
            self.fullest = FULL_AT_LAST

    def move_to(self, target: Any, mover: str = "rehash") -> int:
        """Move all entries into another, empty table; the memory of the old table is given back on
        the way. `mover` is the kernel that moves entries; returns the sum of its results."""
        said, step = 0, MOVED * self.layout.width
        for begin in range(0, len(self.table), step):
            end = min(begin + step, len(self.table))
            said += self.call(mover, self.table, begin, end, target)
            give_back(self.table, begin, end)
        self.table = target
        return said

    def add_payoff(self) -> None:
        """Make the payoff in the notes known.

        Raises UnsupportedGameError if interests are not opposed.
        """
        paid: tuple[int, ...] = self.notes.payoff
        sides = self.assembly.engine.model.facts.sides
        payoffs = tuple(Fraction(paid[1 + side], paid[0]) for side in sides)
        if len(self.payoffs) >= MOST_PAYOFFS:
            raise UnsupportedGameError("there are too many different payoffs")
        if constant_sum({*self.payoffs, payoffs}, sides) is None:
            raise UnsupportedGameError("what one player wins the other need not lose")
        self.payoffs.append(payoffs)
        self.paid = self.row([*self.paid, *paid])
        self.notes.payoffs = len(self.payoffs)

    def refuse_unless_opposed(self, endless: Vector) -> None:
        """Raise UnsupportedGameError if endless play has a different sum of payoffs than
        endings."""
        if constant_sum({*self.payoffs, endless}, self.assembly.engine.model.facts.sides) is None:
            raise UnsupportedGameError("endless play gives more or less than its end does")

    def keep_to_limits(self, progress: Progress | None, waiting: int = 0) -> None:
        """Report progress. Raises OutOfBudgetError beyond the limit."""
        if self.limits.positions is not None and self.used > self.limits.positions:
            raise OutOfBudgetError(self.limits.positions, self.used, 0)
        if progress is not None:
            progress(self.used - waiting, waiting)

    def put_key(self, state: State, row: Any) -> None:
        """Write the key of a state."""
        self.put_words(self.assembly.engine.words_of(state), row)

    def put_words(self, words: tuple[int, ...], row: Any) -> None:
        """Write the key of a state with these words."""
        put_key(self.layout, words, row, is_signed=self.assembly.native)

    @property
    def contents(self) -> Contents:
        """The table for lookups of states."""
        return Contents(self.assembly, self.layout, self.table, self.assembly.native, self.orbits)


def larger(entries: int) -> int:
    """Number of entries of the table that follows a table with `entries`."""
    return entries * (3 if entries >= LARGE else 4) // 2


def refusal(
    engine: CompiledEngine,
    *,
    with_chance: bool = False,
    any_values: bool = False,
    with_stages: bool = False,
) -> Refusal | None:
    """Why the rules alone exclude kernels for a game; None if the rules do not. `any_values`: the
    kernels know any number of players, rewards and discounts; `with_stages`: choices at once."""
    facts = engine.model.facts
    if max(facts.sides) > 1 and not any_values:
        return Refusal("native solving is for one player, or two players or sides")
    if facts.has_secrets or (facts.is_simultaneous and not with_stages):
        return Refusal("native solving is for games without secrets and choices at once")
    if facts.has_chance and not with_chance:
        return Refusal("there is chance in it")
    if not facts.pays_at_the_end and not any_values:
        return Refusal("native solving looks at how play ends, not at what is paid on the way")
    if facts.repeats:
        return Refusal("native solving does not look at what has occurred before")
    return None
