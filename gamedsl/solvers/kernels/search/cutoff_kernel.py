"""The kernel of alpha-beta with EVAL at a depth limit, written against the names of `abi`.

A search to a depth has its frames on an explicit stack, so it can be continued in slices. The first
move of a position is searched with the whole window, every other move with a null window, and again
if it proves better ("principal variation search", T. A. Marsland and M. Campbell, 1982). Late moves
are looked at with one ply less first. At the limit stands the file's `evaluate`; positions that are
not quiescent, by the file's condition, are searched further.

Moves are tried in this order: the best move of an earlier search (from the table, before the others
are even listed), then by the success of the moves ("history heuristic", J. Schaeffer, 1989).

The table has two entries for a hash: the deepest, and the latest. Keys are whole states, so states
are never confused; the history of a play is no part of a key. Of an earlier root only the moves are
used. A value rests on a guess unless no estimate was met below.

Values are payoffs of the first player in units (`UNIT`, see `uct_kernel`), in a frame those of the
player to move. Estimates lie strictly between the payoffs, so that the least and the greatest value
are proved, and the first depth that proves a win finds the shortest.

arrays: see `CutoffArrays`.
notes: see `CutoffNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.history_kernel import (
    legal_now,
    mark_next,
    push_history,
    repeated_rule,
    terminal_payoffs_after,
)
from gamedsl.solvers.kernels.search.uct_kernel import squeezed

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        FORESEES,
        GROUPS,
        HAS_CANDIDATES,
        HIGHEST,
        LOWEST,
        NO_MOVES,
        QUIESCES,
        RULES,
        UNIT,
        WIDTH,
        Array,
        State,
        allowed,
        apply,
        candidates,
        estimate,
        fault,
        hash_key,
        is_quiet,
        mixed,
        pack_key,
        payoffs_of_win,
        repetition_payoffs,
        turn_of,
        unpack_key,
        wins_at_once,
    )

SLOTS = 2
"""Entries of a bucket."""
EXACT, AT_LEAST, AT_MOST = range(3)
"""What the value of an entry says."""
BEYOND = 16
"""Plies beyond the depth limit to which positions that are not quiescent are searched."""
HISTORY_BITS = 16
"""Moves share counts of success by so many bits of a hash."""
LATE, DEEP = 4, 3
"""Moves are late after so many moves, in searches to at least so many plies."""
USES_WINDOWS, USES_LATE, USES_HISTORY, USES_VALUES, USES_BEST, USES_QUIESCENCE = 1, 2, 4, 8, 16, 32
"""Parts of the search: null windows, less depth for late moves, the history heuristic, the table's
values, the table's best moves, the search of positions that are not quiescent."""


class Frame(Record):
    """A position whose moves are searched.

    first, next, behind: places of its first move, its next move, and behind its last.
    is_listed: 0 while there is only the best move of an earlier search.
    sign: 1 if the first player moves, else -1.
    depth: plies to the limit.
    low, high: the window, for the player to move.
    best, action: the greatest value so far, for the player to move, and its action.
    is_waiting: 1 while a move is searched.
    is_probing: 1 while a move is searched with less than the window or the depth.
    is_guess: 1 if an estimate was met.
    length: rows of the past, with this position.
    """

    first: int
    next: int
    behind: int
    is_listed: int
    sign: int
    depth: int
    low: int
    high: int
    best: int
    action: int
    is_waiting: int
    is_probing: int
    is_guess: int
    length: int


class Known(Record):
    """What the table knows of a position.

    value: for the first player; kind: `EXACT`, `AT_LEAST`, `AT_MOST`.
    depth: plies that were searched.
    search: the number of the search.
    is_guess: 1 if an estimate was met.
    """

    value: int
    kind: int
    depth: int
    search: int
    is_guess: int


class CutoffArrays(Arrays):
    """
    stack: the positions from the root on.
    keys: int64[n, WIDTH]: their keys; `table_layout`.
    moves, scores: int64[m]: actions of the positions on the stack, and the order to try them in.
    worths: int64[ACTIONS, 3]: of the root's actions, in order: the value for the first player, 1
        if it is a bound, and the nodes.
    table: int64[buckets, SLOTS, WIDTH]: keys; the last number is 1 + the best action, 0 if free.
    known: of each entry of the table.
    history: int64[2^HISTORY_BITS]: the success of moves.
    past: see `history_kernel`.
    """

    stack: Rows[Frame]
    keys: Array
    moves: Array
    scores: Array
    worths: Array
    table: Array
    known: Rows[Known]
    history: Array
    past: Array


