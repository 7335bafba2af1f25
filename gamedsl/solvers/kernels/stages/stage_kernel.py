"""The kernel of backward induction with means and matrix games, written against `abi`.

The value of a state is the greatest or the least value of its successors, their mean at a chance
event, or the value of the matrix game of two players who choose at once (Shapley, "Stochastic
games", PNAS 39, 1953). Depth-first search with an explicit stack numbers the states; successors
stand on the stack until their state is settled, so no edges are kept: a state costs its entry of
the table (see `induction_kernel`), with the code number + 1, and its value.

Where play returns, the search finds strongly connected components on the way (Tarjan, "Depth-first
search and linear graph algorithms", SIAM J. Comput. 1, 1972): a finished state that leads to an
open state waits as a member, with its edges, until the first state of the component is finished.
Then `interval_kernel` bounds the values of the members. Choices at once are not part of components.

A value is a number of units with a number of units that bounds its error: roundings and the
distance of the bounds of matrix games add up on the way from the endings.

arrays: see `StageArrays`.
notes: see `StageNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Record, Rows
from gamedsl.solvers.kernels.chance.bounds_kernel import BoundedGraph, IntervalNotes
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    MOST_CHOICES,
    choice_at,
    edge_at,
    first_edge,
    node_of,
    put_half,
)
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE
from gamedsl.solvers.kernels.chance.interval_kernel import begin_component, settle_component
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    HIGH,
    LOST,
    NEW_PAIR,
    NEW_PAYOFF,
    NEW_REWARD,
    NEW_SUM,
    ODD,
    RETURNS,
    SLICED,
    UNFIT,
    bucket_of,
    ending_of,
    enter,
    entry_from,
)
from gamedsl.solvers.kernels.stages.matrix_kernel import MatrixArrays, matrix_bounds
from gamedsl.solvers.kernels.table_records import TableArrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ERROR_BITS,
        EVENT_AT,
        IS_GENERAL,
        IS_JOINT,
        IS_NARROW,
        LARGEST_EVENT,
        LASTING,
        NO_MOVES,
        OPENING,
        PASSES,
        PAYS,
        PLAYERS,
        SHIFT,
        VALUE_BITS,
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
        prefetch,
        turn_of,
        unpack_key,
        write_paid,
        write_payoffs,
    )

OPEN_VALUE = 1 << 62
"""In place of the value of an open state; of a member of a component, the number of its place and 1
are added."""
NUMBER_AT, WEIGHT_AT, PAID_AT, LASTS_AT, BEHIND_KEY = range(5)
"""Behind the key of a successor: its number + 1, or 0 while unknown (before, the beginning of its
chain); the weight of an outcome; the reward of the step, as `units_paid` has it; whether a
discount applies to the step."""
TOGETHER = -2
"""In place of the player to move, as `NATURE` at a chance event: choices at once."""
SWEPT = 1 << 16
"""Number of members swept in a slice."""
MOST_DISTANCE = 1 << 8
"""Greatest distance of the bounds of a matrix game, in units, without a question to the caller."""
HASH_BY, HASH_MODULO = 48_271, (1 << 31) - 1
"""Of the hash of a case (Park and Miller 1988)."""


class Frame(Record):
    """A frame of the stack.

    at, number: the place of the state's key in `keys`, and the state's number.
    next, behind: the next successor to be looked at (-1: not listed yet), and their end.
    mover: the player to move, `NATURE` or `TOGETHER`.
    rows: number of choices of the first player, at choices at once.
    lowest: the least number of an open state to which play returns, as far as known.
    members: number of members before the state was pushed.
    circles: whether the state is its own successor.
    """

    at: int
    number: int
    next: int
    behind: int
    mover: int
    rows: int
    lowest: int
    members: int
    circles: int


class StageNotes(IntervalNotes):
    """greatest: the greatest error of a value, in units.
    rows, columns: the size of a matrix game with a question to the caller; or the length of a new
        case, and the place of its entry in `slots`.
    is_given, low, high: whether the caller has answered, and the bounds of the answer.
    error: the greatest error behind a state at work.
    unit: units in a payoff of 1.
    closing: whether a component is being bounded; near: the last value of a component before.
    `stacked`, `edges`: number of members, and of their edges.
    """

    greatest: int
    rows: int
    columns: int
    is_given: int
    low: int
    high: int
    error: int
    unit: int
    closing: int
    near: int


class StageArrays(TableArrays):
    """In addition to `TableArrays`, with keys: int64[m, WIDTH + BEHIND_KEY]:

    values: int64[n]: by number, the first player's payoff in units, times 1 << ERROR_BITS, plus the
        error.
    worths: int64[payoffs]: the value of each payoff, like `values`.
    case: where interests are not opposed, values are numbers of payoffs; the case at work.
    cases: the solved cases, one behind the other: the value, the length, the case.
    slots: a table with open addressing: places of the lengths in `cases`, 0 for a free slot.
    ranks: int64[n, PLAYERS]: the rank of each value for each player.
    sizes: int64[2 * PLAYERS]: numbers of choices at once, and of choices behind a pair of them.
    paid: int64[SHARES]: a reward, or the payoffs of an ending.
    games: for matrix games.
    members: int64[m]: the number of each member.
    graph: the members by place. An edge of a waiting member leads to the number of a state; in a
        component being bounded, to a place, behind the members for a settled state.
    choices: n halves of numbers: of a state to which play returns, the action chosen, counted from
        1 among the legal actions; else 0.
    """

    values: Array
    worths: Array
    sizes: Array
    paid: Array
    stack: Rows[Frame]
    games: MatrixArrays
    members: Array
    graph: BoundedGraph
    choices: Array
    case: Array
    cases: Array
    slots: Array
    ranks: Array


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
    if max(whole, -whole) >= (1 << VALUE_BITS) // notes.unit or per >= 1 << 62 - VALUE_BITS:
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
    if rest >= 1 << 61 - VALUE_BITS:
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


def passed(state: State, arrays: StageArrays) -> State:
    """The state behind a forced move of a player who moves alone; a state without such a move
    itself. The state between has no entry in the table."""
    first = (PLAYERS + 1) * (ACTIONS + 1)
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return state
    if write_payoffs(*state, arrays.paid, 0) != 0:
        return state
    if legal_choices(*state, arrays.actions, first, arrays.sizes, PLAYERS) == 1:
        return state
    if arrays.sizes[PLAYERS] != 1:
        return state
    return apply(*state, arrays.actions[first])


def count_together(sizes: Array) -> int:
    """The number of combinations of choices at once."""
    count = 1
    for player in range(PLAYERS):
        count *= sizes[player]
    return count


def paid_together(
    state: State, row: int, column: int, arrays: StageArrays, notes: StageNotes
) -> int:
    """As `units_paid`, for the choices of two players."""
    paid = units_paid(0, state, row, arrays, notes)
    other = units_paid(1, state, column, arrays, notes)
    if max(other, -other) == OPEN_VALUE:
        return other
    if max(paid, -paid) == OPEN_VALUE:
        return paid
    return ((paid >> 1) + (other >> 1) << 1) | ((paid | other) & 1)


def list_together(state: State, first: int, at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """List all combinations of choices at once, the last player's choice changing fastest; returns
    as `list_outcomes`. What the choices of the other players lead to is worked out once for all
    choices of the last player."""
    count = count_together(arrays.sizes)
    last = PLAYERS - 1
    replies = arrays.sizes[last]
    before_last = state
    last_first = first
    for number in range(count):
        if number % replies == 0:
            before_last = state
            last_first = first
            stride = count
            for player in range(last):
                stride //= arrays.sizes[player]
                choice = arrays.actions[last_first + number // stride % arrays.sizes[player]]
                last_first += arrays.sizes[player]
                before_last = apply_choice(player, *state, *before_last, choice)
        reply = arrays.actions[last_first + number % replies]
        child = apply_choice(last, *state, *before_last, reply)
        paid = 0
        if PAYS:
            row = arrays.actions[first + number // arrays.sizes[1]]
            column = arrays.actions[first + arrays.sizes[0] + number % arrays.sizes[1]]
            paid = paid_together(state, row, column, arrays, notes)
        if PASSES:
            child = passed(child, arrays)
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
            together = count_together(arrays.sizes)
            if IS_GENERAL and 2 * together + PLAYERS >= len(arrays.case):
                return -LOST
            if together * wide >= most:
                return -HIGH
            return list_together(state, first, at, arrays, notes)
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


def note_return(top: int, number: int, arrays: StageArrays) -> int:
    """Note that a state on the stack leads to another, which may be open."""
    if not (IS_JOINT or IS_GENERAL) and arrays.values[number] >= OPEN_VALUE:
        frame = arrays.stack[top]
        frame.lowest = min(frame.lowest, number)
        frame.circles |= 1 if number == frame.number else 0
    return 0


def look_at(top: int, at: int, bucket: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Find the number of a successor, or number an ending; returns a status."""
    arrays.keys[at + WIDTH + NUMBER_AT] = 0
    place = entry_from(bucket, arrays.keys, at, arrays.table)
    number = arrays.table[place + WIDTH - 1] >> SHIFT
    if number > 0:
        arrays.keys[at + WIDTH + NUMBER_AT] = number
        if (IS_JOINT or IS_GENERAL) and arrays.values[number - 1] == OPEN_VALUE:
            return RETURNS
        return note_return(top, number - 1, arrays)
    child = unpack_key(arrays.keys, at)
    if EVENT_AT >= 0 and child[EVENT_AT] != 0:
        return DONE
    ending = ending_of(child, arrays.payoffs, notes.payoffs, arrays.paid, 0)
    if ending < 0:
        return NEW_PAYOFF
    if ending > 0:
        number_state(place, at, arrays.worths[ending - 1], arrays, notes)
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
        status = look_at(top, at, arrays.keys[at + WIDTH + NUMBER_AT], arrays, notes)
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
    frame.lowest = frame.number
    frame.members = notes.stacked
    frame.circles = 0
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


