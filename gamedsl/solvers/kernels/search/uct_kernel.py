"""The kernel of UCT with score bounds, written against the names of `abi`.

A simulation goes down the tree to a node without children, plays at random from there
(`playout_kernel`), and adds the payoffs to all nodes on the way (L. Kocsis and C. Szepesvari,
"Bandit based Monte-Carlo planning", 2006). A child that has not been tried is valued as its parent;
or, where plays learn, by the mean of all simulations with its action, for the player to move.

Every node has a lower and an upper bound of the payoffs of best play, proved by endings below
(T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", 2010; for any number of
players: every player maximises the own payoff, in case of ties in any way). A node is closed where
no open child may be better than what is proved, and is not searched again. A child's upper
confidence bound is kept between the child's bounds, so that refuted children are avoided. Where a
closed child is preferred, its value counts for the parent, and the simulation explores an open
child instead.

The mean of all simulations in which the player made an action at once or later ("all moves as
first") is known after few visits, and stands for a part of a child's value that becomes smaller
with the visits of the position (S. Gelly and D. Silver, "Combining online and offline knowledge in
UCT", 2007).

Payoffs are numbers of units (`UNIT`), from the root on. Where one number says the payoffs of all
players (`SIDES` = 1), only the first player's payoff is kept, and a second player minimises.
Chance events are nodes, with an outcome drawn at every visit. Where actions and outcomes pay
rewards (`PAYS`), a simulation is worth all that is paid from the root on, discounted.

A simulation depends on the seed and its number alone, so a search in slices is the whole search.

arrays: see `TreeArrays`.
length: the length of the past (see `history_kernel`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.history_kernel import legal_now, mark_next, push_history
from gamedsl.solvers.kernels.playout_kernel import (
    FACTOR_BITS,
    LINE,
    UNKNOWN,
    PlayoutArrays,
    average_of,
    complete_ply,
    learn_action,
    pay,
    pick_outcome,
    play_out,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENDLESS,
        EVENT_AT,
        FORESEES,
        HIGHEST,
        LARGEST_EVENT,
        LEARNS,
        LOWEST,
        PAYS,
        PLAYERS,
        SIDES,
        UNIT,
        WHOLE,
        Array,
        State,
        apply,
        draw,
        draws,
        estimate,
        highest,
        mixed,
        numbers,
        same_words,
        turn_of,
        wins_at_once,
    )

TOTAL, MEAN, LOW, HIGH, FIGURES = range(5)
"""Places in the payoffs of a node for a side: total, mean, bounds; and the number of places."""
ROOT = 0
PART = 16
"""Fractions of confidence terms have so many bits."""
EXACT = 9
"""Roots and logarithms are exact for numbers of so many bits, and for larger numbers by so many
leading bits."""
DRAWS = 1 << 20
"""First number of a simulation's random numbers in the tree; earlier numbers are for the play."""
FACTOR_ERROR = 6
"""A factor is too small by as many times 2^-FACTOR_BITS as plies were played: by so many bits of a
unit in each of as many payments."""
MOST_AMAF = (1 << EXACT) - 1
"""See `Node`."""
MOST_PAID = 1 << 36
"""Limit on what a simulation pays, in units; as a bound of payoffs: nothing is known."""
GROWING = 3
"""When 1, 2, 3, ... of 2^GROWING parts of the nodes are in use, a node needs 2, 4, 8, ... times as
many visits before its children are listed."""


class Node(Record):
    """A position of the tree.

    first, count: the first of the children, which lie together, and their number; 0 before the
        children are listed.
    mover: the player to move; PLAYERS at a chance event.
    action: the action that leads here; after a chance event the weight of the outcome.
    visits: the number of simulations.
    doubt: the inverse square root of the visits, see `PART`; 0 without visits.
    closed: 1 where nothing is left to search.
    amaf_visits, amaf_mean: simulations through the parent in which the player to move there made
        the action there or later, and the mean of the player's payoffs (of "all moves as first");
        the number is at most `MOST_AMAF`, and earlier simulations fade.
    """

    first: int
    count: int
    mover: int
    action: int
    visits: int
    doubt: int
    closed: int
    amaf_visits: int
    amaf_mean: int


