"""Kernels for every game: players who choose at once, repetition rules of any kind, chance.

Written against the names that a generated module and `glue` offer. `past` holds the states that
have occurred, the present one among them, as entries one behind the other; `length` is their
number. `actions` has rows of `row` numbers, and `sizes` rows of PLAYERS, one a ply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENTRY,
        EVENT_AT,
        GROUPS,
        IS_JOINT,
        LARGEST_EVENT,
        NO_MOVES,
        PLAYERS,
        RULE_ILLEGAL,
        RULE_TIMES,
        RULES,
        Numbers,
        State,
        apply,
        chosen,
        draw,
        draws,
        ended,
        fault,
        grouped,
        kept,
        legal,
        mixed,
        numbers,
        offered,
        paid,
        same,
        turn_of,
        unchanged,
    )
    from gamedsl.solvers.kernels.playout_kernel import drawn, tallied


def occurred(rule: int, state: State, past: Numbers, length: int) -> int:
    """How often a rule has seen what it sees in a state."""
    found = 0
    for number in range(length):
        place = number * ENTRY
        if (past[place + ENTRY - 1] >> rule) & 1 != 0 and same(rule, *state, past, place):
            found += 1
    return found


def repeated_rule(state: State, past: Numbers, length: int) -> int:
    """The first rule by which the present state ends the game; -1 if there is none."""
    for rule in range(RULES):
        if RULE_ILLEGAL[rule] == 0 and occurred(rule, state, past, length) >= RULE_TIMES[rule]:
            return rule
    return -1


def noted(state: State, before: State, past: Numbers, length: int) -> int:
    """Add a state that follows `before` to the past; how long it is then. A state in which chance
    decides is not added."""
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return length
    if RULES == 0:
        return length
    kept(*state, past, length * ENTRY)
    flags = 0
    for rule in range(RULES):
        if length == 0 or not unchanged(rule, *state, *before):
            flags |= 1 << rule
    past[length * ENTRY + ENTRY - 1] = flags
    return length + 1


def keeps_rules(state: State, before: State, past: Numbers, length: int) -> bool:
    """Whether no rule forbids the step to a state."""
    for rule in range(RULES):
        is_bound = RULE_ILLEGAL[rule] != 0 and not unchanged(rule, *state, *before)
        if is_bound and occurred(rule, state, past, length) + 1 >= RULE_TIMES[rule]:
            return False
    return True


def legal_now(state: State, past: Numbers, length: int, actions: Numbers, first: int) -> int:
    """`legal`, with the repetition rules kept."""
    if GROUPS == 0:
        return legal(*state, actions, first)
    for group in range(GROUPS):
        last = grouped(group, *state, actions, first)
        allowed = first
        for place in range(first, last):
            action = actions[place]
            if keeps_rules(apply(*state, action), state, past, length):
                actions[allowed] = action
                allowed += 1
        if allowed > first:
            return allowed
    return first


def together(
    state: State, number: int, actions: Numbers, first: int, sizes: Numbers, at: int
) -> State:
    """The state after a joint action, given by its number among all of them."""
    total = state
    place = first
    rest = number
    for player in range(PLAYERS):
        size = sizes[at + player]
        total = chosen(player, *state, *total, actions[place + rest % size])
        rest //= size
        place += size
    return total


def perft_general(
    state: State,
    depth: int,
    actions: Numbers,
    row: int,
    sizes: Numbers,
    past: Numbers,
    length: int,
) -> int:
    """Plays of exactly `depth` plies; chance events and joint actions as in `solvers.perft`."""
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        weights = numbers(LARGEST_EVENT)
        draws(*state, weights)
        total = 0
        for outcome in range(LARGEST_EVENT):
            if weights[outcome] != 0:
                child = draw(*state, outcome)
                longer = noted(child, state, past, length)
                total += perft_general(child, depth, actions, row, sizes, past, longer)
        return total
    if depth == 0:
        return 1
    if ended(*state, past, length)[0] != 0 or repeated_rule(state, past, length) >= 0:
        return 0
    first = depth * row
    at = depth * PLAYERS
    is_joint = False
    count = 0
    if IS_JOINT:
        is_joint = offered(*state, actions, first, sizes, at) == 1
        count = sizes[at]
        if is_joint:
            for player in range(1, PLAYERS):
                count *= sizes[at + player]
    else:
        count = legal_now(state, past, length, actions, first) - first
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    if depth == 1 and EVENT_AT < 0:
        return count
    total = 0
    for number in range(count):
        if is_joint:
            child = together(state, number, actions, first, sizes, at)
        else:
            child = apply(*state, actions[first + number])
        longer = noted(child, state, past, length)
        total += perft_general(child, depth - 1, actions, row, sizes, past, longer)
    return total


def settled_general(
    state: State, stream: int, position: int, weights: Numbers, past: Numbers, length: int
) -> tuple[State, int, int]:
    """The state after chance events, drawn with their weights, the next random number's position
    in the stream, and the length of the past."""
    if EVENT_AT >= 0:
        while state[EVENT_AT] != 0:
            before = state
            state = drawn(state, mixed(stream, position), weights)
            position += 1
            length = noted(state, before, past, length)
    return state, position, length


def play_general(
    state: State,
    stream: int,
    longest: int,
    actions: Numbers,
    sizes: Numbers,
    weights: Numbers,
    past: Numbers,
    length: int,
    ends: Numbers,
    at: int,
) -> int:
    """One play, every legal action of everybody as likely; written down as by `play_out`."""
    first = ACTIONS + 1
    position = 0
    ply = 0
    state, position, length = settled_general(state, stream, position, weights, past, length)
    over = ended(*state, past, length)
    while over[0] == 0 and ply < longest:
        rule = repeated_rule(state, past, length)
        if rule >= 0:
            over = paid(rule, *state)
            break
        is_joint = False
        count = 0
        if IS_JOINT:
            is_joint = offered(*state, actions, first, sizes, 0) == 1
            count = sizes[0]
        else:
            count = legal_now(state, past, length, actions, first) - first
        if count == 0:
            fault(NO_MOVES, turn_of(*state), 0)
        before = state
        if is_joint:
            place = first
            for player in range(PLAYERS):
                choice = actions[place + (mixed(stream, position) * sizes[player] >> 31)]
                position += 1
                place += sizes[player]
                state = chosen(player, *before, *state, choice)
        else:
            state = apply(*state, actions[first + (mixed(stream, position) * count >> 31)])
            position += 1
        ply += 1
        length = noted(state, before, past, length)
        state, position, length = settled_general(state, stream, position, weights, past, length)
        over = ended(*state, past, length)
    ends[at] = ply
    for number in range(PLAYERS + 1):
        ends[at + 1 + number] = over[number]
    return ply


def plays_general(
    state: State,
    seed: int,
    first: int,
    count: int,
    longest: int,
    actions: Numbers,
    sizes: Numbers,
    past: Numbers,
    length: int,
    ends: Numbers,
    lengths: Numbers,
) -> int:
    """The playouts number `first` to `first + count - 1` from a state, as by `play_outs`."""
    weights = numbers(LARGEST_EVENT)
    known = 0
    for number in range(count):
        stream = (mixed(seed, 2 * (first + number)) << 31) | mixed(seed, 2 * (first + number) + 1)
        at = known * (PLAYERS + 2)
        play_general(state, stream, longest, actions, sizes, weights, past, length, ends, at)
        known = tallied(ends, known, lengths)
    return known
