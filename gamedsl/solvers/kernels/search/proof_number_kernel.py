"""The kernel of proof-number search, written against the names of `abi`.

A search answers one question about one state: can the prover force at least a given payoff against
every play of the opponent? The search continues where the least work is missing: the proof number
of a state is the minimal number of states to be proved before the state is proved, the disproof
number the minimal number to be refuted (L. V. Allis, M. van der Meulen and H. J. van den Herik,
"Proof-number search", Artificial Intelligence 66, 1994). Depth first, with thresholds for both
numbers and a table (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002). In place of a sum of numbers, the greatest number counts, plus one for each further open
successor (T. Ueda et al., "Weak proof-number search", 2008): in a graph, a state is reached on many
paths.

A state that recurs on its own path proves nothing: the prover is taken to have failed there. So a
proof rests on endings only, by a finite tree, for every value of returning play. Such a failure
holds on this path only; the state is marked, not stored as refuted, and never causes the answer
"no".

table: int64[buckets, STRIDE]: as `bounds_kernel` has it, except for the code, which is a number of
its own: effort, proof and disproof number; for a proved state, plies in place of the last.
keys: int64[m, RECORD]: the states of frames and their successors; see the offsets of a record.
stack: int64[frames, FRAME]: see the offsets of a frame.
notes: int64[NOTES]: what lives on between calls; see the offsets.
actions: int64[ACTIONS + 1].
path: int64[PATH]: number of states on the stack with this part of a hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.search.alpha_beta_kernel import is_on_path
from gamedsl.solvers.kernels.search.bounds_kernel import bucket_at, entry_of, room_in

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        NO_MOVES,
        RECORD,
        WIDTH,
        Array,
        apply,
        fault,
        hash_key,
        highest,
        legal,
        legal_count,
        pack_key,
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
    )

# A record, behind the key of a state: its hash, its proof and disproof number; 1 if the prover
# failed only because play returned; for a proved state the maximal number of plies.
HASH, PROOF, DISPROOF, RETURNED, PLIES = range(5)
BESIDE = 5

# A frame: its state's record, the first record of its successors (-1: not listed) and their end,
# 1 if the prover moves, the thresholds of both numbers, the successor in work (-1: none), and the
# number of states visited before.
AT, FIRST, BEHIND, IS_OWN, MOST_PROOF, MOST_DISPROOF, CHOSEN, BEFORE = range(8)
FRAME = 8

# What lives on between calls: the top frame, entries in use, visited states; the prover and the
# wanted payoff (numerator, denominator); the result of the state left last.
TOP, USED, LOOKED_AT, PROVER, WANTED, PER = range(6)
FOUND_PROOF, FOUND_DISPROOF, FOUND_RETURNED, FOUND_PLIES = range(6, 10)
NOTES = 10
FRESH = -2

DONE, SLICED, HIGH = range(3)

NEVER = (1 << 26) - 1
"""The number of an impossible proof or refutation."""
UNLIKELY = 1 << 16
"""The stored proof number of a state in which the prover failed on one path."""
NUMBER_BITS = 26
NEAR = 0
"""The table has no near part (see `bounds_kernel`)."""
PATH = 1 << 12


def keep_numbers(
    keys: Array, at: int, proof: int, disproof: int, looked_at: int, table: Array, notes: Array
) -> int:
    """Write the numbers of a state into its bucket."""
    bucket = bucket_at(keys[at + WIDTH + HASH], False, table)
    place = entry_of(bucket, keys, at, table)
    effort = highest(looked_at + 1)
    if place < 0:
        place = room_in(bucket, table, notes)
        for number in range(WIDTH - 1):
            table[place + number] = keys[at + number]
    else:
        effort = max(effort, table[place + WIDTH - 1] >> 2 * NUMBER_BITS)
    table[place + WIDTH - 1] = (effort << NUMBER_BITS | proof) << NUMBER_BITS | disproof
    return place


def set_numbers(keys: Array, at: int, proof: int, disproof: int, returned: int, plies: int) -> int:
    """Write numbers into a record."""
    keys[at + WIDTH + PROOF] = proof
    keys[at + WIDTH + DISPROOF] = disproof
    keys[at + WIDTH + RETURNED] = returned
    keys[at + WIDTH + PLIES] = plies
    return at


def numbers_of(
    at: int, top: int, table: Array, stack: Array, keys: Array, path: Array, notes: Array
) -> int:
    """Write the numbers of a successor into its record: from the table; else the minimal work, as
    many proofs or refutations as replies."""
    hashed = keys[at + WIDTH + HASH]
    if path[hashed & (PATH - 1)] > 0 and is_on_path(keys, at, stack, top):
        return set_numbers(keys, at, NEVER, 0, 1, 0)
    place = entry_of(bucket_at(hashed, False, table), keys, at, table)
    if place >= 0:
        code = table[place + WIDTH - 1]
        mask = (1 << NUMBER_BITS) - 1
        proof = code >> NUMBER_BITS & mask
        if proof == 0:
            return set_numbers(keys, at, 0, NEVER, 0, code & mask)
        return set_numbers(keys, at, proof, code & mask, 0, 0)
    child = unpack_key(keys, at)
    count = max(1, legal_count(*child))
    if turn_of(*child) == notes[PROVER]:
        return set_numbers(keys, at, 1, count, 0, 0)
    return set_numbers(keys, at, count, 1, 0, 0)


def open_frame(
    top: int,
    table: Array,
    stack: Array,
    keys: Array,
    actions: Array,
    path: Array,
    notes: Array,
) -> int:
    """List the successors of a frame's state; if a successor decides, its result is found."""
    frame = top * FRAME
    at = stack[frame + AT]
    first = stack[frame + FIRST]
    size = RECORD
    if first + len(actions) * size > len(keys):
        return HIGH
    state = unpack_key(keys, at)
    is_own = turn_of(*state) == notes[PROVER]
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    behind = first
    notes[FOUND_RETURNED] = 0
    notes[FOUND_PLIES] = 1
    for number in range(count):
        child = apply(*state, actions[number])
        per, first_share, second_share = payoffs_after(*child)
        if per != 0:
            share = second_share if notes[PROVER] == 1 else first_share
            if (share * notes[PER] >= notes[WANTED] * per) == is_own:
                notes[FOUND_PROOF] = 0 if is_own else NEVER
                notes[FOUND_DISPROOF] = NEVER if is_own else 0
                stack[frame + BEHIND] = first
                return DONE
        else:
            pack_key(*child, keys, behind)
            hashed = hash_key(keys, behind)
            keys[behind + WIDTH + HASH] = hashed
            prefetch(table, bucket_at(hashed, False, table))
            behind += size
    for place in range(first, behind, size):
        numbers_of(place, top, table, stack, keys, path, notes)
    stack[frame + IS_OWN] = 1 if is_own else 0
    stack[frame + BEHIND] = behind
    notes[FOUND_PROOF] = -1
    return DONE