class TreeNotes(Record):
    """
    used: nodes in use.
    done: simulations so far, in the numbering of simulations.
    deepest: the greatest depth of a node visited.
    least, greatest: of the payoffs met, in units.
    patience: visits before the children of a node are listed, in an empty tree.
    exploration: the weight of confidence, for payoffs between 0 and 1; see `PART`.
    sought: nodes to be compared with a wanted state.
    amaf_worth: the weight of means of all moves as first falls with the root of the visits of a
        position, from so many on; 0: never used.
    begun: of the root, see `playout_kernel.Dues`.
    """

    used: int
    done: int
    deepest: int
    least: int
    greatest: int
    patience: int
    exploration: int
    sought: int
    amaf_worth: int
    begun: int


class TreeArrays(Arrays):
    """
    nodes: the tree; node 0 is the root.
    payoffs: int64[nodes, SIDES, FIGURES].
    path: int64[n]: the nodes of a simulation, at most n.
    instead: int64[n]: for each node of the path the closed child that was preferred to the next
        node, or -1.
    gained: int64[SIDES]: payoffs of a simulation, in units.
    logs: int64[n]: square roots of logarithms, see `place_of` and `PART`.
    inverses: int64[n]: inverse square roots.
    play: see `playout_kernel`; `ends` has room for one play.
    notes: of the tree.
    """

    nodes: Rows[Node]
    payoffs: Array
    path: Array
    instead: Array
    gained: Array
    logs: Array
    inverses: Array
    play: PlayoutArrays
    notes: TreeNotes


def place_of(number: int) -> int:
    """The place of a positive number in tables of roots."""
    if number < 1 << EXACT:
        return number
    shift = highest(number) - EXACT + 1
    return (shift << EXACT - 1) + (number >> shift)


def is_open(child: int, node: int, arrays: TreeArrays) -> bool:
    """Whether a child of a position is not closed, and may be better for the player to move than
    what is proved; where payoffs of several players are kept, or as good."""
    if arrays.nodes[child].closed != 0:
        return False
    mover = arrays.nodes[node].mover
    side = mover if SIDES > 1 else 0
    at = (node * SIDES + side) * FIGURES
    below = (child * SIDES + side) * FIGURES
    may_be_better: bool = arrays.payoffs[below + LOW] < arrays.payoffs[at + HIGH]
    if SIDES > 1:
        may_be_better = arrays.payoffs[below + HIGH] >= arrays.payoffs[at + LOW]
    elif mover == 0:
        may_be_better = arrays.payoffs[below + HIGH] > arrays.payoffs[at + LOW]
    return may_be_better


def pick_child(node: int, stream: int, must_be_open: bool, arrays: TreeArrays) -> int:
    """The child with the greatest upper confidence bound for the player to move; of all children,
    or of the open children (-1 if there is none)."""
    nodes = arrays.nodes
    payoffs = arrays.payoffs
    notes = arrays.notes
    first = nodes[node].first
    count = nodes[node].count
    visits = nodes[node].visits
    side = 0
    is_first = True
    if SIDES > 1:
        side = nodes[node].mover
    else:
        is_first = nodes[node].mover == 0
    spread = (notes.greatest - notes.least) * notes.exploration >> PART
    spread = spread * arrays.logs[place_of(visits)] >> PART
    fresh = payoffs[(node * SIDES + side) * FIGURES + MEAN]
    if not is_first:
        fresh = -fresh
    fresh += spread
    share = 0
    if notes.amaf_worth > 0:
        share = arrays.inverses[place_of(notes.amaf_worth + visits)] << PART
        share = share // arrays.inverses[place_of(notes.amaf_worth)]
    best = -1
    best_score = 0
    start = stream * count >> 31
    for number in range(count):
        child = first + start + number
        if start + number >= count:
            child -= count
        if must_be_open and not is_open(child, node, arrays):
            continue
        score = fresh
        doubt = nodes[child].doubt
        if LEARNS and doubt == 0:
            worth = average_of(nodes[node].mover, nodes[child].action, arrays.play.worth)
            if worth < UNKNOWN:
                score = worth + spread
        if share > 0 and nodes[child].amaf_visits > 0:
            mean = score - spread
            low = LOWEST
            high = HIGHEST
            bonus = spread
            if doubt > 0:
                at = (child * SIDES + side) * FIGURES
                bonus = spread * doubt >> PART
                mean = payoffs[at + MEAN]
                low = payoffs[at + LOW]
                high = payoffs[at + HIGH]
                if not is_first:
                    mean = -mean
            amaf_mean = nodes[child].amaf_mean
            if not is_first:
                amaf_mean = -amaf_mean
                low, high = -high, -low
            mean += (amaf_mean - mean) * share >> PART
            score = max(low, min(mean + bonus, high))
        elif doubt > 0:
            at = (child * SIDES + side) * FIGURES
            bonus = spread * doubt >> PART
            if is_first:
                score = max(payoffs[at + LOW], min(payoffs[at + MEAN] + bonus, payoffs[at + HIGH]))
            else:
                score = -min(payoffs[at + HIGH], max(payoffs[at + MEAN] - bonus, payoffs[at + LOW]))
        if best < 0 or score > best_score:
            best_score = score
            best = child
    return best


