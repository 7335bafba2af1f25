"""The kernels of retrograde analysis, written against the names that every module offers (`abi`).

Nothing is kept of a state but its entry in the table: its key, and above it a code. That is `NEW`
until its successors are entered, `UNSETTLED` until its value is known, and then, as in
`induction_kernel`, (plies + 1) << CLASS_BITS with the number of a payoff. Images of a state are one
entry (`symmetry.orbits`), with marks that say which of them are reached. Where players are
swapped the first one is to move in every entry, and who wins a successor may be named otherwise
there than in the entry before; what an entry says is meant as it stands there.

Values are found level by level (`solvers.exact.retrograde`), a level that the first player forces
together with one that the second forces. At first by sweeps: the successors of every state that is
open are worked out again, and it is settled if they say so, all states at one distance from the
end in one sweep. When little is settled by a sweep, states that are still open are numbered, the
open states before each are listed, and the value spreads along these lists. So memory is needed
for the ways between open states alone.

Arrays are those of `induction_kernel`, and, with n the number of open states and e of ways between:

waiting: int64[m]: entries of some new states, found last; the others are found by going through
the table.
levels: int64[payoffs]: how good a payoff is for the first player; endless play is 0.
goals: int64[2, 2]: for the player who moves the level that is forced, and the one that is borne
when there is nothing better; seen by the player: levels of the second have the other sign.
sides: int64[3]: the payoff that the first player forces, the second, and both together.
ranks: int64[entries / 32 + 1]: for 32 entries which are open, and how many are open before.
starts: int64[n + 1]: where the states before each begin in `predecessors`.
predecessors: int64[(e + 1) // 2]: two in a number; the first bit says that players are swapped.
nodes: int64[n]: who moves; from `SIDE` on who has forced its value; from `DEGREE` on the successors
that are not settled as badly for who moves; from `HALF` on plies + 1 (0: open).
queue: int64[n // 2 + 1]: settled states in order of distance from the end, two in a number.
tallies: int64[plies, payoffs]: states by plies + 1 (0: endless) and payoff.
mirrored: int64[payoffs]: for each payoff the one in which players are swapped.
notes: int64[ALL_NOTES].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    NEW_PAYOFF,
    SLICED,
    UNFIT,
    USED,
    bucket_of,
    enter,
    entry_from,
    payoff_of,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        MIRRORED,
        MOST_CODE,
        NO_MOVES,
        SHIFT,
        SWAPS,
        WIDTH,
        Array,
        State,
        all_marks,
        apply,
        count_bits,
        fault,
        images_of,
        least_image,
        legal,
        marks_after,
        pack_key,
        payoffs_after,
        turn_of,
        unpack_key,
    )

NEW, UNSETTLED = 1, 2
"""Codes of states without a value."""

# Besides the notes of `induction_kernel`: the entry to go on at, states in `waiting`, new states;
# what is being done, which levels are looked for, plies + 1 at which states are settled last; what
# a sweep has settled, left open, and the ways that it saw between open states; the next open
# state; the next and the end of those from which a value spreads; the marks of the first state;
# how often successors have been entered.
(
    PLACE, STACK, WAITING, PHASE, LEVEL, LENGTH, SETTLED, LEFT, WAYS, NODE, HEAD, TAIL, FIRST,
    ENTERED,
) = range(7, 21)  # fmt: skip
ALL_NOTES = 21
SWEEP, COUNT, LIST, SPREAD, OVER = range(5)
"""What is being done."""
SIDE, DEGREE, HALF = 1, 3, 32
"""The first bits of what is known of an open state."""
BLOCK = 5
"""Bits of the number of an entry that say which it is of those that have one rank."""
TOGETHER = 2
"""In place of a player: whoever moves goes along."""
NOBODY = -1


def state_at(place: int, table: Array, keys: Array) -> State:
    """The state of an entry; the last row of the keys is used."""
    at = len(keys) - WIDTH
    for number in range(WIDTH - 1):
        keys[at + number] = table[place + number]
    keys[at + WIDTH - 1] = table[place + WIDTH - 1] & (1 << KEY_BITS) - 1
    return unpack_key(keys, at)


def images_after(
    state: State, marks: int, keys: Array, actions: Array, buckets: Array, table: Array
) -> int:
    """Write the entries of a state's successors among the keys, and where their chains begin; in
    place of the actions their marks, given those of the state, or without marks whether players
    are swapped in them. Gives how many there are."""
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    at = 0
    for number in range(count):
        after = apply(*state, actions[number])
        pack_key(*least_image(*after), keys, at)
        if marks != 0:
            actions[number] = marks_after(*after, marks)
        elif SWAPS:
            actions[number] = turn_of(*after)
        bucket = bucket_of(keys, at, table)
        buckets[2 * number] = bucket
        buckets[2 * number + 1] = table[
            bucket + WIDTH - 1
        ]  # asks for it: what comes is not looked at
        at += WIDTH
    return count


def is_swapped(number: int, actions: Array) -> int:
    """1 if players are swapped in the entry of a successor, else 0."""
    swapped = 0
    if SWAPS:
        swapped = actions[number]
    return swapped


def marks_at(place: int, table: Array) -> int:
    """The marks of an entry."""
    marks: int = table[place + WIDTH - 1] >> KEY_BITS & (1 << SHIFT - KEY_BITS) - 1
    return marks


def write_code(place: int, code: int, table: Array) -> int:
    """Write the code of an entry in use."""
    last = place + WIDTH - 1
    table[last] = table[last] & (1 << SHIFT) - 1 | code << SHIFT
    return code


def keep_waiting(place: int, waiting: Array, notes: Array) -> int:
    """Keep an entry at hand whose successors are to be entered."""
    notes[WAITING] += 1
    if notes[STACK] < len(waiting):
        waiting[notes[STACK]] = place
        notes[STACK] += 1
    return place


def next_waiting(table: Array, waiting: Array, notes: Array) -> int:
    """The entry of a new state; -1 if there is none."""
    while notes[STACK] > 0:
        place: int = waiting[notes[STACK] - 1]
        if table[place + WIDTH - 1] >> SHIFT == NEW:
            return place
        notes[STACK] -= 1
    if notes[WAITING] == 0:
        return NOBODY
    place = notes[PLACE]
    while table[place + WIDTH - 1] >> SHIFT != NEW:
        place += WIDTH
        if place == len(table):
            place = 0
    notes[PLACE] = place
    return place


def enter_successors(
    place: int,
    table: Array,
    keys: Array,
    waiting: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
) -> int:
    """Enter what follows a new state, which is open from then on; gives a status. After any but
    `DONE` it can be done again. Where an entry gets marks that it has not had, so will those after
    it, and it is new once more."""
    own = marks_at(place, table)
    state = state_at(place, table, keys)
    count = images_after(state, own, keys, actions, buckets, table)
    for number in range(count):
        at = number * WIDTH
        there = entry_from(buckets[2 * number], keys, at, table)
        code = table[there + WIDTH - 1] >> SHIFT
        if code == 0:
            per, one, other = payoffs_after(*unpack_key(keys, at))
            code = NEW
            if per != 0:
                payoff = payoff_of(per, one, other, payoffs, notes)
                if payoff < 0:
                    return NEW_PAYOFF
                code = 1 << CLASS_BITS | payoff
            enter(there, keys, at, code, table)
            notes[USED] += 1
            if code == NEW:
                keep_waiting(there, waiting, notes)
        if own != 0:
            marks = marks_at(there, table)
            if marks | actions[number] != marks:
                table[there + WIDTH - 1] |= actions[number] << KEY_BITS
                if code == UNSETTLED:
                    write_code(there, NEW, table)
                    keep_waiting(there, waiting, notes)
    notes[ENTERED] += 1
    if marks_at(place, table) == own:
        write_code(place, UNSETTLED, table)
        notes[WAITING] -= 1
    return DONE


def explore(
    table: Array,
    most: int,
    keys: Array,
    waiting: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Enter all states that can be reached, at most `most`."""
    if notes[USED] == 0:
        place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
        enter(place, keys, 0, NEW, table)
        table[place + WIDTH - 1] |= notes[FIRST] << KEY_BITS
        notes[USED] = 1
        notes[WAITING] = 1
    for _ in range(slice_size):
        place = next_waiting(table, waiting, notes)
        if place < 0:
            return DONE
        if notes[USED] + len(actions) > most:
            return FULL
        status = enter_successors(place, table, keys, waiting, actions, buckets, payoffs, notes)
        if status != DONE:
            return status
    return SLICED