class CutoffNotes(Record):
    """
    top: the frame at work; -1 where the search is over.
    nodes: positions looked at; leaves: of these, endings and estimates.
    result: the value of the position searched last, for the first player.
    is_guess: 1 if it rests on an estimate.
    search: the number of the search.
    before: nodes before the present action of the root.
    deepest: the greatest depth of a position.
    uses: the parts of the search in use, `USES_WINDOWS` and so on.
    """

    top: int
    nodes: int
    leaves: int
    result: int
    is_guess: int
    search: int
    before: int
    deepest: int
    uses: int


def success_of(action: int, mover: int) -> int:
    """The place of a move in the history."""
    return mixed(action, mover) & (1 << HISTORY_BITS) - 1


def bucket_of_key(keys: Array, at: int, table: Array) -> int:
    """The number of the first entry for a key."""
    return (hash_key(keys, at) * (len(table) // (SLOTS * WIDTH)) >> 31) * SLOTS


def entry_of_key(bucket: int, keys: Array, at: int, table: Array) -> int:
    """The number of the entry of a key; -1 if there is none."""
    for slot in range(bucket, bucket + SLOTS):
        place = slot * WIDTH
        is_same = table[place + WIDTH - 1] != 0
        for number in range(WIDTH - 1):
            is_same = is_same and table[place + number] == keys[at + number]
        if is_same:
            return slot
    return -1


def entry_of_state(state: State, at: int, arrays: CutoffArrays) -> int:
    """Write the key of a state to `arrays.keys[at:]`; return the number of its entry, -1 if there
    is none."""
    pack_key(*state, arrays.keys, at)
    bucket = bucket_of_key(arrays.keys, at, arrays.table)
    return entry_of_key(bucket, arrays.keys, at, arrays.table)


def keep_value(top: int, kind: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """Write the result of a frame into the table: in the first entry of the bucket where nothing
    deeper of this search is, else in the second."""
    frame = arrays.stack[top]
    at = top * WIDTH
    bucket = bucket_of_key(arrays.keys, at, arrays.table)
    slot = entry_of_key(bucket, arrays.keys, at, arrays.table)
    if slot < 0:
        first = arrays.known[bucket]
        slot = bucket
        if first.search == notes.search and first.depth > frame.depth:
            slot = bucket + 1
    known = arrays.known[slot]
    place = slot * WIDTH
    for number in range(WIDTH - 1):
        arrays.table[place + number] = arrays.keys[at + number]
    arrays.table[place + WIDTH - 1] = 1 + frame.action
    known.value = notes.result
    known.kind = kind
    known.depth = frame.depth
    known.search = notes.search
    known.is_guess = notes.is_guess
    return slot


def note_estimate(state: State, notes: CutoffNotes) -> int:
    """Note the file's estimate of a position as its value."""
    per, share = estimate(0, *state)
    notes.leaves += 1
    notes.is_guess = 1
    notes.result = squeezed(per, share)
    return 0


def is_settled(
    state: State, length: int, depth: int, arrays: CutoffArrays, notes: CutoffNotes
) -> bool:
    """Whether a position needs no search: its value is noted. The position is the last of the
    past, and not the root."""
    over = terminal_payoffs_after(*state, arrays.past, length)
    if RULES > 0 and over[0] == 0:
        rule = repeated_rule(state, arrays.past, length)
        if rule >= 0:
            over = repetition_payoffs(rule, *state)
    if FORESEES and over[0] == 0 and wins_at_once(*state):
        over = payoffs_of_win(*state)
    notes.is_guess = 0
    if over[0] != 0:
        notes.leaves += 1
        notes.result = over[1] * UNIT // over[0]
        return True
    if depth > 0:
        return False
    if QUIESCES and notes.uses & USES_QUIESCENCE != 0 and depth > -BEYOND and not is_quiet(*state):
        return False
    note_estimate(state, notes)
    return True


def look_up(
    slot: int, low: int, high: int, depth: int, arrays: CutoffArrays, notes: CutoffNotes
) -> int:
    """1 + the best action of an entry of the table, 0 if there is no entry; -1 if the entry tells
    the value well enough: it is noted. The window is of the first player."""
    if slot < 0:
        return 0
    known = arrays.known[slot]
    is_recent = known.search == notes.search and notes.uses & USES_VALUES != 0
    if is_recent and known.depth >= depth:
        value = known.value
        tells: bool = known.kind == EXACT
        if known.kind == AT_LEAST:
            tells = value >= high
        if known.kind == AT_MOST:
            tells = value <= low
        if tells:
            notes.result = value
            notes.is_guess = known.is_guess
            return -1
    if notes.uses & USES_BEST == 0:
        return 0
    best: int = arrays.table[slot * WIDTH + WIDTH - 1]
    return best


def list_moves(state: State, top: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """List the moves of a frame with their scores; a move that has been tried comes first. Where
    `HAS_CANDIDATES`, some may be illegal."""
    frame = arrays.stack[top]
    mover = turn_of(*state)
    first = frame.first
    tried = -1
    if frame.next > first:
        tried = arrays.moves[first]
    behind = first
    if HAS_CANDIDATES and GROUPS == 0:
        behind = candidates(*state, arrays.moves, first)
    else:
        behind = legal_now(state, arrays.past, frame.length, arrays.moves, first)
    uses_history = notes.uses & USES_HISTORY != 0
    for place in range(first, behind):
        action = arrays.moves[place]
        arrays.scores[place] = 0
        if uses_history:
            arrays.scores[place] = arrays.history[success_of(action, mover)]
        if action == tried:
            arrays.moves[place] = arrays.moves[first]
            arrays.scores[place] = arrays.scores[first]
            arrays.moves[first] = tried
    frame.behind = behind
    frame.is_listed = 1
    return behind


def open_frame(
    state: State,
    top: int,
    depth: int,
    low: int,
    high: int,
    arrays: CutoffArrays,
    notes: CutoffNotes,
) -> int:
    """Write the frame of a position, whose key and place in the past are written; the window is of
    the player to move."""
    frame = arrays.stack[top]
    frame.sign = 1 - 2 * turn_of(*state)
    frame.depth = depth
    frame.low = low
    frame.high = high
    frame.best = -max(HIGHEST, -LOWEST) - 2
    frame.action = -1
    frame.is_waiting = 0
    frame.is_probing = 0
    frame.is_guess = 0
    notes.top = top
    notes.deepest = max(notes.deepest, top + 1)
    return top


def pick_move(state: State, top: int, arrays: CutoffArrays) -> int:
    """Put the most promising of a frame's remaining legal moves at the next place; returns the
    action, -1 if none is left."""
    frame = arrays.stack[top]
    here = frame.next
    while here < frame.behind:
        chosen = here
        for place in range(here + 1, frame.behind):
            if arrays.scores[place] > arrays.scores[chosen]:
                chosen = place
        action: int = arrays.moves[chosen]
        arrays.moves[chosen] = arrays.moves[here]
        arrays.scores[chosen] = arrays.scores[here]
        arrays.moves[here] = action
        if not HAS_CANDIDATES or GROUPS > 0 or allowed(*state, action):
            return action
        frame.behind -= 1
        arrays.moves[here] = arrays.moves[frame.behind]
        arrays.scores[here] = arrays.scores[frame.behind]
    return -1


def go_on(top: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """Search the next move of a frame, or the present move again where a probe said that it may be
    better; close a frame without further moves."""
    frame = arrays.stack[top]
    state = unpack_key(arrays.keys, top * WIDTH)
    low = max(frame.low, frame.best)
    high = frame.high
    depth = frame.depth - 1
    if frame.is_probing != 0:
        frame.is_probing = 0
    else:
        if frame.is_listed == 0 and frame.next == frame.behind:
            list_moves(state, top, arrays, notes)
        if top == 0:
            notes.before = notes.nodes
        elif frame.is_listed != 0:
            pick_move(state, top, arrays)
        if frame.next == frame.behind:
            if frame.next == frame.first:
                fault(NO_MOVES, turn_of(*state), 0)
            return close_frame(top, arrays, notes)
        tried = frame.next - frame.first
        if tried > 0 and low + 1 < high and notes.uses & USES_WINDOWS != 0:
            high = low + 1
            frame.is_probing = 1
        if tried >= LATE and frame.depth >= DEEP and notes.uses & USES_LATE != 0:
            depth -= 1
            frame.is_probing = 1
    frame.is_waiting = 1
    notes.nodes += 1
    child = apply(*state, arrays.moves[frame.next])
    return visit(child, top + 1, depth, low, high, arrays, notes)


def visit(
    state: State,
    top: int,
    depth: int,
    low: int,
    high: int,
    arrays: CutoffArrays,
    notes: CutoffNotes,
) -> int:
    """Note the value of the position after a move of the frame below `top`, or open its frame. The
    window is of the player who has moved."""
    above = arrays.stack[top - 1]
    mark_next(state, arrays.past, above.length)
    length = push_history(state, arrays.past, above.length)
    if is_settled(state, length, depth, arrays, notes):
        return 0
    slot = entry_of_state(state, top * WIDTH, arrays)
    sign = 1 - 2 * turn_of(*state)
    least = low
    most = high
    if sign != above.sign:
        least = -high
        most = -low
    best = 0
    if sign > 0:
        best = look_up(slot, least, most, depth, arrays, notes)
    else:
        best = look_up(slot, -most, -least, depth, arrays, notes)
    if best < 0:
        return 0
    first = above.behind
    if top + 1 == len(arrays.stack) or first + ACTIONS >= len(arrays.moves):
        note_estimate(state, notes)
        return 0
    frame = arrays.stack[top]
    frame.first = first
    frame.next = first
    frame.behind = first
    frame.is_listed = 0
    frame.length = length
    if best > 0:
        arrays.moves[first] = best - 1
        frame.behind = first + 1
    return open_frame(state, top, depth, least, most, arrays, notes)


def learn_success(top: int, arrays: CutoffArrays) -> int:
    """The deciding move of a frame gains as much as was tried in vain before."""
    frame = arrays.stack[top]
    mover = (1 - frame.sign) >> 1
    weight = max(1, frame.depth)
    for place in range(frame.first, frame.next):
        arrays.history[success_of(arrays.moves[place], mover)] -= weight
    tried = frame.next - frame.first
    arrays.history[success_of(arrays.moves[frame.next], mover)] += weight * (tried + 1)
    return tried


def take_value(top: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """Use the result of the move searched last; 1 if the move must be searched again."""
    frame = arrays.stack[top]
    frame.is_waiting = 0
    value = frame.sign * notes.result
    action = arrays.moves[frame.next]
    low = max(frame.low, frame.best)
    if frame.is_probing != 0 and value > low:
        return 1
    frame.is_probing = 0
    frame.is_guess |= notes.is_guess
    if top == 0:
        arrays.worths[3 * frame.next] = notes.result
        arrays.worths[3 * frame.next + 1] = 0
        if frame.next > 0 and value <= low:
            arrays.worths[3 * frame.next + 1] = 1
        arrays.worths[3 * frame.next + 2] = notes.nodes - notes.before
    if value > frame.best:
        frame.best = value
        frame.action = action
    if value >= frame.high:
        learn_success(top, arrays)
        frame.next = frame.behind
        frame.is_listed = 1
    else:
        frame.next += 1
    return 0


def close_frame(top: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """Give the value of a frame to the frame below, and to the table."""
    frame = arrays.stack[top]
    notes.result = frame.sign * frame.best
    notes.is_guess = frame.is_guess
    kind = EXACT
    if frame.best <= frame.low:
        kind = AT_MOST if frame.sign > 0 else AT_LEAST
    if frame.best >= frame.high:
        kind = AT_LEAST if frame.sign > 0 else AT_MOST
    keep_value(top, kind, arrays, notes)
    notes.top = top - 1
    return kind


def begin_depth(
    state: State, depth: int, length: int, count: int, arrays: CutoffArrays, notes: CutoffNotes
) -> int:
    """Begin the search of the root, whose `count` moves are listed in `moves`, to a depth."""
    pack_key(*state, arrays.keys, 0)
    frame = arrays.stack[0]
    frame.first = 0
    frame.next = 0
    frame.behind = count
    frame.is_listed = 1
    frame.length = push_history(state, arrays.past, length)
    most = max(HIGHEST, -LOWEST) + 1
    return open_frame(state, 0, depth, -most, most, arrays, notes)


def search_on(most: int, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """Continue until about `most` positions more have been looked at, or the search is over; 1 if
    it is."""
    ends = notes.nodes + most
    while notes.top >= 0 and notes.nodes < ends:
        top = notes.top
        frame = arrays.stack[top]
        again = 0
        if frame.is_waiting != 0:
            again = take_value(top, arrays, notes)
        is_done: bool = again == 0 and frame.next == frame.behind and frame.is_listed != 0
        if is_done:
            close_frame(top, arrays, notes)
        else:
            go_on(top, arrays, notes)
    return 1 if notes.top < 0 else 0


def list_root(state: State, length: int, arrays: CutoffArrays) -> int:
    """Write the moves of the root; returns their number."""
    length = push_history(state, arrays.past, length)
    count = legal_now(state, arrays.past, length, arrays.moves, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    return count


def best_known(state: State, arrays: CutoffArrays, notes: CutoffNotes) -> int:
    """The best action that the table knows of a state, -1 if none."""
    slot = entry_of_state(state, len(arrays.keys) - WIDTH, arrays)
    if slot < 0 or arrays.known[slot].search != notes.search:
        return -1
    action: int = arrays.table[slot * WIDTH + WIDTH - 1] - 1
    return action


def fade(history: Array) -> int:
    """Halve what the history says, before the search of another root."""
    for place in range(len(history)):
        history[place] = history[place] >> 1
    return 0
