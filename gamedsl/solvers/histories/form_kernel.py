"""Walk all histories of a graph of states, and group them into information sets and cells.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. What a player knows is a number: a pair of what the player knew before and one more
observation (`pairs_kernel`). A player whose knowledge is n knew nothing else before: equal numbers
are equal information states. Histories are visited depth first, in the order of the edges.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record, Rows
from gamedsl.solvers.histories.pairs_kernel import Pairs, pair_number

CHANCE = -1
TERMINAL = -4
GREATEST = 1152921504606846976
DONE = 0
LEAKS = 1
"""Legal actions differ within an information set."""
FORGETS = 2
"""A player's own sequences differ within an information set."""


class Graph(Arrays):
    """An acyclic graph of states; state 0 is the first.

    movers: int64[states]: the player to move, `CHANCE`, `TERMINAL`, or less: all choose at once.
    firsts: int64[states + 1]: the first edge of a state; nexts: int64[edges]: the state behind.
    weights, totals: int64[edges], int64[states]: an outcome's probability is weight / total.
    heard: int64[edges, players]: a player's observation of the edge; -1: none.
    views: int64[states, players]: a player's observation of a state.
    widths: int64[states, players]: number of a player's choices; 0: the player does not choose.
    choices: int64[states, players]: a number for the list of the choices.
    paid: int64[states, players]: the payoffs of an ending.
    names: int64[edges]: a number for the name of an edge; empty if names are not asked for.
    """

    movers: Array
    firsts: Array
    nexts: Array
    weights: Array
    totals: Array
    heard: Array
    views: Array
    widths: Array
    choices: Array
    paid: Array
    names: Array


class Frame(Record):
    """state, edge: the last state of a history, and the next edge to take.
    weight: the probability of the history by chance alone, as a multiple of the smallest unit.
    """

    state: int
    edge: int
    weight: int


class Path(Arrays):
    """The present history; row d is for its state number d.

    frames: Rows[Frame].
    known, played: int64[depth, players]: what a player knows, and the player's own sequence.
    entered: int64[depth, players]: the information set of a player who chooses, plus 1; else 0.
    """

    frames: Rows[Frame]
    known: Array
    played: Array
    entered: Array


class Set(Record):
    """An information set: `parent` is the player's sequence before, `first` the first sequence
    behind; `choices` as in the graph; `state` is the last state of its first history; `size` is the
    number of its histories. The first history and the names common to all are `length` edges and
    `common` numbers from `story` on.
    """

    player: int
    parent: int
    first: int
    width: int
    choices: int
    state: int
    size: int
    story: int
    length: int
    common: int


class FormNotes(Record):
    """histories, sets, cells: numbers so far.
    told: the end of the stories so far.
    """

    histories: int
    sets: int
    cells: int
    told: int


class Form(Arrays):
    """lasts: int64[knowledge]: the last view in what is known.
    set_of: int64[knowledge]: the information set, plus 1; 0: none.
    made: int64[players]: number of sequences of a player.
    sets: Rows[Set].
    cell_of: int64[pairs of sequences]: the cell, plus 1; 0: none.
    sequences: int64[cells, players]; sums: int64[cells, players]: payoffs times probabilities.
    chances: int64[cells]: sum of probabilities.
    edges, common: int64[]: the stories of sets; counts: int64[names].
    """

    lasts: Array
    set_of: Array
    made: Array
    sets: Rows[Set]
    cell_of: Array
    sequences: Array
    sums: Array
    chances: Array
    edges: Array
    common: Array
    counts: Array
    notes: FormNotes