def begin_frame(
    top: int,
    at: int,
    first: int,
    most_proof: int,
    most_disproof: int,
    stack: Array,
    keys: Array,
    path: Array,
    notes: Array,
) -> int:
    """Push a state on the stack; its successors go behind `first`."""
    frame = top * FRAME
    stack[frame + AT] = at
    stack[frame + FIRST] = first
    stack[frame + BEHIND] = -1
    stack[frame + MOST_PROOF] = most_proof
    stack[frame + MOST_DISPROOF] = most_disproof
    stack[frame + CHOSEN] = -1
    stack[frame + BEFORE] = notes[LOOKED_AT]
    path[keys[at + WIDTH + HASH] & (PATH - 1)] += 1
    return top


def weigh(frame: int, stack: Array, keys: Array, notes: Array) -> int:
    """The numbers of a frame's state, from the numbers of its successors, as the found result.

    Returns the successor to continue with (-1 if there are no successors); `CHOSEN` receives the
    second best number, which limits the continuation.
    """
    is_own = stack[frame + IS_OWN] == 1
    size = RECORD
    good = PROOF if is_own else DISPROOF
    bad = DISPROOF if is_own else PROOF
    best = -1
    least = NEVER
    second = NEVER
    greatest = 0
    still = 0
    returned = 0
    sure = 0
    shortest = NEVER - 1
    longest = 0
    for place in range(stack[frame + FIRST], stack[frame + BEHIND], size):
        good_number = keys[place + WIDTH + good]
        bad_number = keys[place + WIDTH + bad]
        if keys[place + WIDTH + RETURNED] == 1:
            returned = 1
        elif good_number == 0:
            sure = 1
        if keys[place + WIDTH + PROOF] == 0:
            shortest = min(shortest, keys[place + WIDTH + PLIES])
            longest = max(longest, keys[place + WIDTH + PLIES])
        if bad_number != 0:
            still += 1
            greatest = max(greatest, bad_number)
        if (
            best < 0
            or good_number < least
            or (good_number == least and bad_number < keys[best + WIDTH + bad])
        ):
            if best >= 0:
                second = least
            least = good_number
            best = place
        elif good_number < second:
            second = good_number
    total = 0
    if still > 0:
        total = NEVER
        if greatest < NEVER:
            total = min(greatest + still - 1, NEVER - 1)
    if least == 0:
        total = NEVER
    elif total == 0:
        least = NEVER
    notes[FOUND_PROOF] = least if is_own else total
    notes[FOUND_DISPROOF] = total if is_own else least
    notes[FOUND_PLIES] = 1 + min(shortest if is_own else longest, NEVER - 2)
    is_failed = notes[FOUND_DISPROOF] == 0
    notes[FOUND_RETURNED] = 1 if is_failed and returned == 1 and (is_own or sure == 0) else 0
    stack[frame + CHOSEN] = second
    return best