def look_around(state: State, keys: Array, actions: Array, buckets: Array, table: Array) -> int:
    """Find what follows a state: where the entries are, the codes, and in place of the actions
    whether players are swapped; how many there are."""
    count = images_after(state, 0, keys, actions, buckets, table)
    for number in range(count):
        there = entry_from(buckets[2 * number], keys, number * WIDTH, table)
        buckets[2 * number] = there
        buckets[2 * number + 1] = table[there + WIDTH - 1] >> SHIFT
    return count


def level_of(code: int, mover: int, levels: Array) -> int:
    """How good the payoff of a code is for a player, who is `mover` in its entry."""
    level: int = levels[code & (1 << CLASS_BITS) - 1] * (1 - 2 * mover)
    return level


def is_borne(code: int, length: int, mover: int, borne: int, levels: Array) -> bool:
    """Whether a successor is settled, and no better for a player, who is `mover` in its entry, than
    what has to be borne."""
    known = code >> CLASS_BITS
    if known == 0:
        return False
    level = level_of(code, mover, levels)
    return level < borne or (level == borne and known <= length)


def judge(
    count: int,
    mover: int,
    length: int,
    goals: Array,
    levels: Array,
    actions: Array,
    buckets: Array,
) -> int:
    """Who forces the value of a state, given what follows it; `NOBODY` if it is still open.
    `length` is the plies + 1 of the states that were settled last."""
    bears = True
    forced = goals[2 * mover]
    borne = goals[2 * mover + 1]
    for number in range(count):
        code = buckets[2 * number + 1]
        there = mover ^ is_swapped(number, actions)
        if code >> CLASS_BITS == length and level_of(code, there, levels) == forced:
            return TOGETHER if forced == 0 and goals[2 * (1 - mover)] == 0 else mover
        bears = bears and is_borne(code, length, there, borne, levels)
    return 1 - mover if bears else NOBODY