def measure(graph: Graph, entering: Array, order: Array, measures: Array) -> int:
    """Sort the states so that each comes before its successors, and fold three numbers of each
    state from its successors: number of histories, greatest number of states of a history, and
    the unit of chance probabilities. A number that exceeds `GREATEST` is `GREATEST`.

    entering, order: int64[states]; measures: int64[states, 3]. Returns the number of sorted
    states, which are not all states if play can return.
    """
    states = len(graph.movers)
    for edge in range(len(graph.nexts)):
        entering[graph.nexts[edge]] += 1
    sorted_states = 0
    if entering[0] == 0:
        order[0] = 0
        sorted_states = 1
    place = 0
    while place < sorted_states:
        state = order[place]
        place += 1
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            behind = graph.nexts[edge]
            entering[behind] -= 1
            if entering[behind] == 0:
                order[sorted_states] = behind
                sorted_states += 1
    if sorted_states < states:
        return sorted_states
    for back in range(states):
        state = order[states - 1 - back]
        histories = 1
        longest = 0
        unit = 1
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            behind = graph.nexts[edge] * 3
            histories = min(GREATEST, histories + measures[behind])
            longest = max(longest, measures[behind + 1])
            unit = product_of(unit, measures[behind + 2] // divisor(unit, measures[behind + 2]))
        measures[state * 3] = histories
        measures[state * 3 + 1] = longest + 1
        measures[state * 3 + 2] = product_of(unit, graph.totals[state])
    return sorted_states


def divisor(one: int, other: int) -> int:
    """The greatest common divisor of positive numbers."""
    while other != 0:
        rest = one % other
        one = other
        other = rest
    return one


def product_of(one: int, other: int) -> int:
    """The product of positive numbers, at most `GREATEST`."""
    if one > GREATEST // other:
        return GREATEST
    return one * other


def learn_of(known: int, seen: int, knowledge: Pairs, form: Form) -> int:
    """What a player knows after a view; a view equal to the last is no news."""
    if form.lasts[known] == seen:
        return known
    number = pair_number(known, seen, knowledge)
    form.lasts[number] = seen
    return number


def tell(place: int, depth: int, graph: Graph, path: Path, form: Form) -> int:
    """Note the story of a new information set, or drop names that the present history lacks."""
    story = form.sets[place].story
    if form.sets[place].size == 1:
        for step in range(depth):
            edge = path.frames[step].edge - 1
            form.edges[story + step] = edge
            form.common[story + step] = graph.names[edge]
        form.sets[place].length = depth
        form.sets[place].common = depth
        form.notes.told = story + depth
        return depth
    for step in range(depth):
        form.counts[graph.names[path.frames[step].edge - 1]] += 1
    kept = story
    for at in range(story, story + form.sets[place].common):
        name = form.common[at]
        if form.counts[name] > 0:
            form.counts[name] -= 1
            form.common[kept] = name
            kept += 1
    for step in range(depth):
        form.counts[graph.names[path.frames[step].edge - 1]] = 0
    form.sets[place].common = kept - story
    return kept


def choose(player: int, depth: int, players: int, graph: Graph, path: Path, form: Form) -> int:
    """Enter the information set of a player who chooses."""
    state = path.frames[depth].state
    width = graph.widths[state * players + player]
    choices = graph.choices[state * players + player]
    known = path.known[depth * players + player]
    place = form.set_of[known] - 1
    if place < 0:
        place = form.notes.sets
        form.notes.sets = place + 1
        form.set_of[known] = place + 1
        form.sets[place].player = player
        form.sets[place].parent = path.played[depth * players + player]
        form.sets[place].first = form.made[player]
        form.sets[place].width = width
        form.sets[place].choices = choices
        form.sets[place].state = state
        form.sets[place].story = form.notes.told
        form.made[player] += width
    form.sets[place].size += 1
    if form.sets[place].choices != choices:
        return LEAKS
    if form.sets[place].parent != path.played[depth * players + player]:
        return FORGETS
    path.entered[depth * players + player] = place + 1
    if len(graph.names) > 0:
        tell(place, depth, graph, path, form)
    return DONE


def pay(depth: int, players: int, graph: Graph, path: Path, cells: Pairs, form: Form) -> int:
    """Add the payoffs of an ending to the cell of the players' sequences."""
    row = depth * players
    number = 2 * path.played[row]  # pairs of a sequence and of a pair differ in their left parts
    for player in range(1, max(2, players)):
        number = 2 * pair_number(number, path.played[row + player % players], cells) + 1
    number = number >> 1
    cell = form.cell_of[number] - 1
    if cell < 0:
        cell = form.notes.cells
        form.notes.cells = cell + 1
        form.cell_of[number] = cell + 1
        for player in range(players):
            form.sequences[cell * players + player] = path.played[row + player]
    weight = path.frames[depth].weight
    form.chances[cell] += weight
    for player in range(players):
        paid = graph.paid[path.frames[depth].state * players + player]
        form.sums[cell * players + player] += weight * paid
    return DONE


def enter(
    depth: int, players: int, graph: Graph, path: Path, knowledge: Pairs, cells: Pairs, form: Form
) -> int:
    """Look at the last state of the present history."""
    state = path.frames[depth].state
    row = depth * players
    form.notes.histories += 1
    path.frames[depth].edge = graph.firsts[state]
    for player in range(players):
        seen = graph.views[state * players + player]
        path.known[row + player] = learn_of(path.known[row + player], seen, knowledge, form)
        path.entered[row + player] = 0
    mover = graph.movers[state]
    if mover == TERMINAL:
        pay(depth, players, graph, path, cells, form)
    elif mover != CHANCE:
        for player in range(players):
            if graph.widths[state * players + player] > 0:
                status = choose(player, depth, players, graph, path, form)
                if status != DONE:
                    return status
    return DONE


def follow(depth: int, players: int, graph: Graph, path: Path, knowledge: Pairs, form: Form) -> int:
    """Take the next edge of the state at a depth; its end becomes the last state of the history."""
    state = path.frames[depth].state
    edge = path.frames[depth].edge
    path.frames[depth].edge = edge + 1
    path.frames[depth + 1].state = graph.nexts[edge]
    weight = path.frames[depth].weight
    if graph.movers[state] == CHANCE:
        weight = weight // graph.totals[state] * graph.weights[edge]
    path.frames[depth + 1].weight = weight
    turn = edge - graph.firsts[state]
    for back in range(players):
        player = players - 1 - back
        here = depth * players + player
        known = path.known[here]
        heard = graph.heard[edge * players + player]
        if heard >= 0:
            number = pair_number(known, heard, knowledge)
            form.lasts[number] = form.lasts[known]
            known = number
        path.known[here + players] = known
        played = path.played[here]
        if path.entered[here] > 0:
            width = graph.widths[state * players + player]
            played = form.sets[path.entered[here] - 1].first + turn % width
            turn = turn // width
        path.played[here + players] = played
    return DONE


def walk(players: int, graph: Graph, path: Path, knowledge: Pairs, cells: Pairs, form: Form) -> int:
    """All histories. `path` holds the first state and its weight; the players' first knowledge is
    numbered."""
    status = enter(0, players, graph, path, knowledge, cells, form)
    depth = 0
    while status == DONE and depth >= 0:
        if path.frames[depth].edge == graph.firsts[path.frames[depth].state + 1]:
            depth -= 1
            continue
        follow(depth, players, graph, path, knowledge, form)
        depth += 1
        status = enter(depth, players, graph, path, knowledge, cells, form)
    return status
