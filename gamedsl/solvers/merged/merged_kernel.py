"""Walk histories of a graph of states up to symmetries and up to the order of tries in a turn.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. What a player knows is a node: a pair of the node before and an observation. Nodes that
are images of each other under a symmetry are one node; with a node goes the symmetry that turns the
history into the frame of the node. Where actions in a turn of a player commute, a player knows the
node at the beginning of the turn and the present view. Endings that pay are cells: two sequences
and an amount. Two players move, one at a time.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record, Rows
from gamedsl.solvers.histories.form_kernel import GREATEST, Graph
from gamedsl.solvers.histories.pairs_kernel import Pairs, pair_number

CHANCE = -1
TERMINAL = -4
PLAYERS = 2
GOES_ON = 0
WALKED = 1
NO_ROOM = 2
UNLIKE = 3
SHORT = 16
"""Cells that are visited sooner than skipped."""
FIELD = 134217727
"""The greatest number of a sequence, and of cells that are skipped."""
AMOUNTS = 250


class ObservedNotes(Record):
    """order, observations: number of symmetries and of observations."""

    order: int
    observations: int


class Observed(Arrays):
    """told: int64[edges, players]: what a player observes of an edge and its end; -1: none.
    seen: int64[states, players]: a player's observation of a state.
    acted: int64[edges]: the mover's observation of the action; -1: chance.
    codes: int64[edges]: a number for the action.
    paid: int64[states]: the first player's payoff in an ending, less the most frequent payoff.
    forgets: int64[players]: whether a player's actions in a turn commute.
    images: int64[symmetries, observations]: the image of an observation, plus 1.
    products: int64[symmetries, symmetries]: the symmetry that is the second, then the first.
    """

    told: Array
    seen: Array
    acted: Array
    codes: Array
    paid: Array
    forgets: Array
    images: Array
    products: Array
    notes: ObservedNotes


class MergedNotes(Record):
    """depth: the depth of the walk.
    sets, sequences, links, cells, amounts: numbers so far; turns: links in turns in which actions
    commute; histories: visited so far; leaks: a state whose choices
    are not those of its information set, plus 1.
    """

    depth: int
    sets: int
    sequences: int
    links: int
    turns: int
    cells: int
    amounts: int
    histories: int
    leaks: int


class Step(Record):
    """state, edge, weight: as in `form_kernel.Frame`; the weight is divided by the actions of the
    second player that are images of each other.
    least: the least action that may follow in a turn in which actions commute; -1: any.
    head: the place in the cells of the head of the cells behind, plus 1; 0: none.
    """

    state: int
    edge: int
    weight: int
    least: int
    head: int


class Merged(Arrays):
    """path: Rows[Step]; nodes, turned, bases, played: int64[depth, players]: what a player knows,
    the symmetry into its frame, the node at the beginning of the turn, the last sequence.
    fixing: int64[nodes]: the symmetries that fix a node, as bits.
    set_of: int64[nodes]: the set, plus 1.
    owners, levels, firsts, widths: int64[sets]; offers: int64[sets]: number of legal actions.
    homes, moves: int64[sequences]: the set of a sequence, and its last action.
    links: int64[links, 2]: a set, and a sequence that leads to it.
    cells: int64[cells]: the first player's sequence, the second player's sequence, and the amount
    by number; or, with the amount 0 or 1, a player's sequence and the number of cells behind it.
    amounts: int64[]: amounts by number, from 2 on.
    """

    path: Rows[Step]
    nodes: Array
    turned: Array
    bases: Array
    played: Array
    fixing: Array
    set_of: Array
    owners: Array
    levels: Array
    firsts: Array
    widths: Array
    offers: Array
    homes: Array
    moves: Array
    links: Array
    cells: Array
    amounts: Array
    notes: MergedNotes


def observe(graph: Graph, pairs: Pairs, observed: Observed) -> int:
    """Number the observations; their number."""
    for state in range(len(graph.movers)):
        mover = graph.movers[state]
        for player in range(PLAYERS):
            view = graph.views[state * PLAYERS + player]
            observed.seen[state * PLAYERS + player] = pair_number(0, view + 1, pairs)
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            behind = graph.nexts[edge]
            for player in range(PLAYERS):
                heard = graph.heard[edge * PLAYERS + player]
                view = graph.views[behind * PLAYERS + player]
                told = -1
                if heard >= 0 or view != graph.views[state * PLAYERS + player]:
                    told = pair_number(heard + 2, view + 1, pairs)
                observed.told[edge * PLAYERS + player] = told
            observed.acted[edge] = -1
            if mover >= 0:
                heard = graph.heard[edge * PLAYERS + mover]
                observed.acted[edge] = pair_number(heard + 2, 0, pairs)
    return pairs.notes.used


def edge_of(state: int, code: int, graph: Graph, observed: Observed) -> int:
    """The edge of an action; -1: none."""
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        if observed.codes[edge] == code:
            return edge
    return -1


def map_observation(number: int, image: int, row: int, observed: Observed) -> int:
    """Note the image of an observation; 0 if another image is noted."""
    if number < 0 or image < 0:
        if number == image:
            return 1
        return 0
    if observed.images[row + number] == 0:
        observed.images[row + number] = image + 1
    if observed.images[row + number] == image + 1:
        return 1
    return 0


def map_state(state: int, image: int, row: int, graph: Graph, observed: Observed) -> int:
    """Whether a state and its image look alike; their observations are mapped."""
    if graph.movers[state] != graph.movers[image] or graph.totals[state] != graph.totals[image]:
        return 0
    edges = graph.firsts[state + 1] - graph.firsts[state]
    if edges != graph.firsts[image + 1] - graph.firsts[image]:
        return 0
    for player in range(PLAYERS):
        here = state * PLAYERS + player
        there = image * PLAYERS + player
        if graph.paid[here] != graph.paid[there]:
            return 0
        if map_observation(observed.seen[here], observed.seen[there], row, observed) == 0:
            return 0
    return 1


def is_symmetry(
    element: int, codes: Array, order: Array, states: Array, graph: Graph, observed: Observed
) -> int:
    """Whether renaming actions maps the graph, and all observations, to themselves: then 1.

    codes: int64[codes]: the images of actions. states: int64[states]: zeros; the image of each
    state, plus 1.
    """
    row = element * (len(observed.images) // observed.notes.order)
    states[0] = 1
    for place in range(len(graph.movers)):
        state = order[place]
        image = states[state] - 1
        if image < 0 or map_state(state, image, row, graph, observed) == 0:
            return 0
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            other = edge_of(image, codes[observed.codes[edge]], graph, observed)
            if other < 0 or graph.weights[edge] != graph.weights[other]:
                return 0
            acted = observed.acted[edge]
            if map_observation(acted, observed.acted[other], row, observed) == 0:
                return 0
            for player in range(PLAYERS):
                told = observed.told[edge * PLAYERS + player]
                likewise = observed.told[other * PLAYERS + player]
                if map_observation(told, likewise, row, observed) == 0:
                    return 0
            behind = graph.nexts[edge]
            if states[behind] == 0:
                states[behind] = graph.nexts[other] + 1
            if states[behind] != graph.nexts[other] + 1:
                return 0
    return 1


def stays(edge: int, player: int, graph: Graph) -> bool:
    """Whether the player is to move again."""
    is_mover: bool = graph.movers[graph.nexts[edge]] == player
    return is_mover


def commutes(state: int, first: int, second: int, graph: Graph, observed: Observed) -> int:
    """Whether two actions in a row, in both orders, lead to the same state and tell the players
    the same: then 1. `first` is an edge of the state, `second` an edge behind `first`."""
    player = graph.movers[state]
    other = 1 - player
    early = edge_of(state, observed.codes[second], graph, observed)
    if early < 0 or not stays(early, player, graph):
        return 0
    late = edge_of(graph.nexts[early], observed.codes[first], graph, observed)
    if late < 0 or graph.nexts[late] != graph.nexts[second]:
        return 0
    if observed.acted[first] != observed.acted[late]:
        return 0
    if observed.acted[second] != observed.acted[early]:
        return 0
    if observed.told[first * PLAYERS + other] != observed.told[early * PLAYERS + other]:
        return 0
    if observed.told[second * PLAYERS + other] != observed.told[late * PLAYERS + other]:
        return 0
    return 1


class TurnNotes(Record):
    """player: whose turns are looked at; state: the next state to look at; steps: taken so far."""

    player: int
    state: int
    steps: int


class Turns(Arrays):
    """path: int64[depth, 3]: the state, the next edge, the number of the actions.
    known: int64[ends]: the view between two actions, plus 1, that leads to an action and a view;
    or the actions that lead from a view to a view."""

    path: Array
    known: Array
    notes: TurnNotes


def view_is_kept(
    first: int, second: int, graph: Graph, observed: Observed, ends: Pairs, turns: Turns
) -> int:
    """Whether the view between two actions in a row always shows in the second action and in the
    view behind: then 1. So a player forgets nothing that was seen during a turn."""
    if ends.notes.used >= len(turns.known):
        return 0
    between = graph.nexts[first]
    behind = graph.nexts[second]
    player = graph.movers[between]
    seen = observed.seen[behind * PLAYERS + player]
    end = pair_number(seen, observed.acted[second], ends)
    view = observed.seen[between * PLAYERS + player] + 1
    if turns.known[end] == 0:
        turns.known[end] = view
    if turns.known[end] != view:
        return 0
    return 1


def tries_are_seen(
    start: int, graph: Graph, observed: Observed, ends: Pairs, tries: Pairs, turns: Turns
) -> int:
    """Whether the views at the beginning and at the end of a turn always show the same actions, of
    the turns from a state on: then 1; 0 if there is no room for them."""
    player = graph.movers[start]
    first_view = observed.seen[start * PLAYERS + player]
    path = turns.path
    depth = 0
    path[0] = start
    path[1] = graph.firsts[start]
    path[2] = 0
    while depth >= 0:
        turns.notes.steps += 1
        state = path[3 * depth]
        edge = path[3 * depth + 1]
        if edge == graph.firsts[state + 1]:
            depth -= 1
            continue
        path[3 * depth + 1] = edge + 1
        if not stays(edge, player, graph):
            continue
        if depth > 0:
            before = path[3 * depth - 2] - 1
            if observed.acted[edge] < observed.acted[before]:
                continue
        if max(tries.notes.used, ends.notes.used) >= len(turns.known):
            return 0
        behind = graph.nexts[edge]
        actions = pair_number(path[3 * depth + 2], observed.acted[edge] + 1, tries) + 1
        end = pair_number(first_view, observed.seen[behind * PLAYERS + player], ends)
        if turns.known[end] == 0:
            turns.known[end] = actions
        if turns.known[end] != actions:
            return 0
        depth += 1
        path[3 * depth] = behind
        path[3 * depth + 1] = graph.firsts[behind]
        path[3 * depth + 2] = actions
    return 1


def find_turns(
    steps: int, graph: Graph, observed: Observed, ends: Pairs, tries: Pairs, turns: Turns
) -> int:
    """Go on for a number of steps to ask whether a player may forget the order of actions in a
    turn, since nobody can ever tell the orders apart: GOES_ON, WALKED for yes, or UNLIKE."""
    player = turns.notes.player
    turns.notes.steps = 0
    while turns.notes.state < len(graph.movers):
        if turns.notes.steps >= steps:
            return GOES_ON
        state = turns.notes.state
        turns.notes.state += 1
        if graph.movers[state] != player:
            continue
        for first in range(graph.firsts[state], graph.firsts[state + 1]):
            behind = graph.nexts[first]
            if stays(first, player, graph):
                for second in range(graph.firsts[behind], graph.firsts[behind + 1]):
                    if not stays(second, player, graph):
                        continue
                    if commutes(state, first, second, graph, observed) == 0:
                        return UNLIKE
                    if view_is_kept(first, second, graph, observed, ends, turns) == 0:
                        return UNLIKE
        if tries_are_seen(state, graph, observed, ends, tries, turns) == 0:
            return UNLIKE
    return WALKED


def count_merged(graph: Graph, order: Array, observed: Observed, behind: Array) -> int:
    """The number of histories, of each order of commuting actions one, at most `GREATEST`.

    behind: int64[edges]: working space."""
    total = 0
    for back in range(len(graph.movers)):
        state = order[len(graph.movers) - 1 - back]
        mover = graph.movers[state]
        total = 1
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            after = graph.nexts[edge]
            number = 1
            is_turn = 0
            if mover >= 0 and graph.movers[after] == mover:
                is_turn = observed.forgets[mover]
            for further in range(graph.firsts[after], graph.firsts[after + 1]):
                is_late = observed.acted[further] >= observed.acted[edge]
                if is_turn == 0 or is_late or not stays(further, mover, graph):
                    number = min(GREATEST, number + behind[further])
            behind[edge] = number
            total = min(GREATEST, total + number)
    return total


def least_image(number: int, node: int, turned: int, observed: Observed, merged: Merged) -> int:
    """The symmetry that turns an observation into the frame of a node, by which the observation is
    the least of those that the node cannot tell apart."""
    least = turned
    if merged.fixing[node] == 1:
        return least
    notes = observed.notes
    for element in range(1, notes.order):
        if merged.fixing[node] >> element & 1:
            other = observed.products[element * notes.order + turned]
            image = observed.images[other * notes.observations + number]
            if image < observed.images[least * notes.observations + number]:
                least = other
    return least


def fixing_both(node: int, number: int, observed: Observed, merged: Merged) -> int:
    """The symmetries that fix a node and an observation, as bits."""
    fixing = 1
    if merged.fixing[node] == 1:
        return fixing
    notes = observed.notes
    for element in range(1, notes.order):
        image = observed.images[element * notes.observations + number] - 1
        if merged.fixing[node] >> element & 1 and image == number:
            fixing |= 1 << element
    return fixing


def bits_in(number: int) -> int:
    """The number of bits that are 1."""
    bits = 0
    while number > 0:
        bits += number & 1
        number = number >> 1
    return bits


def move_of(node: int, turned: int, acted: int, observed: Observed, merged: Merged) -> int:
    """A player's action in the frame of a node, the least of those that the node cannot tell
    apart."""
    least = least_image(acted, node, turned, observed, merged)
    image: int = observed.images[least * observed.notes.observations + acted]
    return image - 1


def observe_step(
    node: int, turned: int, to: int, number: int, pairs: Pairs, observed: Observed, merged: Merged
) -> int:
    """Write at `to` what a player at a node knows after an observation."""
    least = least_image(number, node, turned, observed, merged)
    image = observed.images[least * observed.notes.observations + number] - 1
    behind = pair_number(node, image, pairs)
    if merged.fixing[behind] == 0:
        merged.fixing[behind] = fixing_both(node, image, observed, merged)
    merged.nodes[to] = behind
    merged.turned[to] = least
    merged.bases[to] = behind
    return behind


def sequence_of(place: int, move: int, merged: Merged) -> int:
    """The sequence of an action in a set; -1: none."""
    first = merged.firsts[place]
    for sequence in range(first, first + merged.widths[place]):
        if merged.moves[sequence] == move:
            return sequence
    return -1


def images_of(node: int, number: int, observed: Observed, merged: Merged) -> int:
    """The number of images of an observation, in the frame of a node, that the node cannot tell
    apart."""
    if merged.fixing[node] == 1:
        return 1
    alike = bits_in(fixing_both(node, number, observed, merged))
    return bits_in(merged.fixing[node]) // alike


def set_at(
    state: int,
    node: int,
    turned: int,
    played: int,
    graph: Graph,
    observed: Observed,
    merged: Merged,
) -> int:
    """The information set of a node in which the mover chooses; `played`: the mover's sequence."""
    notes = merged.notes
    offered = graph.firsts[state + 1] - graph.firsts[state]
    if merged.set_of[node] > 0:
        known: int = merged.set_of[node] - 1
        if merged.offers[known] != offered:
            notes.leaks = state + 1
        return known
    place = notes.sets
    notes.sets = place + 1
    merged.set_of[node] = place + 1
    merged.owners[place] = graph.movers[state]
    merged.levels[place] = level_after(played, merged)
    merged.firsts[place] = notes.sequences
    merged.offers[place] = offered
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        move = move_of(node, turned, observed.acted[edge], observed, merged)
        if sequence_of(place, move, merged) < 0:
            merged.homes[notes.sequences] = place
            merged.moves[notes.sequences] = move
            notes.sequences += 1
            merged.widths[place] += 1
            offered -= images_of(node, move, observed, merged)
    if offered != 0:
        notes.leaks = state + 1
    add_link(place, played, merged)
    return place


