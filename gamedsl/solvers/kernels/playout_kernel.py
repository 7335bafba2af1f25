"""The kernel of random playouts, written against the names that every generated module offers.

Every playout has a stream of random numbers of its own, so that its course depends on the seed
and its number alone, not on who plays it or when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        EVENT_AT,
        LARGEST_EVENT,
        NO_MOVES,
        PLAYERS,
        REPEAT_TIMES,
        Numbers,
        State,
        allowed,
        apply,
        candidates,
        draw,
        draws,
        end,
        end_after,
        fault,
        mixed,
        numbers,
        pick,
        repeated,
        turn_of,
    )
    from gamedsl.solvers.kernels.perft_kernel import times_seen


def drawn(state: State, random: int, weights: Numbers) -> State:
    """The state after a chance event, drawn with its weights by 31 random bits."""
    rest = random * draws(*state, weights) >> 31
    outcome = 0
    while rest >= weights[outcome]:
        rest -= weights[outcome]
        outcome += 1
    return draw(*state, outcome)


def settled(state: State, stream: int, position: int, weights: Numbers) -> tuple[State, int]:
    """The state after chance events, drawn with their weights, and the next random number's
    position in the stream."""
    if EVENT_AT >= 0:
        while state[EVENT_AT] != 0:
            state = drawn(state, mixed(stream, position), weights)
            position += 1
    return state, position


def picked(state: State, stream: int, position: int, actions: Numbers) -> tuple[State, int]:
    """As `pick`, in games without one: some candidate that turns out to be legal."""
    count = candidates(*state, actions, 0)
    chosen = -1
    while chosen < 0:
        if count == 0:
            fault(NO_MOVES, turn_of(*state), 0)
        place = mixed(stream, position) * count >> 31
        position += 1
        if allowed(*state, actions[place]):
            chosen = actions[place]
        else:
            count -= 1
            actions[place] = actions[count]
    return apply(*state, chosen), position


def play_out(
    state: State,
    stream: int,
    longest: int,
    actions: Numbers,
    weights: Numbers,
    past: Numbers,
    length: int,
    ends: Numbers,
    at: int,
) -> int:
    """One play, every legal action as likely; how many plies it had.

    At `ends[at:]` are written the plies, a denominator and a numerator a player; the denominator 0
    says that the play was broken off after `longest` plies. `past` holds the `length` states
    before this one, one behind the other, and has room for those to come.
    """
    position = 0
    ply = 0
    state, position = settled(state, stream, position, weights)
    over = end(*state)
    while over[0] == 0 and ply < longest:
        if REPEAT_TIMES > 0:
            if times_seen(state, past, length + ply) + 1 >= REPEAT_TIMES:
                over = repeated(*state)
                break
            for number in range(len(state)):
                past[(length + ply) * len(state) + number] = state[number]
        state, position = pick(*state, stream, position, actions)
        ply += 1
        state, position = settled(state, stream, position, weights)
        over = end_after(*state)
    ends[at] = ply
    for number in range(PLAYERS + 1):
        ends[at + 1 + number] = over[number]
    return ply


def tallied(ends: Numbers, known: int, lengths: Numbers) -> int:
    """Count the play that has been written down behind the `known` endings with those that ended
    alike; how many endings there are then. `lengths`: all plies, the fewest and the most."""
    width = PLAYERS + 2
    last = known * width
    plies = ends[last]
    lengths[0] += plies
    lengths[1] = min(lengths[1], plies)
    lengths[2] = max(lengths[2], plies)
    for row in range(known):
        is_same = True
        for number in range(1, width):
            if ends[row * width + number] != ends[last + number]:
                is_same = False
                break
        if is_same:
            ends[row * width] += 1
            return known
    ends[last] = 1
    return known + 1


def play_outs(
    state: State,
    seed: int,
    first: int,
    count: int,
    longest: int,
    actions: Numbers,
    past: Numbers,
    length: int,
    ends: Numbers,
    lengths: Numbers,
) -> int:
    """The playouts number `first` to `first + count - 1` from a state; how many endings they had.

    At `ends` are written, for each ending, how often it came out, a denominator and a numerator a
    player; there is room for `count`.
    """
    weights = numbers(LARGEST_EVENT)
    known = 0
    for number in range(count):
        stream = (mixed(seed, 2 * (first + number)) << 31) | mixed(seed, 2 * (first + number) + 1)
        at = known * (PLAYERS + 2)
        play_out(state, stream, longest, actions, weights, past, length, ends, at)
        known = tallied(ends, known, lengths)
    return known
