"""The payments of a play so far: rewards and discount, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.state import CHANCE, State

MOST_PRECISE = 10**12
"""Greatest denominator of a payoff that is an approximation anyway."""
Step = tuple[State, Action | JointAction]


class Paid:
    """The sum of rewards, each weighted by the discount at its time (see `Game.rewards`)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        discount = game.facts.discount
        self._discount = None if discount == 1 else discount
        self.amounts = [Fraction(0)] * len(game.players)
        self.lasting = Fraction(1)
        """The present weight of a payoff."""
        self.has_begun = False
        """Whether a player has made a move; earlier chance events belong to no ply."""

    def copied(self) -> Paid:
        """An independent copy of the sums."""
        copy = Paid(self.game)
        copy.amounts, copy.lasting = list(self.amounts), self.lasting
        copy.has_begun = self.has_begun
        return copy

    def add(self, before: State, action: Action | JointAction, after: State) -> bool:
        """Count a step; return whether the step has a nonzero reward."""
        game = self.game
        rewards = game.rewards(before, action) if game.facts.has_rewards else ()
        movers = game.current_player(before), game.current_player(after)
        return self.count(rewards, *(mover == CHANCE for mover in movers))

    def count(self, rewards: Sequence[Fraction], from_chance: bool, to_chance: bool) -> bool:
        """Count a step with the given rewards, from a chance event or to a chance event; return
        whether a reward is nonzero.
        """
        for player, reward in enumerate(rewards):
            if reward:
                self.amounts[player] += self.lasting * reward
        self.has_begun = self.has_begun or not from_chance
        if self._discount is not None and self.has_begun and not to_chance:
            self.lasting *= self._discount
        return any(rewards)

    def total(self, payoffs: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The payoffs of a play that ends now with the given outcome."""
        pairs = zip(self.amounts, payoffs, strict=True)
        return tuple(paid + self.lasting * more for paid, more in pairs)


def payoffs_of(game: Game, steps: Sequence[Step], state: State) -> tuple[Fraction, ...] | None:
    """What a play has paid, rewards included; None before the end. `state` follows the steps."""
    return (
        _paid(game, steps, state).total(game.utilities(state)) if game.is_terminal(state) else None
    )


def payoffs_without_end(game: Game, steps: Sequence[Step], state: State) -> tuple[Fraction, ...]:
    """What a play counts that is broken off in `state`: what it has paid so far, and the payoffs of
    endless play."""
    paid = _paid(game, steps, state)
    endless = game.facts.endless if game.facts.discount == 1 else None
    payoffs = paid.total(endless or (Fraction(0),) * len(game.players))
    return tuple(payoff.limit_denominator(MOST_PRECISE) for payoff in payoffs)


def _paid(game: Game, steps: Sequence[Step], state: State) -> Paid:
    paid, after = Paid(game), [*(before for before, _ in steps[1:]), state]
    for (before, action), then in zip(steps, after, strict=False):
        paid.add(before, action, then)
    return paid
