"""The kernel of random playouts, written against the names of every generated module.

Every playout has its own stream of random numbers, so its course depends only on the seed and the
number of the playout, not on threads or time. Constants select the parts of the kernel that a game
needs. If wins are foreseen (`FORESEES`), a player takes an immediate win, and avoids moves that
leave the opponent an immediate win, if possible ("decisive" and "anti-decisive moves", F. Teytaud
and O. Teytaud, 2010).

arrays: see `PlayoutArrays`.
weights: int64[LARGEST_EVENT]: the weights of a chance event's outcomes.
length: the length of the past.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record
from gamedsl.solvers.kernels.history_kernel import (
    keeps_rules,
    legal_now,
    mark_next,
    push_history,
    repeated_rule,
    terminal_payoffs,
    terminal_payoffs_after,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENTRY,
        ESTIMATES,
        EVENT_AT,
        FORESEES,
        GROUPS,
        HAS_CANDIDATES,
        HAS_PICK,
        IS_JOINT,
        LARGEST_EVENT,
        LASTING,
        LEARNS,
        NO_MOVES,
        PAYS,
        PLAYERS,
        PRINTS,
        RECORDS,
        RULES,
        SIDES,
        UNIT,
        WHOLE,
        Array,
        State,
        allowed,
        apply,
        apply_choice,
        candidates,
        draw,
        draws,
        fault,
        fingerprint,
        legal,
        legal_choices,
        mixed,
        numbers,
        payoffs_of_win,
        pick,
        repetition_payoffs,
        turn_of,
        wins_at_once,
        write_estimates,
        write_rewards,
    )

FACTOR_BITS = 30
"""The factor of later payments is a fraction with so many bits."""
MOST_PAYMENT = 1 << 32
"""Limit on a reward, in units; a greater reward is cut, see `Dues`."""


LINE = 512
"""Actions noted of a play."""
MOST_TIMES = 512
"""Earlier plays fade behind so many."""
UNKNOWN = 1 << 62
"""The worth of an action that was not tried."""
SEEN = 4096
"""Entries of `PlayoutArrays.seen`: a power of two."""


class Dues(Record):
    """
    factor: of later payments, see `FACTOR_BITS`.
    rounded: 1 if rewards of a play were rounded.
    is_cut: 1 if a reward of a play was cut at `MOST_PAYMENT`.
    begun: 0 at the chance events of `setup`, which are before the first ply.
    """

    factor: int
    rounded: int
    is_cut: int
    begun: int


class Lengths(Record):
    """The sum of plies, the least and the greatest number of plies."""

    total: int
    shortest: int
    longest: int


class PlayoutArrays(Arrays):
    """actions: int64[PLAYERS + 2, ACTIONS + 1]: working space for legal actions.
    sizes: int64[PLAYERS]: number of choices of each player, for simultaneous choices.
    past: see `history_kernel`; without the first state, which is marked, and with room for all
        later states.
    ends: int64[count, PLAYERS + 2]: for each ending a number, a denominator and a numerator a
        player; the denominator 0 marks an unfinished play.
    lengths: of all plays.
    paid: int64[SIDES]: rewards of a play so far, in units.
    asked: int64[PLAYERS + 1]: rewards of a step: a denominator and a numerator a player.
    dues: of a play.
    seen: int64[SEEN]: for each part of a fingerprint the stream of a play; a state of the present
        play whose part has another stream has not occurred. Empty without repetition rules.
    made: for each player and action the stream of the latest play with the action. Empty unless
        plays are recorded.
    line: int64[LINE + 1]: the first actions of a play, each as `player * ACTIONS + action`, and
        behind all places the number of them. Empty unless plays learn, as the array below.
    worth: int64[PLAYERS * ACTIONS, 2]: for each player and action the number of plays with the
        action, at most `MOST_TIMES`, and the mean of the player's payoffs.
    """

    actions: Array
    sizes: Array
    past: Array
    ends: Array
    lengths: Lengths
    paid: Array
    asked: Array
    dues: Dues
    seen: Array
    made: Array
    line: Array
    worth: Array


def part_of(total: int, random: int) -> int:
    """The part `random / 2**31` of a number of up to 62 bits."""
    return random * (total >> 31) + (random * (total & 2147483647) >> 31)


def pick_outcome(state: State, random: int, weights: Array) -> int:
    """The number of an outcome of a chance event, drawn with the weights by 31 random bits."""
    rest = part_of(draws(*state, weights), random)
    outcome = 0
    while rest >= weights[outcome]:
        rest -= weights[outcome]
        outcome += 1
    return outcome


def draw_outcome(state: State, random: int, weights: Array) -> State:
    """The state after a chance event, drawn with its weights by 31 random bits."""
    return draw(*state, pick_outcome(state, random, weights))


def pay(state: State, action: int, arrays: PlayoutArrays) -> int:
    """Add the rewards for an action or an outcome; return the rounding so far."""
    dues = arrays.dues
    write_rewards(*state, action, arrays.asked, 0)
    per = arrays.asked[0]
    for side in range(SIDES):
        share = arrays.asked[1 + side]
        most = MOST_PAYMENT // UNIT * per
        if share < -most or share > most:
            share = max(-most, min(share, most))
            dues.is_cut = 1
        units = share * UNIT
        if units % per != 0:
            dues.rounded = 1
        units = units // per
        if WHOLE > 1:
            units = units * dues.factor >> FACTOR_BITS
        arrays.paid[side] += units
    return dues.rounded


def complete_ply(state: State, arrays: PlayoutArrays) -> int:
    """Discount later payments where a ply is complete in a state, with its chance events; return
    the factor."""
    dues = arrays.dues
    is_within = EVENT_AT >= 0 and state[EVENT_AT] != 0
    if WHOLE > 1 and dues.begun != 0 and not is_within:
        dues.factor = dues.factor * LASTING // WHOLE
    return dues.factor


def settle_chance(
    state: State, stream: int, position: int, arrays: PlayoutArrays, weights: Array
) -> tuple[State, int]:
    """The state after chance events, drawn with their weights, and the next random number's
    position in the stream. Outcomes pay their rewards."""
    if EVENT_AT >= 0:
        while state[EVENT_AT] != 0:
            outcome = pick_outcome(state, mixed(stream, position), weights)
            position += 1
            if PAYS:
                pay(state, outcome, arrays)
            state = draw(*state, outcome)
            if PAYS:
                complete_ply(state, arrays)
    return state, position


def pick_candidate(state: State, stream: int, position: int, actions: Array) -> tuple[State, int]:
    """Like `pick`, for games without `pick`: a random candidate that proves legal."""
    count = candidates(*state, actions, 0) if HAS_CANDIDATES else legal(*state, actions, 0)
    chosen = -1
    while chosen < 0:
        if count == 0:
            fault(NO_MOVES, turn_of(*state), 0)
        place = mixed(stream, position) * count >> 31
        position += 1
        if not HAS_CANDIDATES or allowed(*state, actions[place]):
            chosen = actions[place]
        else:
            count -= 1
            actions[place] = actions[count]
    actions[0] = chosen
    return apply(*state, chosen), position


def may_recur(stream: int, arrays: PlayoutArrays, length: int) -> bool:
    """Whether the last state of the past may have occurred before, as seen by some rule; the state
    is noted as one that has occurred."""
    recurs = False
    for rule in range(RULES):
        place = (arrays.past[(length - 1) * ENTRY + PRINTS + rule] + rule) & (SEEN - 1)
        recurs = recurs or arrays.seen[place] == stream
        arrays.seen[place] = stream
    return recurs


def is_allowed(state: State, stream: int, arrays: PlayoutArrays, length: int) -> bool:
    """Whether no rule forbids the step to a state from the last state of the past."""
    recurs = False
    for rule in range(RULES):
        place = (fingerprint(rule, *state) + rule) & (SEEN - 1)
        recurs = recurs or arrays.seen[place] == stream
    return not recurs or keeps_rules(state, arrays.past, length)


def pick_lasting(
    state: State, stream: int, position: int, arrays: PlayoutArrays, length: int
) -> tuple[State, int]:
    """Like `pick_candidate`, where repetitions may be illegal: a random candidate that proves legal
    and leads to no forbidden state."""
    actions = arrays.actions
    count = candidates(*state, actions, 0) if HAS_CANDIDATES else legal(*state, actions, 0)
    while count > 0:
        place = mixed(stream, position) * count >> 31
        position += 1
        if not HAS_CANDIDATES or allowed(*state, actions[place]):
            child = apply(*state, actions[place])
            if is_allowed(child, stream, arrays, length):
                actions[0] = actions[place]
                return child, position
        count -= 1
        actions[place] = actions[count]
    fault(NO_MOVES, turn_of(*state), 0)
    return state, position


def leaves_a_win(before: State, state: State, past: Array, length: int) -> bool:
    """Whether the move between these states leaves the opponent an immediate win. A move that ends
    the play leaves nothing."""
    if turn_of(*before) == turn_of(*state) or not wins_at_once(*state):
        return False
    over: bool = terminal_payoffs_after(*state, past, length)[0] != 0
    return not over


def careful_ply(
    before: State,
    state: State,
    stream: int,
    position: int,
    actions: Array,
    past: Array,
    length: int,
) -> tuple[State, int]:
    """The state after a picked ply; or after a different legal action, if the picked action leaves
    the opponent an immediate win and an alternative does not. The action is at the front of
    `actions`."""
    if leaves_a_win(before, state, past, length):
        picked = actions[0]
        count = legal(*before, actions, 0)
        while count > 0:
            place = mixed(stream, position) * count >> 31
            position += 1
            child = apply(*before, actions[place])
            if not leaves_a_win(before, child, past, length):
                actions[0] = actions[place]
                return child, position
            count -= 1
            actions[place] = actions[count]
        actions[0] = picked
    return state, position


def play_ply(
    state: State, stream: int, position: int, arrays: PlayoutArrays, length: int
) -> tuple[State, int]:
    """The state after a uniformly random legal action, or joint action; with the next random
    number's position in the stream. An action pays its rewards, and is written to the front of
    `actions`, except a joint action."""
    actions = arrays.actions
    if GROUPS == 0 and not IS_JOINT and not PAYS:
        if HAS_PICK:
            return pick(*state, stream, position, actions)
        else:  # noqa: RET505 (a branch that is left out has no types)
            return pick_candidate(state, stream, position, actions)
    if GROUPS == 1 and not IS_JOINT and not PAYS:
        return pick_lasting(state, stream, position, arrays, length)
    first = ACTIONS + 1
    count = 0
    if IS_JOINT:
        sizes = arrays.sizes
        if legal_choices(*state, actions, first, sizes, 0) == 1:
            child = state
            for player in range(PLAYERS):
                choice = actions[first + (mixed(stream, position) * sizes[player] >> 31)]
                position += 1
                first += sizes[player]
                child = apply_choice(player, *state, *child, choice)
            return child, position
        count = sizes[0]
    else:
        count = legal_now(state, arrays.past, length, actions, first) - first
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    action = actions[first + (mixed(stream, position) * count >> 31)]
    actions[0] = action
    after = apply(*state, action)
    if PAYS:
        pay(state, action, arrays)
        arrays.dues.begun = 1
        complete_ply(after, arrays)
    return after, position + 1


def average_of(mover: int, action: int, worth: Array) -> int:
    """The mean payoff of a player in plays with an action."""
    at = 2 * (mover * ACTIONS + action)
    mean: int = worth[at + 1] if worth[at] > 0 else UNKNOWN
    return mean


def learnt_ply(
    state: State, stream: int, position: int, arrays: PlayoutArrays, length: int
) -> tuple[State, int]:
    """As `play_ply`, of two actions the one that has paid more ("move-average sampling",
    H. Finnsson and Y. Bjornsson, 2008)."""
    chosen = state
    action = -1
    best = 0
    for _ in range(2):
        child, position = play_ply(state, stream, position, arrays, length)
        worth = average_of(turn_of(*state), arrays.actions[0], arrays.worth)
        if action < 0 or worth > best:
            chosen = child
            action = arrays.actions[0]
            best = worth
    arrays.actions[0] = action
    return chosen, position


def learn_action(mover: int, action: int, payoff: int, arrays: PlayoutArrays) -> int:
    """Add a payoff of a player to the worth of an action; return the number of plays with it."""
    at = 2 * (mover * ACTIONS + action)
    times: int = min(arrays.worth[at] + 1, MOST_TIMES)
    arrays.worth[at] = times
    arrays.worth[at + 1] += (payoff - arrays.worth[at + 1]) // times
    return times


def play_out(
    state: State,
    stream: int,
    longest: int,
    arrays: PlayoutArrays,
    weights: Array,
    length: int,
    at: int,
) -> int:
    """One play with uniformly random legal actions; returns the number of plies.

    Writes the plies, a denominator and a numerator a player to `ends[at:]`. The play is broken off
    after `longest` plies; then the denominator is 0, or the last state is estimated, where the
    kernel estimates, and the plies are -1.
    """
    position = 0
    ply = 0
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        state, position = settle_chance(state, stream, position, arrays, weights)
        mark_next(state, arrays.past, length)
    length = push_history(state, arrays.past, length)
    recurs = False
    if RULES > 0:
        for number in range(length):
            recurs = may_recur(stream, arrays, number + 1)
    over = terminal_payoffs(*state, arrays.past, length)
    while over[0] == 0 and (ESTIMATES or ply < longest):
        if RULES > 0 and recurs:
            rule = repeated_rule(state, arrays.past, length)
            if rule >= 0:
                over = repetition_payoffs(rule, *state)
                break
        if FORESEES and wins_at_once(*state):
            over = payoffs_of_win(*state)
            ply += 1
            break
        if ESTIMATES and ply >= longest:
            break
        before = state
        if LEARNS:
            state, position = learnt_ply(state, stream, position, arrays, length)
        else:
            state, position = play_ply(state, stream, position, arrays, length)
        if FORESEES:
            state, position = careful_ply(
                before, state, stream, position, arrays.actions, arrays.past, length
            )
        if RECORDS:
            made = turn_of(*before) * ACTIONS + arrays.actions[0]
            arrays.made[made] = stream
            if LEARNS and arrays.line[LINE] < LINE:
                arrays.line[arrays.line[LINE]] = made
                arrays.line[LINE] += 1
        ply += 1
        state, position = settle_chance(state, stream, position, arrays, weights)
        mark_next(state, arrays.past, length)
        length = push_history(state, arrays.past, length)
        if RULES > 0:
            recurs = may_recur(stream, arrays, length)
        over = terminal_payoffs_after(*state, arrays.past, length)
    arrays.ends[at] = ply
    for number in range(PLAYERS + 1):
        arrays.ends[at + 1 + number] = over[number]
    if ESTIMATES and over[0] == 0:
        write_estimates(state, arrays.ends, at)
    return ply


def add_to_tally(arrays: PlayoutArrays, known: int) -> int:
    """Merge the play written behind the `known` endings with an equal ending; return the number of
    endings."""
    width = PLAYERS + 2
    last = known * width
    plies = arrays.ends[last]
    arrays.lengths.total += plies
    arrays.lengths.shortest = min(arrays.lengths.shortest, plies)
    arrays.lengths.longest = max(arrays.lengths.longest, plies)
    for row in range(known):
        is_same = True
        for number in range(1, width):
            if arrays.ends[row * width + number] != arrays.ends[last + number]:
                is_same = False
                break
        if is_same:
            arrays.ends[row * width] += 1
            return known
    arrays.ends[last] = 1
    return known + 1


def play_outs(
    state: State,
    seed: int,
    first: int,
    count: int,
    longest: int,
    arrays: PlayoutArrays,
    length: int,
) -> int:
    """The playouts number `first` to `first + count - 1` from a state; returns the number of
    endings.

    Writes to `ends`, for each ending, its frequency, a denominator and a numerator a player; there
    is room for `count`.
    """
    weights = numbers(LARGEST_EVENT)
    known = 0
    for number in range(count):
        stream = (mixed(seed, 2 * (first + number)) << 31) | mixed(seed, 2 * (first + number) + 1)
        at = known * (PLAYERS + 2)
        play_out(state, stream, longest, arrays, weights, length, at)
        known = add_to_tally(arrays, known)
    return known
