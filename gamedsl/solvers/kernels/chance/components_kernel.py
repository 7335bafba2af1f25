"""The kernel that finds strongly connected components, successors first.

Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Process. Lett.
116, 2016; with n the number of states and e of edges, all reachable from state 0:

firsts: int64[n + 1]: the first edge of each state.
edges: int64[e]: a successor's number; bits from `WEIGHT_SHIFT` on are ignored by this kernel.
order: int64[n]: states in the order of settlement: twice the number of the state, plus 1 for the
last state of a component.
ranks: int64[n]: 0 for an unvisited state, else the least visit known to be reachable; finally
n + 1 + the place in `order`.
stack, path: int64[n], int64[n, 3]: finished states with an unknown component; states in work, each
with its visit and the next edge.
notes: see `ComponentNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED
from gamedsl.solvers.kernels.numbering_kernel import NumberingNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

WEIGHT_SHIFT = 32


class ComponentNotes(NumberingNotes):
    """visits: number of visits; stacked, path, ordered: number of states on the stack, on the path
    and in the order."""

    visits: int
    stacked: int
    path: int
    ordered: int


def visit(node: int, firsts: Array, ranks: Array, path: Array, notes: ComponentNotes) -> int:
    """Append a state to the path."""
    notes.visits += 1
    ranks[node] = notes.visits
    top = 3 * notes.path
    path[top] = node
    path[top + 1] = notes.visits
    path[top + 2] = firsts[node]
    notes.path += 1
    return 0


def close(root: int, ranks: Array, stack: Array, order: Array, notes: ComponentNotes) -> int:
    """Append a component to the order, when its entry state `root` is finished."""
    end = notes.stacked
    begin = end
    while begin > 0 and ranks[stack[begin - 1]] >= ranks[root]:
        begin -= 1
    for number in range(begin, end + 1):
        member = stack[number] if number < end else root
        place = notes.ordered
        ranks[member] = notes.used + 1 + place
        order[place] = 2 * member
        notes.ordered = place + 1
    order[notes.ordered - 1] += 1
    notes.stacked = begin
    return 0


def find_components(
    firsts: Array,
    edges: Array,
    ranks: Array,
    stack: Array,
    path: Array,
    order: Array,
    notes: ComponentNotes,
    slice_size: int,
) -> int:
    """Put all states in order, component by component; within a component, successors come first as
    far as possible."""
    mask = (1 << WEIGHT_SHIFT) - 1
    if notes.visits == 0:
        visit(0, firsts, ranks, path, notes)
    for _ in range(slice_size):
        if notes.path == 0:
            return DONE
        top = 3 * (notes.path - 1)
        node = path[top]
        place = path[top + 2]
        end = firsts[node + 1]
        lowest = ranks[node]
        is_new = False
        while place < end and not is_new:
            rank = ranks[edges[place] & mask]
            is_new = rank == 0
            if not is_new:
                lowest = min(lowest, rank)
            place += 1
        ranks[node] = lowest
        path[top + 2] = place
        if is_new:
            visit(edges[place - 1] & mask, firsts, ranks, path, notes)
            continue
        notes.path -= 1
        if lowest == path[top + 1]:
            close(node, ranks, stack, order, notes)
        else:
            stack[notes.stacked] = node
            notes.stacked += 1
            below = path[top - 3]
            ranks[below] = min(ranks[below], lowest)
    return SLICED
