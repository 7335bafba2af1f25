"""The kernel of proof-number search, written against the names of `abi`.

A search answers one question about one state: can the prover force at least a given payoff against
every play of the opponent? The search continues where the least work is missing: the proof number
of a state is the minimal number of states to be proved before the state is proved, the disproof
number the minimal number to be refuted (L. V. Allis, M. van der Meulen and H. J. van den Herik,
"Proof-number search", Artificial Intelligence 66, 1994). Depth first, with thresholds for both
numbers and a table (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002). In place of a sum of numbers, the greatest number counts, plus one for each further open
successor (T. Ueda et al., "Weak proof-number search", 2008): in a graph, a state is reached on many
paths. Of successors with equal numbers, the move whose effect has decided most often comes first,
as in `alpha_beta_kernel`.

A state that recurs on its own path proves nothing: the prover is taken to have failed there. So a
proof rests on endings only, by a finite tree, for every value of returning play. Such a failure
holds on this path only; the state is marked, not stored as refuted, and never causes the answer
"no". A state that is not over and has no legal action is such a failure, too: of rules that fail
somewhere, a proof does not depend on the failure.

arrays: see `ProofArrays`.
notes: see `ProofNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.search.bounds_kernel import (
    PATH,
    are_equal,
    bucket_at,
    effect_of,
    entry_of,
    room_in,
)
from gamedsl.solvers.kernels.table_records import TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        IMAGE,
        RECORD,
        SYMMETRIC,
        WIDTH,
        Array,
        apply,
        hash_key,
        highest,
        least_image,
        legal,
        legal_count,
        pack_key,
        payoffs_after,
        prefetch,
        side_of,
        unpack_key,
    )

# A record, behind the key of a state: its hash, its proof and disproof number; 1 if the prover
# failed only because play returned; for a proved or refuted state the maximal number of plies; the
# number of the change by the move before.
HASH, PROOF, DISPROOF, RETURNED, PLIES, EFFECT = range(6)
BESIDE = 6

FRESH = -2

DONE, SLICED, HIGH = range(3)

NEVER = (1 << 26) - 1
"""The number of an impossible proof or refutation."""
UNLIKELY = 1 << 16
"""The stored proof number of a state in which the prover failed on one path."""
NUMBER_BITS = 26
USES_HISTORY, USES_REFUTATIONS = 1, 2
"""Of equal successors, the successor by the most successful move comes first; a refuted win of the
first player is a win of the second player (for the caller)."""
NEAR = 0
"""The table has no near part (see `bounds_kernel`)."""


class ProofFrame(Record):
    """A frame of the stack.

    at: its state's record.
    first, behind: the first record of its successors, and their end (-1: not listed).
    is_own: 1 if the prover moves.
    most_proof, most_disproof: the thresholds of both numbers.
    chosen: the successor in work (-1: none).
    before: number of states visited before.
    """

    at: int
    first: int
    behind: int
    is_own: int
    most_proof: int
    most_disproof: int
    chosen: int
    before: int


class ProofArrays(Arrays):
    """table: int64[buckets, STRIDE]: as `bounds_kernel` has it, except for the code, which is a
        number of its own: effort, proof and disproof number; for a proved or refuted state, plies
        in place of the number that has no meaning.
    stack: frames.
    keys: int64[m, RECORD]: the states of frames and their successors; see the offsets of a record.
    actions: int64[ACTIONS + 1].
    path: int64[PATH]: number of states on the stack with this part of a hash.
    history: int64[EFFECTS]: success of moves with an effect.
    """

    table: Array
    stack: Rows[ProofFrame]
    keys: Array
    actions: Array
    path: Array
    history: Array


class ProofNotes(TableNotes):
    """The question, and what lives on between calls.

    looked_at: visited states.
    prover: the player who tries to force the wanted payoff.
    wanted_share, wanted_per: the wanted payoff: numerator, denominator.
    found_proof, found_disproof, found_returned, found_plies: the result of the state left last.
    uses: the parts in use.
    """

    looked_at: int
    prover: int
    wanted_share: int
    wanted_per: int
    found_proof: int
    found_disproof: int
    found_returned: int
    found_plies: int
    uses: int


def keep_numbers(
    at: int, proof: int, disproof: int, looked_at: int, arrays: ProofArrays, notes: ProofNotes
) -> int:
    """Write the numbers of a state into its bucket."""
    bucket = bucket_at(arrays.keys[at + WIDTH + HASH], False, arrays.table)
    place = entry_of(bucket, arrays.keys, at + IMAGE, arrays.table)
    effort = highest(looked_at + 1)
    if place < 0:
        place = room_in(bucket, arrays.table, notes)
        for number in range(WIDTH - 1):
            arrays.table[place + number] = arrays.keys[at + IMAGE + number]
    else:
        effort = max(effort, arrays.table[place + WIDTH - 1] >> 2 * NUMBER_BITS)
    arrays.table[place + WIDTH - 1] = (effort << NUMBER_BITS | proof) << NUMBER_BITS | disproof
    return place


def set_numbers(keys: Array, at: int, proof: int, disproof: int, returned: int, plies: int) -> int:
    """Write numbers into a record."""
    keys[at + WIDTH + PROOF] = proof
    keys[at + WIDTH + DISPROOF] = disproof
    keys[at + WIDTH + RETURNED] = returned
    keys[at + WIDTH + PLIES] = plies
    return at


def is_on_path(at: int, top: int, arrays: ProofArrays) -> bool:
    """Whether a state is on the stack."""
    number = top
    while number >= 0 and not are_equal(arrays.keys, at, arrays.stack[number].at):
        number -= 1
    return number >= 0


def numbers_of(at: int, top: int, arrays: ProofArrays, notes: ProofNotes) -> int:
    """Write the numbers of a successor into its record: from the table; else the minimal work, as
    many proofs or refutations as replies."""
    hashed = arrays.keys[at + WIDTH + HASH]
    if arrays.path[hashed & (PATH - 1)] > 0 and is_on_path(at, top, arrays):
        return set_numbers(arrays.keys, at, NEVER, 0, 1, 0)
    place = entry_of(bucket_at(hashed, False, arrays.table), arrays.keys, at + IMAGE, arrays.table)
    if place >= 0:
        code = arrays.table[place + WIDTH - 1]
        mask = (1 << NUMBER_BITS) - 1
        proof = code >> NUMBER_BITS & mask
        disproof = code & mask
        if proof == 0:
            return set_numbers(arrays.keys, at, 0, NEVER, 0, disproof)
        if disproof == 0:
            return set_numbers(arrays.keys, at, NEVER, 0, 0, proof)
        return set_numbers(arrays.keys, at, proof, disproof, 0, 0)
    child = unpack_key(arrays.keys, at)
    count = max(1, legal_count(*child))
    if side_of(*child) == notes.prover:
        return set_numbers(arrays.keys, at, 1, count, 0, 0)
    return set_numbers(arrays.keys, at, count, 1, 0, 0)


def is_listed(first: int, behind: int, keys: Array) -> bool:
    """Whether the state at `behind` is an image of a state listed from `first` on."""
    is_there = False
    for place in range(first, behind, RECORD):
        if keys[place + WIDTH + HASH] == keys[behind + WIDTH + HASH]:
            is_there = is_there or are_equal(keys, place + IMAGE, behind + IMAGE)
    return is_there


def open_frame(top: int, arrays: ProofArrays, notes: ProofNotes) -> int:
    """List the successors of a frame's state; if a successor decides, its result is found."""
    frame = arrays.stack[top]
    at = frame.at
    first = frame.first
    if first + len(arrays.actions) * RECORD > len(arrays.keys):
        return HIGH
    state = unpack_key(arrays.keys, at)
    is_own = side_of(*state) == notes.prover
    count = legal(*state, arrays.actions, 0)
    behind = first
    notes.found_returned = 0
    notes.found_plies = 1
    if count == 0:  # the rules fail
        notes.found_proof = NEVER
        notes.found_disproof = 0
        notes.found_returned = 1
        frame.behind = first
        return DONE
    for number in range(count):
        child = apply(*state, arrays.actions[number])
        per, first_share, second_share = payoffs_after(*child)
        if per != 0:
            share = second_share if notes.prover == 1 else first_share
            if (share * notes.wanted_per >= notes.wanted_share * per) == is_own:
                notes.found_proof = 0 if is_own else NEVER
                notes.found_disproof = NEVER if is_own else 0
                frame.behind = first
                return DONE
        else:
            pack_key(*child, arrays.keys, behind)
            arrays.keys[behind + WIDTH + EFFECT] = effect_of(arrays.keys, behind, at)
            if SYMMETRIC:
                pack_key(*least_image(*child), arrays.keys, behind + IMAGE)
            hashed = hash_key(arrays.keys, behind + IMAGE)
            arrays.keys[behind + WIDTH + HASH] = hashed
            if not SYMMETRIC or not is_listed(first, behind, arrays.keys):
                prefetch(arrays.table, bucket_at(hashed, False, arrays.table))
                behind += RECORD
    for place in range(first, behind, RECORD):
        numbers_of(place, top, arrays, notes)
    frame.is_own = 1 if is_own else 0
    frame.behind = behind
    notes.found_proof = -1
    return DONE


