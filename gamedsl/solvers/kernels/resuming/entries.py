"""Check a table of solved positions that was read from a file.

In: a table copied from a file, and the codes that its entries may have. Out: the number of entries
of each kind, or a `SolutionFileError`. The check guarantees that lookups by kernels are safe; only
the rules can tell whether values are right (`gamedsl.archive.verification`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.definitions import numbers_of
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import Value, integer, to_int, united
from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import GameRuleError
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.resuming import entries_kernel as kernel
from gamedsl.solvers.kernels.table_records import TableArrays
from gamedsl.solvers.kernels.transposition_table import MOVED, TranspositionTable
from gamedsl.source.records import dataclass

KERNELS = (kernel.used_in, kernel.odd_entry, kernel.is_free, kernel.is_key)
Words = tuple[Value, ...]


def refuse_size(table: TranspositionTable, count: int) -> None:
    """Check the size of a table before its allocation. Raises SolutionFileError,
    OutOfMemoryError."""
    if count == 0 or count % table.layout.width:
        raise SolutionFileError("its table has no whole entries")
    if count * NUMBER > table.limits.bytes:
        raise OutOfMemoryError(count // table.layout.width, count * NUMBER)


@dataclass(frozen=True, slots=True)
class Counted:
    """Numbers of entries: of endings, of states with the first open code, of states with the second
    open code, and of settled states that are no endings."""

    ended: int
    new: int
    open: int
    settled: int

    @property
    def used(self) -> int:
        """Entries in use."""
        return self.ended + self.new + self.open + self.settled


def counted_entries(
    table: TranspositionTable, open_codes: int, shares: int, aside: int = 0
) -> Counted:
    """Number of entries of each kind; `shares`: numbers in a row of
    payoffs; `aside`: number of states outside the table. Raises
    SolutionFileError if an entry is invalid, or no entry is free."""
    width, rows = table.layout.width, table.table
    step = MOVED * width
    parts = [(n, min(n + step, len(rows))) for n in range(0, len(rows), step)]
    used = sum(table.call("used_in", *part, rows) for part in parts)
    if used == table.entries:
        raise SolutionFileError("its table has no free entry")
    arrays = TableArrays(**table.arrays(table.assembly.row(2 * width)))
    counts = table.assembly.row(kernel.COUNTS + shares)
    for begin, end in parts:
        try:
            odd = table.call(
                "odd_entry", begin, end, arrays, open_codes, used + aside, counts, table.notes
            )
        except GameRuleError as error:
            raise SolutionFileError("it has a position in which the rules fail") from error
        if odd != kernel.RIGHT:
            raise SolutionFileError(f"entry {odd // width:,} of its table cannot be one")
    return Counted(*counts[: kernel.COUNTS])


# --- the test for states of the rules ------------------------------------------------------------


def state_test(engine: CompiledEngine) -> Function:
    """`is_state(*state)`: 1 if each variable has one of its values, a player is to move, no chance
    event is pending and the words contain no further bits; else 0."""
    layout, words = engine.generated.layout, game_words(engine)
    f = FunctionBuilder("is_state", *words)
    odd = [*_beyond(layout, words)]
    for place in layout.places:
        if isinstance(place, Planes):
            odd += _in_planes(f, layout, place, words)
        else:
            odd += _in_digits(layout, place, words)
    turn = layout.field(TURN)
    odd += _too_much(words[turn.word] >> turn.shift, turn.bits, len(engine.players))
    f.give(to_int(united(odd).eq(0)))
    return f.function


def _beyond(layout: Layout, words: Words) -> Iterator[Value]:
    """Bits behind the fields of a word."""
    for number, word in enumerate(words[: layout.words]):
        used = max(f.shift + f.bits for f in layout.fields if f.word == number)
        for place, limb in enumerate(numbers_of([word])):
            if used - WORD * place < WORD:
                yield limb >> max(0, used - WORD * place)


def _in_digits(layout: Layout, place: Digits, words: Words) -> Iterator[Value]:
    """Digits that are no value's."""
    for cell in range(place.variable.size):
        field = layout.field(place.names[cell // place.per_chunk])
        shift = field.shift + place.bits * (cell % place.per_chunk)
        values = len(place.variable.domain_of(cell))
        yield from _too_much(words[field.word] >> shift, place.bits, values)


def _too_much(word: Value, bits: int, count: int) -> Iterator[Value]:
    """Whether the lowest digit of a word is `count` or more."""
    if count < 1 << bits:
        yield to_int((word & (1 << bits) - 1).ge(count))


def _in_planes(f: FunctionBuilder, layout: Layout, place: Planes, words: Words) -> Iterator[Value]:
    """Squares in two planes, or in the plane of an impossible value."""
    taken: Value = integer(0)
    for digit, title in place.names:
        field, variable = layout.field(title), place.variable
        plane = f.local("plane", (words[field.word] >> field.shift) & field.mask)
        no = (n for n in range(variable.size) if digit >= len(variable.domain_of(n)))
        odd = plane & (sum(1 << n for n in no)) | plane & taken
        yield to_int(odd.ne(0))
        taken = f.local("taken", plane | taken)
