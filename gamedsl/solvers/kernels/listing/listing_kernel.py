"""List all states of a game, with what each player sees, for solvers of imperfect information.

Written against the names of every generated module (`abi`), for games in which one player moves at
a time. A state is a row of `STATE_WORDS` numbers; `loaded` makes a state of a row. States are
listed breadth first, the first state first; views and lists of actions are numbered as sequences
of pairs (`pairs_kernel`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Array, Arrays, Record
from gamedsl.solvers.histories.pairs_kernel import Pairs, pair_number

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        EVENT_AT,
        LARGEST_EVENT,
        NO_MOVES,
        PLAYERS,
        STATE_WORDS,
        State,
        apply,
        draw,
        draws,
        fault,
        legal,
        loaded,
        numbers,
        put,
        put_end,
        turn_of,
    )

LISTED = 0
MORE = 1
FULL = 2
CHANCE_MOVE = -1
THE_END = -4
LINKS = 3
"""Pairs of a word of a state, at most."""
BEHIND = 64
"""Numbers of pairs begin here in chains, behind the numbers of beginnings."""


class ListingNotes(Record):
    """next: the next state to look at.
    used, edges: states and edges so far.
    """

    next: int
    used: int
    edges: int


class Listing(Arrays):
    """words: int64[states, STATE_WORDS].
    state_of: int64[pairs]: the state of a chain, plus 1.
    movers, firsts, totals, views, widths, choices, nexts, weights, heard: as `form_kernel.Graph`.
    codes: int64[edges]: the action or outcome.
    paid: int64[states, PLAYERS + 1]: denominator and payoffs of an ending.
    masks: int64[PLAYERS + 1, STATE_WORDS]: the part of a state that a player sees; then all parts.
    told: int64[ACTIONS]: what opponents hear of an action.
    """

    words: Array
    state_of: Array
    movers: Array
    firsts: Array
    totals: Array
    views: Array
    widths: Array
    choices: Array
    nexts: Array
    weights: Array
    heard: Array
    codes: Array
    paid: Array
    masks: Array
    told: Array
    notes: ListingNotes


def chain(place: int, who: int, listing: Listing, pairs: Pairs) -> int:
    """The number of the part of a state that a player sees; PLAYERS: of the whole state."""
    number = who
    for n in range(STATE_WORDS):
        word = listing.words[place + n] & listing.masks[who * STATE_WORDS + n]
        number = pair_number(number, word & 1073741823, pairs) + BEHIND
        number = pair_number(number, (word >> 30) & 1073741823, pairs) + BEHIND
        number = pair_number(number, (word >> 60) & 15, pairs) + BEHIND
    return number - BEHIND


def add_state(state: State, listing: Listing, pairs: Pairs) -> int:
    """The number of a state, which is listed if it is new."""
    used = listing.notes.used
    put(*state, listing.words, used * STATE_WORDS)
    if EVENT_AT >= 0 and state[EVENT_AT] == 0:
        for n in range(EVENT_AT, STATE_WORDS):
            listing.words[used * STATE_WORDS + n] = 0
    number = chain(used * STATE_WORDS, PLAYERS, listing, pairs)
    known: int = listing.state_of[number] - 1
    if known >= 0:
        return known
    listing.state_of[number] = used + 1
    listing.notes.used = used + 1
    return used


def add_edge(state: State, code: int, weight: int, listing: Listing, pairs: Pairs) -> int:
    """List the next edge of a state, to a state."""
    edge = listing.notes.edges
    listing.nexts[edge] = add_state(state, listing, pairs)
    listing.codes[edge] = code
    listing.weights[edge] = weight
    listing.notes.edges = edge + 1
    return edge


def look_at(number: int, listing: Listing, pairs: Pairs, actions: Array) -> int:
    """List the successors of a state."""
    state = loaded(listing.words, number * STATE_WORDS)
    listing.firsts[number] = listing.notes.edges
    listing.totals[number] = 1
    turn = turn_of(*state)
    for player in range(PLAYERS):
        view = chain(number * STATE_WORDS, player, listing, pairs)
        listing.views[number * PLAYERS + player] = 2 * view
    if EVENT_AT >= 0 and state[EVENT_AT] != 0:
        weights = numbers(LARGEST_EVENT)
        listing.movers[number] = CHANCE_MOVE
        listing.totals[number] = draws(*state, weights)
        for outcome in range(LARGEST_EVENT):
            if weights[outcome] != 0:
                edge = add_edge(draw(*state, outcome), outcome, weights[outcome], listing, pairs)
                for player in range(PLAYERS):
                    listing.heard[edge * PLAYERS + player] = -1
        return CHANCE_MOVE
    if put_end(*state, listing.paid, number * (PLAYERS + 1)) != 0:
        listing.movers[number] = THE_END
        return THE_END
    listing.movers[number] = turn
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn, 0)
    choices = PLAYERS
    for place in range(count):
        action = actions[place]
        choices = pair_number(choices, action, pairs) + BEHIND
        edge = add_edge(apply(*state, action), action, 1, listing, pairs)
        for player in range(PLAYERS):
            heard = listing.told[action]
            if player == turn:
                heard = action
            listing.heard[edge * PLAYERS + player] = (heard * PLAYERS + turn) * 2 + 1
    listing.widths[number * PLAYERS + turn] = count
    listing.choices[number * PLAYERS + turn] = choices
    return turn


def list_first(listing: Listing, pairs: Pairs) -> int:
    """List the first state, whose words are the first row."""
    return add_state(loaded(listing.words, 0), listing, pairs)


def list_states(
    most: int, room: int, edges: int, listing: Listing, pairs: Pairs, actions: Array
) -> int:
    """Look at up to `most` states. `room`, `edges`: states and edges that there is room for."""
    wide = ACTIONS + LARGEST_EVENT
    links = LINKS * STATE_WORDS * (PLAYERS + wide) + wide
    for _ in range(most):
        number = listing.notes.next
        if number == listing.notes.used:
            listing.firsts[number] = listing.notes.edges
            return LISTED
        if listing.notes.used + wide >= room or listing.notes.edges + wide >= edges:
            return FULL
        if pairs.notes.used + links >= len(listing.state_of):
            return FULL
        look_at(number, listing, pairs, actions)
        listing.notes.next = number + 1
    return MORE