def begin_frame(
    top: int,
    at: int,
    first: int,
    most_proof: int,
    most_disproof: int,
    arrays: ProofArrays,
    notes: ProofNotes,
) -> int:
    """Push a state on the stack; its successors go behind `first`."""
    frame = arrays.stack[top]
    frame.at = at
    frame.first = first
    frame.behind = -1
    frame.most_proof = most_proof
    frame.most_disproof = most_disproof
    frame.chosen = -1
    frame.before = notes.looked_at
    arrays.path[arrays.keys[at + WIDTH + HASH] & (PATH - 1)] += 1
    return top


def is_before(place: int, best: int, good: int, bad: int, arrays: ProofArrays) -> bool:
    """Whether a successor is more promising than another: by its numbers, then by the success of
    its move."""
    keys = arrays.keys
    if keys[place + WIDTH + good] != keys[best + WIDTH + good]:
        is_less: bool = keys[place + WIDTH + good] < keys[best + WIDTH + good]
        return is_less
    if keys[place + WIDTH + bad] != keys[best + WIDTH + bad]:
        is_nearer: bool = keys[place + WIDTH + bad] < keys[best + WIDTH + bad]
        return is_nearer
    history = arrays.history
    succeeds: bool = history[keys[place + WIDTH + EFFECT]] > history[keys[best + WIDTH + EFFECT]]
    return succeeds