def add_link(place: int, sequence: int, merged: Merged) -> int:
    """Note that a sequence leads to a set."""
    merged.links[2 * merged.notes.links] = place
    merged.links[2 * merged.notes.links + 1] = sequence
    merged.notes.links += 1
    return place


def link(place: int, sequence: int, is_new: bool, links: Pairs, merged: Merged) -> int:
    """Note a sequence that leads to a set in a turn in which actions commute; a new set knows the
    sequence."""
    if pair_number(place, sequence, links) == merged.notes.turns:
        merged.notes.turns += 1
        if not is_new:
            add_link(place, sequence, merged)
    return place


def level_after(sequence: int, merged: Merged) -> int:
    """The level of the sets behind a sequence."""
    if sequence < PLAYERS:
        return 0
    level: int = merged.levels[merged.homes[sequence]] + 1
    return level


def add_cell(cell: int, merged: Merged) -> int:
    """Write a cell; its place, plus 1."""
    place = merged.notes.cells
    merged.cells[place] = cell
    merged.notes.cells = place + 1
    return place + 1


def pay_cell(depth: int, observed: Observed, merged: Merged) -> int:
    """Write the cell of an ending that pays."""
    paid = observed.paid[merged.path[depth].state] * merged.path[depth].weight
    if paid == 0:
        return 0
    amount = 2
    while amount < merged.notes.amounts and merged.amounts[amount] != paid:
        amount += 1
    if amount == merged.notes.amounts:
        merged.amounts[amount] = paid
        merged.notes.amounts = amount + 1
    row = depth * PLAYERS
    return add_cell(merged.played[row] << 36 | merged.played[row + 1] << 8 | amount, merged)


