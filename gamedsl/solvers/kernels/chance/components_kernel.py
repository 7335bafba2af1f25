"""The kernel that finds strongly connected components, each behind all it leads to.

Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Process. Lett.
116, 2016; with n the number of states and e of edges, of which all can be reached from state 0:

firsts: int64[n + 1]: where the edges of each state begin.
edges: int64[e]: a successor's number, and from `WEIGHT_SHIFT` on what is nothing to this kernel.
order: int64[n]: states in the order in which they are settled, twice their number, and 1 more for
the last of a component.
ranks: int64[n]: 0 for a state that has not been visited, else the least visit known to be reached;
then, behind n + 1, the place in `order`.
stack, path: int64[n], int64[n, 3]: states that have been gone through and whose component is not
known; those that are being gone through, each with its visit and the next edge to go along.
notes: those of `numbering_kernel`, and four more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED, USED

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

WEIGHT_SHIFT = 32

# Visits; states on the stack and on the path; states that have their place in the order.
VISITS, STACKED, PATH, ORDERED = range(8, 12)


def visit(node: int, firsts: Array, ranks: Array, path: Array, notes: Array) -> int:
    """Put a state at the end of the path."""
    notes[VISITS] += 1
    ranks[node] = notes[VISITS]
    top = 3 * notes[PATH]
    path[top] = node
    path[top + 1] = notes[VISITS]
    path[top + 2] = firsts[node]
    notes[PATH] += 1
    return 0


def close(root: int, ranks: Array, stack: Array, order: Array, notes: Array) -> int:
    """Put a component in order, which is finished with the state that it was entered by."""
    end = notes[STACKED]
    begin = end
    while begin > 0 and ranks[stack[begin - 1]] >= ranks[root]:
        begin -= 1
    for number in range(begin, end + 1):
        member = stack[number] if number < end else root
        place = notes[ORDERED]
        ranks[member] = notes[USED] + 1 + place
        order[place] = 2 * member
        notes[ORDERED] = place + 1
    order[notes[ORDERED] - 1] += 1
    notes[STACKED] = begin
    return 0


def find_components(
    firsts: Array,
    edges: Array,
    ranks: Array,
    stack: Array,
    path: Array,
    order: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Put all states in order, component by component; within one, a state comes behind those it
    leads to, as far as can be."""
    mask = (1 << WEIGHT_SHIFT) - 1
    if notes[VISITS] == 0:
        visit(0, firsts, ranks, path, notes)
    for _ in range(slice_size):
        if notes[PATH] == 0:
            return DONE
        top = 3 * (notes[PATH] - 1)
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
        notes[PATH] -= 1
        if lowest == path[top + 1]:
            close(node, ranks, stack, order, notes)
        else:
            stack[notes[STACKED]] = node
            notes[STACKED] += 1
            below = path[top - 3]
            ranks[below] = min(ranks[below], lowest)
    return SLICED
