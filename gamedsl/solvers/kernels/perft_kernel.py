"""The kernels of perft, written against the names that every generated module offers (`abi`).

Their text is put behind a game's module. A leaf is a state at exactly that depth; chance events
are no plies, and every outcome counts. `actions` has rows of `row` numbers, one behind the other,
one a ply and each long enough for all actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        EVENT_AT,
        LARGEST_EVENT,
        NO_MOVES,
        REPEAT_TIMES,
        Numbers,
        State,
        apply,
        draw,
        draws,
        end,
        end_after,
        fault,
        legal,
        legal_count,
        numbers,
        turn_of,
        walk,
    )


def goes_on(*state: int) -> bool:
    """Whether the game is not over in a state to which an action has led."""
    return end_after(*state)[0] == 0


def leaves(*state: int) -> int:
    """How many actions are legal; there has to be one."""
    count = legal_count(*state)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    return count


def perft(state: State, depth: int, actions: Numbers, row: int) -> int:
    """Plays of exactly `depth` > 0 plies; the last ply is counted without being carried out."""
    if end(*state)[0] != 0:
        return 0
    return plays_from(state, depth, actions, row)


def plays_from(state: State, depth: int, actions: Numbers, row: int) -> int:
    """The same from a state that is not over."""
    if depth == 1:
        return leaves(*state)
    first = depth * row
    last = legal(*state, actions, first)
    if last == first:
        fault(NO_MOVES, turn_of(*state), 0)
    total = 0
    for place in range(first, last):
        child = apply(*state, actions[place])
        if not goes_on(*child):
            continue
        if depth > 2:
            total += plays_from(child, depth - 1, actions, row)
        else:
            total += leaves(*child)
    return total


def perft_each(state: State, depth: int, actions: Numbers, row: int) -> int:
    """The same with every leaf carried out, for `depth` >= 0."""
    if depth == 0:
        return 1
    if end(*state)[0] != 0:
        return 0
    first = depth * row
    last = legal(*state, actions, first)
    if last == first:
        fault(NO_MOVES, turn_of(*state), 0)
    total = 0
    for place in range(first, last):
        total += perft_each(apply(*state, actions[place]), depth - 1, actions, row)
    return total


def perft_walk(state: State, depth: int, is_bulk: bool, actions: Numbers) -> int:
    """Plays of exactly `depth` > 0 plies, found by `walk`; `is_bulk`: the last is only counted.

    `actions` has room for all actions at each ply."""
    if end(*state)[0] != 0:
        return 0
    if is_bulk and depth == 1:
        return leaves(*state)
    return walk(*state, depth, is_bulk, actions, 0)


def perft_chance(state: State, depth: int, actions: Numbers, row: int) -> int:
    """The same in a game with chance."""
    if state[EVENT_AT] != 0:
        weights = numbers(LARGEST_EVENT)
        draws(*state, weights)
        total = 0
        for outcome in range(LARGEST_EVENT):
            if weights[outcome] != 0:
                total += perft_chance(draw(*state, outcome), depth, actions, row)
        return total
    if depth == 0:
        return 1
    if end(*state)[0] != 0:
        return 0
    first = depth * row
    last = legal(*state, actions, first)
    if last == first:
        fault(NO_MOVES, turn_of(*state), 0)
    total = 0
    for place in range(first, last):
        total += perft_chance(apply(*state, actions[place]), depth - 1, actions, row)
    return total


def perft_repeat(
    state: State, depth: int, actions: Numbers, row: int, past: Numbers, length: int
) -> int:
    """The same where a state that occurs too often ends the game.

    `past` holds the `length` states before this one, one behind the other.
    """
    if depth == 0:
        return 1
    if end(*state)[0] != 0:
        return 0
    if times_seen(state, past, length) + 1 >= REPEAT_TIMES:
        return 0
    if depth == 1:
        return leaves(*state)
    for number in range(len(state)):
        past[length * len(state) + number] = state[number]
    first = depth * row
    last = legal(*state, actions, first)
    if last == first:
        fault(NO_MOVES, turn_of(*state), 0)
    total = 0
    for place in range(first, last):
        child = apply(*state, actions[place])
        total += perft_repeat(child, depth - 1, actions, row, past, length + 1)
    return total


def times_seen(state: State, past: Numbers, length: int) -> int:
    """How often a state occurs among those of the past."""
    found = 0
    for place in range(length):
        is_same = True
        for number in range(len(state)):
            if past[place * len(state) + number] != state[number]:
                is_same = False
                break
        if is_same:
            found += 1
    return found


def perft_turns(state: State, depth: int, actions: Numbers, row: int, ply: int) -> int:
    """Plays of exactly `depth` turns: a turn is over when another is to move or the game ends.

    `actions` has rows for as many plies as a play may have; a play that needs more is one whose
    turn goes on for ever: -1.
    """
    if depth == 0:
        return 1
    if end(*state)[0] != 0:
        return 0
    if (ply + 1) * row > len(actions):
        return -1
    mover = turn_of(*state)
    first = ply * row
    last = legal(*state, actions, first)
    if last == first:
        fault(NO_MOVES, mover, 0)
    total = 0
    for place in range(first, last):
        child = apply(*state, actions[place])
        goes_on = turn_of(*child) == mover and end(*child)[0] == 0
        plays = perft_turns(child, depth if goes_on else depth - 1, actions, row, ply + 1)
        if plays < 0:
            return -1
        total += plays
    return total