def number_after(at: int, arrays: StageArrays) -> int:
    """The number of the payoffs behind a step, where interests are not opposed."""
    number: int = arrays.values[arrays.keys[at + WIDTH + NUMBER_AT] - 1]
    return number


def hash_of_case(case: Array, length: int) -> int:
    """The hash of a case: below 2**31."""
    value = 0
    for number in range(length):
        value = (value * HASH_BY + case[number] + 3) % HASH_MODULO
    return value


def put_case(top: int, first: int, behind: int, arrays: StageArrays) -> int:
    """Write the case of the state on top of the stack: the mover, the weights of outcomes or the
    numbers of choices of all players, and the numbers of the payoffs behind; returns its length."""
    wide = WIDTH + BEHIND_KEY
    case = arrays.case
    case[0] = arrays.stack[top].mover
    length = 1
    if arrays.stack[top].mover == NATURE:
        for at in range(first, behind, wide):
            case[length] = arrays.keys[at + WIDTH + WEIGHT_AT]
            length += 1
    else:
        legal_choices(
            *unpack_key(arrays.keys, arrays.stack[top].at),
            arrays.actions,
            ACTIONS + 1,
            arrays.sizes,
            0,
        )
        for player in range(PLAYERS):
            case[length] = arrays.sizes[player]
            length += 1
    for at in range(first, behind, wide):
        case[length] = number_after(at, arrays)
        length += 1
    return length


