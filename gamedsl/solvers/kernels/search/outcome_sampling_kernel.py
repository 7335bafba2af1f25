"""The kernel of outcome sampling at information sets, written against the names of `abi`.

A simulation plays from the first state to the end. One player explores; all players choose by the
regrets in their information sets (S. Hart and A. Mas-Colell, "A simple adaptive procedure leading
to correlated equilibrium", 2000). The payoff of the exploring player changes the regrets of the
sets on the way, with the mean payoffs of actions as baselines (M. Schmid et al., "Variance
reduction in Monte Carlo counterfactual regret minimization", 2019); sets of the other players add
their probabilities to the mean strategy. A player who meets a new set lists the set, and plays at
random from there on.

A part of the simulations, the targeted ones, pass through one information set, the goal (V. Lisý,
M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret minimization for search in
imperfect information games", 2015): each step is drawn among the choices that agree with all
observations of the goal's player, and the weight of the simulation is multiplied by the probability
of an agreeing choice. Other simulations are given up where they reach the goal. So both
kinds together weigh every play as the strategies do, and opponents do not learn what they cannot
see.

What a player knows is a number, the key: a hash of the observations so far (rule 11 of the
language). Where everything is seen, the key is a hash of the present state alone (`RECALLS` is
false): all ways to a state have one strategy. Payoffs are numbers of units (`UNIT`).

arrays: see `SampleArrays`.
length: the length of the past (see `history_kernel`).
weights: see `playout_kernel`.
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
)
from gamedsl.solvers.kernels.playout_kernel import PlayoutArrays, draw_outcome, play_out

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        CONCEALED,
        ENDLESS,
        EVENT_AT,
        IS_JOINT,
        LARGEST_EVENT,
        NO_MOVES,
        PLAYERS,
        RECALLS,
        RULES,
        UNIT,
        Array,
        State,
        apply,
        apply_choice,
        draw,
        draws,
        fault,
        legal_choices,
        mixed,
        numbers,
        repetition_payoffs,
        sight,
        turn_of,
    )

PART = 16
"""Probabilities are fractions with so many bits."""
FULL = 1 << PART
WEIGHT = 10
"""Weights of simulations are fractions with so many bits."""
MOST_WEIGHT = 1 << 13
MOST_REGRET = 1 << 44
"""The regrets of a set are halved where one is greater."""
MOST_MEAN = 1 << 26
"""Limit on an estimate of a payoff, in units."""
RATIO = 30
"""The probability of the goal is a number of so many bits, and an exponent."""
TREMBLE = FULL >> 9
"""Share of random choices of players who do not explore, in targeted simulations."""
PACE = 6
"""The probabilities of later simulations weigh more in the mean strategy: the weight grows by 1
every 2^PACE simulations."""
PATH = 4
LEAST_INVERSE, MOST_INVERSE = FULL >> 4, FULL << 4
"""Limits of the inverse probability of the explorer's choices."""
HOPES = 1 << 12
"""Numbers of the table of hopes, a power of 2."""
LEAST_HOPE, MOST_HOPE, MORE_HOPE = 8, 248, 16
"""The weight of a choice on the way to the goal: at least, at most, and the reward of a choice by
which more was observed than usual."""
FADING = 64
"""Attempts after which hopes are halved."""
BETTER = 9
"""One attempt of 1 + BETTER observes more than usual."""
EASY = 4
"""Where one attempt of so many reaches the goal, nothing is learnt of the way."""
MOST_DRAWS = 1 << 22
"""Sum of the weights of a chance event above which nothing is learnt of the outcomes."""
SALT = 0x5DEECE66D
ANYBODY = 1 << 20
"""In the code of an observation, the player where all choose at once."""
GOES_ON, ARRIVED, FAILED = range(3)
"""A targeted simulation: before the goal, at the goal, or without an agreeing choice."""


class InformationSet(Record):
    """The information set of a key.

    key: what the player knows.
    first, count: the first of the choices, which lie together, and their number.
    visits: the number of simulations of the player.
    """

    key: int
    first: int
    count: int
    visits: int


