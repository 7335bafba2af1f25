"""What kernels that number states have in common.

The code of a state in the table is its number + 1. Lists of the states before each lie one behind
the other (compressed rows, CSR): `predecessor_counts: int64[n + 1]` counts them first, and then
says where each list begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

# Besides the notes of `induction_kernel`: the next state to be looked at.
NODE = 7


def prefix_sum(predecessor_counts: Array, count: int) -> int:
    """Make the numbers of states before each the ends of their lists, one behind the other."""
    total = 0
    for node in range(count):
        total += predecessor_counts[node]
        predecessor_counts[node] = total
    predecessor_counts[count] = total
    return total
