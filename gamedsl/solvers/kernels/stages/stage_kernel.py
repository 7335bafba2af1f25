"""The kernel of backward induction with means and matrix games, written against `abi`.

The value of a state is the greatest or the least value of its successors, their mean at a chance
event, or the value of the matrix game of two players who choose at once (Shapley, "Stochastic
games", PNAS 39, 1953). Depth-first search with an explicit stack numbers the states; a state on the
stack is open, and play that returns to an open state ends the work. Successors stand on the stack
until the state is settled, so no edges are kept: a state costs its entry of the table (see
`induction_kernel`), with the code number + 1, and its value.

A value is a number of units with a number of units that bounds its error: roundings and the
distance of the bounds of matrix games add up on the way from the endings.

arrays: see `StageArrays`.
notes: see `StageNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Record, Rows
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    HIGH,
    NEW_PAIR,
    NEW_PAYOFF,
    NEW_REWARD,
    NEW_SUM,
    ODD,
    RETURNS,
    SLICED,
    UNFIT,
    bucket_of,
    enter,
    entry_from,
    payoff_of,
)
from gamedsl.solvers.kernels.stages.matrix_kernel import MatrixArrays, matrix_bounds
from gamedsl.solvers.kernels.table_records import TableArrays, TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        EVENT_AT,
        IS_JOINT,
        LARGEST_EVENT,
        LASTING,
        NO_MOVES,
        OPENING,
        PAYS,
        PLAYERS,
        SHIFT,
        WHOLE,
        WIDTH,
        Array,
        State,
        apply,
        apply_choice,
        draw,
        draws,
        fault,
        legal,
        legal_choices,
        numbers,
        pack_key,
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
        write_paid,
    )

ERROR_BITS = 20
"""Bits of an error in a value."""
MOST_VALUE = 1 << 41
"""Limit on the absolute value of a value in units."""
MOST_WEIGHTS = 1 << 20
"""Limit on the sum of the weights of a chance event."""
MOST_PER = 1 << 21
"""Limit on the denominator of a reward: its product with the units of a payoff of 1 fits."""
OPEN_VALUE = 1 << 62
"""In place of the value of an open state."""
NUMBER_AT, WEIGHT_AT, PAID_AT, LASTS_AT, BEHIND_KEY = range(5)
"""Behind the key of a successor: its number + 1, or 0 while unknown (before, the beginning of its
chain); the weight of an outcome; the reward of the step, as `units_paid` has it; whether a
discount applies to the step."""
NATURE, TOGETHER = -1, -2
"""In place of the player to move: a chance event, and choices at once."""
MOST_DISTANCE = 1 << 8
"""Greatest distance of the bounds of a matrix game, in units, without a question to the caller."""


class Frame(Record):
    """A frame of the stack.

    at, number: the place of the state's key in `keys`, and the state's number.
    next, behind: the next successor to be looked at (-1: not listed yet), and their end.
    mover: the player to move, `NATURE` or `TOGETHER`.
    rows: number of choices of the first player, at choices at once.
    """

    at: int
    number: int
    next: int
    behind: int
    mover: int
    rows: int


class StageNotes(TableNotes):
    """events: number of chance events; greatest: the greatest error of a value, in units.
    rows, columns: the size of a matrix game with a question to the caller.
    is_given, low, high: whether the caller has answered, and the bounds of the answer.
    error: the greatest error behind a state at work.
    unit: units in a payoff of 1.
    """

    events: int
    greatest: int
    rows: int
    columns: int
    is_given: int
    low: int
    high: int
    error: int
    unit: int


class StageArrays(TableArrays):
    """In addition to `TableArrays`, with keys: int64[m, WIDTH + BEHIND_KEY]:

    values: int64[n]: by number, the first player's payoff in units, times 1 << ERROR_BITS, plus the
        error.
    worths: int64[payoffs]: the value of each payoff, like `values`.
    sizes: int64[PLAYERS]: numbers of choices at once.
    paid: int64[PLAYERS + 1]: a reward.
    games: for matrix games.
    """

    values: Array
    worths: Array
    sizes: Array
    paid: Array
    stack: Rows[Frame]
    games: MatrixArrays


def units_paid(payer: int, state: State, step: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Twice the first player's reward for a step, in units rounded down, plus 1 if rounded;
    OPEN_VALUE if the reward does not fit, -OPEN_VALUE if the second player does not pay it."""
    write_paid(payer, *state, step, arrays.paid, 0)
    share = arrays.paid[1]
    if share == 0 and (PLAYERS == 1 or arrays.paid[2] == 0):
        return 0
    if PLAYERS == 2 and share + arrays.paid[2] != 0:
        return -OPEN_VALUE
    per = arrays.paid[0]
    whole = share // per
    if max(whole, -whole) >= MOST_VALUE // notes.unit or per >= MOST_PER:
        return OPEN_VALUE
    parts = (share - whole * per) * notes.unit
    units: int = whole * notes.unit + parts // per
    return units << 1 | (1 if parts % per != 0 else 0)