def close_head(depth: int, merged: Merged) -> int:
    """Write how many cells are behind the head at a depth; a head of few cells is taken out."""
    head = merged.path[depth].head - 1
    if head < 0:
        return 0
    size = merged.notes.cells - head - 1
    if size < SHORT:
        for place in range(head, head + size):
            merged.cells[place] = merged.cells[place + 1]
        merged.notes.cells -= 1
    elif size <= FIELD:
        merged.cells[head] |= size << 8
    return size


def go_along(
    edge: int,
    depth: int,
    sequence: int,
    graph: Graph,
    pairs: Pairs,
    observed: Observed,
    merged: Merged,
) -> int:
    """Write what the players know behind an edge at a depth. Returns 1 in a turn in which the
    mover's actions commute, else 0."""
    mover = graph.movers[merged.path[depth].state]
    behind = graph.nexts[edge]
    is_turn = 0
    for player in range(PLAYERS):
        row = depth * PLAYERS + player
        to = row + PLAYERS
        merged.nodes[to] = merged.nodes[row]
        merged.turned[to] = merged.turned[row]
        merged.bases[to] = merged.bases[row]
        merged.played[to] = merged.played[row]
        told = observed.told[edge * PLAYERS + player]
        if player == mover:
            merged.played[to] = sequence
            if stays(edge, player, graph) and merged.fixing[merged.bases[row]] == 1:
                is_turn = observed.forgets[player]
        if player == mover and is_turn == 1:
            base = merged.bases[row]
            seen = observed.seen[behind * PLAYERS + player]
            observe_step(base, merged.turned[row], to, seen, pairs, observed, merged)
            merged.bases[to] = base
        elif told >= 0:
            node = merged.nodes[row]
            observe_step(node, merged.turned[row], to, told, pairs, observed, merged)
    return is_turn


