"""The kernel of IDA* (R. Korf, "Depth-first iterative-deepening", Artificial Intelligence 27,
1985, section 5), written against the names of `abi`.

Depth first from one state, while the plies so far plus the estimated remaining plies are within a
bound; then the bound is raised to the least sum beyond it. Moves that take back the previous move
are left out. The last bound is searched completely: from each first action until a goal is found,
so all first actions of shortest solutions are known.

Arrays are described in `layers_kernel` and `patterns_kernel`; in addition:

keys: int64[depth, WIDTH]: the states of the current line.
actions: int64[depth, ACTIONS + 1]: their legal actions.
stack: int64[depth, 2]: for each state the next action to be tried, and the number of actions.
databases: int64[patterns, size]; many: number of patterns.
line: int64[depth]: the actions of the first solution.
firsts: int64[ACTIONS + 1]: 1 for first actions of solutions, by their indices.
notes: see `DeepeningNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    NEW_PAYOFF,
    SLICED,
    payoff_of,
)
from gamedsl.solvers.kernels.notes import TableNotes
from gamedsl.solvers.kernels.puzzles.patterns_kernel import DEAD, FAR

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        NO_MOVES,
        WIDTH,
        Array,
        State,
        apply,
        fault,
        legal,
        pack_key,
        payoffs_after,
        turn_of,
        unpack_key,
        weigh,
    )


class DeepeningNotes(TableNotes):
    """The line in work.

    depth, bound: its depth, and the bound of its length.
    beyond: the least length beyond the bound.
    found: the length of the first solution (0: none).
    """

    depth: int
    bound: int
    beyond: int
    found: int


def estimate(
    state: State, groups: Array, weights: Array, at: Array, databases: Array, size: int, many: int
) -> int:
    """The sum of the databases' distances; FAR if no goal can be reached."""
    for number in range(many):
        at[number] = 0
    weigh(*state, groups, weights, at)
    total = 0
    for number in range(many):
        place = at[number]
        distance = databases[number * size + (place >> 3)] >> ((place & 7) << 3) & DEAD
        if distance == DEAD:
            return FAR
        total += distance
    return total


def first_bound(
    keys: Array, groups: Array, weights: Array, at: Array, databases: Array, size: int, many: int
) -> int:
    """The estimate of the first state."""
    return estimate(unpack_key(keys, 0), groups, weights, at, databases, size, many)


def is_taken_back(keys: Array, depth: int) -> bool:
    """Whether the state at a depth equals the state two plies before."""
    if depth < 2:
        return False
    is_same = True
    for part in range(WIDTH):
        is_same = is_same and keys[depth * WIDTH + part] == keys[(depth - 2) * WIDTH + part]
    return is_same


def deepen(
    keys: Array,
    actions: Array,
    row: int,
    stack: Array,
    groups: Array,
    weights: Array,
    at: Array,
    databases: Array,
    size: int,
    many: int,
    payoffs: Array,
    wanted: Array,
    line: Array,
    firsts: Array,
    notes: DeepeningNotes,
    slice_size: int,
) -> int:
    """Continue within the bound; `DONE` when the bound has been searched completely."""
    bound = notes.bound
    depth = notes.depth
    status = SLICED
    looked_at = 0
    if depth < 0:
        stack[0] = 0
        stack[1] = legal(*unpack_key(keys, 0), actions, 0)
        depth = 0
    while status == SLICED and looked_at < slice_size:
        following = stack[2 * depth]
        if following == stack[2 * depth + 1]:
            depth -= 1
            if depth < 0:
                status = DONE
        else:
            state = apply(*unpack_key(keys, depth * WIDTH), actions[depth * row + following])
            below = depth + 1
            pack_key(*state, keys, below * WIDTH)
            stack[2 * depth] = following + 1
            if not is_taken_back(keys, below):
                looked_at += 1
                length = below + estimate(state, groups, weights, at, databases, size, many)
                if length > bound:
                    notes.beyond = min(notes.beyond, length)
                else:
                    per, first_share, second_share = payoffs_after(*state)
                    if per != 0:
                        payoff = payoff_of(per, first_share, second_share, payoffs, notes)
                        if payoff < 0:
                            stack[2 * depth] = following
                            status = NEW_PAYOFF
                        else:
                            notes.endings += 1
                            if wanted[payoff] != 0:
                                firsts[stack[0] - 1] = 1
                                if notes.found == 0:
                                    notes.found = below
                                    for ply in range(below):
                                        line[ply] = actions[ply * row + stack[2 * ply] - 1]
                                depth = 0
                    elif below < bound:
                        depth = below
                        stack[2 * depth] = 0
                        count = legal(*state, actions, depth * row) - depth * row
                        if count == 0:
                            fault(NO_MOVES, turn_of(*state), 0)
                        stack[2 * depth + 1] = count
                    else:
                        notes.beyond = min(notes.beyond, bound + 1)
    notes.used += looked_at
    notes.depth = depth
    return status