def ways_on(count: int, buckets: Array) -> int:
    """How many of the ways on from a state lead to one that is open."""
    ways = 0
    for number in range(count):
        if buckets[2 * number + 1] == UNSETTLED:
            ways += 1
    return ways


def rank_open(table: Array, ranks: Array) -> int:
    """Number the open states; how many there are."""
    count = 0
    for block in range(len(ranks)):
        bits = 0
        before = count
        place = (block << BLOCK) * WIDTH
        for one in range(1 << BLOCK):
            if place < len(table) and table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
                bits |= 1 << one
                count += 1
            place += WIDTH
        ranks[block] = before << HALF | bits
    return count


def number_at(place: int, ranks: Array) -> int:
    """The number of an open state."""
    entry = place // WIDTH
    rank = ranks[entry >> BLOCK]
    before = (1 << (entry & (1 << BLOCK) - 1)) - 1
    number: int = (rank >> HALF) + count_bits(rank & before)
    return number


def append(node: int, queue: Array, notes: Array) -> int:
    """Put a state at the end of the queue."""
    tail = notes[TAIL]
    queue[tail >> 1] |= node << HALF * (tail & 1)
    notes[TAIL] = tail + 1
    return 0


def keep_open(
    node: int,
    count: int,
    mover: int,
    goals: Array,
    levels: Array,
    ranks: Array,
    starts: Array,
    nodes: Array,
    actions: Array,
    buckets: Array,
    notes: Array,
) -> int:
    """Count a state that is open among those before what follows it."""
    degree = 0
    for number in range(count):
        code = buckets[2 * number + 1]
        there = mover ^ is_swapped(number, actions)
        if not is_borne(code, notes[LENGTH], there, goals[2 * mover + 1], levels):
            degree += 1
        if code == UNSETTLED:
            starts[number_at(buckets[2 * number], ranks)] += 1
    nodes[node] = degree << DEGREE | mover
    return degree


def list_ways(
    node: int,
    count: int,
    ranks: Array,
    starts: Array,
    predecessors: Array,
    actions: Array,
    buckets: Array,
) -> int:
    """List a state as one before what follows it: `starts` are where the lists end, and in the end
    where they begin."""
    for number in range(count):
        if buckets[2 * number + 1] == UNSETTLED:
            child = number_at(buckets[2 * number], ranks)
            before = starts[child] - 1
            starts[child] = before
            way = node << 1 | is_swapped(number, actions)
            predecessors[before >> 1] |= way << HALF * (before & 1)
    return count