def go_into(top: int, best: int, stack: Array, keys: Array, path: Array, notes: Array) -> int:
    """Push the chosen successor on the stack, with its thresholds."""
    frame = top * FRAME
    is_own = stack[frame + IS_OWN] == 1
    second = stack[frame + CHOSEN]
    mine = stack[frame + MOST_PROOF] if is_own else stack[frame + MOST_DISPROOF]
    theirs = stack[frame + MOST_DISPROOF] if is_own else stack[frame + MOST_PROOF]
    now = notes[FOUND_DISPROOF] if is_own else notes[FOUND_PROOF]
    bad = DISPROOF if is_own else PROOF
    mine = min(mine, second + second // 4 + 1)
    theirs = theirs - now + keys[best + WIDTH + bad]
    if theirs > NEVER:
        theirs = NEVER
    stack[frame + CHOSEN] = best
    return begin_frame(
        top + 1, best, stack[frame + BEHIND],
        mine if is_own else theirs, theirs if is_own else mine,
        stack, keys, path, notes,
    )  # fmt: skip


def leave_frame(
    top: int, table: Array, stack: Array, keys: Array, path: Array, notes: Array
) -> int:
    """Store the result of a frame's state, and pass it to the frame below."""
    frame = top * FRAME
    at = stack[frame + AT]
    effort = notes[LOOKED_AT] - stack[frame + BEFORE]
    proof = notes[FOUND_PROOF]
    disproof = notes[FOUND_DISPROOF]
    returned = notes[FOUND_RETURNED]
    plies = notes[FOUND_PLIES] if proof == 0 else 0
    set_numbers(keys, at, proof, disproof, returned, plies)
    if returned == 1:
        proof = UNLIKELY
        disproof = 1
    if proof == 0:
        disproof = plies
    keep_numbers(keys, at, proof, disproof, effort, table, notes)
    path[keys[at + WIDTH + HASH] & (PATH - 1)] -= 1
    return top - 1


def prove(
    table: Array,
    stack: Array,
    keys: Array,
    actions: Array,
    path: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Continue until the question is answered, or the caller has to act.

    `slice_size` is the number of states visited in a slice. `keys` begins with the record of the
    first state; finally, the numbers in the record are the answer.
    """
    status = DONE
    slice_end = notes[LOOKED_AT] + slice_size
    top = notes[TOP]
    if top == FRESH:
        keys[WIDTH + HASH] = hash_key(keys, 0)
        top = begin_frame(0, 0, RECORD, NEVER, NEVER, stack, keys, path, notes)
    while top >= 0 and status == DONE:
        frame = top * FRAME
        notes[FOUND_PROOF] = -1
        if stack[frame + BEHIND] < 0:
            if notes[LOOKED_AT] >= slice_end:
                status = SLICED
            else:
                status = open_frame(top, table, stack, keys, actions, path, notes)
                if status == DONE:
                    notes[LOOKED_AT] += 1
        if status == DONE:
            if notes[FOUND_PROOF] >= 0:
                top = leave_frame(top, table, stack, keys, path, notes)
            else:
                best = weigh(frame, stack, keys, notes)
                if (
                    notes[FOUND_PROOF] >= stack[frame + MOST_PROOF]
                    or notes[FOUND_DISPROOF] >= stack[frame + MOST_DISPROOF]
                ):
                    top = leave_frame(top, table, stack, keys, path, notes)
                elif frame + 2 * FRAME > len(stack):
                    status = HIGH
                else:
                    top = go_into(top, best, stack, keys, path, notes)
    notes[TOP] = top
    return status