def tighten(node: int, side: int, low: int, high: int, payoffs: Array) -> bool:
    """Narrow the bounds of a node; whether they were wider."""
    at = (node * SIDES + side) * FIGURES
    is_narrower: bool = low > payoffs[at + LOW] or high < payoffs[at + HIGH]
    payoffs[at + LOW] = max(low, payoffs[at + LOW])
    payoffs[at + HIGH] = min(high, payoffs[at + HIGH])
    return is_narrower


def bound_expectation(node: int, arrays: TreeArrays) -> bool:
    """Narrow the bounds of a chance event by the bounds of the outcomes; whether they were
    wider."""
    first = arrays.nodes[node].first
    is_narrower = False
    for side in range(SIDES):
        low = 0
        high = 0
        whole = 0
        least = HIGHEST
        most = LOWEST
        for child in range(first, first + arrays.nodes[node].count):
            at = (child * SIDES + side) * FIGURES
            weight = arrays.nodes[child].action
            if weight > 0:
                whole += weight
                least = min(least, arrays.payoffs[at + LOW])
                most = max(most, arrays.payoffs[at + HIGH])
                low += weight * arrays.payoffs[at + LOW]
                high += weight * arrays.payoffs[at + HIGH]
        if whole >> (26 if PAYS else 31) != 0:  # the products may exceed a word
            return False
        low, high = low // whole, -(-high // whole)
        if PAYS and least <= LOWEST:  # unknown, see `MOST_PAID`
            low = LOWEST
        if PAYS and most >= HIGHEST:
            high = HIGHEST
        is_narrower = tighten(node, side, low, high, arrays.payoffs) or is_narrower
    return is_narrower


def bound_choice(node: int, arrays: TreeArrays) -> bool:
    """Narrow the bounds of a position by the bounds of the children; whether they were wider."""
    first = arrays.nodes[node].first
    behind = first + arrays.nodes[node].count
    mover = arrays.nodes[node].mover
    mover_side = mover if SIDES > 1 else 0
    payoffs = arrays.payoffs
    at = (first * SIDES + mover_side) * FIGURES
    low = payoffs[at + LOW]
    high = payoffs[at + HIGH]
    for child in range(first + 1, behind):
        at = (child * SIDES + mover_side) * FIGURES
        if SIDES > 1 or mover == 0:
            low = max(low, payoffs[at + LOW])
            high = max(high, payoffs[at + HIGH])
        else:
            low = min(low, payoffs[at + LOW])
            high = min(high, payoffs[at + HIGH])
    is_narrower = tighten(node, mover_side, low, high, payoffs)
    if SIDES > 1:
        for side in range(SIDES):
            if side != mover_side:
                least = HIGHEST
                most = LOWEST
                for child in range(first, behind):
                    if payoffs[(child * SIDES + mover_side) * FIGURES + HIGH] >= low:
                        at = (child * SIDES + side) * FIGURES
                        least = min(least, payoffs[at + LOW])
                        most = max(most, payoffs[at + HIGH])
                is_narrower = tighten(node, side, least, most, payoffs) or is_narrower
    return is_narrower


def bound_node(node: int, arrays: TreeArrays) -> bool:
    """Narrow the bounds of a node by the children, and close the node where no child is open;
    whether more is known than before."""
    nodes = arrays.nodes
    is_chance = nodes[node].mover == PLAYERS
    is_new = False
    if is_chance:
        is_new = bound_expectation(node, arrays)
    else:
        is_new = bound_choice(node, arrays)
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if is_chance and nodes[child].action > 0 and nodes[child].closed == 0:
            return is_new
        if not is_chance and is_open(child, node, arrays):
            return is_new
    nodes[node].closed = 1
    return True