def go_through(
    phase: int,
    table: Array,
    goals: Array,
    sides: Array,
    levels: Array,
    ranks: Array,
    starts: Array,
    predecessors: Array,
    nodes: Array,
    queue: Array,
    keys: Array,
    actions: Array,
    buckets: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Look at what follows each open state. In a sweep those are settled that are one ply farther
    from the end than those settled last. When ways are counted, these are put in the queue, and
    what others lead to is counted; when ways are listed, the others are listed."""
    length = notes[LENGTH]
    looked_at = 0
    place = notes[PLACE]
    while place < len(table):
        if table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
            if looked_at == slice_size:
                notes[PLACE] = place
                return SLICED
            node = notes[NODE]
            if phase != LIST or nodes[node] >> HALF == 0:
                looked_at += 1
                state = state_at(place, table, keys)
                mover = turn_of(*state)
                count = look_around(state, keys, actions, buckets, table)
                if phase == LIST:
                    list_ways(node, count, ranks, starts, predecessors, actions, buckets)
                else:
                    side = judge(count, mover, length, goals, levels, actions, buckets)
                    if side < 0:
                        notes[LEFT] += 1
                        notes[WAYS] += ways_on(count, buckets)
                    if phase == SWEEP and side >= 0:
                        code = length + 1 << CLASS_BITS | sides[side]
                        if code > MOST_CODE:
                            return UNFIT
                        write_code(place, code, table)
                        notes[SETTLED] += 1
                    elif phase == COUNT and side >= 0:
                        nodes[node] = length + 1 << HALF | side << SIDE | mover
                        append(node, queue, notes)
                    elif phase == COUNT:
                        keep_open(
                            node, count, mover, goals, levels, ranks, starts, nodes, actions,
                            buckets, notes,
                        )  # fmt: skip
            notes[NODE] = node + 1
        place += WIDTH
    notes[PLACE] = place
    return DONE


def spread(
    starts: Array, predecessors: Array, nodes: Array, queue: Array, notes: Array, slice_size: int
) -> int:
    """Settle the open states from which a player forces a level, nearest to the end first. The
    other player is bound when nothing follows that is not settled."""
    half = (1 << HALF) - 1
    for _ in range(slice_size):
        head = notes[HEAD]
        if head == notes[TAIL]:
            return DONE
        node = queue[head >> 1] >> HALF * (head & 1) & half
        length = nodes[node] >> HALF
        side = nodes[node] >> SIDE & 3
        for place in range(starts[node], starts[node + 1]):
            way = predecessors[place >> 1] >> HALF * (place & 1) & half
            one = way >> 1
            known = nodes[one]
            if known >> HALF == 0:
                known -= 1 << DEGREE
                mover = known & 1
                forces = side if side == TOGETHER else side ^ way & 1
                if forces != 1 - mover or known >> DEGREE == 0:
                    known = length + 1 << HALF | forces << SIDE | mover
                    append(one, queue, notes)
                nodes[one] = known
        notes[HEAD] = head + 1
    return SLICED


def write_values(table: Array, sides: Array, nodes: Array) -> int:
    """Write what is known of open states into the table; gives a status."""
    node = 0
    for place in range(0, len(table), WIDTH):
        if table[place + WIDTH - 1] >> SHIFT == UNSETTLED:
            known = nodes[node]
            if known >> HALF != 0:
                code = known >> HALF << CLASS_BITS | sides[known >> SIDE & 3]
                if code > MOST_CODE:
                    return UNFIT
                write_code(place, code, table)
            node += 1
    return DONE


def longest(table: Array) -> int:
    """The greatest plies + 1."""
    most = 0
    for place in range(0, len(table), WIDTH):
        length = table[place + WIDTH - 1] >> SHIFT >> CLASS_BITS
        if length > most:
            most = length
    return most


def tally(table: Array, payoffs: int, mirrored: Array, tallies: Array, keys: Array) -> int:
    """Count the states that have each payoff and plies, images one by one; how many there are."""
    total = 0
    for place in range(0, len(table), WIDTH):
        code = table[place + WIDTH - 1] >> SHIFT
        if code != 0:
            state = state_at(place, table, keys)
            marks = all_marks(*state, marks_at(place, table))
            length = code >> CLASS_BITS
            number = 0 if length == 0 else code & (1 << CLASS_BITS) - 1
            size = images_of(*state, marks & ~MIRRORED)
            other = images_of(*state, marks & MIRRORED)
            tallies[length * payoffs + number] += size
            tallies[length * payoffs + mirrored[number]] += other
            total += size + other
    return total
