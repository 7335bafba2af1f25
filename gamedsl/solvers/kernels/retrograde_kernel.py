"""The kernels of retrograde analysis, written against the names that every module offers (`abi`).

First all states are numbered, breadth first; the code of a state in the table is its number + 1.
Then the states before each are listed: successors are worked out a second time, which takes less
than keeping them. From there on it is a matter of numbers alone: values spread backwards from the
endings (`solvers.exact.retrograde`).

Arrays are those of `induction_kernel`, and, with n the number of states and e of edges:

keys: int64[n + ACTIONS + 1, WIDTH]: keys by number, and room for the successors of one state.
kinds: int64[n]: the number of an ending's payoff, or -1 - the player who moves.
predecessor_counts: int64[n + 1]: how many states are before each; `prefix_sum` and `fill_csr` make
it the place in `predecessors` where the list of each begins.
predecessors: int64[(e + 1) // 2]: the states before each, one list behind the other (compressed
rows, CSR), two in a number.
degrees: int64[n]: the successors of each, and from `HALF` on those that are not settled.
levels: int64[payoffs]: how good a payoff is for the first player; endless play is 0.
values, plies: int64[n]: the level, and plies to the end + 1 (0: not settled).
queue: int64[n // 2 + 1]: settled states in order of distance from the end, two in a number.
notes: int64[ALL_NOTES].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    ENDINGS,
    FULL,
    NEW_PAYOFF,
    SLICED,
    UNFIT,
    USED,
    bucket_of,
    enter,
    entry_from,
    payoff_of,
    successors_of,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        MOST_CODE,
        SHIFT,
        WIDTH,
        Array,
        payoffs_after,
        turn_of,
        unpack_key,
    )

# Besides the notes of `induction_kernel`: the next state to be looked at, and the next and the
# end of those from which a value spreads.
NODE, HEAD, TAIL = range(7, 10)
ALL_NOTES = 10
HALF = 32
"""Bits of a state's number where two share one number."""
ANYBODY = 2
"""In place of a player: whoever moves goes along."""


def number_successors(
    node: int,
    table: Array,
    keys: Array,
    kinds: Array,
    predecessor_counts: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
) -> int:
    """Number the successors of a state, and count it as one before each; gives a status. After
    any but `DONE` it can be done again."""
    first = notes[USED]
    count = successors_of(
        unpack_key(keys, node * WIDTH), keys, first * WIDTH, actions, buckets, table
    )
    for number in range(count):
        at = (first + number) * WIDTH
        place = entry_from(buckets[2 * number], keys, at, table)
        code = table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            code = notes[USED] + 1
            if code > MOST_CODE:
                return UNFIT
            state = unpack_key(keys, at)
            per, one, other = payoffs_after(*state)
            kind = -1 - turn_of(*state)
            if per != 0:
                kind = payoff_of(per, one, other, payoffs, notes)
                if kind < 0:
                    return NEW_PAYOFF
                notes[ENDINGS] += 1
            for part in range(WIDTH):
                keys[(code - 1) * WIDTH + part] = keys[at + part]
            enter(place, keys, at, code, table)
            kinds[code - 1] = kind
            notes[USED] = code
        buckets[2 * number] = code - 1
    for number in range(count):
        predecessor_counts[buckets[2 * number]] += 1
    return DONE


def explore(
    table: Array,
    most: int,
    keys: Array,
    kinds: Array,
    predecessor_counts: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Number all states that can be reached, at most `most`, and count those before each."""
    if notes[USED] == 0:
        state = unpack_key(keys, 0)
        enter(entry_from(bucket_of(keys, 0, table), keys, 0, table), keys, 0, 1, table)
        kinds[0] = -1 - turn_of(*state)
        notes[USED] = 1
    for _ in range(slice_size):
        node = notes[NODE]
        if node == notes[USED]:
            return DONE
        if kinds[node] < 0:
            if notes[USED] + len(actions) > most:
                return FULL
            status = number_successors(
                node, table, keys, kinds, predecessor_counts, actions, buckets, payoffs, notes
            )
            if status != DONE:
                return status
        notes[NODE] = node + 1
    return SLICED


def prefix_sum(predecessor_counts: Array, count: int) -> int:
    """Make the numbers of states before each the ends of their lists, one behind the other."""
    total = 0
    for node in range(count):
        total += predecessor_counts[node]
        predecessor_counts[node] = total
    predecessor_counts[count] = total
    return total


def fill_csr(
    table: Array,
    keys: Array,
    kinds: Array,
    predecessor_counts: Array,
    predecessors: Array,
    degrees: Array,
    actions: Array,
    buckets: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """List the states before each, and count the successors; `predecessor_counts` becomes the
    places where the lists begin."""
    free = notes[USED]
    for _ in range(slice_size):
        node = notes[NODE]
        if node == free:
            return DONE
        if kinds[node] < 0:
            count = successors_of(
                unpack_key(keys, node * WIDTH), keys, free * WIDTH, actions, buckets, table
            )
            degrees[node] = count
            for number in range(count):
                place = entry_from(buckets[2 * number], keys, (free + number) * WIDTH, table)
                child = (table[place + WIDTH - 1] >> SHIFT) - 1
                predecessor_counts[child] -= 1
                before = predecessor_counts[child]
                predecessors[before >> 1] |= node << HALF * (before & 1)
        notes[NODE] = node + 1
    return SLICED


def unsettle(degrees: Array, notes: Array) -> int:
    """Count all successors as not settled."""
    for node in range(notes[USED]):
        degree = degrees[node] & (1 << HALF) - 1
        degrees[node] = degree << HALF | degree
    return 0


def append(node: int, queue: Array, notes: Array) -> int:
    """Put a state at the end of the queue."""
    tail = notes[TAIL]
    queue[tail >> 1] |= node << HALF * (tail & 1)
    notes[TAIL] = tail + 1
    return 0


def init_frontier(
    level: int,
    kinds: Array,
    levels: Array,
    values: Array,
    plies: Array,
    queue: Array,
    notes: Array,
) -> int:
    """Settle the endings of a level: those that a value spreads from. `plies` are one more than
    they are; 0: not settled."""
    for node in range(notes[USED]):
        if kinds[node] >= 0 and levels[kinds[node]] == level:
            values[node] = level
            plies[node] = 1
            append(node, queue, notes)
    return 0


def spread(
    level: int,
    forcer: int,
    kinds: Array,
    predecessor_counts: Array,
    predecessors: Array,
    degrees: Array,
    values: Array,
    plies: Array,
    queue: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Settle the states from which a player forces a level, nearest to the end first. The
    other player is bound when no successor is left that is not settled."""
    half = (1 << HALF) - 1
    for _ in range(slice_size):
        head = notes[HEAD]
        if head == notes[TAIL]:
            return DONE
        node = queue[head >> 1] >> HALF * (head & 1) & half
        for place in range(predecessor_counts[node], predecessor_counts[node + 1]):
            one = predecessors[place >> 1] >> HALF * (place & 1) & half
            degrees[one] -= 1 << HALF
            forces = forcer == ANYBODY or kinds[one] == -1 - forcer
            if plies[one] == 0 and (forces or degrees[one] >> HALF == 0):
                values[one] = level
                plies[one] = plies[node] + 1
                append(one, queue, notes)
        notes[HEAD] = head + 1
    return SLICED
