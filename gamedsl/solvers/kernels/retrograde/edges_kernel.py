"""The kernels that sweep along the listed edges between open states, without calls of the rules.

The list has a record for each open state, in the order of the table. The first number of a record
holds the number of edges, whether the mover can escape, whether the state has been settled since,
and the player to move; a number per edge follows, with the successor's entry and whether players
are swapped. A sweep scans all edges, but examines only the records with an edge to a state settled
in the previous sweep. Edges to states that are bad for the mover are deleted. The list is
rewritten, shorter, when a large part is obsolete. After many sweeps the list is reversed, if memory
suffices: the predecessors of each state are listed, and values spread along the predecessor lists.

With b the bits of a number (`bits` of the notes, enough for an edge), w the numbers of the list, n
the open states at the reversal and e the edges between open states; arrays of narrow numbers use 63
bits of every 64, so that no element is negative. See `Sweep` and `Reversal`; further arrays are
described in `retrograde_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED, UNFIT
from gamedsl.solvers.kernels.retrograde.retrograde_kernel import (
    COUNT,
    NOBODY,
    TOGETHER,
    UNSETTLED,
    RetrogradeNotes,
    write_code,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        MOST_CODE,
        SHIFT,
        WIDTH,
        Array,
        count_bits,
        lowest,
    )

ESCAPES, GONE, COUNTED = 2, 4, 3
"""Bits of a record's first number: the mover can escape, the state has been settled; and the first
bit of the number of edges."""
HELD = 63
"""Bits of a 64-bit number used in arrays of narrow numbers."""
PLACES, SIDES = 6, 4
"""Low bits of an entry number that select a position in a number of `settled`, of `forcers`."""
SIDE, DEGREE, HALF = 1, 3, 32
"""The first bits of the parts of `nodes`."""
BLOCK = 5
"""Low bits of an entry number that select an entry among the entries of one rank."""


class Goal(Record):
    """For a player to move: the level that the player forces, and the level that the player
    concedes without a better alternative, from the player's perspective: levels of the second
    player have the opposite sign."""

    forced: int
    conceded: int


class Sweep(Arrays):
    """goals: by the player to move.
    sides: int64[3]: the payoffs forced by the first player, by the second, and by both together.
    levels: int64[payoffs]: the rank of a payoff for the first player; endless play is 0.
    listed: int64[entries / 64 + 1]: a bit per entry: whether the entry has a record.
    edges: int64[w * b / 63 + 2]: the list.
    sieve: int64[s]: `settled`, or, after few settled states, a smaller array: entries that are
        equal modulo 64 s share a bit. Then `sieved` of the notes is s - 1, for a power of two.
    settled, settling: int64[entries / 64 + 1]: a bit per entry: whether the entry was settled in
        the previous sweep, and in the current sweep. No listed edge leads to a state settled
        earlier.
    forcers, forcing: int64[entries / 16 + 1]: the player who forced the value of an entry settled
        in the previous or the current sweep, + 1, 16 entries per number. Few edges lead to a
        settled entry, so memory latency matters only for `settled`, which is small.
    """

    goals: Rows[Goal]
    sides: Array
    levels: Array
    listed: Array
    edges: Array
    sieve: Array
    settled: Array
    settling: Array
    forcers: Array
    forcing: Array


class Reversal(Arrays):
    """ranks: int64[entries / 32 + 1]: for 32 entries: the open entries, and the number of open
    entries before.
    starts: int64[n + 1]: the beginning of each state's list in `predecessors`.
    predecessors: int64[e * b / 63 + 2]: predecessors; the first bit says that players are swapped.
    nodes: int64[n]: the player to move; from `SIDE` on the player who forced the value; from
        `DEGREE` on the number of successors not yet settled as bad for the mover; from `HALF` on
        plies + 1 (0: open).
    queue: int64[n * b / 63 + 2]: settled states in order of distance from the end.
    """

    ranks: Array
    starts: Array
    predecessors: Array
    nodes: Array
    queue: Array


def number_in(at: int, bits: int, row: Array) -> int:
    """An element of an array of numbers with `bits` bits."""
    place = at * bits // HELD
    first = at * bits - place * HELD
    number: int = (row[place] >> first | row[place + 1] << HELD - first) & (1 << bits) - 1
    return number


def put_number(at: int, number: int, bits: int, row: Array) -> int:
    """Write an element of an array of numbers with `bits` bits."""
    place = at * bits // HELD
    first = at * bits - place * HELD
    change = number_in(at, bits, row) ^ number
    row[place] ^= change << first & (1 << HELD) - 1
    row[place + 1] ^= change >> HELD - first
    return 0


def add_number(at: int, number: int, bits: int, row: Array) -> int:
    """Write an element that is still 0 in an array of numbers with `bits` bits."""
    place = at * bits // HELD
    first = at * bits - place * HELD
    row[place] |= number << first & (1 << HELD) - 1
    row[place + 1] |= number >> HELD - first
    return 0


def bit_at(place: int) -> int:
    """A number with a single bit set; the last bit is the sign."""
    return 1 - 2 * (place // 63) << place


def settle(entry: int, side: int, sweep: Sweep) -> int:
    """Record that an entry is settled, and the player who forced its value."""
    place = entry & (1 << PLACES) - 1
    sweep.settling[entry >> PLACES] |= bit_at(place)
    sweep.forcing[entry >> SIDES] |= side + 1 << ((entry & (1 << SIDES) - 1) << 2)
    return entry


def forcer_of(edge: int, sweep: Sweep) -> int:
    """The player who forced the value of the successor at the end of an edge, from the perspective
    of the edge's origin; `NOBODY` if the successor was not settled in the previous sweep."""
    entry = edge >> 1
    if sweep.settled[entry >> PLACES] >> (entry & (1 << PLACES) - 1) & 1 == 0:
        return NOBODY
    side: int = (sweep.forcers[entry >> SIDES] >> ((entry & (1 << SIDES) - 1) << 2) & 3) - 1
    return side if side == TOGETHER else side ^ edge & 1