class Choice(Record):
    """An action in an information set.

    regret: sum of the regrets, at least 0.
    share: weighted sum of the probabilities.
    total, weight: weighted sum of the payoffs of simulations with the action, and the weights.
    """

    regret: int
    share: int
    total: int
    weight: int


class SampleNotes(Record):
    """
    sets, choices: listed information sets and choices, both from 1 on.
    done: simulations so far, in the numbering of simulations.
    mask: number of slots - 1, a power of 2 - 1.
    explorer: the player who explores.
    exploring: share of the explorer's choices that are random, see `PART`.
    weight: of the simulation, see `WEIGHT`.
    goal: observations up to the goal.
    player: the player of the goal.
    targeted: of four simulations, the number of targeted ones.
    scale: exponent of the weight of targeted simulations.
    ratio, exponent: the probability of the goal, ratio * 2^(-RATIO - exponent).
    arrived, failed: targeted simulations that reached the goal, and that did not.
    usual: observations of an attempt to reach the goal that few attempts surpass, times 16.
    walked: choices on the way to the goal.
    length: the length of the past.
    position: position in the stream of random numbers.
    inverse: inverse probability of the explorer's choices, in comparison to random choices; see
        `PART`.
    depth: choices of the explorer in listed sets.
    """

    sets: int
    choices: int
    done: int
    mask: int
    explorer: int
    exploring: int
    weight: int
    goal: int
    player: int
    targeted: int
    scale: int
    ratio: int
    exponent: int
    arrived: int
    failed: int
    usual: int
    walked: int
    length: int
    position: int
    inverse: int
    depth: int


class SampleArrays(Arrays):
    """
    slots: int64[n]: the numbers of sets by their keys, or 0.
    sets, choices: the strategies.
    keys: int64[PLAYERS]: what the players know.
    seen: int64[PLAYERS]: what the players see.
    counts: int64[PLAYERS]: number of observations.
    fresh: int64[PLAYERS]: 1 where a player has met a new set.
    strategy: int64[ACTIONS + 1]: probabilities, see `PART`.
    worths: int64[ACTIONS + 1]: estimated payoffs of the actions in a set.
    chosen: int64[PLAYERS]: the actions of a step.
    path: int64[n, PATH]: for each choice of the explorer the set, the place, the probability, and
        the inverse probability before the choice.
    observed: int64[n]: the keys of the goal's player up to the goal.
    forced: int64[n, PLAYERS]: the actions that were chosen at once, by the number of observations.
    hopes: int64[HOPES]: weights of choices on the way to the goal, by a hash.
    walk: int64[n]: places of the choices in `hopes`.
    play: see `playout_kernel`; `ends` has room for one play.
    """

    slots: Array
    sets: Rows[InformationSet]
    choices: Rows[Choice]
    keys: Array
    seen: Array
    counts: Array
    fresh: Array
    strategy: Array
    worths: Array
    chosen: Array
    path: Array
    observed: Array
    forced: Array
    hopes: Array
    walk: Array
    play: PlayoutArrays
    notes: SampleNotes


def chained(key: int, item: int) -> int:
    """The key after a further observation."""
    return (mixed(key, item) << 31) | mixed(key ^ SALT, item)


def code_for(player: int, mover: int, action: int) -> int:
    """What a player hears of an action."""
    heard = action
    if mover != player and CONCEALED[action] > 0:
        heard = ACTIONS + CONCEALED[action]
    return (mover + 1) * 4 * ACTIONS + heard


def code_for_all(chosen: Array) -> int:
    """What everybody hears of actions chosen at once."""
    code = ANYBODY
    for player in range(PLAYERS):
        code = chained(code, chosen[player])
    return code


def hear(player: int, code: int, arrays: SampleArrays) -> int:
    """Add an action to what a player knows; return the number of observations."""
    arrays.keys[player] = chained(arrays.keys[player], code)
    count: int = arrays.counts[player] + 1
    arrays.counts[player] = count
    return count


def hear_all(mover: int, arrays: SampleArrays) -> int:
    """Add the actions of a step to what all players know; `mover` is -1 where all choose."""
    code = 0
    if not RECALLS:
        return code
    if mover < 0:
        code = code_for_all(arrays.chosen)
    for player in range(PLAYERS):
        if mover >= 0:
            code = code_for(player, mover, arrays.chosen[mover])
        hear(player, code, arrays)
    return code


