"""The kernels that go along the ways between open states, and ask the rules nothing.

The list has a record for each open state, in the order of the table: a number that says how many
ways are listed, whether the mover can escape, and who moves; then for each way the entry that it
leads to and whether players are swapped on it. In a sweep the list is written again, shorter: what
is settled has no record, and what is borne is no way. After many sweeps the list is turned round,
if there is room: the states before each are listed, and values spread along these lists.

Arrays are those of `retrograde_kernel`, and, with w the numbers of the list, n that of open states
when it is turned round and e that of ways between them:

ways: int64[w / 2]: the list, two numbers of 31 bits in one.
settled, settling: int64[entries / 64]: a bit for each entry: whether it was settled in the sweep
before, and in this one. What was settled earlier is on no way that is listed.
forcers, forcing: int64[entries / 16]: who has forced the value of such an entry + 1, 16 in a
number, in the sweep before and in this one. Few ways lead to one, so that sweeps wait for `settled`
alone, which is small.
sides: int64[3]: the payoff that the first player forces, the second, and both together.
ranks: int64[entries / 32 + 1]: for 32 entries which are open, and how many are open before.
starts: int64[n + 1]: where the states before each begin in `predecessors`.
predecessors: int64[(e + 1) // 2]: two in a number; the first bit says that players are swapped.
nodes: int64[n]: who moves; from `SIDE` on who has forced its value; from `DEGREE` on the successors
that are not settled as badly for who moves; from `HALF` on plies + 1 (0: open).
queue: int64[n // 2 + 1]: settled states in order of distance from the end, two in a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED, UNFIT
from gamedsl.solvers.kernels.returning.retrograde_kernel import (
    COUNT,
    END,
    HEAD,
    LEFT,
    LENGTH,
    NOBODY,
    NODE,
    PLACE,
    READ,
    SETTLED,
    TAIL,
    TOGETHER,
    UNSETTLED,
    WRITTEN,
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
    )

ESCAPES, COUNTED = 2, 2
"""In the first number of a record: the bit that says that the mover can escape, and the first bit
of how many ways are listed."""
PLACES, SIDES = 6, 4
"""Bits of the number of an entry that say which it is in a number of `settled`, of `forcers`."""
SIDE, DEGREE, HALF = 1, 3, 32
"""The first bits of what is known of an open state."""
BLOCK = 5
"""Bits of the number of an entry that say which it is of those that have one rank."""


def number_in(at: int, row: Array) -> int:
    """A number of an array that has two in one."""
    found: int = row[at >> 1] >> HALF * (at & 1) & (1 << HALF) - 1
    return found


def put_number(at: int, number: int, row: Array) -> int:
    """Write a number of an array that has two in one."""
    row[at >> 1] ^= (number_in(at, row) ^ number) << HALF * (at & 1)
    return 0


def settle(entry: int, side: int, settling: Array, forcing: Array) -> int:
    """Say that an entry is settled, and who has forced its value."""
    place = entry & (1 << PLACES) - 1
    settling[entry >> PLACES] |= 1 - 2 * (place // 63) << place  # the last bit is a sign
    forcing[entry >> SIDES] |= side + 1 << ((entry & (1 << SIDES) - 1) << 2)
    return entry


def forcer_of(way: int, settled: Array, forcers: Array) -> int:
    """Who has forced the value of where a way leads, as seen from where it begins; `NOBODY` if it
    was not settled in the sweep before."""
    entry = way >> 1
    if settled[entry >> PLACES] >> (entry & (1 << PLACES) - 1) & 1 == 0:
        return NOBODY
    side: int = (forcers[entry >> SIDES] >> ((entry & (1 << SIDES) - 1) << 2) & 3) - 1
    return side if side == TOGETHER else side ^ way & 1


def sweep_along(
    table: Array,
    sides: Array,
    ways: Array,
    settled: Array,
    settling: Array,
    forcers: Array,
    forcing: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Settle those open states of a part that are one ply farther from the end than those settled
    last."""
    length = notes[LENGTH]
    looked_at = 0
    place = notes[PLACE]
    last = notes[END]
    while place < last:
        if table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
            if looked_at == slice_size:
                notes[PLACE] = place
                return SLICED
            looked_at += 1
            read = notes[READ]
            first = number_in(read, ways)
            mover = first & 1
            begin = notes[WRITTEN]
            written = begin + 1
            side = NOBODY
            read += 1
            end = read + (first >> COUNTED)
            half = 0  # a way that waits for another one to share its number
            while read < end:
                way = number_in(read, ways)
                forces = forcer_of(way, settled, forcers)
                if forces == NOBODY:
                    if written & 1 == 0:
                        half = way
                    else:
                        ways[written >> 1] = half | way << HALF
                    written += 1
                elif forces != 1 - mover:
                    side = forces
                read += 1
            if written & 1 == 1 and written > begin + 1:
                put_number(written - 1, half, ways)
            notes[READ] = end
            if side == NOBODY and written == begin + 1 and first & ESCAPES == 0:
                side = 1 - mover
            if side == NOBODY:
                number = written - begin - 1 << COUNTED | first & ESCAPES | mover
                put_number(begin, number, ways)
                notes[WRITTEN] = written
                notes[LEFT] += 1
            else:
                code = length + 1 << CLASS_BITS | sides[side]
                if code > MOST_CODE:
                    return UNFIT
                write_code(place, code, table)
                settle(place // WIDTH, side, settling, forcing)
                notes[SETTLED] += 1
        place += WIDTH
    notes[PLACE] = place
    return DONE


def rank_open(table: Array, ranks: Array) -> int:
    """Number the open states; how many there are."""
    count = 0
    for block in range(len(ranks)):
        bits = 0
        before = count
        place = (block << BLOCK) * WIDTH
        for one in range(1 << BLOCK):
            if place < len(table) and table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
                bits |= 1 << one
                count += 1
            place += WIDTH
        ranks[block] = before << HALF | bits
    return count


def number_at(entry: int, ranks: Array) -> int:
    """The number of an open state."""
    rank = ranks[entry >> BLOCK]
    before = (1 << (entry & (1 << BLOCK) - 1)) - 1
    number: int = (rank >> HALF) + count_bits(rank & before)
    return number


def append(node: int, queue: Array, notes: Array) -> int:
    """Put a state at the end of the queue."""
    tail = notes[TAIL]
    queue[tail >> 1] |= node << HALF * (tail & 1)
    notes[TAIL] = tail + 1
    return 0


def turn_round(
    phase: int,
    last: int,
    ways: Array,
    settled: Array,
    forcers: Array,
    ranks: Array,
    starts: Array,
    predecessors: Array,
    nodes: Array,
    queue: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Put those open states in the queue that are one ply farther from the end than those settled
    last, and count others among those before what they lead to; or list these. `starts` are where
    lists end then, and in the end where they begin. Nodes up to `last` are on this list of ways."""
    length = notes[LENGTH]
    for _ in range(slice_size):
        node = notes[NODE]
        if node == last:
            return DONE
        at = notes[READ]
        first = number_in(at, ways)
        mover = first & 1
        end = at + 1 + (first >> COUNTED)
        if phase == COUNT:
            side = NOBODY
            degree = 1 if first & ESCAPES != 0 else 0
            for place in range(at + 1, end):
                forces = forcer_of(number_in(place, ways), settled, forcers)
                if forces == NOBODY:
                    degree += 1
                elif forces != 1 - mover:
                    side = forces
            if side == NOBODY and degree == 0:
                side = 1 - mover
            nodes[node] = degree << DEGREE | mover
            if side != NOBODY:
                nodes[node] = length + 1 << HALF | side << SIDE | mover
                append(node, queue, notes)
        if nodes[node] >> HALF == 0:
            for place in range(at + 1, end):
                way = number_in(place, ways)
                if forcer_of(way, settled, forcers) == NOBODY:
                    child = number_at(way >> 1, ranks)
                    if phase == COUNT:
                        starts[child] += 1
                    else:
                        before = starts[child] - 1
                        starts[child] = before
                        put_number(before, node << 1 | way & 1, predecessors)
        notes[READ] = end
        notes[NODE] = node + 1
    return SLICED


def spread(
    starts: Array, predecessors: Array, nodes: Array, queue: Array, notes: Array, slice_size: int
) -> int:
    """Settle the open states from which a player forces a level, nearest to the end first. The
    other player is bound when nothing follows that is not settled."""
    half = (1 << HALF) - 1
    for _ in range(slice_size):
        head = notes[HEAD]
        if head == notes[TAIL]:
            return DONE
        node = queue[head >> 1] >> HALF * (head & 1) & half
        length = nodes[node] >> HALF
        side = nodes[node] >> SIDE & 3
        for place in range(starts[node], starts[node + 1]):
            way = predecessors[place >> 1] >> HALF * (place & 1) & half
            one = way >> 1
            known = nodes[one]
            if known >> HALF == 0:
                known -= 1 << DEGREE
                mover = known & 1
                forces = side if side == TOGETHER else side ^ way & 1
                if forces != 1 - mover or known >> DEGREE == 0:
                    known = length + 1 << HALF | forces << SIDE | mover
                    append(one, queue, notes)
                nodes[one] = known
        notes[HEAD] = head + 1
    return SLICED


def write_values(table: Array, sides: Array, nodes: Array) -> int:
    """Write what is known of open states into the table; gives a status."""
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
