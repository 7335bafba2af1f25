"""Values of small games by the plainest means: recursion, and sets grown to a fixed point.

In: a game whose reachable states are few. Out: exact payoffs. It shares nothing with the solvers
but the contract, so that agreement with them is evidence.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.conformance.laws import choices
from gamedsl.game.contract import Game
from gamedsl.model import CHANCE, TERMINAL, State

Payoffs = tuple[Fraction, ...]


class CyclicError(Exception):
    """Play can come back to a state."""


def best_play(game: Game) -> dict[State, Payoffs]:
    """The payoffs of best play from every state, ties to the first action; `CyclicError`."""
    known: dict[State, Payoffs] = {}
    _value(game, game.initial_state(), known, set(), is_opening=True)
    return known


def _value(
    game: Game, state: State, known: dict[State, Payoffs], above: set[State], *, is_opening: bool
) -> Payoffs:
    if state in above:
        raise CyclicError
    if state in known:
        return known[state]
    player = game.current_player(state)
    if player == TERMINAL:
        known[state] = game.utilities(state)
        return known[state]
    above.add(state)
    is_opening = is_opening and player == CHANCE
    after = []
    for choice in choices(game, state):
        child = game.result(state, choice)
        rest = _value(game, child, known, above, is_opening=is_opening)
        is_ply = not is_opening and game.current_player(child) != CHANCE
        lasting = game.facts.discount if is_ply else Fraction(1)
        paid = game.rewards(state, choice)
        after.append(tuple(now + lasting * later for now, later in zip(paid, rest, strict=True)))
    above.remove(state)
    if player == CHANCE:
        shares = [share for _, share in game.chance_outcomes(state)]
        known[state] = tuple(
            sum(
                (share * payoffs[p] for share, payoffs in zip(shares, after, strict=True)),
                Fraction(0),
            )
            for p in game.players
        )
    else:
        known[state] = max(after, key=lambda payoffs: payoffs[player])
    return known[state]


def tree_size(game: Game) -> int:
    """How many histories there are; `CyclicError`."""
    known: dict[State, int] = {}

    def size(state: State, above: frozenset[State]) -> int:
        if state in above:
            raise CyclicError
        if state not in known:
            below = above | {state}
            known[state] = 1 + sum(size(game.result(state, c), below) for c in choices(game, state))
        return known[state]

    return size(game.initial_state(), frozenset())


def endless_play(game: Game, states: list[State], endless: Fraction) -> dict[State, Fraction]:
    """What the first player gets from each state where play may never end, without chance.

    The first player gets at least t, for a t above the worth of endless play, exactly where the
    end with such a payoff can be forced; and at least a lower t exactly where the other cannot
    force an end with less.
    """
    payoffs = {s: game.utilities(s)[0] for s in states if game.is_terminal(s)}
    levels = sorted({*payoffs.values(), endless})
    found: dict[State, Fraction] = {}
    for level in levels:
        if level > endless:
            goals = {s for s, payoff in payoffs.items() if payoff >= level}
            reached = forced(game, states, goals, first=True)
        else:
            goals = {s for s, payoff in payoffs.items() if payoff < level}
            reached = set(states) - forced(game, states, goals, first=False)
        found.update((state, level) for state in reached)
    return found


def forced(game: Game, states: list[State], goals: set[State], *, first: bool) -> set[State]:
    """Where one side (the first player, or the rest) can force play into the goals."""
    inside = set(goals)
    is_growing = True
    while is_growing:
        is_growing = False
        for state in states:
            if state in inside or game.is_terminal(state):
                continue
            mine = (game.current_player(state) == 0) == first
            after = [game.result(state, choice) in inside for choice in choices(game, state)]
            if any(after) if mine else all(after):
                inside.add(state)
                is_growing = True
    return inside
