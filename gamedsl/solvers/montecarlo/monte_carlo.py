"""Flat Monte-Carlo: play every move out at random, many times, and take the best average.

In: a game of any number of players, with or without chance, a budget of simulated plays and a
generator of random numbers. Out: a decision with estimates ("Monte Carlo simulation", AIMA 3rd
ed., section 5.5.1). It looks at no reply: a move that one good answer refutes looks fine to it.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.playouts import Place, Playouts
from gamedsl.solvers.requirements import SEARCH, refuse_unless
from gamedsl.solvers.textbook.decision import Decision, RootMove

REQUIRES = SEARCH


def flat_monte_carlo(
    game: Game, state: State | None = None, *, iterations: int, rng: Random
) -> Decision:
    """The action with the best average over random plays, the budget shared out equally.

    Values are average payoffs of all players; the same seed gives the same decision. The first
    action with the best average is taken.

    Args:
        iterations: simulated plays; each action gets one at least.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves, or random play does not
            end.
        ValueError: nobody is to move at `state`.
    """
    refuse_unless(game, REQUIRES)
    playouts = Playouts(game, rng)
    root = playouts.place(game.initial_state() if state is None else state)
    if root.mover < 0:
        raise ValueError("nobody is to move here")
    moves = tuple(
        _tried(playouts, root, index, share)
        for index, share in enumerate(shares(iterations, len(root.actions)))
    )
    best = max(moves, key=lambda move: move.value[root.mover])  # type: ignore[index]
    plays = sum(move.visits for move in moves)
    return Decision(
        "flat Monte-Carlo", best.value, best.action, moves, (best.name,), plays, plays,
        is_exact=False,
    )  # fmt: skip


def shares(budget: int, parts: int) -> list[int]:
    """A budget shared out as equally as can be, at least one to each."""
    each, more = divmod(budget, parts)
    return [max(1, each + (i < more)) for i in range(parts)]


def _tried(playouts: Playouts, root: Place, index: int, plays: int) -> RootMove:
    game = playouts.game
    totals = [0.0] * len(game.players)
    for _ in range(plays):
        for player, payoff in enumerate(playouts.play(playouts.result(root, index))):
            totals[player] += payoff
    action = root.actions[index]
    mean = tuple(Fraction(total) / plays for total in totals)
    return RootMove(action, game.action_name(root.state, action), mean, visits=plays)