def case_value(length: int, arrays: StageArrays, notes: StageNotes) -> int:
    """The number of the payoffs of a case that the caller has solved before; OPEN_VALUE, with the
    place of its entry in the notes, for a case that is new."""
    slot = hash_of_case(arrays.case, length) % len(arrays.slots)
    while arrays.slots[slot] != 0:
        at = arrays.slots[slot]
        differs = arrays.cases[at] ^ length
        number = 0
        while differs == 0 and number < length:
            differs = arrays.cases[at + 1 + number] ^ arrays.case[number]
            number += 1
        if differs == 0:
            value: int = arrays.cases[at - 1]
            return value
        slot = (slot + 1) % len(arrays.slots)
    notes.rows = length
    notes.columns = slot
    return OPEN_VALUE


def finish_general(
    top: int, first: int, behind: int, arrays: StageArrays, notes: StageNotes
) -> int:
    """As `finish`, where interests are not opposed: a player who moves alone takes the first
    choice with the best payoff for the player; all else is a case."""
    frame = arrays.stack[top]
    mover = frame.mover
    value = number_after(first, arrays)
    is_case = 0
    for at in range(first + WIDTH + BEHIND_KEY, behind, WIDTH + BEHIND_KEY):
        after = number_after(at, arrays)
        if mover < 0:
            is_case |= value ^ after
        elif arrays.ranks[after * PLAYERS + mover] > arrays.ranks[value * PLAYERS + mover]:
            value = after
    if is_case != 0:
        if (behind - first) // (WIDTH + BEHIND_KEY) * 2 + PLAYERS >= len(arrays.case):
            return LOST
        value = case_value(put_case(top, first, behind, arrays), arrays, notes)
        if value == OPEN_VALUE:
            return NEW_PAIR
    arrays.values[frame.number] = value
    return DONE


