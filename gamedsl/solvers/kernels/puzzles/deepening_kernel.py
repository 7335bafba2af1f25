"""The kernel of IDA* (R. Korf, "Depth-first iterative-deepening", Artificial Intelligence 27,
1985, section 5), written against the names of `abi`.

Depth first from one state, while the plies so far plus the estimated remaining plies are within a
bound; then the bound is raised to the least sum beyond it. Moves that take back the previous move
are left out. The last bound is searched completely: from each first action until a goal is found,
so all first actions of shortest solutions are known.

line: see `Line`; databases: see `Databases`.
notes: see `DeepeningNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    NEW_PAYOFF,
    SLICED,
    payoff_of,
)
from gamedsl.solvers.kernels.puzzles.patterns_kernel import DEAD, FAR, Weighing
from gamedsl.solvers.kernels.table_records import TableNotes

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


class Ply(Record):
    """A state of the line: the next action to be tried, and the number of actions."""

    following: int
    count: int


class Line(Arrays):
    """keys: int64[depth, WIDTH]: the states of the current line.
    actions: int64[depth, row]: their legal actions; row: ACTIONS + 1.
    stack: a ply for each state.
    payoffs, wanted: as in `layers_kernel`.
    solution: int64[depth]: the actions of the first solution.
    firsts: int64[ACTIONS + 1]: 1 for first actions of solutions, by their indices.
    """

    keys: Array
    actions: Array
    row: int
    stack: Rows[Ply]
    payoffs: Array
    wanted: Array
    solution: Array
    firsts: Array


class Databases(Weighing):
    """numbers: int64[many, size]; many: number of patterns."""

    numbers: Array
    size: int
    many: int


class DeepeningNotes(TableNotes):
    """The line in work.

    depth, bound: its depth, and the bound of its length.
    beyond: the least length beyond the bound.
    length: of the first solution (0: none).
    """

    depth: int
    bound: int
    beyond: int
    length: int


def estimate(state: State, databases: Databases) -> int:
    """The sum of the databases' distances; FAR if no goal can be reached."""
    for number in range(databases.many):
        databases.at[number] = 0
    weigh(*state, databases.groups, databases.weights, databases.at)
    total = 0
    for number in range(databases.many):
        place = databases.at[number]
        distance = (
            databases.numbers[number * databases.size + (place >> 3)] >> ((place & 7) << 3) & DEAD
        )
        if distance == DEAD:
            return FAR
        total += distance
    return total


def first_bound(keys: Array, databases: Databases) -> int:
    """The estimate of the first state."""
    return estimate(unpack_key(keys, 0), databases)


def is_taken_back(keys: Array, depth: int) -> bool:
    """Whether the state at a depth equals the state two plies before."""
    if depth < 2:
        return False
    is_same = True
    for part in range(WIDTH):
        is_same = is_same and keys[depth * WIDTH + part] == keys[(depth - 2) * WIDTH + part]
    return is_same


def take_ending(payoff: int, depth: int, line: Line, notes: DeepeningNotes) -> bool:
    """Count the ending of the line at a depth; return whether it is a goal. The first action is
    noted for a goal, and the line for the first goal."""
    notes.endings += 1
    if line.wanted[payoff] == 0:
        return False
    line.firsts[line.stack[0].following - 1] = 1
    if notes.length == 0:
        notes.length = depth
        for ply in range(depth):
            line.solution[ply] = line.actions[ply * line.row + line.stack[ply].following - 1]
    return True


def deepen(line: Line, databases: Databases, notes: DeepeningNotes, slice_size: int) -> int:
    """Continue within the bound; `DONE` when the bound has been searched completely."""
    bound = notes.bound
    depth = notes.depth
    status = SLICED
    looked_at = 0
    if depth < 0:
        line.stack[0].following = 0
        line.stack[0].count = legal(*unpack_key(line.keys, 0), line.actions, 0)
        depth = 0
    while status == SLICED and looked_at < slice_size:
        following = line.stack[depth].following
        if following == line.stack[depth].count:
            depth -= 1
            if depth < 0:
                status = DONE
            continue
        action = line.actions[depth * line.row + following]
        state = apply(*unpack_key(line.keys, depth * WIDTH), action)
        below = depth + 1
        pack_key(*state, line.keys, below * WIDTH)
        line.stack[depth].following = following + 1
        if is_taken_back(line.keys, below):
            continue
        looked_at += 1
        length = below + estimate(state, databases)
        if length > bound:
            notes.beyond = min(notes.beyond, length)
            continue
        per, first_share, second_share = payoffs_after(*state)
        if per != 0:
            payoff = payoff_of(per, first_share, second_share, line.payoffs, notes)
            if payoff < 0:
                line.stack[depth].following = following
                status = NEW_PAYOFF
            elif take_ending(payoff, below, line, notes):
                depth = 0
        elif below < bound:
            depth = below
            line.stack[depth].following = 0
            count = legal(*state, line.actions, depth * line.row) - depth * line.row
            if count == 0:
                fault(NO_MOVES, turn_of(*state), 0)
            line.stack[depth].count = count
        else:
            notes.beyond = min(notes.beyond, bound + 1)
    notes.used += looked_at
    notes.depth = depth
    return status
