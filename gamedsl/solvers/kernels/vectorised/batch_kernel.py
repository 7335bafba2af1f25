"""The kernel of many plays side by side, written against the names of every generated module.

A play that ends, or has become too long, begins again in the same step. Each play has its own
stream of random numbers for chance events, so that its course depends on its seed and its actions.
A play has a seat for the player to move; in games with choices at once, a seat for each player.

weights: int64[LARGEST_EVENT]: the weights of a chance event's outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.history_kernel import (
    legal_now,
    mark_next,
    push_history,
    repeated_rule,
    terminal_payoffs,
    terminal_payoffs_after,
)
from gamedsl.solvers.kernels.playout_kernel import pick_outcome

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENDLESS,
        EVENT_AT,
        GROUPS,
        IS_JOINT,
        LARGEST_EVENT,
        MASK_WORDS,
        NO_MOVES,
        PAYS,
        PLANE_WORDS,
        PLAYERS,
        RULES,
        SEATS,
        STATE_WORDS,
        Array,
        State,
        apply,
        apply_choice,
        count_bits,
        draw,
        fault,
        legal_choices,
        loaded,
        mixed,
        nth_bit,
        numbers,
        put,
        repetition_payoffs,
        tail,
        turn_of,
        write_mask,
        write_paid,
        write_planes,
    )

CHANCE, ALL = -1, -2
"""Who moves, where no player or all players choose (`gamedsl.model.state`)."""
MOST_BEGINNINGS = 1000
"""Beginnings of a play after which chance is taken never to leave a choice to players."""


class Play(Record):
    """A play of a batch.

    Attributes:
        stream, position: its random numbers.
        plies: so far.
        length: states in its past, in a game with repetition rules.
        mover: the player to move, or `ALL`.
        before: plies before the last step.
    """

    stream: int
    position: int
    plies: int
    length: int
    mover: int
    before: int


class Notes(Record):
    """finished: number of plays that the last step ended or broke off; seed: of random actions;
    room: numbers in the past of a play."""

    finished: int
    seed: int
    room: int


class BatchArrays(Arrays):
    """first: int64[STATE_WORDS]: the state before the first step.
    states: int64[count, STATE_WORDS].
    plays: of each play its numbers.
    past: int64[count, room, ENTRY]: of each play the states in which a player was to move, the
        present state last, as in `history_kernel`; empty in games without repetition rules.
    chosen: int64[count, SEATS]: the actions to take; seats without a choice are not read.
    finished: int64[count]: the plays that the last step ended or broke off.
    payoffs: int64[count, PLAYERS + 1]: a denominator and a numerator a player, for each of these.
    ended, cut: int8[count]: 1 for the plays that the last step ended, and broke off.
    paid, due: int64[count, PLAYERS + 1]: rewards of the last step, and rewards of chance events
        before the first step, which the step pays.
    planes: int8[count, SEATS, 8 * PLANE_WORDS]: the observation of each seat.
    masks: int8[count, SEATS, 8 * MASK_WORDS]: 1 for each legal action.
    actions: int64[PLAYERS + 2, ACTIONS + 1]: working space for legal actions.
    sizes: int64[PLAYERS]: number of choices of each player, for choices at once.
    reward: int64[PLAYERS + 1]: working space for a reward.
    """

    first: Array
    states: Array
    plays: Rows[Play]
    past: Array
    chosen: Array
    notes: Notes
    finished: Array
    payoffs: Array
    ended: Array
    cut: Array
    paid: Array
    due: Array
    planes: Array
    masks: Array
    actions: Array
    sizes: Array
    reward: Array


def show_play(state: State, number: int, arrays: BatchArrays) -> int:
    """Write the state, the mover, the observations and the masks of a play."""
    put(*state, arrays.states, number * STATE_WORDS)
    mover = turn_of(*state)
    first = ACTIONS + 1  # generated code notes the action in question before
    if IS_JOINT:
        show_seats(state, number, arrays)
    else:
        at = number * MASK_WORDS
        last = -1
        if GROUPS > 0:
            for word in range(MASK_WORDS):
                arrays.masks[at + word] = 0
            length = arrays.plays[number].length
            last = legal_now(
                state, tail(arrays.past, number * arrays.notes.room), length, arrays.actions, first
            )
        else:
            last = write_mask(*state, arrays.masks, at, arrays.actions, first)
        if last < first:
            fault(NO_MOVES, mover, 0)
        mark_legal(first, last - first, at, arrays)
        write_planes(mover, mover, *state, arrays.planes, number * PLANE_WORDS)
        arrays.plays[number].mover = mover
    return 0


def show_seats(state: State, number: int, arrays: BatchArrays) -> int:
    """Write the mover, the observations and the masks of a play in a game with choices at once."""
    mover = turn_of(*state)
    seat = number * SEATS
    for word in range(SEATS * MASK_WORDS):
        arrays.masks[seat * MASK_WORDS + word] = 0
    first = ACTIONS + 1
    if legal_choices(*state, arrays.actions, first, arrays.sizes, 0) == 1:
        mover = ALL
    if arrays.sizes[0] == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    for place in range(SEATS):
        write_planes(place, mover, *state, arrays.planes, (seat + place) * PLANE_WORDS)
        count = 0
        if mover == ALL:
            count = arrays.sizes[place]
        elif mover == place:
            count = arrays.sizes[0]
        mark_legal(first, count, (seat + place) * MASK_WORDS, arrays)
        first += count
    arrays.plays[number].mover = mover
    return 0


def mark_legal(first: int, count: int, at: int, arrays: BatchArrays) -> int:
    """Mark the actions `first` to `first + count - 1` of the list in a mask; return `count`."""
    for place in range(first, first + count):
        action = arrays.actions[place]
        arrays.masks[at + (action >> 3)] |= 1 << ((action & 7) << 3)
    return count


def pay(payer: int, state: State, action: int, amounts: Array, at: int, reward: Array) -> int:
    """Add the rewards for an action, or an outcome of chance, to fractions with one denominator.
    Returns the denominator."""
    write_paid(payer, *state, action, reward, 0)
    factor, divisor = reward[0], amounts[at]
    while divisor != 0:
        factor, divisor = divisor, factor % divisor
    more = reward[0] // factor
    times = amounts[at] // factor
    amounts[at] *= more
    for share in range(1, PLAYERS + 1):
        amounts[at + share] = amounts[at + share] * more + reward[share] * times
    per: int = reward[0] * times
    return per


def clear(amounts: Array, at: int) -> int:
    """Set fractions to 0; return the place behind the fractions."""
    amounts[at] = 1
    for share in range(1, PLAYERS + 1):
        amounts[at + share] = 0
    return at + PLAYERS + 1


def settle_play(
    state: State, number: int, amounts: Array, arrays: BatchArrays, weights: Array
) -> State:
    """The state after chance events, drawn from the play's own random numbers; rewards are added to
    the play's `amounts`."""
    if EVENT_AT >= 0:
        while state[EVENT_AT] != 0:
            stream, position = arrays.plays[number].stream, arrays.plays[number].position
            outcome = pick_outcome(state, mixed(stream, position), weights)
            if PAYS:
                pay(CHANCE, state, outcome, amounts, number * (PLAYERS + 1), arrays.reward)
            state = draw(*state, outcome)
            arrays.plays[number].position = position + 1
    return state


