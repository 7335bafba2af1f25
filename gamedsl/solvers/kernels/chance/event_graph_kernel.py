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

from gamedsl.compiler.records import Record
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    MOST_CHOICES,
    ComponentNotes,
    kind_at,
    node_of,
    put_half,
)
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    HIGH,
    NEW_PAYOFF,
    NEW_REWARD,
    ODD,
    SLICED,
    UNFIT,
    bucket_of,
    entry_from,
    payoff_of,
)
from gamedsl.solvers.kernels.numbering_kernel import number_first, number_next
from gamedsl.solvers.kernels.table_records import TableArrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        EVENT_AT,
        IS_NARROW,
        NO_MOVES,
        OPENING,
        PAYS,
        SHARES,
        SHIFT,
        WIDTH,
        Array,
        State,
        apply,
        draw,
        draws,
        fault,
        legal,
        pack_key,
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
        write_rewards,
    )

NATURE = -3
"""The kind of a chance event."""
NOT_KNOWN = -4
"""In place of a kind: an ending with an unknown payoff."""
MOST_WEIGHT = 1 << 31
PAID_AT = 2
"""The place of a reward in the row of a label."""


class EventArrays(TableArrays):
    """keys: int64[n + room, WIDTH]: keys by number, and room for the successors of one state; keys
        of states whose successors are known need not be kept.
    nodes, edges: as in `components_kernel`; the label of an edge is the number of a row of
        `labels`.
    labels: int64[l, PAID_AT + SHARES]: the weight of an outcome, or 1; whether the step completes a
        ply, so that a discount applies; the denominator and the numerators of its reward.
    asked: int64[PAID_AT + SHARES]: a label that the caller has to add.
    weights: int64[LARGEST_EVENT].
    """

    nodes: Array
    edges: Array
    labels: Array
    asked: Array
    weights: Array


class EventNotes(ComponentNotes):
    """edges, events: number of edges and of chance events; heaviest: the greatest sum of weights;
    labels: number of known labels; label: the label of the last edge."""

    edges: int
    events: int
    heaviest: int
    labels: int
    label: int


def kind_of(state: State, payoffs: Array, notes: EventNotes) -> int:
    """The kind of a state; `NOT_KNOWN` for an unknown payoff, which is written to the notes."""
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return NATURE
    per, first_share, second_share = payoffs_after(*state)
    if per == 0:
        return -1 - turn_of(*state)
    payoff = payoff_of(per, first_share, second_share, payoffs, notes)
    return payoff if payoff >= 0 else NOT_KNOWN


def is_label(number: int, arrays: EventArrays) -> bool:
    """Whether the label asked for has a number."""
    differs = 0
    for part in range(PAID_AT + SHARES):
        differs |= arrays.labels[number * (PAID_AT + SHARES) + part] ^ arrays.asked[part]
    return differs == 0


def label_of(
    state: State, step: int, weight: int, child: State, arrays: EventArrays, notes: EventNotes
) -> int:
    """The number of the label of a step, an action or an outcome, from a state to the next; -1 for
    an unknown label, which is left in `asked`."""
    arrays.asked[0] = weight
    arrays.asked[1] = 0
    if PAYS:
        arrays.asked[1] = 1
        if EVENT_AT >= 0:
            is_whole = child[EVENT_AT] == 0 and OPENING[state[EVENT_AT]] == 0
            arrays.asked[1] = 1 if is_whole else 0
        write_rewards(*state, step, arrays.asked, PAID_AT)
    if notes.label < notes.labels and is_label(notes.label, arrays):
        return notes.label
    for number in range(notes.labels):
        if is_label(number, arrays):
            notes.label = number
            return number
    return -1


def list_step(
    state: State,
    step: int,
    weight: int,
    child: State,
    place: int,
    arrays: EventArrays,
    notes: EventNotes,
) -> int:
    """Write the key of a successor, the beginning of its chain and the label of the step behind
    `place` others; returns a status."""
    at = (notes.used + place) * WIDTH
    if pack_key(*child, arrays.keys, at) != 0:
        return ODD
    bucket = bucket_of(arrays.keys, at, arrays.table)
    prefetch(arrays.table, bucket + WIDTH - 1)
    label = label_of(state, step, weight, child, arrays, notes)
    if label < 0:
        return NEW_REWARD
    arrays.buckets[2 * place] = bucket
    arrays.buckets[2 * place + 1] = label
    return DONE