def clear_node(node: int, action: int, arrays: TreeArrays) -> int:
    """Write an unexplored node."""
    fresh = arrays.nodes[node]
    fresh.first = 0
    fresh.count = 0
    fresh.mover = 0
    fresh.action = action
    fresh.visits = 0
    fresh.doubt = 0
    fresh.closed = 0
    fresh.amaf_visits = 0
    fresh.amaf_mean = 0
    for side in range(SIDES):
        at = (node * SIDES + side) * FIGURES
        arrays.payoffs[at + TOTAL] = 0
        arrays.payoffs[at + MEAN] = 0
        arrays.payoffs[at + LOW] = LOWEST
        arrays.payoffs[at + HIGH] = HIGHEST
    return node + 1


def list_children(state: State, node: int, arrays: TreeArrays, length: int) -> int:
    """List the children of a node, as far as there is room; return their number. The present state
    is the last of the past."""
    first = arrays.notes.used
    room = len(arrays.nodes) - first
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        weights = numbers(LARGEST_EVENT)
        left = draws(*state, weights)
        count = 0
        while left > 0:
            left -= weights[count]
            count += 1
        if count > room:
            return 0
        for place in range(count):
            clear_node(first + place, weights[place], arrays)
        arrays.nodes[node].mover = PLAYERS
    else:
        count = legal_now(state, arrays.play.past, length, arrays.play.actions, 0)
        if count > room:
            return 0
        for place in range(count):
            clear_node(first + place, arrays.play.actions[place], arrays)
        arrays.nodes[node].mover = turn_of(*state)
    arrays.nodes[node].first = first
    arrays.nodes[node].count = count
    arrays.notes.used = first + count
    return count


def pick_next(
    state: State, node: int, random: int, depth: int, arrays: TreeArrays, weights: Array
) -> int:
    """The child of a listed node to go on with; notes a closed child that is preferred."""
    arrays.instead[depth] = -1
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return arrays.nodes[node].first + pick_outcome(state, random, weights)
    child = pick_child(node, random, False, arrays)
    if arrays.nodes[child].closed != 0:
        other = pick_child(node, random, True, arrays)
        if other >= 0:
            arrays.instead[depth] = child
            return other
    return child


def successor(state: State, node: int, child: int, arrays: TreeArrays) -> State:
    """The state of a child."""
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        return draw(*state, child - arrays.nodes[node].first)
    return apply(*state, arrays.nodes[child].action)