def learn(best: int, frame: ProofFrame, arrays: ProofArrays) -> int:
    """Update the history by a frame whose state the successor `best` decides: the deciding move
    gains as much as all other moves lose."""
    others = 0
    for place in range(frame.first, frame.behind, RECORD):
        arrays.history[arrays.keys[place + WIDTH + EFFECT]] -= 1
        others += 1
    arrays.history[arrays.keys[best + WIDTH + EFFECT]] += others
    return others


def weigh(top: int, arrays: ProofArrays, notes: ProofNotes) -> int:
    """The numbers of a frame's state, from the numbers of its successors, as the found result.

    Returns the successor to continue with (-1 if there are no successors); `chosen` receives the
    second best number, which limits the continuation.
    """
    frame = arrays.stack[top]
    is_own = frame.is_own == 1
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
    for place in range(frame.first, frame.behind, RECORD):
        good_number = arrays.keys[place + WIDTH + good]
        bad_number = arrays.keys[place + WIDTH + bad]
        if arrays.keys[place + WIDTH + RETURNED] == 1:
            returned = 1
        elif good_number == 0:
            sure = 1
            shortest = min(shortest, arrays.keys[place + WIDTH + PLIES])
        if bad_number == 0:
            longest = max(longest, arrays.keys[place + WIDTH + PLIES])
        else:
            still += 1
            greatest = max(greatest, bad_number)
        if best < 0 or is_before(place, best, good, bad, arrays):
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
    notes.found_proof = least if is_own else total
    notes.found_disproof = total if is_own else least
    notes.found_plies = 1 + min(shortest if least == 0 else longest, NEVER - 2)
    if least == 0 and notes.uses & USES_HISTORY != 0:
        learn(best, frame, arrays)
    is_failed = notes.found_disproof == 0
    notes.found_returned = 1 if is_failed and returned == 1 and (is_own or sure == 0) else 0
    frame.chosen = second
    return best