def list_step(
    state: State, child: State, weight: int, paid: int, at: int, arrays: StageArrays
) -> int:
    """Write the key of a successor, the beginning of its chain, the weight and the reward of the
    step from a place on; returns a status."""
    if max(paid, -paid) == OPEN_VALUE:
        return NEW_REWARD if paid < 0 else UNFIT
    if pack_key(*child, arrays.keys, at) != 0:
        return ODD
    bucket = bucket_of(arrays.keys, at, arrays.table)
    prefetch(arrays.table, bucket + WIDTH - 1)
    behind = at + WIDTH
    arrays.keys[behind + NUMBER_AT] = bucket
    arrays.keys[behind + WEIGHT_AT] = weight
    arrays.keys[behind + PAID_AT] = paid
    arrays.keys[behind + LASTS_AT] = 0
    if WHOLE > 1:
        lasts = 1
        if EVENT_AT >= 0:
            lasts = 1 if child[EVENT_AT] == 0 and OPENING[state[EVENT_AT]] == 0 else 0
        arrays.keys[behind + LASTS_AT] = lasts
    return DONE


def list_outcomes(state: State, at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """List the outcomes of a chance event; returns the place behind them, or a negative status."""
    weights = numbers(LARGEST_EVENT)
    rest = draws(*state, weights)
    if rest >= MOST_WEIGHTS:
        return -NEW_SUM
    outcome = 0
    while rest > 0:
        weight = weights[outcome]
        if weight > 0:
            paid = 0
            if PAYS:
                paid = units_paid(-1, state, outcome, arrays, notes)
            status = list_step(state, draw(*state, outcome), weight, paid, at, arrays)
            if status != DONE:
                return -status
            at += WIDTH + BEHIND_KEY
            rest -= weight
        outcome += 1
    return at


def list_choices(
    state: State, first: int, count: int, at: int, arrays: StageArrays, notes: StageNotes
) -> int:
    """List the actions of a player, which stand in `actions` from `first` on; returns as
    `list_outcomes`."""
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    for number in range(first, first + count):
        action = arrays.actions[number]
        paid = 0
        if PAYS:
            paid = units_paid(turn_of(*state), state, action, arrays, notes)
        status = list_step(state, apply(*state, action), 1, paid, at, arrays)
        if status != DONE:
            return -status
        at += WIDTH + BEHIND_KEY
    return at


def list_pairs(state: State, first: int, at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """List all pairs of choices at once, row by row; returns as `list_outcomes`."""
    rows = arrays.sizes[0]
    for number in range(rows * arrays.sizes[1]):
        row = arrays.actions[first + number // arrays.sizes[1]]
        column = arrays.actions[first + rows + number % arrays.sizes[1]]
        child = apply_choice(0, *state, *state, row)
        child = apply_choice(1, *state, *child, column)
        paid = 0
        if PAYS:
            paid = units_paid(0, state, row, arrays, notes)
            other = units_paid(1, state, column, arrays, notes)
            if max(other, -other) == OPEN_VALUE:
                return -NEW_REWARD if other < 0 else -UNFIT
            if max(paid, -paid) != OPEN_VALUE:
                paid = ((paid >> 1) + (other >> 1) << 1) | ((paid | other) & 1)
        status = list_step(state, child, 1, paid, at, arrays)
        if status != DONE:
            return -status
        at += WIDTH + BEHIND_KEY
    return at


def list_all(top: int, state: State, arrays: StageArrays, notes: StageNotes) -> int:
    """List the successors of a state on top of the stack, and note its mover; returns as
    `list_outcomes`."""
    frame = arrays.stack[top]
    at = frame.behind
    most = len(arrays.keys) - at
    wide = WIDTH + BEHIND_KEY
    frame.mover = NATURE
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return list_outcomes(state, at, arrays, notes) if LARGEST_EVENT * wide < most else -HIGH
    frame.mover = turn_of(*state)
    first = ACTIONS + 1
    count = 0
    if IS_JOINT:
        if legal_choices(*state, arrays.actions, first, arrays.sizes, 0) == 1:
            frame.mover = TOGETHER
            frame.rows = arrays.sizes[0]
            if arrays.sizes[0] * arrays.sizes[1] * wide >= most:
                return -HIGH
            return list_pairs(state, first, at, arrays, notes)
        count = arrays.sizes[0]
    else:
        count = legal(*state, arrays.actions, first) - first
    return list_choices(state, first, count, at, arrays, notes) if count * wide < most else -HIGH


def number_state(place: int, at: int, value: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Number a state that is missing from the table, with a value, and note the number behind its
    key; `place`: its free entry."""
    number = notes.used
    notes.used = number + 1
    arrays.values[number] = value
    arrays.keys[at + WIDTH + NUMBER_AT] = number + 1
    enter(place, arrays.keys, at, number + 1, arrays.table)
    return number


def look_at(at: int, bucket: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Find the number of a successor, or number an ending; returns a status."""
    arrays.keys[at + WIDTH + NUMBER_AT] = 0
    place = entry_from(bucket, arrays.keys, at, arrays.table)
    number = arrays.table[place + WIDTH - 1] >> SHIFT
    if number > 0:
        arrays.keys[at + WIDTH + NUMBER_AT] = number
        return RETURNS if arrays.values[number - 1] == OPEN_VALUE else DONE
    child = unpack_key(arrays.keys, at)
    if EVENT_AT >= 0 and child[EVENT_AT] != 0:
        return DONE
    per, first_share, second_share = payoffs_after(*child)
    if per != 0:
        payoff = payoff_of(per, first_share, second_share, arrays.payoffs, notes)
        if payoff < 0:
            return NEW_PAYOFF
        number_state(place, at, arrays.worths[payoff], arrays, notes)
        notes.endings += 1
    return DONE


def expand(top: int, most: int, arrays: StageArrays, notes: StageNotes) -> int:
    """List all successors of a state; returns a status. After any status but `DONE` the call can be
    repeated."""
    frame = arrays.stack[top]
    first = frame.behind
    behind = list_all(top, unpack_key(arrays.keys, frame.at), arrays, notes)
    if behind < 0:
        return -behind
    wide = WIDTH + BEHIND_KEY
    if notes.used + (behind - first) // wide > most:
        return FULL
    for at in range(first, behind, wide):
        status = look_at(at, arrays.keys[at + WIDTH + NUMBER_AT], arrays, notes)
        if status != DONE:
            return status
    frame.next = first
    frame.behind = behind
    return DONE


def begin(top: int, at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Push a state, which is missing from the table, on the stack."""
    state = unpack_key(arrays.keys, at)
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        notes.events += 1
    place = entry_from(bucket_of(arrays.keys, at, arrays.table), arrays.keys, at, arrays.table)
    frame = arrays.stack[top]
    frame.at = at
    frame.number = number_state(place, at, OPEN_VALUE, arrays, notes)
    frame.next = -1
    frame.behind = at + WIDTH + BEHIND_KEY
    if top > 0:
        frame.behind = arrays.stack[top - 1].behind
    return top


def value_after(at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """The first player's payoff behind a step, the reward included; the error is counted in."""
    content = arrays.values[arrays.keys[at + WIDTH + NUMBER_AT] - 1]
    error = content & (1 << ERROR_BITS) - 1
    value: int = content >> ERROR_BITS
    if PAYS:
        if WHOLE > 1 and arrays.keys[at + WIDTH + LASTS_AT] == 1:
            value *= LASTING
            error += 1 if value % WHOLE != 0 else 0
            value //= WHOLE
        paid = arrays.keys[at + WIDTH + PAID_AT]
        value += paid >> 1
        error += 2 * (paid & 1)
    notes.error = max(notes.error, error)
    return value


def mean_value(first: int, behind: int, arrays: StageArrays, notes: StageNotes) -> int:
    """The mean of the values behind the outcomes of a chance event, rounded down."""
    total = 0
    products = 0
    for at in range(first, behind, WIDTH + BEHIND_KEY):
        weight = arrays.keys[at + WIDTH + WEIGHT_AT]
        total += weight
        products += weight * value_after(at, arrays, notes)
    notes.error += 1 if products % total != 0 else 0
    return products // total


def stage_value(first: int, behind: int, rows: int, arrays: StageArrays, notes: StageNotes) -> int:
    """The value of the matrix game of choices at once; OPEN_VALUE if the caller has to answer."""
    wide = WIDTH + BEHIND_KEY
    count = (behind - first) // wide
    columns = count // rows
    for number in range(count):
        arrays.games.matrix[number] = value_after(first + number * wide, arrays, notes)
    low = notes.low
    high = notes.high
    if notes.is_given == 0:
        low, high = matrix_bounds(rows, columns, arrays.games)
        if high - low > MOST_DISTANCE:
            notes.rows = rows
            notes.columns = columns
            return OPEN_VALUE
    notes.is_given = 0
    notes.error += high - low + 1 >> 1
    return low + high >> 1


def finish(top: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Settle the state on top of the stack, whose successors are settled; returns a status."""
    frame = arrays.stack[top]
    first = frame.behind if top == 0 else arrays.stack[top - 1].behind
    if top == 0:
        first = WIDTH + BEHIND_KEY
    behind = frame.behind
    notes.error = 0
    if frame.mover == NATURE:
        value = mean_value(first, behind, arrays, notes)
    elif IS_JOINT and frame.mover == TOGETHER:
        value = stage_value(first, behind, frame.rows, arrays, notes)
    else:
        value = value_after(first, arrays, notes)
        for at in range(first + WIDTH + BEHIND_KEY, behind, WIDTH + BEHIND_KEY):
            after = value_after(at, arrays, notes)
            value = max(value, after) if frame.mover == 0 else min(value, after)
    if value == OPEN_VALUE:
        return NEW_PAIR
    if max(value, -value) >= MOST_VALUE or notes.error >> ERROR_BITS != 0:
        return UNFIT
    notes.greatest = max(notes.greatest, notes.error)
    arrays.values[frame.number] = value << ERROR_BITS | notes.error
    return DONE


def settle_stages(most: int, arrays: StageArrays, notes: StageNotes, slice_size: int) -> int:
    """Continue until the first state is settled, or the caller has to act. `most`: the maximal
    number of entries in use; `slice_size`: the number of states expanded in a slice."""
    status = DONE
    expanded = 0
    top = notes.top
    if top < -1:
        begin(0, 0, arrays, notes)
        top = 0
    while top >= 0 and status == DONE:
        at = arrays.stack[top].next
        if at < 0:
            if expanded == slice_size:
                status = SLICED
            else:
                expanded += 1
                status = expand(top, most, arrays, notes)
        elif at == arrays.stack[top].behind:
            status = finish(top, arrays, notes)
            if status == DONE:
                top -= 1
        elif arrays.keys[at + WIDTH + NUMBER_AT] > 0:
            arrays.stack[top].next = at + WIDTH + BEHIND_KEY
        else:
            bucket = bucket_of(arrays.keys, at, arrays.table)
            place = entry_from(bucket, arrays.keys, at, arrays.table)
            number = arrays.table[place + WIDTH - 1] >> SHIFT
            if number > 0:  # settled since: no successor was open when it was listed
                arrays.keys[at + WIDTH + NUMBER_AT] = number
            elif top + 2 > len(arrays.stack):
                status = HIGH
            elif notes.used >= most:
                status = FULL
            else:
                begin(top + 1, at, arrays, notes)
                top += 1
    notes.top = top
    return status
