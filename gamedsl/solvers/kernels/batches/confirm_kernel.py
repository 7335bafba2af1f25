"""The kernels that verify solved layers against the rules, without a part of a solver.

A layer is right if each of its keys is that of a state of the rules and of the level, in order; if
the code of an ending is the payoff by the rules; and if the code of any other state agrees with the
codes of its successors, which are all in some layer. `confirm` asks for agreement as
`gamedsl.archive.verification` does: the mover gets the payoff of the best action; play to an end is
one ply longer than after some best action, and, for a mover who delays, than after all of them;
endless play goes on with a best action that leads to endless play.

arrays: see `SettleArrays` (`codes` are the claims), `PartArrays`, and `Worths`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays
from gamedsl.solvers.kernels.batches.batch_kernel import (
    LOST,
    NEW_PAYOFF,
    BatchNotes,
    PartArrays,
    SettleArrays,
    are_parts_short,
    note_code,
    put_successor,
)
from gamedsl.solvers.kernels.batches.tier_kernel import answer_to
from gamedsl.solvers.kernels.induction_kernel import ending_of, list_actions, note_bucket

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        PLAYERS,
        WIDTH,
        Array,
        State,
        is_state,
        least_image,
        level_of,
        pack_key,
        turn_of,
        unpack_key,
    )

WRONG = -5
"""A status besides those of `batch_kernel`: a code does not agree with the successors."""


class Worths(Arrays):
    """worth: int64[m, PLAYERS]: the rank of each payoff for each player; equal for equal shares.
    delays: int64[m, PLAYERS]: whether a player with a payoff wants a late end.
    counts_plies: whether lengths decide; else the first best action does.
    """

    worth: Array
    delays: Array
    counts_plies: int


def check_keys(count: int, keys: Array, level: int, row: Array) -> int:
    """The place of the first key that cannot be one of a level, or is not behind the key before;
    `count` if all are right. `row`: int64[WIDTH]."""
    for at in range(count):
        state = unpack_key(keys, at * WIDTH)
        if is_state(*state) == 0:
            return at
        differs = pack_key(*least_image(*state), row, 0)
        order = 1
        if at > 0:
            order = 0
        for number in range(WIDTH):
            differs |= row[number] ^ keys[at * WIDTH + number]
            if order == 0:
                order = keys[at * WIDTH + number] - keys[(at - 1) * WIDTH + number]
        if differs != 0 or order <= 0 or level_of(*state) != level:
            return at
    return count


def agrees(code: int, count: int, mover: int, bits: int, buckets: Array, worths: Worths) -> bool:
    """Whether a code agrees with the codes of `count` successors, which stand in `buckets`."""
    mask = (1 << bits) - 1
    best = -1
    first = 0
    least = 0
    most = 0
    is_endless = False
    for number in range(count):
        child = buckets[2 * number + 1]
        worth = worths.worth[(child & mask) * PLAYERS + mover]
        if worth > best:
            best = worth
            first = child
            least = 0
            most = 0
            is_endless = False
        if worth == best:
            length = child >> bits
            if length == 0:
                is_endless = True
            else:
                if least == 0 or length < least:
                    least = length
                most = max(most, length)
    at = (code & mask) * PLAYERS + mover
    length = code >> bits
    if worths.counts_plies == 0:
        return code == first + (1 << bits)
    if worths.worth[at] != best:
        return False
    if length == 0:
        return is_endless
    if worths.delays[at] != 0:
        return not is_endless and most == length - 1
    return least != 0 and least == length - 1


def take_answers(state: State, arrays: SettleArrays, parts: PartArrays) -> int:
    """Write the codes of the successors of a state to `buckets`; return their number, or a
    status."""
    level = level_of(*state)
    count = list_actions(state, arrays.actions)
    for number in range(count):
        there = number * WIDTH
        rise = put_successor(state, level, arrays.actions[number], arrays.children, there)
        if rise < 0:
            return rise
        arrays.buckets[2 * number + 1] = rise
        if parts.room == 0:
            note_bucket(number, arrays.children, there, arrays.buckets, arrays.table)
    for number in range(count):
        answer = answer_to(level, number, arrays.buckets[2 * number + 1], arrays, parts)
        if answer == 0:
            return LOST
        arrays.buckets[2 * number + 1] = answer
    return count


def confirm(
    begin: int,
    end: int,
    arrays: SettleArrays,
    parts: PartArrays,
    worths: Worths,
    notes: BatchNotes,
) -> int:
    """Verify the codes of the keys from `begin` on. Returns the place behind the last verified key,
    before `end` where codes of a part run out; or a status, with the place in the notes."""
    at = begin
    while at < end:
        if are_parts_short(arrays, parts):
            return at
        notes.at = at
        code = arrays.codes[at]
        state = unpack_key(arrays.keys, at * WIDTH)
        ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
        if ending < 0:
            return NEW_PAYOFF
        if ending > 0:
            if code != 1 << notes.bits | ending - 1:
                return WRONG
        else:
            count = take_answers(state, arrays, parts)
            if count < 0:
                return count
            if not agrees(code, count, turn_of(*state), notes.bits, arrays.buckets, worths):
                return WRONG
        note_code(at, state, code, arrays, notes)
        at += 1
    return at
