"""The kernel of perft, written against the names of every generated module (`abi`).

Its text is appended to a game's module; constants select the parts needed for the game. A leaf is a
state at exactly the given depth. Chance events are no plies, and every outcome is counted; for
simultaneous choices, a joint action is one ply, and every joint action is counted.

actions: int64[n, ROW_SIZE]: the legal actions at each ply; row 0 is left to `legal`. For
simultaneous choices a row begins with PLAYERS numbers: the number of choices of each player.
past, length: see `history_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.history_kernel import (
    legal_now,
    mark_next,
    push_history,
    repeated_rule,
    terminal_payoffs,
    terminal_payoffs_after,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CAN_WALK,
        EVENT_AT,
        GROUPS,
        IS_BULK,
        IS_JOINT,
        LARGEST_EVENT,
        NO_MOVES,
        PLAYERS,
        ROW_SIZE,
        Array,
        State,
        apply,
        apply_choice,
        draw,
        draws,
        end,
        end_after,
        fault,
        legal,
        legal_choices,
        legal_count,
        numbers,
        turn_of,
        walk,
    )


def goes_on(*state: int) -> bool:
    """Whether the game is not over in a state reached by an action; for `walk`."""
    return end_after(*state)[0] == 0


def leaves(*state: int) -> int:
    """Number of legal actions, at least one."""
    count = legal_count(*state)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    return count


def apply_joint(state: State, number: int, actions: Array, first: int) -> State:
    """The state after a joint action, given by its number among all joint actions in a row."""
    child = state
    place = first + PLAYERS
    rest = number
    for player in range(PLAYERS):
        size = actions[first + player]
        child = apply_choice(player, *state, *child, actions[place + rest % size])
        rest //= size
        place += size
    return child


def perft(
    state: State,
    depth: int,
    actions: Array,
    past: Array,
    length: int,
) -> int:
    """Number of plays of exactly `depth` plies. `past` is without the first state, which is marked.

    `IS_BULK`: the actions of the last ply are counted, not applied, if each of them is one leaf.
    """
    if EVENT_AT >= 0:
        return plays(state, depth, actions, ROW_SIZE, past, length)
    if depth == 0:
        return 1
    if terminal_payoffs(*state, past, push_history(state, past, length))[0] != 0:
        return 0
    if CAN_WALK:
        if IS_BULK and depth == 1:
            return leaves(*state)
        return walk(*state, depth, IS_BULK, actions, 0)
    return plays(state, depth, actions, ROW_SIZE, past, length)


def plays(
    state: State,
    depth: int,
    actions: Array,
    first: int,
    past: Array,
    length: int,
) -> int:
    """Number of plays from a state with a pending chance event, or reached by an action, or not
    terminal. Actions are written from `first` on."""
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        weights = numbers(LARGEST_EVENT)
        draws(*state, weights)
        total = 0
        for outcome in range(LARGEST_EVENT):
            if weights[outcome] != 0:
                child = draw(*state, outcome)
                mark_next(child, past, length)
                total += plays(child, depth, actions, first, past, length)
        return total
    if depth == 0:
        return 1
    if GROUPS > 0:  # the end may depend on legal actions and so on the present state
        length = push_history(state, past, length)
    if terminal_payoffs_after(*state, past, length)[0] != 0:
        return 0
    if GROUPS == 0:
        length = push_history(state, past, length)
    if repeated_rule(state, past, length) >= 0:
        return 0
    is_last = IS_BULK and depth == 1 and EVENT_AT < 0
    if is_last and not IS_JOINT and GROUPS == 0:
        return leaves(*state)
    is_joint = False
    count = 0
    if IS_JOINT:
        is_joint = legal_choices(*state, actions, first + PLAYERS, actions, first) == 1
        count = actions[first]
        if is_joint:
            for player in range(1, PLAYERS):
                count *= actions[first + player]
    else:
        count = legal_now(state, past, length, actions, first) - first
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    if is_last:
        return count
    place = first + PLAYERS if IS_JOINT else first
    total = 0
    for number in range(count):
        if IS_JOINT and is_joint:
            child = apply_joint(state, number, actions, first)
        else:
            child = apply(*state, actions[place + number])
        mark_next(child, past, length)
        total += plays(child, depth - 1, actions, first + ROW_SIZE, past, length)
    return total


def perft_turns(state: State, depth: int, actions: Array, row: int, ply: int) -> int:
    """Number of plays of exactly `depth` turns: a turn is over when the player to move changes or
    the game ends.

    `actions` has rows for the maximal number of plies of a play; if a play needs more, its turn is
    taken for endless: -1.
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
