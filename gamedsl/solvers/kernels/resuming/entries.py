"""Check a table of solved positions that was read from a file.

In: a table copied from a file, and the codes that its entries may have. Out: the number of entries
of each kind, or a `SolutionFileError`. The check guarantees that lookups by kernels are safe; only
the rules can tell whether values are right (`gamedsl.archive.verification`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes, Slice
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import GameRuleError
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.resuming import entries_kernel as kernel
from gamedsl.solvers.kernels.table_records import TableArrays
from gamedsl.solvers.kernels.transposition_table import MOVED, TranspositionTable
from gamedsl.source.records import dataclass

KERNELS = (kernel.used_in, kernel.odd_entry)
INNER = (kernel.is_free, kernel.is_key)
NEGATIVE = WORD - 2
"""Right shift that turns every negative number into a number other than 0."""


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


# --- the test for states of the rules, as text for the kernel -------------------------------------


def state_text(engine: CompiledEngine) -> str:
    """`is_state(*state)`: 1 if each variable has one of its values, a player is to move, no chance
    event is pending and the words contain no further bits; else 0."""
    generated = engine.generated
    turn = generated.layout.field(TURN)
    words = ", ".join(f"w{word}" for word in range(generated.words + generated.saved))
    lines = [
        "@inlined",
        f"def is_state({words}):",
        "    odd = 0",
        *_beyond(generated.layout),
        *(
            line
            for place in generated.layout.places
            for line in _beyond_domain(generated.layout, place)
        ),
        *_too_much(turn, 0, turn.bits, len(engine.players)),
        "    return 1 if odd == 0 else 0",
    ]
    return "\n".join(lines) + "\n"


def _beyond(layout: Layout) -> Iterator[str]:
    """Lines for: no bit is set behind the fields of a word."""
    used = [0] * layout.words
    for field in layout.fields:
        used[field.word] = max(used[field.word], field.shift + field.bits)
    for word, bits in enumerate(used):
        for number in range(layout.limbs[word]):
            left = bits - WORD * number
            if left < WORD:
                yield f"    odd |= {_limb(layout, word, number)} >> {max(0, left)}"


def _beyond_domain(layout: Layout, place: Planes | Digits) -> Iterator[str]:
    if isinstance(place, Planes):
        yield from _planes(layout, place)
        return
    for cell in range(place.variable.size):
        field = layout.field(place.names[cell // place.per_chunk])
        count = len(place.variable.domain_of(cell))
        yield from _too_much(field, place.bits * (cell % place.per_chunk), place.bits, count)


def _planes(layout: Layout, place: Planes) -> Iterator[str]:
    """Lines for: no square is in two planes, or in the plane of an impossible value."""
    fields = [layout.field(name) for _, name in place.names]
    size = place.variable.size
    for number in range(-(-size // WORD)):
        squares = range(WORD * number, min(WORD * (number + 1), size))
        yield "    taken = 0"
        for (digit, _), field in zip(place.names, fields, strict=True):
            content = _limb(layout, field.word, number)
            if field.bits <= WORD:
                content = f"{content} >> {field.shift}"
                if field.bits < WORD:
                    content += f" & {field.mask}"
            yield f"    plane = {content}"
            yield "    odd |= taken & plane"
            yield "    taken |= plane"
            for square in squares:
                if digit >= len(place.variable.domain_of(square)):
                    yield f"    odd |= plane >> {square - WORD * number} & 1"


def _too_much(field: Slice, shift: int, bits: int, count: int) -> Iterator[str]:
    """Lines for: a digit is less than `count`."""
    if count < 1 << bits:
        digit = f"(w{field.word} >> {field.shift + shift} & {(1 << bits) - 1})"
        yield f"    odd |= {count - 1} - {digit} >> {NEGATIVE}"


def _limb(layout: Layout, word: int, number: int) -> str:
    return f"w{word}" if layout.limbs[word] == 1 else f"limb(w{word}, {number})"
