"""What kernels that number states have in common.

The code of a state in the table is its number + 1; its key is `keys[number]`, int64[n, WIDTH].
Lists of the states before each lie one behind the other (compressed rows, CSR):
`predecessor_counts: int64[n + 1]` counts them first, and then says where each list begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import USED, bucket_of, enter, entry_from

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import WIDTH, Array

# Besides the notes of `induction_kernel`: the next state to be looked at.
NODE = 7


def number_first(table: Array, keys: Array, notes: Array) -> int:
    """Number the state in which all begins, whose key stands before all others."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    notes[USED] = 1
    return enter(place, keys, 0, 1, table)


def number_next(place: int, at: int, table: Array, keys: Array, notes: Array) -> int:
    """Number a state that is not in the table, by its entry there and its key among successors;
    its code."""
    node = notes[USED]
    for part in range(WIDTH):
        keys[node * WIDTH + part] = keys[at + part]
    enter(place, keys, at, node + 1, table)
    notes[USED] = node + 1
    code: int = node + 1
    return code


def prefix_sum(predecessor_counts: Array, count: int) -> int:
    """Make the numbers of states before each the ends of their lists, one behind the other."""
    total = 0
    for node in range(count):
        total += predecessor_counts[node]
        predecessor_counts[node] = total
    predecessor_counts[count] = total
    return total