def enter_step(depth: int, graph: Graph, links: Pairs, observed: Observed, merged: Merged) -> int:
    """Look at the last state of the present history."""
    state = merged.path[depth].state
    mover = graph.movers[state]
    merged.path[depth].edge = graph.firsts[state]
    if mover == TERMINAL:
        pay_cell(depth, observed, merged)
    elif mover != CHANCE:
        row = depth * PLAYERS + mover
        node = merged.nodes[row]
        played = merged.played[row]
        is_new = merged.set_of[node] == 0
        place = set_at(state, node, merged.turned[row], played, graph, observed, merged)
        if merged.path[depth].least >= 0:
            link(place, played, is_new, links, merged)
    return depth


def take_step(
    edge: int,
    depth: int,
    graph: Graph,
    pairs: Pairs,
    links: Pairs,
    observed: Observed,
    merged: Merged,
) -> int:
    """Take an edge from the state at a depth; returns the depth, which is greater by 1 if the
    histories behind the edge are to be visited.

    Of the first player's actions that are images of each other, the least is taken; of actions that
    commute, the order with increasing numbers.
    """
    state = merged.path[depth].state
    mover = graph.movers[state]
    weight = merged.path[depth].weight
    sequence = -1
    if mover == CHANCE:
        weight = weight // graph.totals[state] * graph.weights[edge]
    else:
        row = depth * PLAYERS + mover
        node = merged.nodes[row]
        turned = merged.turned[row]
        acted = observed.acted[edge]
        move = move_of(node, turned, acted, observed, merged)
        image = observed.images[turned * observed.notes.observations + acted] - 1
        sequence = sequence_of(merged.set_of[node] - 1, move, merged)
        if sequence < 0:
            merged.notes.leaks = state + 1
        if sequence < 0 or (mover == 0 and image != move):
            return depth
        if mover == 1:
            weight = weight // images_of(node, move, observed, merged)
    is_turn = go_along(edge, depth, sequence, graph, pairs, observed, merged)
    merged.path[depth + 1].state = graph.nexts[edge]
    merged.path[depth + 1].weight = weight
    merged.path[depth + 1].least = -1
    merged.path[depth + 1].head = 0
    if is_turn == 1:
        merged.path[depth + 1].least = observed.acted[edge]
    elif mover >= 0:
        merged.path[depth + 1].head = add_cell(sequence << 36 | mover, merged)
    is_late = 0
    if is_turn == 1 and observed.acted[edge] < merged.path[depth].least:
        is_late = 1
    enter_step(depth + 1, graph, links, observed, merged)
    return depth + 1 - is_late