def remember(state: State, number: int, arrays: BatchArrays) -> int:
    """Add the state to the past of a play, in a game with repetition rules; the length."""
    length = arrays.plays[number].length
    if RULES > 0:
        past = tail(arrays.past, number * arrays.notes.room)
        mark_next(state, past, length)
        length = push_history(state, past, length)
        arrays.plays[number].length = length
    return length


def payoffs_now(state: State, number: int, arrays: BatchArrays) -> tuple[int, ...]:
    """As `end_after`, with the repetition rules; the state is in the past already."""
    past = tail(arrays.past, number * arrays.notes.room)
    length = arrays.plays[number].length
    over = terminal_payoffs_after(*state, past, length)
    if RULES > 0 and over[0] == 0:
        rule = repeated_rule(state, past, length)
        if rule >= 0:
            over = repetition_payoffs(rule, *state)
    return over


def begin_play(number: int, arrays: BatchArrays, weights: Array) -> State:
    """The first state with a choice. Plays that chance ends before are left out."""
    state = loaded(arrays.first, 0)
    for _ in range(MOST_BEGINNINGS):
        if PAYS:
            clear(arrays.due, number * (PLAYERS + 1))
        state = settle_play(loaded(arrays.first, 0), number, arrays.due, arrays, weights)
        arrays.plays[number].length = 0
        length = remember(state, number, arrays)
        if (
            EVENT_AT < 0
            or terminal_payoffs(*state, tail(arrays.past, number * arrays.notes.room), length)[0]
            == 0
        ):
            break
    return state