def list_outcomes(state: State, arrays: EventArrays, notes: EventNotes) -> int:
    """List the steps of a chance event; return their number, or a negative status."""
    rest = draws(*state, arrays.weights)
    if rest >= MOST_WEIGHT:
        return -UNFIT
    notes.heaviest = max(notes.heaviest, rest)
    count = 0
    outcome = 0
    while rest > 0:
        weight = arrays.weights[outcome]
        if weight > 0:
            child = draw(*state, outcome)
            status = list_step(state, outcome, weight, child, count, arrays, notes)
            if status != DONE:
                return -status
            count += 1
            rest -= weight
        outcome += 1
    return count


def list_actions(state: State, arrays: EventArrays, notes: EventNotes) -> int:
    """List the steps of a player; return their number, or a negative status."""
    count = legal(*state, arrays.actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    if count >= MOST_CHOICES:
        return -UNFIT
    for number in range(count):
        action = arrays.actions[number]
        child = apply(*state, action)
        status = list_step(state, action, 1, child, number, arrays, notes)
        if status != DONE:
            return -status
    return count


def number_steps(node: int, arrays: EventArrays, notes: EventNotes) -> int:
    """Number the successors of a state, and store them as edges; returns a status. After any status
    but `DONE` the call can be repeated."""
    first = notes.used
    state = unpack_key(arrays.keys, node * WIDTH)
    if EVENT_AT >= 0 and kind_at(node, arrays.nodes) == NATURE:
        count = list_outcomes(state, arrays, notes)
    else:
        count = list_actions(state, arrays, notes)
    if count < 0:
        return -count
    for number in range(count):
        at = (first + number) * WIDTH
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            kind = kind_of(unpack_key(arrays.keys, at), arrays.payoffs, notes)
            if kind == NOT_KNOWN:
                return NEW_PAYOFF
            code = number_next(place, at, arrays.table, arrays.keys, notes)
            arrays.nodes[code - 1] |= node_of(kind)
            notes.endings += 1 if kind >= 0 else 0
            notes.events += 1 if kind == NATURE else 0
        edge = code - 1 | arrays.buckets[2 * number + 1] << LABEL_SHIFT
        if IS_NARROW:
            put_half(arrays.edges, notes.edges + number, edge)
        else:
            arrays.edges[notes.edges + number] = edge
    notes.edges += count
    return DONE


def explore(arrays: EventArrays, most: int, notes: EventNotes, slice_size: int) -> int:
    """Number all reachable states, at most `most`, with their edges."""
    room = len(arrays.edges) * 2 if IS_NARROW else len(arrays.edges)
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        kind = kind_of(unpack_key(arrays.keys, 0), arrays.payoffs, notes)
        arrays.nodes[0] = node_of(kind)
        notes.events = 1 if kind == NATURE else 0
    for _ in range(slice_size):
        node = notes.node
        if node == notes.used:
            return DONE
        if kind_at(node, arrays.nodes) < 0:
            if notes.used + len(arrays.actions) > most:
                return FULL
            if notes.edges + len(arrays.actions) > room:
                return HIGH
            status = number_steps(node, arrays, notes)
            if status != DONE:
                return status
        notes.node = node + 1
        arrays.nodes[node + 1] |= notes.edges
    return SLICED


class Toll(Record):
    """A label in units of payoff.

    weight: the weight of an outcome, or 1.
    lasts: whether the rest of play is discounted.
    low, high: the first player's reward, rounded down and up.
    sign: the sign of the reward.
    """

    weight: int
    lasts: int
    low: int
    high: int
    sign: int


def put_endings(
    nodes: Array, lows: Array, highs: Array, lower: Array, upper: Array, notes: EventNotes
) -> int:
    """Bound the values of endings; `lows`, `highs`: int64[payoffs]."""
    for node in range(notes.used):
        kind = kind_at(node, nodes)
        if kind >= 0:
            lower[node] = lows[kind]
            upper[node] = highs[kind]
    return 0