def has_room(pairs: Pairs, links: Pairs, most: int, merged: Merged) -> bool:
    """Whether there is room for what one more step may bring; most: the greatest number of
    actions."""
    notes = merged.notes
    is_free: bool = (
        notes.cells + 4 < len(merged.cells)
        and notes.amounts + 1 < len(merged.amounts)
        and notes.sets + 2 < len(merged.owners)
        and notes.sequences + most < min(FIELD, len(merged.homes))
        and pairs.notes.used + 4 < len(merged.fixing)
        and 2 * merged.notes.links + 4 < len(merged.links)
        and 2 * links.notes.used + 4 < len(links.parts)
    )
    return is_free


def walk_merged(
    steps: int,
    most: int,
    graph: Graph,
    pairs: Pairs,
    links: Pairs,
    observed: Observed,
    merged: Merged,
) -> int:
    """Go on with the walk for a number of steps; GOES_ON, WALKED, NO_ROOM or UNLIKE."""
    for _ in range(steps):
        if merged.notes.leaks != 0:
            return UNLIKE
        if not has_room(pairs, links, most, merged):
            return NO_ROOM
        depth = merged.notes.depth
        edge = merged.path[depth].edge
        if edge == graph.firsts[merged.path[depth].state + 1]:
            close_head(depth, merged)
            merged.notes.depth = depth - 1
            if depth == 0:
                return WALKED
        else:
            merged.path[depth].edge = edge + 1
            merged.notes.histories += 1
            merged.notes.depth = take_step(edge, depth, graph, pairs, links, observed, merged)
    return GOES_ON
