"""The kernel of many plays side by side, written against the names of every generated module.

A play that ends, or has become too long, begins again in the same step. Each play has its own
stream of random numbers for chance events, so that its course depends on its seed and its actions.

weights: int64[LARGEST_EVENT]: the weights of a chance event's outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        EVENT_AT,
        LARGEST_EVENT,
        MASK_WORDS,
        NO_MOVES,
        PLANE_WORDS,
        PLAYERS,
        STATE_WORDS,
        Array,
        State,
        apply,
        end_after,
        fault,
        legal,
        loaded,
        mixed,
        numbers,
        put,
        turn_of,
        write_planes,
    )
    from gamedsl.solvers.kernels.playout_kernel import draw_outcome


class Play(Record):
    """A play of a batch.

    Attributes:
        stream, position: its random numbers.
        plies: so far.
        mover: the player to move.
        action: the action to take.
        ended: 1 if the last step ended the play, 2 if it was too long; else 0.
    """

    stream: int
    position: int
    plies: int
    mover: int
    action: int
    ended: int


class BatchArrays(Arrays):
    """first: int64[STATE_WORDS]: the state before the first step.
    states: int64[count, STATE_WORDS].
    plays: of each play its numbers.
    payoffs: int64[count, PLAYERS + 1]: a denominator and a numerator a player for a play that has
        just ended.
    planes: int8[count, 8 * PLANE_WORDS]: the observation of the player to move.
    masks: int8[count, 8 * MASK_WORDS]: 1 for each legal action.
    actions: int64[ACTIONS + 1]: working space.
    """

    first: Array
    states: Array
    plays: Array
    payoffs: Array
    planes: Array
    masks: Array
    actions: Array


def show_play(state: State, number: int, arrays: BatchArrays) -> int:
    """Write the state, the mover, the observation and the mask of a play."""
    put(*state, arrays.states, number * STATE_WORDS)
    arrays.plays[number * 6 + 3] = turn_of(*state)
    write_planes(*state, arrays.planes, number * PLANE_WORDS)
    at = number * MASK_WORDS
    for word in range(MASK_WORDS):
        arrays.masks[at + word] = 0
    count = legal(*state, arrays.actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    for place in range(count):
        action = arrays.actions[place]
        arrays.masks[at + (action >> 3)] |= 1 << ((action & 7) << 3)
    return 0


def settle_play(state: State, number: int, arrays: BatchArrays, weights: Array) -> State:
    """The state after chance events, drawn from the play's own random numbers."""
    if EVENT_AT >= 0:
        while state[EVENT_AT] != 0:
            stream, position = arrays.plays[number * 6], arrays.plays[number * 6 + 1]
            state = draw_outcome(state, mixed(stream, position), weights)
            arrays.plays[number * 6 + 1] = position + 1
    return state


def begin_plays(count: int, seed: int, arrays: BatchArrays) -> int:
    """Begin all plays, each with a stream of its own."""
    weights = numbers(LARGEST_EVENT)
    for number in range(count):
        stream = (mixed(seed, 2 * number) << 31) | mixed(seed, 2 * number + 1)
        arrays.plays[number * 6] = stream
        arrays.plays[number * 6 + 1] = 0
        arrays.plays[number * 6 + 2] = 0
        arrays.plays[number * 6 + 5] = 0
        state = settle_play(loaded(arrays.first, 0), number, arrays, weights)
        show_play(state, number, arrays)
    return 0


def first_illegal(count: int, arrays: BatchArrays) -> int:
    """The first play whose action is not legal; -1 if all are."""
    for number in range(count):
        action = arrays.plays[number * 6 + 4]
        if action < 0 or action >= ACTIONS:
            return number
        word = arrays.masks[number * MASK_WORDS + (action >> 3)]
        if (word >> ((action & 7) << 3)) & 1 == 0:
            return number
    return -1


def step_plays(count: int, longest: int, arrays: BatchArrays) -> int:
    """Take the action of each play. Returns the first play with an illegal action, and then no play
    takes a step; else -1."""
    wrong = first_illegal(count, arrays)
    if wrong >= 0:
        return wrong
    weights = numbers(LARGEST_EVENT)
    for number in range(count):
        state = apply(*loaded(arrays.states, number * STATE_WORDS), arrays.plays[number * 6 + 4])
        state = settle_play(state, number, arrays, weights)
        over = end_after(*state)
        plies = arrays.plays[number * 6 + 2] + 1
        ended = 0
        if over[0] != 0:
            ended = 1
        elif plies >= longest:
            ended = 2
        arrays.plays[number * 6 + 2] = plies
        arrays.plays[number * 6 + 5] = ended
        for share in range(PLAYERS + 1):
            arrays.payoffs[number * (PLAYERS + 1) + share] = over[share]
        if ended != 0:
            arrays.plays[number * 6 + 2] = 0
            state = settle_play(loaded(arrays.first, 0), number, arrays, weights)
        show_play(state, number, arrays)
    return -1
