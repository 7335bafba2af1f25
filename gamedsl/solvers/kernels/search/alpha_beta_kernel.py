"""The kernel of alpha-beta with null windows, written against the names of `abi`.

A search answers one question about one state: is the first player's payoff above a rank? So the
answer for every visited state is yes or no (D. E. Knuth and R. W. Moore, "An analysis of alpha-beta
pruning", 1975, section 6), and the stack holds only the mover and the untried successors. The
result is sharper than the question if endings are (fail-soft).

Depth-first search with an explicit stack, as in `induction_kernel`. All successors of a state are
examined before any is searched: first for a deciding ending, then for a deciding entry of the table
("enhanced transposition cut-off", J. Schaeffer and A. Plaat, 1996).

The remaining successors are tried in an order known from the rules, if the rules give one: by the
threats of the player who has moved, then by the lines through the filled cells (`RANKS`). In other
games the order is learnt: successors are tried in the order of the success of their effects
("history heuristic", J. Schaeffer, 1989). An effect is the change of a state's numbers by a move.

Proved bounds are kept in the table of `bounds_kernel`: in its near part, where the order is known,
for depths at which states take little effort.

A state that recurs on its own path means that play can return; then no answer is given. An answer
rests on endings only, by a finite proof, regardless of further reachable states.

arrays: see `SearchArrays`.
notes: see `SearchNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Record, Rows
from gamedsl.solvers.kernels.induction_kernel import payoff_of
from gamedsl.solvers.kernels.search.bounds_kernel import (
    EFFECTS,
    HASH,
    PATH,
    BoundsArrays,
    are_equal,
    bucket_at,
    effect_of,
    keep,
    known,
)
from gamedsl.solvers.kernels.table_records import TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        FORESEES,
        HAS_PROSPECTS,
        IMAGE,
        KNOWS_LINES,
        NO_MOVES,
        RANKS,
        RECORD,
        REST,
        SYMMETRIC,
        WIDTH,
        WON,
        Array,
        State,
        apply,
        fault,
        hash_key,
        highest,
        least_image,
        legal,
        pack_key,
        payoffs_after,
        prefetch,
        prospects,
        side_of,
        threats,
        turn_of,
        unpack_key,
        wins_at_once,
    )

# A record of a waiting state, behind its key: `HASH`, its score, its effect.
SCORE, EFFECT = range(1, 3)
BESIDE = 3

FRESH = -2

DONE, SLICED, FULL, HIGH, NEW_PAYOFF, RETURNS = range(6)
SETTLED = 6
"""A state needs no search: its value is in the notes (`FOUND`)."""
UNMET = 1 << 20
"""More than all numbers of payoffs."""

USES_HISTORY, USES_TRANSPOSITIONS, USES_WINNING, USES_FORESIGHT = 1, 2, 4, 8
USES_NEAR, USES_PROSPECTS, USES_LINES = 16, 32, 64
DEPTHS = 1 << 8
FADING = 14
"""Means are kept in units of 2^-FADING; a mean adapts to new values within 2^(FADING - 6)
values."""
EASE = 20
SHALLOW = EASE - 3 << FADING
"""Ease of states that go into the near part: on average 2^3 states are visited for a proof."""
THREAT = 30
"""First bit of the number of threats in a score; the rank of an action lies below."""


class Frame(Record):
    """A frame of the stack.

    at: its state's record.
    first, next, behind: the first record of its successors, the next successor (-1: successors not
        listed yet) and the end of the successors.
    sign: 1 if the first player moves, else -1.
    best: the mover's best payoff so far, or 0.
    before: number of states visited before.
    """

    at: int
    first: int
    next: int
    behind: int
    sign: int
    best: int
    before: int


class SearchArrays(BoundsArrays):
    """In addition to `BoundsArrays`:

    keys: int64[m, RECORD]: waiting states, frame after frame: the key, and the numbers behind it
        (see the offsets of a record).
    ranks: even numbers.
    actions: int64[ACTIONS + 1].
    payoffs: int64[n, 3]: a denominator and the numerators of both players; their numbers begin
        at 1.
    history: int64[EFFECTS + DEPTHS]: success of moves with an effect; ease of proof of states at a
        depth of the stack.
    path: int64[PATH]: number of states on the stack with this part of a hash.
    winning: int64[2]: an immediately winning action of each player, or -1.
    """

    stack: Rows[Frame]
    actions: Array
    payoffs: Array
    history: Array
    path: Array
    winning: Array


class SearchNotes(TableNotes):
    """The question, and what lives on between calls.

    asked: whether the rank of the value is above this rank.
    result: not yet used: a payoff's number if the value is at least the payoff and the answer is
        yes; the negative number if the value is at most the payoff and the answer is no; else 0.
    looked_at: number of visited states.
    uses: the kinds of ordering in use.
    """

    asked: int
    result: int
    looked_at: int
    uses: int


def is_shallow(depth: int, history: Array, notes: SearchNotes) -> bool:
    """Whether proofs at this depth have taken so little effort that waiting for distant memory
    would cost more. Where the order is learnt, such proofs recur too often to be lost in a small
    part of the table."""
    if not KNOWS_LINES or notes.uses & USES_NEAR == 0:
        return False
    is_easy: bool = history[EFFECTS + min(depth, DEPTHS - 1)] > SHALLOW
    return is_easy


def note_effort(depth: int, looked_at: int, history: Array) -> int:
    """Update the mean ease of proof at a depth. The ease is EASE minus the binary logarithm of the
    effort; an unknown depth starts with a high expected effort."""
    place = EFFECTS + min(depth, DEPTHS - 1)
    ease = max(0, EASE - highest(looked_at + 1))
    history[place] += ((ease << FADING) - history[place]) >> FADING - 6
    return place


def better_payoff(payoff: int, best: int, sign: int, ranks: Array) -> int:
    """The number of the payoff that a player prefers; `best` may be 0."""
    if best == 0 or sign * (ranks[payoff] - ranks[best]) > 0:
        return payoff
    return best


def bring_forward(actions: Array, count: int, action: int) -> int:
    """Put an action first, if the list contains it."""
    for number in range(count):
        if actions[number] == action:
            actions[number] = actions[0]
            actions[0] = action
    return count


def move_record(keys: Array, here: int, there: int) -> int:
    """Swap two records."""
    for number in range(RECORD):
        held = keys[here + number]
        keys[here + number] = keys[there + number]
        keys[there + number] = held
    return there


def settled_by_foresight(child: State, payoffs: Array, ranks: Array, notes: SearchNotes) -> int:
    """The result for a state, in the form of `result`, by a foreseen win of the player to move; 0
    if undecided, `UNMET` if the payoff has to become known first."""
    if not wins_at_once(*child):
        return 0
    side = side_of(*child)
    sign = 1 - 2 * side
    won = payoff_of(1, WON[2 * side], WON[2 * side + 1], payoffs, notes) + 1
    if won == 0:
        return UNMET
    return sign * won if sign * (ranks[won] - notes.asked) > 0 else 0


def settled_by_prospects(child: State, payoffs: Array, ranks: Array, notes: SearchNotes) -> int:
    """The result for a state, in the form of `result`, by the players who can still win; 0 if
    undecided, `UNMET` if a payoff has to become known first."""
    may_win = prospects(*child)
    if may_win & 1 == 0:
        most = payoff_of(1, REST[0], REST[1], payoffs, notes) + 1
        if most == 0:
            return UNMET
        if ranks[most] < notes.asked:
            return -most
    if may_win & 2 == 0:
        least = payoff_of(1, REST[2], REST[3], payoffs, notes) + 1
        if least == 0:
            return UNMET
        if ranks[least] > notes.asked:
            return least
    return 0


def settled_at_once(child: State, payoffs: Array, ranks: Array, notes: SearchNotes) -> int:
    """The result for a state by its end or by what the rules tell of it, in the form of `result`; 0
    if undecided, `UNMET` if a payoff has to become known first."""
    per, first_share, second_share = payoffs_after(*child)
    if per != 0:
        payoff = payoff_of(per, first_share, second_share, payoffs, notes) + 1
        if payoff == 0:
            return UNMET
        return payoff if ranks[payoff] > notes.asked else -payoff
    settled = 0
    if FORESEES and notes.uses & USES_FORESIGHT != 0:
        settled = settled_by_foresight(child, payoffs, ranks, notes)
    if HAS_PROSPECTS and settled == 0 and notes.uses & USES_PROSPECTS != 0:
        settled = settled_by_prospects(child, payoffs, ranks, notes)
    return settled


def write_record(child: State, action: int, before: int, at: int, keys: Array, uses: int) -> int:
    """Write the record of a successor of the state at `before`; return the hash of its key. The
    score is complete if the order is known from the rules."""
    pack_key(*child, keys, at)
    if KNOWS_LINES and uses & USES_LINES != 0:
        keys[at + WIDTH + SCORE] = (threats(*child) << THREAT) + RANKS[action]
    else:
        keys[at + WIDTH + EFFECT] = effect_of(keys, at, before)
    if SYMMETRIC:
        pack_key(*least_image(*child), keys, at + IMAGE)
    hashed = hash_key(keys, at + IMAGE)
    keys[at + WIDTH + HASH] = hashed
    return hashed


def list_successors(top: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Write the records of the undecided successors of a frame's state; a successor that decides
    settles the state. Returns a status; after `NEW_PAYOFF` the call can be repeated."""
    frame = arrays.stack[top]
    at = frame.at
    behind = frame.first
    state = unpack_key(arrays.keys, at)
    mover = side_of(*state)
    sign = 1 - 2 * mover
    uses = notes.uses
    count = legal(*state, arrays.actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    if not FORESEES and uses & USES_WINNING != 0:
        bring_forward(arrays.actions, count, arrays.winning[mover])
    best = 0
    is_near = is_shallow(top + 1, arrays.history, notes)
    for number in range(count):
        child = apply(*state, arrays.actions[number])
        settled = settled_at_once(child, arrays.payoffs, arrays.ranks, notes)
        if settled == UNMET:
            return NEW_PAYOFF
        if settled * sign > 0:
            arrays.winning[mover] = arrays.actions[number]
            notes.result = settled
            return SETTLED
        if settled != 0:
            best = better_payoff(abs(settled), best, sign, arrays.ranks)
        else:
            hashed = write_record(child, arrays.actions[number], at, behind, arrays.keys, uses)
            prefetch(arrays.table, bucket_at(hashed, is_near, arrays.table))
            behind += RECORD
    frame.behind = behind
    frame.sign = sign
    frame.best = best
    return DONE


def expand(top: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Examine all successors of a frame's state: a deciding ending or entry settles the state;
    refuted successors are left out, the rest is left waiting. Returns a status; after any status
    but `DONE` and `SETTLED` the call can be repeated."""
    frame = arrays.stack[top]
    keys = arrays.keys
    history = arrays.history
    at = frame.at
    first = frame.first
    if first + len(arrays.actions) * RECORD > len(keys):
        return HIGH
    status = list_successors(top, arrays, notes)
    if status != DONE:
        return status
    sign = frame.sign
    uses = notes.uses
    is_near = is_shallow(top + 1, history, notes)
    waiting = first
    for place in range(first, frame.behind, RECORD):
        bound = 0
        if uses & USES_TRANSPOSITIONS != 0:
            bound = known(keys, place, is_near, arrays.table, notes.asked, arrays.ranks)
        if bound * sign > 0:
            notes.result = bound
            note_effort(top, 0, history)
            keep(at, bound, 0, is_shallow(top, history, notes), arrays, notes)
            return SETTLED
        if bound != 0:
            frame.best = better_payoff(abs(bound), frame.best, sign, arrays.ranks)
        else:
            for number in range(RECORD):
                keys[waiting + number] = keys[place + number]
            if not KNOWS_LINES or uses & USES_LINES == 0:
                keys[waiting + WIDTH + SCORE] = 0
                if uses & USES_HISTORY != 0:
                    keys[waiting + WIDTH + SCORE] = history[keys[place + WIDTH + EFFECT]]
            waiting += RECORD
    frame.next = first
    frame.behind = waiting
    return DONE


def is_on_path(at: int, top: int, arrays: SearchArrays) -> bool:
    """Whether a state is on the stack."""
    number = top
    while number >= 0 and not are_equal(arrays.keys, at, arrays.stack[number].at):
        number -= 1
    return number >= 0


def begin(top: int, at: int, first: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Push a state on the stack; its successors go behind `first`. Returns `top`."""
    frame = arrays.stack[top]
    frame.at = at
    frame.first = first
    frame.next = -1
    frame.before = notes.looked_at
    arrays.path[arrays.keys[at + WIDTH + HASH] & (PATH - 1)] += 1
    return top


def learn(top: int, arrays: SearchArrays) -> int:
    """Update the history: the deciding move gains as much as was tried in vain before."""
    frame = arrays.stack[top]
    keys = arrays.keys
    history = arrays.history
    decisive = frame.next - RECORD
    tried = 0
    for place in range(frame.first, decisive, RECORD):
        history[keys[place + WIDTH + EFFECT]] -= 1
        tried += 1
    history[keys[decisive + WIDTH + EFFECT]] += tried
    return tried


def take_in(top: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Use the result of the successor tried last; `SETTLED` if the result decides."""
    frame = arrays.stack[top]
    bound = notes.result
    if bound * frame.sign > 0:
        if not KNOWS_LINES or notes.uses & USES_LINES == 0:
            learn(top, arrays)
        return SETTLED
    frame.best = better_payoff(abs(bound), frame.best, frame.sign, arrays.ranks)
    notes.result = 0
    return DONE


def most_promising(top: int, arrays: SearchArrays) -> int:
    """Move the most promising successor to the next place; return the place."""
    frame = arrays.stack[top]
    here: int = frame.next
    chosen = here
    for place in range(here + RECORD, frame.behind, RECORD):
        if arrays.keys[place + WIDTH + SCORE] > arrays.keys[chosen + WIDTH + SCORE]:
            chosen = place
    if chosen != here:
        move_record(arrays.keys, here, chosen)
    frame.next = here + RECORD
    return here


def leave(top: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Keep the result of a frame's state; return the frame below."""
    frame = arrays.stack[top]
    at = frame.at
    effort = notes.looked_at - frame.before
    note_effort(top, effort, arrays.history)
    keep(at, notes.result, effort, is_shallow(top, arrays.history, notes), arrays, notes)
    arrays.path[arrays.keys[at + WIDTH + HASH] & (PATH - 1)] -= 1
    return top - 1


def descend(top: int, arrays: SearchArrays, notes: SearchNotes) -> int:
    """Look up the most promising successor of a frame's state, or push it on the stack. Returns a
    status: `RETURNS` if the successor is on the stack already."""
    if top + 2 > len(arrays.stack):
        return HIGH
    place = most_promising(top, arrays)
    is_near = is_shallow(top + 1, arrays.history, notes)
    notes.result = known(arrays.keys, place, is_near, arrays.table, notes.asked, arrays.ranks)
    if notes.result == 0:
        shares = arrays.path[arrays.keys[place + WIDTH + HASH] & (PATH - 1)] > 0
        if shares and is_on_path(place, top, arrays):
            return RETURNS
        begin(top + 1, place, arrays.stack[top].behind, arrays, notes)
        notes.top = top + 1
    return DONE


def search(arrays: SearchArrays, notes: SearchNotes, slice_size: int) -> int:
    """Continue until the question is answered, or the caller has to act.

    `slice_size` is the number of states visited in a slice. `keys` begins with the record of the
    first state.
    """
    status = DONE
    slice_end = notes.looked_at + slice_size
    if notes.top == FRESH:
        if SYMMETRIC:
            pack_key(*least_image(*unpack_key(arrays.keys, 0)), arrays.keys, IMAGE)
        arrays.keys[WIDTH + HASH] = hash_key(arrays.keys, IMAGE)
        notes.top = begin(0, 0, RECORD, arrays, notes)
    while notes.top >= 0 and status == DONE:
        top = notes.top
        frame = arrays.stack[top]
        is_settled = False
        if frame.next < 0:
            if notes.looked_at >= slice_end:
                status = SLICED
            else:
                status = expand(top, arrays, notes)
                if status == DONE or status == SETTLED:  # noqa: SIM109 (no tuples in kernels)
                    notes.looked_at += 1
                if status == SETTLED:
                    status = DONE
                    arrays.path[arrays.keys[frame.at + WIDTH + HASH] & (PATH - 1)] -= 1
                    notes.top = top - 1
        else:
            if notes.result != 0:
                is_settled = take_in(top, arrays, notes) == SETTLED
            if not is_settled and frame.next == frame.behind:
                notes.result = -frame.sign * frame.best
                is_settled = True
            if is_settled:
                notes.top = leave(top, arrays, notes)
            else:
                status = descend(top, arrays, notes)
    return status
