"""Values of the first moves: whether a game is fair if the second player may swap sides.

In: a game, a first state, a search. Out: the value of each first move for the mover. A swap rule
lets the mover choose the opening and the opponent the side: the mover gets the lesser of an
opening's value and the opponent's share, at best the opening nearest to a half.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random
from time import process_time

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.analysis.plays import Strengths, TreePlayer, side_by_side
from gamedsl.solvers.montecarlo.contenders import chosen_move
from gamedsl.source.records import dataclass

FEWEST_PLAYS = 64
"""Simulated plays of an opening, at least."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A first move.

    Attributes:
        name: as in `Game.action_name`.
        value: the mover's expected payoff, scaled to 0..1.
        is_proved: whether the value is proved.
    """

    name: str
    value: float
    is_proved: bool


@dataclass(frozen=True, slots=True)
class Openings:
    """The first moves, the best first.

    Attributes:
        plays: simulated plays of each move.
    """

    moves: tuple[Opening, ...]
    plays: int

    @property
    def fairest(self) -> Opening:
        """The move with the value nearest to a half."""
        return min(self.moves, key=lambda move: abs(move.value - 0.5))

    @property
    def winning(self) -> int:
        """The number of moves with a value above a half."""
        return sum(move.value > 0.5 for move in self.moves)


def openings_of(
    game: Game, strengths: Strengths, root: State, *, seed: int, ends: float, threads: int
) -> Openings | None:
    """The values of all first moves, by equal numbers of simulated plays; None if the time allows
    fewer than `FEWEST_PLAYS` for a move, or without values."""
    mover, facts = game.current_player(root), game.facts
    if mover < 0 or not strengths.has_values or not facts.pays_at_the_end:
        return None
    actions = game.legal_actions(root)
    low, high = facts.utility_bounds
    spread = (high - low) or Fraction(1)

    def scaled(payoff: Fraction) -> float:
        return float((payoff - low) / spread)

    def look(player: TreePlayer, number: int) -> Opening:
        action = actions[number]
        after, name = game.result(root, action), game.action_name(root, action)
        if game.is_terminal(after):
            return Opening(name, scaled(game.utilities(after)[mover]), True)
        following = game.current_player(after)
        if following < 0:
            report = player.report(root)
            move = next(move for move in report.moves if move.action == action)
            payoffs = move.payoffs or report.payoffs
            return Opening(name, scaled(payoffs[mover]), move.low == move.high)
        best = chosen_move(player.report(after), following)
        return Opening(name, scaled(best.payoffs[mover]), best.is_closed and best.low == best.high)

    def make(plays: int, thread: int) -> TreePlayer:
        player = strengths.player(plays, Random(seed), thread)
        assert isinstance(player, TreePlayer), "there are values"
        return player

    trial = make(FEWEST_PLAYS, 0)
    begun = process_time()
    look(trial, 0)
    each = (process_time() - begun) / FEWEST_PLAYS
    plays = int((ends - begun) / (each * len(actions)))
    if plays < FEWEST_PLAYS:
        return None
    moves = side_by_side(
        look,
        partial(make, plays),
        most=len(actions),
        least=len(actions),
        ends=ends,
        threads=threads,
    )
    return Openings(tuple(sorted(moves, key=lambda move: -move.value)), plays)