def begin_plays(count: int, seed: int, arrays: BatchArrays) -> int:
    """Begin all plays, each with a stream of its own."""
    weights = numbers(LARGEST_EVENT)
    for number in range(count):
        stream = (mixed(seed, 2 * number) << 31) | mixed(seed, 2 * number + 1)
        arrays.plays[number].stream = stream
        arrays.plays[number].position = 0
        arrays.plays[number].plies = 0
        show_play(begin_play(number, arrays, weights), number, arrays)
    return 0


def first_illegal(count: int, arrays: BatchArrays) -> int:
    """The first seat whose action is not legal; -1 if all are."""
    for seat in range(count * SEATS):
        mover = arrays.plays[seat // SEATS].mover
        if not IS_JOINT or mover == ALL or mover == seat % SEATS:
            action = arrays.chosen[seat]
            if action < 0 or action >= ACTIONS:
                return seat
            word = arrays.masks[seat * MASK_WORDS + (action >> 3)]
            if (word >> ((action & 7) << 3)) & 1 == 0:
                return seat
    return -1


def act(state: State, number: int, arrays: BatchArrays) -> State:
    """The state after the action of the player to move, or of all players."""
    at = number * (PLAYERS + 1)
    seat = number * SEATS
    if IS_JOINT:
        if arrays.plays[number].mover == ALL:
            child = state
            for player in range(PLAYERS):
                if PAYS:
                    pay(player, state, arrays.chosen[seat + player], arrays.paid, at, arrays.reward)
                child = apply_choice(player, *state, *child, arrays.chosen[seat + player])
            return child
        seat += arrays.plays[number].mover
    if PAYS:
        mover = arrays.plays[number].mover
        pay(mover, state, arrays.chosen[seat], arrays.paid, at, arrays.reward)
    return apply(*state, arrays.chosen[seat])


def step_plays(count: int, longest: int, arrays: BatchArrays) -> int:
    """Take the action of each seat. Returns the first seat with an illegal action, and then no play
    takes a step; else -1."""
    wrong = first_illegal(count, arrays)
    if wrong >= 0:
        return wrong
    weights = numbers(LARGEST_EVENT)
    finished = 0
    for word in range(count + 7 >> 3):
        arrays.ended[word] = 0
        arrays.cut[word] = 0
    for number in range(count):
        if PAYS:
            at = number * (PLAYERS + 1)
            for share in range(PLAYERS + 1):
                arrays.paid[at + share] = arrays.due[at + share]
            clear(arrays.due, at)
        state = act(loaded(arrays.states, number * STATE_WORDS), number, arrays)
        state = settle_play(state, number, arrays.paid, arrays, weights)
        remember(state, number, arrays)
        over = payoffs_now(state, number, arrays)
        plies = arrays.plays[number].plies
        arrays.plays[number].before = plies
        plies += 1
        if over[0] != 0 or plies >= longest:
            finish_play(over, number, finished, arrays)
            finished += 1
            plies = 0
            state = begin_play(number, arrays, weights)
        arrays.plays[number].plies = plies
        show_play(state, number, arrays)
    arrays.notes.finished = finished
    return -1


def finish_play(over: tuple[int, ...], number: int, finished: int, arrays: BatchArrays) -> int:
    """Note that a play has ended, or is broken off; `finished`: plays noted before."""
    arrays.finished[finished] = number
    at = finished * (PLAYERS + 1)
    for share in range(PLAYERS + 1):
        arrays.payoffs[at + share] = over[share] if over[0] != 0 else ENDLESS[share]
    bit = 1 << ((number & 7) << 3)
    if over[0] != 0:
        arrays.ended[number >> 3] |= bit
    else:
        arrays.cut[number >> 3] |= bit
    return at


def choose_actions(count: int, arrays: BatchArrays) -> int:
    """Choose a legal action for each seat, uniformly; 0 for a player without a choice."""
    for seat in range(count * SEATS):
        at = seat * MASK_WORDS
        total = 0
        for word in range(MASK_WORDS):
            total += count_bits(arrays.masks[at + word])
        rest = mixed(arrays.notes.seed, seat) * total >> 31
        action = 0
        for word in range(MASK_WORDS):
            here = count_bits(arrays.masks[at + word])
            if rest < here:
                action = (word << 3) + (nth_bit(arrays.masks[at + word], rest) >> 3)
                break
            rest -= here
        arrays.chosen[seat] = action
    return count
