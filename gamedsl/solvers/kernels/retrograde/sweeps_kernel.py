"""The kernels of sweeps by the rules, which compute the successors of every open state again.

A listing sweep also lists the edges to states that stay open, for sweeps along the list
(`edges_kernel`). Arrays are described in `retrograde_kernel` and `edges_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.images.tally_kernel import state_at
from gamedsl.solvers.kernels.induction_kernel import DONE, FULL, LOST, SLICED, UNFIT, entry_from
from gamedsl.solvers.kernels.retrograde.edges_kernel import (
    COUNTED,
    ESCAPES,
    HELD,
    PLACES,
    Sweep,
    add_number,
    bit_at,
    settle,
)
from gamedsl.solvers.kernels.retrograde.endings_kernel import look_up_past_endings
from gamedsl.solvers.kernels.retrograde.retrograde_kernel import (
    LIST,
    NOBODY,
    TOGETHER,
    UNSETTLED,
    RetrogradeArrays,
    RetrogradeNotes,
    images_after,
    is_swapped,
    write_code,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        MOST_CODE,
        SHIFT,
        WIDTH,
        State,
        side_of,
    )


def look_up_successors(state: State, arrays: RetrogradeArrays) -> int:
    """Find the successors of a state: their entries and codes in `buckets`; `actions` receives
    whether players are swapped. Returns the number of successors, `NOBODY` if a successor has no
    entry."""
    count = images_after(state, 0, arrays)
    is_known = True
    for number in range(count):
        there = entry_from(arrays.buckets[2 * number], arrays.keys, number * WIDTH, arrays.table)
        arrays.buckets[2 * number] = there
        arrays.buckets[2 * number + 1] = arrays.table[there + WIDTH - 1] >> SHIFT
        is_known = is_known and arrays.buckets[2 * number + 1] != 0
    return count if is_known else NOBODY


def level_of(code: int, mover: int, sweep: Sweep) -> int:
    """The rank of a code's payoff for a player, who is `mover` in the code's entry."""
    level: int = sweep.levels[code & (1 << CLASS_BITS) - 1] * (1 - 2 * mover)
    return level


def is_conceded(code: int, length: int, mover: int, conceded: int, sweep: Sweep) -> bool:
    """Whether a successor is settled, and no better than the conceded level for a player, who is
    `mover` in the successor's entry."""
    known = code >> CLASS_BITS
    if known == 0:
        return False
    level = level_of(code, mover, sweep)
    return level < conceded or (level == conceded and known <= length)


def judge(count: int, mover: int, length: int, sweep: Sweep, arrays: RetrogradeArrays) -> int:
    """The player who forces the value of a state, given its successors; `NOBODY` if the state is
    still open. `length` is the plies + 1 of the states settled last."""
    bears = True
    forced = sweep.goals[mover].forced
    conceded = sweep.goals[mover].conceded
    for number in range(count):
        code = arrays.buckets[2 * number + 1]
        there = mover ^ is_swapped(number, arrays.actions)
        if code >> CLASS_BITS == length and level_of(code, there, sweep) == forced:
            return TOGETHER if forced == 0 and sweep.goals[1 - mover].forced == 0 else mover
        bears = bears and is_conceded(code, length, there, conceded, sweep)
    return 1 - mover if bears else NOBODY


def open_successors(count: int, arrays: RetrogradeArrays) -> int:
    """Number of open successors of a state."""
    open_count = 0
    for number in range(count):
        if arrays.buckets[2 * number + 1] == UNSETTLED:
            open_count += 1
    return open_count


def list_edges(
    count: int, mover: int, sweep: Sweep, arrays: RetrogradeArrays, notes: RetrogradeNotes
) -> int:
    """List the edges from a state that stays open to successors that can still get a level of the
    sweep. Conceded successors are skipped; any further successor lets the mover escape."""
    length = notes.length
    forced = sweep.goals[mover].forced
    conceded = sweep.goals[mover].conceded
    bits = notes.bits
    begin: int = notes.written
    at = begin + 1
    escapes = 0
    for number in range(count):
        code = arrays.buckets[2 * number + 1]
        there = mover ^ is_swapped(number, arrays.actions)
        if not is_conceded(code, length, there, conceded, sweep):
            if code != UNSETTLED:
                level = level_of(code, there, sweep)
                if level != forced and level != conceded:
                    escapes = ESCAPES
                    continue
            edge = arrays.buckets[2 * number] // WIDTH << 1 | is_swapped(number, arrays.actions)
            add_number(at, edge, bits, sweep.edges)
            at += 1
    add_number(begin, at - begin - 1 << COUNTED | escapes | mover, bits, sweep.edges)
    notes.written = at
    return at


def sweep_by_rules(
    phase: int, arrays: RetrogradeArrays, sweep: Sweep, notes: RetrogradeNotes, slice_size: int
) -> int:
    """Settle the open states of a part that are one ply farther from the end than the states
    settled last; the edges from the remaining states are counted, or listed as far as the list has
    room."""
    length = notes.length
    looked_at = 0
    place = notes.place
    end = notes.end
    while place < end:
        if arrays.table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
            if looked_at == slice_size:
                notes.place = place
                return SLICED
            looked_at += 1
            entry = place // WIDTH
            state = state_at(place, arrays.table, arrays.keys)
            mover = side_of(*state)
            if notes.aside == 0:
                count = look_up_successors(state, arrays)
            else:
                count = look_up_past_endings(state, arrays, notes)
            if count < 0:  # possible only in a table read from a file
                return LOST
            side = judge(count, mover, length, sweep, arrays)
            if side >= 0:
                code = length + 1 << CLASS_BITS | sweep.sides[side]
                if code > MOST_CODE:
                    return UNFIT
                write_code(place, code, arrays.table)
                notes.settled += 1
                if phase == LIST:
                    settle(entry, side, sweep)
            elif phase == LIST and (notes.written + count + 1) * notes.bits > HELD * (
                len(sweep.edges) - 1
            ):
                notes.place = place
                return FULL
            else:
                notes.left += 1
                if phase == LIST:
                    sweep.listed[entry >> PLACES] |= bit_at(entry & (1 << PLACES) - 1)
                    list_edges(count, mover, sweep, arrays, notes)
                else:
                    notes.edges += open_successors(count, arrays)
        place += WIDTH
    notes.place = place
    return DONE