def go_into(top: int, best: int, arrays: ProofArrays, notes: ProofNotes) -> int:
    """Push the chosen successor on the stack, with its thresholds."""
    frame = arrays.stack[top]
    is_own = frame.is_own == 1
    second = frame.chosen
    mine = frame.most_proof if is_own else frame.most_disproof
    theirs = frame.most_disproof if is_own else frame.most_proof
    now = notes.found_disproof if is_own else notes.found_proof
    bad = DISPROOF if is_own else PROOF
    mine = min(mine, second + second // 4 + 1)
    theirs = theirs - now + arrays.keys[best + WIDTH + bad]
    if theirs > NEVER:
        theirs = NEVER
    frame.chosen = best
    return begin_frame(
        top + 1, best, frame.behind,
        mine if is_own else theirs, theirs if is_own else mine,
        arrays, notes,
    )  # fmt: skip


def leave_frame(top: int, arrays: ProofArrays, notes: ProofNotes) -> int:
    """Store the result of a frame's state, and pass it to the frame below."""
    frame = arrays.stack[top]
    at = frame.at
    effort = notes.looked_at - frame.before
    proof = notes.found_proof
    disproof = notes.found_disproof
    returned = notes.found_returned
    plies = notes.found_plies if proof == 0 or disproof == 0 else 0
    set_numbers(arrays.keys, at, proof, disproof, returned, plies)
    if returned == 1:
        proof = UNLIKELY
        disproof = 1
    elif proof == 0:
        disproof = plies
    elif disproof == 0:
        proof = plies
    keep_numbers(at, proof, disproof, effort, arrays, notes)
    arrays.path[arrays.keys[at + WIDTH + HASH] & (PATH - 1)] -= 1
    return top - 1


def prove(arrays: ProofArrays, notes: ProofNotes, slice_size: int) -> int:
    """Continue until the question is answered, or the caller has to act.

    `slice_size` is the number of states visited in a slice. `keys` begins with the record of the
    first state; finally, the numbers in the record are the answer.
    """
    status = DONE
    slice_end = notes.looked_at + slice_size
    top = notes.top
    if top == FRESH:
        if SYMMETRIC:
            pack_key(*least_image(*unpack_key(arrays.keys, 0)), arrays.keys, IMAGE)
        arrays.keys[WIDTH + HASH] = hash_key(arrays.keys, IMAGE)
        top = begin_frame(0, 0, RECORD, NEVER, NEVER, arrays, notes)
    while top >= 0 and status == DONE:
        frame = arrays.stack[top]
        notes.found_proof = -1
        if frame.behind < 0:
            if notes.looked_at >= slice_end:
                status = SLICED
            else:
                status = open_frame(top, arrays, notes)
                if status == DONE:
                    notes.looked_at += 1
        if status == DONE:
            if notes.found_proof >= 0:
                top = leave_frame(top, arrays, notes)
            else:
                best = weigh(top, arrays, notes)
                if (
                    notes.found_proof >= frame.most_proof
                    or notes.found_disproof >= frame.most_disproof
                ):
                    top = leave_frame(top, arrays, notes)
                elif top + 2 > len(arrays.stack):
                    status = HIGH
                else:
                    top = go_into(top, best, arrays, notes)
    notes.top = top
    return status