def is_touched(read: int, end: int, bits: int, edges: Array, mask: int, sieve: Array) -> bool:
    """Whether some of these edges may lead to a state settled in the previous sweep."""
    place = read * bits // HELD
    first = read * bits - place * HELD
    edge_mask = (1 << bits - 1) - 1
    touched = 0
    for _ in range(read, end):
        entry = (edges[place] >> first | edges[place + 1] << HELD - first) >> 1 & edge_mask
        touched |= sieve[entry >> PLACES & mask] >> (entry & (1 << PLACES) - 1)
        first += bits
        if first >= HELD:
            first -= HELD
            place += 1
    return touched & 1 != 0


def scan_edges(read: int, first: int, none: int, sweep: Sweep, notes: RetrogradeNotes) -> int:
    """The player who forces the value of the state with the record at `read`; `NOBODY` if the state
    is still open: then edges to states bad for the mover are deleted."""
    mover = first & 1
    side = NOBODY
    left = 0
    bits = notes.bits
    for at in range(read + 1, read + 1 + (first >> COUNTED)):
        edge = number_in(at, bits, sweep.edges)
        if edge != none:
            forces = forcer_of(edge, sweep)
            if forces == NOBODY:
                left += 1
            elif forces != 1 - mover:
                side = forces
            else:
                put_number(at, none, bits, sweep.edges)
                notes.vain += 1
    if side == NOBODY and left == 0 and first & ESCAPES == 0:
        side = 1 - mover
    return side


def rewrite_edges(read: int, first: int, none: int, sweep: Sweep, notes: RetrogradeNotes) -> int:
    """Append a record to the rewritten list, without deleted edges; returns 0."""
    bits = notes.bits
    begin = notes.written
    written = begin + 1
    for at in range(read + 1, read + 1 + (first >> COUNTED)):
        edge = number_in(at, bits, sweep.edges)
        if edge != none:
            put_number(written, edge, bits, sweep.edges)
            written += 1
    put_number(
        begin, written - begin - 1 << COUNTED | first & (1 << COUNTED) - 1, bits, sweep.edges
    )
    notes.written = written
    return 0


def sweep_edges(table: Array, sweep: Sweep, notes: RetrogradeNotes, slice_size: int) -> int:
    """Settle the open states of a part that are one ply farther from the end than the states
    settled last."""
    length = notes.length
    bits = notes.bits
    none = notes.none
    mask = notes.sieved
    shortens = notes.shortens != 0
    looked_at = 0
    left = 0
    read = notes.read
    entry = notes.place // WIDTH
    last = notes.end // WIDTH
    while entry < last and looked_at < slice_size:
        block = sweep.listed[entry >> PLACES]
        while block != 0:
            place = lowest(block)
            block ^= bit_at(place)
            looked_at += 1
            first = number_in(read, bits, sweep.edges)
            end = read + 1 + (first >> COUNTED)
            is_open = first & GONE == 0
            if is_open and is_touched(read + 1, end, bits, sweep.edges, mask, sweep.sieve):
                side = scan_edges(read, first, none, sweep, notes)
                if side != NOBODY:
                    code = length + 1 << CLASS_BITS | sweep.sides[side]
                    if code > MOST_CODE:
                        return UNFIT
                    write_code((entry + place) * WIDTH, code, table)
                    settle(entry + place, side, sweep)
                    put_number(read, first | GONE, bits, sweep.edges)
                    notes.settled += 1
                    notes.vain += end - read
                    is_open = False
            if is_open:
                left += 1
            if shortens:
                if is_open:
                    rewrite_edges(read, first, none, sweep, notes)
                else:
                    sweep.listed[entry >> PLACES] ^= bit_at(place)
            read = end
        entry += 1 << PLACES
    notes.read = read
    notes.left += left
    notes.place = entry * WIDTH
    return DONE if entry >= last else SLICED


def fold(settled: Array, sieve: Array) -> int:
    """Fill an array with a bit for several entries: whether at least one of them was settled."""
    mask = len(sieve) - 1
    for place in range(len(settled)):
        sieve[place & mask] |= settled[place]
    return 0