def first_listed(top: int, arrays: StageArrays) -> int:
    """The place of the first successor of the state on top of the stack."""
    first = WIDTH + BEHIND_KEY
    if top > 0:
        first = arrays.stack[top - 1].behind
    return first


def finish(top: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Settle the state on top of the stack, whose successors are settled; returns a status."""
    frame = arrays.stack[top]
    first = first_listed(top, arrays)
    behind = frame.behind
    if IS_GENERAL:
        return finish_general(top, first, behind, arrays, notes)
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
    if max(value, -value) >= 1 << VALUE_BITS or notes.error >> ERROR_BITS != 0:
        return UNFIT
    notes.greatest = max(notes.greatest, notes.error)
    arrays.values[frame.number] = value << ERROR_BITS | notes.error
    return DONE


def label_of(at: int, arrays: StageArrays, notes: StageNotes) -> int:
    """The number of the weight and the reward of a step, which are added if they are new; -1 if
    there is no room."""
    behind = at + WIDTH
    weight = arrays.keys[behind + WEIGHT_AT]
    lasts = arrays.keys[behind + LASTS_AT]
    low = arrays.keys[behind + PAID_AT] >> 1
    rounded = arrays.keys[behind + PAID_AT] & 1
    label = notes.label
    for number in range(notes.labels + 1):
        toll = arrays.graph.tolls[label]
        is_equal = toll.weight == weight and toll.lasts == lasts and toll.low == low
        if is_equal and toll.high == low + rounded:
            notes.label = label
            return label
        label = number
    if label == len(arrays.graph.tolls):
        return -1
    toll = arrays.graph.tolls[label]
    toll.weight = weight
    toll.lasts = lasts
    toll.low = low
    toll.high = low + rounded
    toll.sign = (1 if low + rounded > 0 else 0) - (1 if low < 0 else 0)
    notes.labels = label + 1
    notes.label = label
    return label


def put_edge(edges: Array, place: int, edge: int) -> int:
    """Write an edge: a successor and a label."""
    if IS_NARROW:
        return put_half(edges, place, edge)
    edges[place] = edge
    return 0


def hold(top: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Let the state on top of the stack wait as a member of a component; returns a status."""
    frame = arrays.stack[top]
    first = first_listed(top, arrays)
    wide = WIDTH + BEHIND_KEY
    count = (frame.behind - first) // wide
    room = len(arrays.graph.edges) * 2 if IS_NARROW else len(arrays.graph.edges)
    if notes.edges + count > room or notes.stacked + 2 > len(arrays.members):
        return RETURNS
    if count >= MOST_CHOICES:
        return UNFIT
    for number in range(count):
        at = first + number * wide
        label = label_of(at, arrays, notes)
        if label < 0:
            return ODD if IS_NARROW else UNFIT
        edge = arrays.keys[at + WIDTH + NUMBER_AT] - 1 | label << LABEL_SHIFT
        put_edge(arrays.graph.edges, notes.edges + number, edge)
    kind = NATURE if frame.mover == NATURE else -1 - frame.mover
    member = notes.stacked
    arrays.members[member] = frame.number
    arrays.graph.nodes[member] = node_of(kind) | notes.edges
    notes.edges += count
    arrays.graph.nodes[member + 1] = notes.edges
    arrays.values[frame.number] = OPEN_VALUE + 1 + member
    notes.stacked = member + 1
    return DONE


def close(first: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Make a graph of the component of the members from a place on: number settled successors
    behind the members, with their values, and begin to bound the component."""
    behind = notes.stacked
    graph = arrays.graph
    for member in range(first, notes.stacked):
        put_half(graph.ranks, member, notes.used + 1 + member)
        put_half(graph.order, member, 2 * member + (1 if member == notes.stacked - 1 else 0))
    for place in range(first_edge(first, graph.nodes), notes.edges):
        edge = edge_at(graph.edges, place)
        content = arrays.values[edge & (1 << LABEL_SHIFT) - 1]
        if content >= OPEN_VALUE:
            member = content - OPEN_VALUE - 1
        else:
            error = content & (1 << ERROR_BITS) - 1
            graph.lower[behind] = (content >> ERROR_BITS) - error
            graph.upper[behind] = (content >> ERROR_BITS) + error
            put_half(graph.ranks, behind, 0)
            member = behind
            behind += 1
        put_edge(graph.edges, place, member | edge >> LABEL_SHIFT << LABEL_SHIFT)
    begin_component(first, notes.stacked - 1, notes.near, graph, notes)
    notes.closing = 1
    return 0


def put_values(first: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Settle the members from a place on by their bounds; returns a status, `LOST` if best play is
    not known to leave a component."""
    if notes.staying > 0:
        return LOST
    graph = arrays.graph
    for member in range(first, notes.stacked):
        number = arrays.members[member]
        value = graph.lower[member] + graph.upper[member] >> 1
        error = graph.upper[member] - graph.lower[member] + 1 >> 1
        if max(value, -value) >= 1 << VALUE_BITS or error >> ERROR_BITS != 0:
            return UNFIT
        notes.greatest = max(notes.greatest, error)
        notes.near = value
        arrays.values[number] = value << ERROR_BITS | error
        put_half(arrays.choices, number, choice_at(member, graph.nodes) + 1)
    notes.edges = first_edge(first, graph.nodes)
    notes.stacked = first
    notes.closing = 0
    return DONE


def leave(top: int, arrays: StageArrays, notes: StageNotes) -> int:
    """Settle the state on top of the stack, or let it wait, or settle its component; returns a
    status."""
    frame = arrays.stack[top]
    if IS_JOINT or IS_GENERAL:
        return finish(top, arrays, notes)
    first = frame.members
    if notes.closing == 0:
        if frame.lowest == frame.number and frame.circles == 0 and notes.stacked == first:
            return finish(top, arrays, notes)
        status = hold(top, arrays, notes)
        if status != DONE:
            return status
        if frame.lowest < frame.number:
            below = arrays.stack[top - 1]
            below.lowest = min(below.lowest, frame.lowest)
            return DONE
        close(first, arrays, notes)
    status = SLICED
    swept = 0
    while status == SLICED and swept < SWEPT:
        swept += notes.stacked - first
        status = settle_component(first, notes.stacked - 1, arrays.graph, notes)
    return put_values(first, arrays, notes) if status == DONE else status


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
            status = leave(top, arrays, notes)
            if status == DONE:
                top -= 1
        elif arrays.keys[at + WIDTH + NUMBER_AT] > 0:
            arrays.stack[top].next = at + WIDTH + BEHIND_KEY
        else:
            bucket = bucket_of(arrays.keys, at, arrays.table)
            place = entry_from(bucket, arrays.keys, at, arrays.table)
            number = arrays.table[place + WIDTH - 1] >> SHIFT
            if number > 0:  # settled since, or a member since
                arrays.keys[at + WIDTH + NUMBER_AT] = number
                note_return(top, number - 1, arrays)
            elif top + 2 > len(arrays.stack):
                status = HIGH
            elif notes.used >= most:
                status = FULL
            else:
                begin(top + 1, at, arrays, notes)
                top += 1
    notes.top = top
    return status
