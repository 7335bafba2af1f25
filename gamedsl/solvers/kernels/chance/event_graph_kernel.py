"""The kernel that numbers the states of a game with chance, written against the names of `abi`.

All reachable states, including chance events, are numbered breadth first; the code of a state in
the table is its number + 1. Successors are kept as edges between numbers, for `components_kernel`
and `interval_kernel`. The table is described in `induction_kernel`; with n the number of states and
e of edges:

arrays: see `EventArrays`.
notes: see `EventNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.components_kernel import WEIGHT_SHIFT, ComponentNotes
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    HIGH,
    NEW_PAYOFF,
    SLICED,
    UNFIT,
    bucket_of,
    entry_from,
    payoff_of,
    successors_of,
)
from gamedsl.solvers.kernels.numbering_kernel import number_first, number_next
from gamedsl.solvers.kernels.table_records import TableArrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        EVENT_AT,
        SHIFT,
        WIDTH,
        Array,
        State,
        draw,
        draws,
        pack_key,
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
    )

NATURE = -3
"""The kind of a chance event."""
NOT_KNOWN = -4
"""In place of a kind: an ending with an unknown payoff."""
MOST_WEIGHT = 1 << 31


class EventArrays(TableArrays):
    """keys: int64[n + room, WIDTH]: keys by number, and room for the successors of one state.
    kinds: int64[n]: the number of an ending's payoff, -1 - the player to move, or `NATURE`.
    firsts: int64[n + 1]: the first edge of each state.
    edges: int64[e]: a successor's number, and from `WEIGHT_SHIFT` on the weight of the outcome, at
        a chance event.
    weights: int64[LARGEST_EVENT].
    """

    kinds: Array
    firsts: Array
    edges: Array
    weights: Array


class EventNotes(ComponentNotes):
    """edges, events: number of edges and of chance events; heaviest: the greatest sum of
    weights."""

    edges: int
    events: int
    heaviest: int


def kind_of(state: State, payoffs: Array, notes: EventNotes) -> int:
    """The kind of a state; `NOT_KNOWN` for an unknown payoff, which is written to the notes."""
    if state[EVENT_AT] != 0:
        return NATURE
    per, first_share, second_share = payoffs_after(*state)
    if per == 0:
        return -1 - turn_of(*state)
    payoff = payoff_of(per, first_share, second_share, payoffs, notes)
    return payoff if payoff >= 0 else NOT_KNOWN


def outcomes_of(
    state: State, keys: Array, at: int, weights: Array, buckets: Array, table: Array
) -> int:
    """Write the keys of the states after a chance event from a place on, the beginnings of their
    chains, and their weights; return the number of outcomes."""
    rest = draws(*state, weights)
    count = 0
    outcome = 0
    while rest > 0:
        weight = weights[outcome]
        if weight > 0:
            pack_key(*draw(*state, outcome), keys, at)
            buckets[2 * count] = bucket_of(keys, at, table)
            prefetch(table, buckets[2 * count] + WIDTH - 1)
            buckets[2 * count + 1] = weight
            at += WIDTH
            count += 1
            rest -= weight
        outcome += 1
    return count


def number_outcomes(node: int, arrays: EventArrays, notes: EventNotes) -> int:
    """Number the successors of a state, and store them as edges; returns a status. After any status
    but `DONE` the call can be repeated."""
    first = notes.used
    state = unpack_key(arrays.keys, node * WIDTH)
    is_event = arrays.kinds[node] == NATURE
    if is_event:
        count = outcomes_of(
            state, arrays.keys, first * WIDTH, arrays.weights, arrays.buckets, arrays.table
        )
        heaviest = 0
        for number in range(count):
            heaviest += arrays.buckets[2 * number + 1]
        if heaviest >= MOST_WEIGHT:
            return UNFIT
        notes.heaviest = max(notes.heaviest, heaviest)
    else:
        count = successors_of(
            state, arrays.keys, first * WIDTH, arrays.actions, arrays.buckets, arrays.table
        )
    for number in range(count):
        at = (first + number) * WIDTH
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            kind = kind_of(unpack_key(arrays.keys, at), arrays.payoffs, notes)
            if kind == NOT_KNOWN:
                return NEW_PAYOFF
            code = number_next(place, at, arrays.table, arrays.keys, notes)
            arrays.kinds[code - 1] = kind
            notes.endings += 1 if kind >= 0 else 0
            notes.events += 1 if kind == NATURE else 0
        weight = arrays.buckets[2 * number + 1] if is_event else 0
        arrays.edges[notes.edges + number] = code - 1 | weight << WEIGHT_SHIFT
    notes.edges += count
    return DONE


def explore(arrays: EventArrays, most: int, notes: EventNotes, slice_size: int) -> int:
    """Number all reachable states, at most `most`, with their edges."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        arrays.kinds[0] = kind_of(unpack_key(arrays.keys, 0), arrays.payoffs, notes)
        notes.events = 1 if arrays.kinds[0] == NATURE else 0
    for _ in range(slice_size):
        node = notes.node
        if node == notes.used:
            return DONE
        if arrays.kinds[node] < 0:
            if notes.used + len(arrays.actions) > most:
                return FULL
            if notes.edges + len(arrays.actions) > len(arrays.edges):
                return HIGH
            status = number_outcomes(node, arrays, notes)
            if status != DONE:
                return status
        notes.node = node + 1
        arrays.firsts[node + 1] = notes.edges
    return SLICED


def put_endings(
    kinds: Array, lows: Array, highs: Array, lower: Array, upper: Array, notes: EventNotes
) -> int:
    """Bound the values of endings; `lows`, `highs`: int64[payoffs]."""
    for node in range(notes.used):
        if kinds[node] >= 0:
            lower[node] = lows[kinds[node]]
            upper[node] = highs[kinds[node]]
    return 0
