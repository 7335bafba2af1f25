"""Functions shared by the kernels that give every state they reach a number: 0, 1, 2 and so on.

In and out: arrays, changed in place; with n the number of states:

table: as in `induction_kernel`; the code of a state is its number + 1.
keys: int64[n, WIDTH]: the key of each state, by number; behind them, keys of successors.
notes: see `NumberingNotes`; `used` is the number of states so far.
predecessor_counts: int64[n + 1]: the number of predecessors of each state; then, for the lists of
predecessors one behind the other in one array (compressed rows, CSR), the place of each list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import bucket_of, enter, entry_from, note_bucket
from gamedsl.solvers.kernels.perft_kernel import apply_joint
from gamedsl.solvers.kernels.table_records import TableArrays, TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        IS_JOINT,
        NO_MOVES,
        PLAYERS,
        WIDTH,
        Array,
        State,
        apply,
        fault,
        legal,
        legal_choices,
        pack_key,
        turn_of,
        unpack_key,
    )


class NumberingNotes(TableNotes):
    """node: the next state whose successors are visited."""

    node: int


def number_first(table: Array, keys: Array, notes: NumberingNotes) -> int:
    """Number the initial state, whose key is the first in `keys`."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    notes.used = 1
    return enter(place, keys, 0, 1, table)


def number_next(place: int, at: int, table: Array, keys: Array, notes: NumberingNotes) -> int:
    """Number a state missing from the table; return its code. `place`: the free entry of the table
    for the state; `at`: the place in `keys` of its key as a successor."""
    number = notes.used
    for part in range(WIDTH):
        keys[number * WIDTH + part] = keys[at + part]
    enter(place, keys, at, number + 1, table)
    notes.used = number + 1
    code: int = number + 1
    return code


MOST_JOINT = 1 << 40
"""Joint actions of a state beyond which no more are counted."""


def list_any_children(node: int, arrays: TableArrays, notes: NumberingNotes) -> int:
    """Write the keys of a state's successors behind the keys of all states, and the beginnings of
    their chains; return the number of successors, which may be 0. Of choices at once, as many joint
    actions are listed as there is room for."""
    state = unpack_key(arrays.keys, node * WIDTH)
    first, count = 0, 0
    if IS_JOINT:
        if legal_choices(*state, arrays.actions, PLAYERS, arrays.actions, 0) == 1:
            return list_joint_children(state, arrays, notes)
        first = PLAYERS
        count = arrays.actions[0]
    else:
        count = legal(*state, arrays.actions, 0)
    for number in range(count):
        at = (notes.used + number) * WIDTH
        pack_key(*apply(*state, arrays.actions[first + number]), arrays.keys, at)
        note_bucket(number, arrays.keys, at, arrays.buckets, arrays.table)
    return count


def list_joint_children(state: State, arrays: TableArrays, notes: NumberingNotes) -> int:
    """As `list_any_children`, after `legal_choices`; beyond the room, joint actions are spread over
    all joint actions, in a pseudo-random way."""
    count = 1
    for player in range(PLAYERS):
        count = min(count * arrays.actions[player], MOST_JOINT)
    listed: int = min(count, len(arrays.actions) - 1)
    for number in range(listed):
        share = count // listed
        chosen = number * share
        if share > 1:
            chosen += (((notes.used + number) * 1103515245 + 12345) >> 8) % share
        at = (notes.used + number) * WIDTH
        pack_key(*apply_joint(state, chosen, arrays.actions, 0), arrays.keys, at)
        note_bucket(number, arrays.keys, at, arrays.buckets, arrays.table)
    return listed


def list_children(node: int, arrays: TableArrays, notes: NumberingNotes) -> int:
    """Like `list_any_children`; a state without successors is a fault."""
    count = list_any_children(node, arrays, notes)
    if count == 0:
        fault(NO_MOVES, turn_of(*unpack_key(arrays.keys, node * WIDTH)), 0)
    return count


def prefix_sum(predecessor_counts: Array, count: int) -> int:
    """Turn the lengths of the predecessor lists of `count` states into the ends of the lists;
    return the total length. Filling a list from the back then turns its end into its start."""
    end = 0
    for number in range(count):
        end += predecessor_counts[number]
        predecessor_counts[number] = end
    predecessor_counts[count] = end
    return end
