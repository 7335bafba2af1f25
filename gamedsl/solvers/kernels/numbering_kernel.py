"""Functions shared by the kernels that number states.

The code of a state in the table is its number + 1; the key of a state is `keys[number]`,
int64[n, WIDTH]. Predecessor lists are stored as compressed rows (CSR):
`predecessor_counts: int64[n + 1]` first holds the lengths of the lists, then their offsets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import USED, bucket_of, enter, entry_from

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import WIDTH, Array

# Besides the notes of `induction_kernel`: the next state to be looked at.
NODE = 7


def number_first(table: Array, keys: Array, notes: Array) -> int:
    """Number the initial state, the first in `keys`."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    notes[USED] = 1
    return enter(place, keys, 0, 1, table)


def number_next(place: int, at: int, table: Array, keys: Array, notes: Array) -> int:
    """Number a state missing from the table, given its place in the table and the place of its key
    among the successors; return its code."""
    node = notes[USED]
    for part in range(WIDTH):
        keys[node * WIDTH + part] = keys[at + part]
    enter(place, keys, at, node + 1, table)
    notes[USED] = node + 1
    code: int = node + 1
    return code


def prefix_sum(predecessor_counts: Array, count: int) -> int:
    """Turn the predecessor counts of states into the end offsets of predecessor lists."""
    total = 0
    for node in range(count):
        total += predecessor_counts[node]
        predecessor_counts[node] = total
    predecessor_counts[count] = total
    return total