def see_all(state: State, arrays: SampleArrays) -> int:
    """Add what players see, where changed, to what they know; return the number of players."""
    for player in range(PLAYERS):
        view = sight(player, *state)
        if view != arrays.seen[player]:
            arrays.seen[player] = view
            if RECALLS:
                hear(player, view, arrays)
            else:
                arrays.keys[player] = chained(player + 1, view)
    return PLAYERS


def know_nothing(state: State, arrays: SampleArrays) -> int:
    """Players before the first state; return the number of players."""
    for player in range(PLAYERS):
        arrays.keys[player] = chained(player + 1, 0)
        arrays.counts[player] = 0
        arrays.fresh[player] = 0
        arrays.seen[player] = -1
    return see_all(state, arrays)


def place_of_key(key: int, arrays: SampleArrays) -> int:
    """The slot of a key, or a free slot."""
    mask = arrays.notes.mask
    slot = key & mask
    while arrays.slots[slot] != 0 and arrays.sets[arrays.slots[slot]].key != key:
        slot = (slot + 1) & mask
    return slot


def find_set(key: int, arrays: SampleArrays) -> int:
    """The number of the information set of a key; 0 if not listed."""
    number: int = arrays.slots[place_of_key(key, arrays)]
    return number


def list_set(key: int, count: int, arrays: SampleArrays) -> int:
    """The number of a new information set; 0 if there is no room."""
    notes = arrays.notes
    slot = place_of_key(key, arrays)
    if notes.sets >= len(arrays.sets) or notes.choices + count > len(arrays.choices):
        return 0
    number = notes.sets
    arrays.slots[slot] = number
    arrays.sets[number].key = key
    arrays.sets[number].first = notes.choices
    arrays.sets[number].count = count
    notes.sets = number + 1
    notes.choices += count
    return number


def write_strategy(number: int, count: int, arrays: SampleArrays) -> int:
    """Write the probabilities of the actions in a set by their regrets; uniform in the set 0.
    Returns the number of actions."""
    total = 0
    first = arrays.sets[number].first
    if number > 0:
        for place in range(count):
            total += arrays.choices[first + place].regret
    for place in range(count):
        if total > 0:
            arrays.strategy[place] = arrays.choices[first + place].regret * FULL // total
        else:
            arrays.strategy[place] = FULL // count
    return count


