"""The kernel of many plays side by side, written against the names of every generated module.

A play that ends, or has become too long, begins again in the same step. Each play has its own
stream of random numbers for chance events, so that its course depends on its seed and its actions.
A play has a seat for the player to move; in games with choices at once, a seat for each player.

weights: int64[LARGEST_EVENT]: the weights of a chance event's outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.playout_kernel import pick_outcome

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        EVENT_AT,
        IS_JOINT,
        LARGEST_EVENT,
        MASK_WORDS,
        NO_MOVES,
        PAYS,
        PLANE_WORDS,
        PLAYERS,
        SEATS,
        STATE_WORDS,
        Array,
        State,
        apply,
        apply_choice,
        draw,
        end,
        end_after,
        fault,
        legal,
        legal_choices,
        loaded,
        mixed,
        numbers,
        put,
        turn_of,
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
        mover: the player to move, or `ALL`.
        before: plies before the last step.
        ended: 1 if the last step ended the play, 2 if it was too long; else 0.
    """

    stream: int
    position: int
    plies: int
    mover: int
    before: int
    ended: int


class BatchArrays(Arrays):
    """first: int64[STATE_WORDS]: the state before the first step.
    states: int64[count, STATE_WORDS].
    plays: of each play its numbers.
    chosen: int64[count, SEATS]: the actions to take; seats without a choice are not read.
    payoffs: int64[count, PLAYERS + 1]: a denominator and a numerator a player for a play that has
        just ended.
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
    chosen: Array
    payoffs: Array
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
    seat = number * SEATS
    for word in range(SEATS * MASK_WORDS):
        arrays.masks[seat * MASK_WORDS + word] = 0
    mover = turn_of(*state)
    first = ACTIONS + 1  # generated code notes the action in question before
    count = 0
    if IS_JOINT:
        if legal_choices(*state, arrays.actions, first, arrays.sizes, 0) == 1:
            mover = ALL
        count = arrays.sizes[0]
    else:
        count = legal(*state, arrays.actions, first) - first
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    for place in range(SEATS):
        viewer = place if IS_JOINT else mover
        write_planes(viewer, mover, *state, arrays.planes, (seat + place) * PLANE_WORDS)
        if IS_JOINT:
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


def begin_play(number: int, arrays: BatchArrays, weights: Array) -> State:
    """The first state with a choice. Plays that chance ends before are left out."""
    state = loaded(arrays.first, 0)
    for _ in range(MOST_BEGINNINGS):
        if PAYS:
            clear(arrays.due, number * (PLAYERS + 1))
        state = settle_play(loaded(arrays.first, 0), number, arrays.due, arrays, weights)
        if EVENT_AT < 0 or end(*state)[0] == 0:
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
        arrays.plays[number].ended = 0
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
    for number in range(count):
        at = number * (PLAYERS + 1)
        if PAYS:
            for share in range(PLAYERS + 1):
                arrays.paid[at + share] = arrays.due[at + share]
            clear(arrays.due, at)
        state = act(loaded(arrays.states, number * STATE_WORDS), number, arrays)
        state = settle_play(state, number, arrays.paid, arrays, weights)
        over = end_after(*state)
        plies = arrays.plays[number].plies + 1
        ended = 0
        if over[0] != 0:
            ended = 1
        elif plies >= longest:
            ended = 2
        arrays.plays[number].before = plies - 1
        arrays.plays[number].plies = plies
        arrays.plays[number].ended = ended
        for share in range(PLAYERS + 1):
            arrays.payoffs[at + share] = over[share]
        if ended != 0:
            arrays.plays[number].plies = 0
            state = begin_play(number, arrays, weights)
        show_play(state, number, arrays)
    return -1