def squeezed(per: int, share: int) -> int:
    """An estimate, a denominator and a numerator, in units, squeezed in order between the least and
    the greatest payoff (see `textbook.evaluation`)."""
    middle = (LOWEST + HIGHEST) >> 1
    reach = (HIGHEST - LOWEST) >> 1
    apart = share * UNIT // per - middle
    size = abs(apart)
    if 2 * size > reach:
        size = reach - max(1, reach * reach // (4 * size))
    return middle + (size if apart > 0 else -size)


def write_estimates(state: State, ends: Array, at: int) -> int:
    """Write the file's estimates of a state as the payoffs of a play that is broken off, see
    `squeezed`."""
    ends[at] = -1
    ends[at + 1] = UNIT
    for side in range(SIDES):
        per, share = estimate(side, *state)
        ends[at + 2 + side] = squeezed(per, share)
    return 0


def gain(node: int, state: State, depth: int, plies: int, arrays: TreeArrays) -> bool:
    """Note the payoffs of a play from a node; whether the node was found to be an ending, or to be
    a win at once, and is closed. The root stays open until a move is known. Of payoffs that were
    cut a bound at most is known."""
    ends = arrays.play.ends
    per = ends[1]
    is_over = (
        per != 0
        and ends[0] >= 0
        and (plies == 0 or (FORESEES and plies == 1 and wins_at_once(*state)))
    )
    if node == ROOT or (EVENT_AT >= 0 and state[EVENT_AT] != 0):
        is_over = False
    apart = 0
    if PAYS and arrays.play.dues.rounded != 0:
        apart = depth + 1
    if PAYS and WHOLE > 1:
        apart = (depth + 1) * (depth + 1) << FACTOR_ERROR
    for side in range(SIDES):
        units = ENDLESS[side]
        rest = 0
        if per != 0:
            units = ends[2 + side] * UNIT // per
            rest = 1 if ends[2 + side] * UNIT % per != 0 else 0
        if PAYS:
            if WHOLE > 1:
                units = units * arrays.play.dues.factor >> FACTOR_BITS
            units += arrays.play.paid[side]
            units = max(-MOST_PAID, min(units, MOST_PAID))
        arrays.gained[side] = units
        if is_over and not (PAYS and arrays.play.dues.is_cut != 0):
            low = min(units - apart, HIGHEST - 1) if PAYS else units
            high = max(units + rest + apart, LOWEST + 1) if PAYS else units + rest
            tighten(node, side, low, high, arrays.payoffs)
    if is_over:
        arrays.nodes[node].closed = 1
    return is_over


def gain_bounds(node: int, arrays: TreeArrays) -> int:
    """Note the payoffs of a closed node, the mean within the bounds."""
    for side in range(SIDES):
        at = (node * SIDES + side) * FIGURES
        mean = arrays.payoffs[at + MEAN]
        arrays.gained[side] = max(arrays.payoffs[at + LOW], min(mean, arrays.payoffs[at + HIGH]))
    return node


def add_amaf(node: int, action: int, stream: int, arrays: TreeArrays) -> int:
    """Add the payoffs of a simulation to all children of a position whose action the player to move
    made in the simulation, at the node or later; return the player."""
    nodes = arrays.nodes
    made = arrays.play.made
    mover = nodes[node].mover
    begin = mover * ACTIONS
    side = mover if SIDES > 1 else 0
    made[begin + action] = stream
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if made[begin + nodes[child].action] == stream:
            visits = min(nodes[child].amaf_visits + 1, MOST_AMAF)
            doubt = arrays.inverses[visits]
            change = (arrays.gained[side] - nodes[child].amaf_mean) * (doubt * doubt >> PART)
            nodes[child].amaf_visits = visits
            nodes[child].amaf_mean += change >> PART
    return mover


def back_up(depth: int, stream: int, is_new: bool, arrays: TreeArrays) -> int:
    """Add the payoffs of a simulation to all nodes of the path, and carry new bounds of the last
    node to the root."""
    notes = arrays.notes
    notes.deepest = max(notes.deepest, depth)
    for side in range(SIDES):
        notes.least = min(notes.least, arrays.gained[side])
        notes.greatest = max(notes.greatest, arrays.gained[side])
    up = depth
    while up >= 0:
        node = arrays.path[up]
        if up < depth and arrays.instead[up] >= 0:
            gain_bounds(arrays.instead[up], arrays)
        visits = arrays.nodes[node].visits + 1
        arrays.nodes[node].visits = visits
        arrays.nodes[node].doubt = arrays.inverses[place_of(visits)]
        for side in range(SIDES):
            at = (node * SIDES + side) * FIGURES
            total = arrays.payoffs[at + TOTAL] + arrays.gained[side]
            arrays.payoffs[at + TOTAL] = total
            arrays.payoffs[at + MEAN] = total // visits
        if up < depth and notes.amaf_worth > 0 and arrays.nodes[node].mover < PLAYERS:
            add_amaf(node, arrays.nodes[arrays.path[up + 1]].action, stream, arrays)
        if is_new and up < depth:
            is_new = bound_node(node, arrays)
        up -= 1
    return depth


def simulate(
    state: State, seed: int, longest: int, arrays: TreeArrays, weights: Array, length: int
) -> int:
    """One simulation; returns the depth of the last node. `weights`: see `playout_kernel`."""
    number = arrays.notes.done
    stream = (mixed(seed, 2 * number) << 31) | mixed(seed, 2 * number + 1)
    nodes = arrays.nodes
    patience = arrays.notes.patience << (arrays.notes.used << GROWING) // len(nodes)
    node = ROOT
    depth = 0
    arrays.path[0] = ROOT
    if PAYS:
        arrays.play.dues.factor = 1 << FACTOR_BITS
        arrays.play.dues.rounded = 0
        arrays.play.dues.is_cut = 0
        arrays.play.dues.begun = arrays.notes.begun
        for side in range(SIDES):
            arrays.play.paid[side] = 0
    goes_down = nodes[ROOT].closed == 0
    while goes_down:
        is_chance = EVENT_AT >= 0 and state[EVENT_AT] != 0
        present = length
        if not is_chance:
            present = push_history(state, arrays.play.past, length)
        count = nodes[node].count
        if count == 0 and (nodes[node].visits >= patience or node == ROOT):
            count = list_children(state, node, arrays, present)
        if count == 0 or depth + 1 == len(arrays.path) or nodes[node].visits == 0:
            goes_down = False
        else:
            random = mixed(stream, DRAWS + depth)
            child = pick_next(state, node, random, depth, arrays, weights)
            if PAYS:
                action = nodes[child].action
                if is_chance:
                    action = child - nodes[node].first
                pay(state, action, arrays.play)
            state = successor(state, node, child, arrays)
            if PAYS:
                if not is_chance:
                    arrays.play.dues.begun = 1
                complete_ply(state, arrays.play)
            node = child
            mark_next(state, arrays.play.past, present)
            length = present
            depth += 1
            arrays.path[depth] = node
            goes_down = nodes[node].closed == 0
    is_new = False
    if LEARNS:
        arrays.play.line[LINE] = 0
    if nodes[node].closed != 0:
        gain_bounds(node, arrays)
    else:
        plies = play_out(state, stream, longest, arrays.play, weights, length, 0)
        is_new = gain(node, state, depth, plies, arrays)
    arrays.notes.done = number + 1
    if LEARNS:
        learn_all(depth, arrays)
    return back_up(depth, stream, is_new, arrays)


def learn_all(depth: int, arrays: TreeArrays) -> int:
    """Add the payoffs of a simulation to the worth of all actions, in the tree and behind."""
    for at in range(depth):
        mover = arrays.nodes[arrays.path[at]].mover
        if mover < PLAYERS:
            action = arrays.nodes[arrays.path[at + 1]].action
            learn_action(mover, action, payoff_of(mover, arrays), arrays.play)
    for at in range(arrays.play.line[LINE]):
        made = arrays.play.line[at]
        learn_action(
            made // ACTIONS, made % ACTIONS, payoff_of(made // ACTIONS, arrays), arrays.play
        )
    return depth


def payoff_of(mover: int, arrays: TreeArrays) -> int:
    """The payoff of a player in the simulation; where one number says all payoffs, a second player
    gets the opposite."""
    payoff: int = arrays.gained[mover if SIDES > 1 else 0]
    return -payoff if SIDES == 1 and mover > 0 else payoff


def search_tree(
    state: State, seed: int, count: int, longest: int, arrays: TreeArrays, length: int
) -> int:
    """`count` simulations from the state of the root, or fewer if the root is closed; returns their
    number."""
    weights = numbers(LARGEST_EVENT)
    for done in range(count):
        if arrays.nodes[ROOT].closed != 0:
            return done
        simulate(state, seed, longest, arrays, weights, length)
    return count


def find_node(
    state: State, node: int, depth: int, most: int, wanted: State, arrays: TreeArrays
) -> int:
    """A visited node `most` steps below the root with a wanted state, or -1; the state of a node at
    a depth is given. Writes the nodes below the root to the path. Gives up after
    `arrays.notes.sought` nodes."""
    nodes = arrays.nodes
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if nodes[child].visits > 0 and arrays.notes.sought > 0:
            arrays.notes.sought -= 1
            arrays.path[depth] = child
            after = successor(state, node, child, arrays)
            place = -1
            if depth + 1 < most:
                place = find_node(after, child, depth + 1, most, wanted, arrays)
            elif same_words(*after, *wanted):
                place = child
            if place >= 0:
                return place
    return -1


def take_tree(root: int, arrays: TreeArrays, nodes: Rows[Node], payoffs: Array) -> int:
    """Copy the tree below a node to the front of empty arrays; return the number of nodes."""
    used = 1
    copy_node(root, ROOT, arrays, nodes, payoffs)
    node = 0
    while node < used:
        first = nodes[node].first
        count = nodes[node].count
        if count > 0:
            nodes[node].first = used
        for place in range(count):
            copy_node(first + place, used + place, arrays, nodes, payoffs)
        used += count
        node += 1
    return used


def copy_node(node: int, place: int, arrays: TreeArrays, nodes: Rows[Node], payoffs: Array) -> int:
    """Copy a node to a place of other arrays."""
    width = SIDES * FIGURES
    old = arrays.nodes[node]
    new = nodes[place]
    new.first = old.first
    new.count = old.count
    new.mover = old.mover
    new.action = old.action
    new.visits = old.visits
    new.doubt = old.doubt
    new.closed = old.closed
    new.amaf_visits = old.amaf_visits
    new.amaf_mean = old.amaf_mean
    for number in range(width):
        payoffs[place * width + number] = arrays.payoffs[node * width + number]
    return place