def remember(number: int, place: int, chance: int, arrays: SampleArrays) -> int:
    """Add a choice of the explorer, and its probability, to the path; return the path's length."""
    notes = arrays.notes
    at = notes.depth * PATH
    if number > 0 and at + PATH <= len(arrays.path):
        arrays.path[at] = number
        arrays.path[at + 1] = place
        arrays.path[at + 2] = chance
        arrays.path[at + 3] = notes.inverse
        inverse = notes.inverse * (FULL // arrays.sets[number].count) // chance
        notes.inverse = max(LEAST_INVERSE, min(inverse, MOST_INVERSE))
        notes.depth += 1
    return notes.depth


def choose(player: int, count: int, random: int, arrays: SampleArrays) -> int:
    """The place of an action, drawn by a player's strategy from `count` actions by 31 random
    bits."""
    notes = arrays.notes
    number = 0
    if arrays.fresh[player] == 0:
        number = find_set(arrays.keys[player], arrays)
        if number == 0:
            arrays.fresh[player] = 1
            number = list_set(arrays.keys[player], count, arrays)
    if number == 0:
        return random * count >> 31
    write_strategy(number, count, arrays)
    is_explorer = player == notes.explorer
    first = arrays.sets[number].first
    weight = (notes.weight * notes.inverse >> PART) * (1 + (notes.done >> PACE))
    total = 0
    for place in range(count):
        if is_explorer:
            share = arrays.strategy[place] * (FULL - notes.exploring) >> PART
            arrays.strategy[place] = share + notes.exploring // count + 1
        else:
            arrays.choices[first + place].share += arrays.strategy[place] * weight >> PART
        total += arrays.strategy[place]
    rest = random * total >> 31
    place = 0
    while place + 1 < count and rest >= arrays.strategy[place]:
        rest -= arrays.strategy[place]
        place += 1
    if is_explorer:
        remember(number, place, arrays.strategy[place] * FULL // total, arrays)
    return place


def moves_of(state: State, first: int, arrays: SampleArrays) -> bool:
    """List the actions of a state from a place of `actions` on, and their numbers in `sizes`; true
    where all choose at once."""
    play = arrays.play
    if IS_JOINT:
        if legal_choices(*state, play.actions, first, play.sizes, 0) == 1:
            return True
    else:
        play.sizes[0] = (
            legal_now(state, play.past, arrays.notes.length, play.actions, first) - first
        )
    if play.sizes[0] == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    return False


def joined_choices(state: State, arrays: SampleArrays) -> State:
    """The state after the actions chosen at once."""
    child = state
    if IS_JOINT:
        for player in range(PLAYERS):
            child = apply_choice(player, *state, *child, arrays.chosen[player])
    return child


def step(state: State, stream: int, arrays: SampleArrays) -> State:
    """The state after a choice of the player to move, or of all players, by their strategies."""
    notes = arrays.notes
    first = ACTIONS + 1
    if moves_of(state, first, arrays):
        for player in range(PLAYERS):
            count = arrays.play.sizes[player]
            place = choose(player, count, mixed(stream, notes.position), arrays)
            notes.position += 1
            arrays.chosen[player] = arrays.play.actions[first + place]
            first += count
        hear_all(-1, arrays)
        return joined_choices(state, arrays)
    mover = turn_of(*state)
    place = choose(mover, arrays.play.sizes[0], mixed(stream, notes.position), arrays)
    notes.position += 1
    arrays.chosen[mover] = arrays.play.actions[first + place]
    hear_all(mover, arrays)
    return apply(*state, arrays.chosen[mover])


def agrees(state: State, key: int, count: int, arrays: SampleArrays) -> bool:
    """Whether the goal's player, with a key after `count` observations, may see a state."""
    notes = arrays.notes
    if count > notes.goal or arrays.observed[count] != key:
        return False
    view = sight(notes.player, *state)
    if view == arrays.seen[notes.player]:
        return True
    if count == notes.goal:
        return False
    agreed: bool = arrays.observed[count + 1] == chained(key, view)
    return agreed


def discount(mass: int, total: int, arrays: SampleArrays) -> int:
    """Multiply the probability of the goal by a fraction; return the exponent."""
    notes = arrays.notes
    notes.ratio = notes.ratio * mass // total
    while notes.ratio >= 1 << RATIO:
        notes.ratio >>= 1
        notes.exponent -= 1
    while notes.ratio > 0 and notes.ratio < 1 << (RATIO - 1):
        notes.ratio <<= 1
        notes.exponent += 1
    return notes.exponent


def hope_of(choice: int, arrays: SampleArrays) -> int:
    """The weight of a choice on the way to the goal, in addition to its probability."""
    hope: int = LEAST_HOPE + arrays.hopes[mixed(arrays.notes.walked, choice) & (HOPES - 1)]
    return hope


def walk_on(choice: int, arrays: SampleArrays) -> int:
    """Note a choice on the way to the goal; return the number of choices."""
    notes = arrays.notes
    if notes.walked < len(arrays.walk):
        arrays.walk[notes.walked] = mixed(notes.walked, choice) & (HOPES - 1)
        notes.walked += 1
    return notes.walked


def learn_way(status: int, arrays: SampleArrays) -> bool:
    """Learn from an attempt to reach the goal: choices by which more was observed than usual are
    made more often (R. Rubinstein, "The cross-entropy method", 1999). The probability of the goal
    takes account of what is made more often."""
    notes = arrays.notes
    if status == ARRIVED:
        notes.arrived += 1
    else:
        notes.failed += 1
    reached = arrays.counts[notes.player]
    tries = notes.arrived + notes.failed
    is_better = 16 * reached > notes.usual
    if is_better:
        notes.usual += BETTER
    elif notes.usual > 0:
        notes.usual -= 1
    if notes.arrived * EASY > tries:
        return False
    if tries % FADING == 0:
        for place in range(HOPES):
            arrays.hopes[place] >>= 1
    if status == ARRIVED or is_better:
        for number in range(notes.walked):
            place = arrays.walk[number]
            arrays.hopes[place] = min(MOST_HOPE - LEAST_HOPE, arrays.hopes[place] + MORE_HOPE)
    return True


def agreeing_outcome(state: State, stream: int, arrays: SampleArrays, weights: Array) -> int:
    """An outcome of a chance event that agrees with the goal, drawn with the weights and hopes; -1
    if there is none."""
    notes = arrays.notes
    key = arrays.keys[notes.player]
    count = arrays.counts[notes.player]
    total = draws(*state, weights)
    left = total
    outcome = 0
    best = -1
    best_hope = 1
    mass = 0
    while left > 0:
        weight = weights[outcome]
        left -= weight
        if weight > 0 and agrees(draw(*state, outcome), key, count, arrays):
            hope = 1
            if total < MOST_DRAWS:
                hope = hope_of(outcome, arrays)
            mass += weight * hope
            if mixed(stream, notes.position) * mass >> 31 < weight * hope:
                best = outcome
                best_hope = hope
            notes.position += 1
        outcome += 1
    if best >= 0:
        discount(mass, total * best_hope, arrays)
        walk_on(best, arrays)
    return best


def likelihood(player: int, place: int, count: int, arrays: SampleArrays) -> int:
    """The probability of a choice of a player with a written strategy, with errors."""
    share = arrays.strategy[place]
    random = TREMBLE
    if player == arrays.notes.explorer:
        random = arrays.notes.exploring
    likely: int = (share * (FULL - random) >> PART) + random // count + 1
    return likely


def agreeing_move(state: State, stream: int, arrays: SampleArrays) -> int:
    """The place of an action of the player to move that agrees with the goal, drawn by the
    strategy; -1 if there is none. The actions are listed."""
    notes = arrays.notes
    first = ACTIONS + 1
    actions = arrays.play.actions
    size = arrays.play.sizes[0]
    mover = turn_of(*state)
    count = arrays.counts[notes.player]
    number = find_set(arrays.keys[mover], arrays)
    write_strategy(number, size, arrays)
    best = -1
    best_hope = 1
    mass = 0
    for place in range(size):
        action = actions[first + place]
        key = chained(arrays.keys[notes.player], code_for(notes.player, mover, action))
        if count >= notes.goal or arrays.observed[count + 1] != key:
            continue
        if agrees(apply(*state, action), key, count + 1, arrays):
            hope = hope_of(action, arrays)
            weight = likelihood(mover, place, size, arrays) * hope
            mass += weight
            if mixed(stream, notes.position) * mass >> 31 < weight:
                best = place
                best_hope = hope
            notes.position += 1
    if best >= 0:
        discount(mass, FULL * best_hope, arrays)
        walk_on(actions[first + best], arrays)
        if mover == notes.explorer:
            remember(number, best, likelihood(mover, best, size, arrays), arrays)
    return best


def force_choices(arrays: SampleArrays) -> bool:
    """Choose the actions that were chosen at once; whether they are legal. The actions are
    listed."""
    notes = arrays.notes
    first = ACTIONS + 1
    count = arrays.counts[notes.player]
    if count >= notes.goal:
        return False
    for player in range(PLAYERS):
        size = arrays.play.sizes[player]
        wanted = arrays.forced[count * PLAYERS + player]
        number = find_set(arrays.keys[player], arrays)
        write_strategy(number, size, arrays)
        likely = 0
        for place in range(size):
            if arrays.play.actions[first + place] == wanted:
                likely = likelihood(player, place, size, arrays)
                if player == notes.explorer:
                    remember(number, place, likely, arrays)
        if likely == 0:
            return False
        discount(likely, FULL, arrays)
        arrays.chosen[player] = wanted
        first += size
    return True


def is_goal(state: State, is_joint: bool, arrays: SampleArrays) -> bool:
    """Whether the goal's player is to choose, and knows what is known at the goal."""
    notes = arrays.notes
    player = notes.player
    if arrays.counts[player] != notes.goal or arrays.keys[player] != arrays.observed[notes.goal]:
        return False
    return is_joint or turn_of(*state) == player


def approach_by_move(state: State, stream: int, arrays: SampleArrays) -> tuple[State, int]:
    """The state after an agreeing choice of a player or all players; with GOES_ON, ARRIVED where no
    choice is needed, or FAILED."""
    notes = arrays.notes
    is_joint = moves_of(state, ACTIONS + 1, arrays)
    if is_goal(state, is_joint, arrays):
        return state, ARRIVED
    if is_joint:
        if not force_choices(arrays):
            return state, FAILED
        hear_all(-1, arrays)
        state = joined_choices(state, arrays)
        if not agrees(state, arrays.keys[notes.player], arrays.counts[notes.player], arrays):
            return state, FAILED
        return state, GOES_ON
    place = agreeing_move(state, stream, arrays)
    if place < 0:
        return state, FAILED
    mover = turn_of(*state)
    arrays.chosen[mover] = arrays.play.actions[ACTIONS + 1 + place]
    hear_all(mover, arrays)
    return apply(*state, arrays.chosen[mover]), GOES_ON


def approach(state: State, stream: int, arrays: SampleArrays, weights: Array) -> tuple[State, int]:
    """A state of the goal, reached by agreeing choices from the first state; with ARRIVED or
    FAILED. The last state is not in the past yet."""
    notes = arrays.notes
    notes.ratio = 1 << (RATIO - 1)
    notes.exponent = -1
    notes.walked = 0
    status = GOES_ON
    while status == GOES_ON:
        if EVENT_AT >= 0 and state[EVENT_AT] != 0:
            outcome = agreeing_outcome(state, stream, arrays, weights)
            if outcome < 0:
                return state, FAILED
            state = draw(*state, outcome)
        else:
            before = notes.length
            notes.length = push_history(state, arrays.play.past, notes.length)
            over = terminal_payoffs(*state, arrays.play.past, notes.length)
            if over[0] != 0:
                return state, FAILED
            state, status = approach_by_move(state, stream, arrays)
            if status != GOES_ON:
                notes.length = before
                return state, status
        see_all(state, arrays)
        mark_next(state, arrays.play.past, notes.length)
    return state, status


def learn(value: int, arrays: SampleArrays) -> int:
    """Change the regrets of the explorer's sets by the explorer's payoff; return the estimated
    payoff of the first set."""
    notes = arrays.notes
    at = notes.depth
    while at > 0:
        at -= 1
        number = arrays.path[at * PATH]
        chosen = arrays.path[at * PATH + 1]
        first = arrays.sets[number].first
        count = arrays.sets[number].count
        write_strategy(number, count, arrays)
        arrays.sets[number].visits += 1
        total = 0
        weight = 0
        for place in range(count):
            total += arrays.choices[first + place].total
            weight += arrays.choices[first + place].weight
        usual = value
        if weight > 0:
            usual = total // weight
        mean = 0
        for place in range(count):
            worth = worth_of(first + place, usual, arrays)
            if place == chosen:
                worth += (value - worth) * FULL // arrays.path[at * PATH + 2]
            arrays.worths[place] = worth
            mean += worth * arrays.strategy[place]
        factor = max(1, notes.weight * arrays.path[at * PATH + 3] >> PART)
        mean = max(-MOST_MEAN, min(mean >> PART, MOST_MEAN))
        most = 0
        for place in range(count):
            gain = (arrays.worths[place] - mean) * factor
            regret = max(0, arrays.choices[first + place].regret + gain)
            arrays.choices[first + place].regret = regret
            most = max(most, regret)
        if most > MOST_REGRET:
            for place in range(count):
                arrays.choices[first + place].regret >>= 1
        arrays.choices[first + chosen].total += value * notes.weight
        arrays.choices[first + chosen].weight += notes.weight
        value = mean
    return value


def worth_of(choice: int, usual: int, arrays: SampleArrays) -> int:
    """The mean payoff of a choice; the usual payoff, if never tried."""
    if arrays.choices[choice].weight == 0:
        return usual
    worth: int = arrays.choices[choice].total // arrays.choices[choice].weight
    return worth


def are_all_fresh(arrays: SampleArrays) -> bool:
    """Whether all players have met new sets, and play at random."""
    fresh = 0
    for player in range(PLAYERS):
        fresh += arrays.fresh[player]
    all_are: bool = fresh == PLAYERS
    return all_are


def finish(
    state: State, stream: int, longest: int, is_targeted: bool, arrays: SampleArrays, weights: Array
) -> bool:
    """Play to the end by the strategies, and write the payoffs to `ends`; false where a simulation
    that is not targeted reaches the goal."""
    notes = arrays.notes
    play = arrays.play
    ply = 0
    while True:
        if EVENT_AT >= 0 and state[EVENT_AT] != 0:
            state = draw_outcome(state, mixed(stream, notes.position), weights)
            notes.position += 1
        else:
            if are_all_fresh(arrays):
                fresh = mixed(stream, notes.position) << 31 | ply
                play_out(state, fresh, longest, play, weights, notes.length, 0)
                return True
            notes.length = push_history(state, play.past, notes.length)
            over = terminal_payoffs(*state, play.past, notes.length)
            if RULES > 0 and over[0] == 0:
                rule = repeated_rule(state, play.past, notes.length)
                if rule >= 0:
                    over = repetition_payoffs(rule, *state)
            if over[0] != 0 or ply >= longest:
                for number in range(PLAYERS + 1):
                    play.ends[1 + number] = over[number]
                return True
            may_meet = not is_targeted and notes.targeted > 0
            if may_meet and is_goal(state, moves_of(state, ACTIONS + 1, arrays), arrays):
                return False
            state = step(state, stream, arrays)
            ply += 1
        see_all(state, arrays)
        mark_next(state, play.past, notes.length)


def simulate(
    state: State, seed: int, longest: int, arrays: SampleArrays, weights: Array, length: int
) -> bool:
    """One simulation; whether it counts."""
    notes = arrays.notes
    number = notes.done
    notes.done = number + 1
    stream = (mixed(seed, 2 * number) << 31) | mixed(seed, 2 * number + 1)
    notes.position = 0
    notes.depth = 0
    notes.inverse = FULL
    notes.length = length
    notes.explorer = (number >> 2) % PLAYERS
    notes.weight = 1 << WEIGHT
    know_nothing(state, arrays)
    is_targeted = number & 3 < notes.targeted
    if is_targeted:
        state, status = approach(state, stream, arrays, weights)
        learn_way(status, arrays)
        if status == FAILED:
            return False
        shift = RATIO - WEIGHT + notes.exponent - notes.scale
        notes.weight = 1
        if shift < RATIO:
            notes.weight = min(MOST_WEIGHT, max(1, notes.ratio >> max(shift, 0)))
    if not finish(state, stream, longest, is_targeted, arrays, weights):
        return False
    ends = arrays.play.ends
    value = ENDLESS[notes.explorer]
    if ends[1] != 0:
        value = ends[2 + notes.explorer] * UNIT // ends[1]
    learn(value, arrays)
    return True


def sample(
    state: State, seed: int, count: int, longest: int, arrays: SampleArrays, length: int
) -> int:
    """`count` simulations from the first state; returns the number of simulations that count."""
    weights = numbers(LARGEST_EVENT)
    counted = 0
    for _ in range(count):
        if simulate(state, seed, longest, arrays, weights, length):
            counted += 1
    return counted


def seek_goal(
    state: State, seed: int, first: int, count: int, arrays: SampleArrays, length: int
) -> int:
    """Attempts to reach the goal, numbers `first` to `first + count - 1`, up to the first success;
    returns their number. The goal's probability by the last attempt is written; 0 without
    success."""
    weights = numbers(LARGEST_EVENT)
    notes = arrays.notes
    for number in range(first, first + count):
        stream = (mixed(seed, 2 * number) << 31) | mixed(seed, 2 * number + 1)
        notes.position = 0
        notes.depth = 0
        notes.inverse = FULL
        notes.length = length
        know_nothing(state, arrays)
        last = approach(state, stream, arrays, weights)
        status = last[1]
        learn_way(status, arrays)
        if status == ARRIVED:
            return number - first + 1
    notes.ratio = 0
    return count