def rank_open(table: Array, ranks: Array) -> int:
    """Number the open states; return the number of open states."""
    count = 0
    for block in range(len(ranks)):
        bits = 0
        before = count
        place = (block << BLOCK) * WIDTH
        for offset in range(1 << BLOCK):
            if place < len(table) and table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
                bits |= 1 << offset
                count += 1
            place += WIDTH
        ranks[block] = before << HALF | bits
    return count


def number_at(entry: int, reversal: Reversal) -> int:
    """The number of an open state."""
    rank = reversal.ranks[entry >> BLOCK]
    before = (1 << (entry & (1 << BLOCK) - 1)) - 1
    number: int = (rank >> HALF) + count_bits(rank & before)
    return number


def is_open(entry: int, reversal: Reversal) -> bool:
    """Whether an entry belongs to an open state."""
    rank: int = reversal.ranks[entry >> BLOCK]
    return rank >> (entry & (1 << BLOCK) - 1) & 1 != 0


def append(node: int, reversal: Reversal, notes: RetrogradeNotes) -> int:
    """Append a state to the queue."""
    tail = notes.tail
    add_number(tail, node, notes.bits, reversal.queue)
    notes.tail = tail + 1
    return 0


def reverse_edges(
    phase: int, last: int, sweep: Sweep, reversal: Reversal, notes: RetrogradeNotes, slice_size: int
) -> int:
    """Reverse the list of edges, in two phases.

    `COUNT`: append to the queue the open states that are one ply farther from the end than the
    states settled last, and count the predecessors of the remaining open states. `REVERSE`: list
    the predecessors. `starts` holds the ends of the lists first, and their beginnings at the end of
    `REVERSE`. The list of edges contains the nodes up to `last`.
    """
    length = notes.length
    bits = notes.bits
    none = notes.none
    for _ in range(slice_size):
        node = notes.node
        if node == last:
            return DONE
        at = notes.read
        first = number_in(at, bits, sweep.edges)
        mover = first & 1
        end = at + 1 + (first >> COUNTED)
        notes.read = end
        if first & GONE == 0:
            if phase == COUNT:
                side = NOBODY
                degree = 1 if first & ESCAPES != 0 else 0
                for place in range(at + 1, end):
                    edge = number_in(place, bits, sweep.edges)
                    if edge != none:
                        forces = forcer_of(edge, sweep)
                        if forces == NOBODY:
                            degree += 1
                        elif forces != 1 - mover:
                            side = forces
                if side == NOBODY and degree == 0:
                    side = 1 - mover
                reversal.nodes[node] = degree << DEGREE | mover
                if side != NOBODY:
                    reversal.nodes[node] = length + 1 << HALF | side << SIDE | mover
                    append(node, reversal, notes)
            if reversal.nodes[node] >> HALF == 0:
                for place in range(at + 1, end):
                    edge = number_in(place, bits, sweep.edges)
                    forces = TOGETHER
                    if edge != none:
                        forces = forcer_of(edge, sweep)
                    if forces == NOBODY and is_open(edge >> 1, reversal):
                        child = number_at(edge >> 1, reversal)
                        if phase == COUNT:
                            reversal.starts[child] += 1
                        else:
                            before = reversal.starts[child] - 1
                            reversal.starts[child] = before
                            add_number(before, node << 1 | edge & 1, bits, reversal.predecessors)
            notes.node = node + 1
    return SLICED


def spread(reversal: Reversal, notes: RetrogradeNotes, slice_size: int) -> int:
    """Settle the open states from which a player forces a level, in order of distance from the end.
    The opponent is bound to concede when no successor is unsettled."""
    bits = notes.bits
    for _ in range(slice_size):
        head = notes.head
        if head == notes.tail:
            return DONE
        node = number_in(head, bits, reversal.queue)
        length = reversal.nodes[node] >> HALF
        side = reversal.nodes[node] >> SIDE & 3
        for place in range(reversal.starts[node], reversal.starts[node + 1]):
            edge = number_in(place, bits, reversal.predecessors)
            predecessor = edge >> 1
            known = reversal.nodes[predecessor]
            if known >> HALF == 0:
                known -= 1 << DEGREE
                mover = known & 1
                forces = side if side == TOGETHER else side ^ edge & 1
                if forces != 1 - mover or known >> DEGREE == 0:
                    known = length + 1 << HALF | forces << SIDE | mover
                    append(predecessor, reversal, notes)
                reversal.nodes[predecessor] = known
        notes.head = head + 1
    return SLICED


def write_values(table: Array, sides: Array, nodes: Array) -> int:
    """Write the values of open states into the table; returns a status."""
    node = 0
    for place in range(0, len(table), WIDTH):
        if table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
            known = nodes[node]
            if known >> HALF != 0:
                code = known >> HALF << CLASS_BITS | sides[known >> SIDE & 3]
                if code > MOST_CODE:
                    return UNFIT
                write_code(place, code, table)
            node += 1
    return DONE
