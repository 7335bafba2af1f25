"""What a play has paid so far: rewards and discount, step by step.

In: a game and the steps of a play. Out: `Paid`, and the payoffs of the whole play.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.state import CHANCE, State


class Paid:
    """Rewards added up, each with what it counts when it is paid (see `Game.rewards`)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.amounts = [Fraction(0)] * len(game.players)
        self.lasting = Fraction(1)
        """What a payoff counts now."""
        self.has_begun = False
        """Whether a player has made a move; what chance does before is no part of a ply."""

    def copied(self) -> Paid:
        """The same sums, to go on from."""
        other = Paid(self.game)
        other.amounts, other.lasting = list(self.amounts), self.lasting
        other.has_begun = self.has_begun
        return other

    def add(self, before: State, action: Action | JointAction, after: State) -> bool:
        """Count a step; whether it has paid something."""
        game = self.game
        rewards = game.rewards(before, action) if game.facts.has_rewards else ()
        movers = game.current_player(before), game.current_player(after)
        return self.count(rewards, *(mover == CHANCE for mover in movers))

    def count(self, rewards: Sequence[Fraction], from_chance: bool, to_chance: bool) -> bool:
        """Count a step that paid this, from a chance event or to one; whether it paid anything."""
        for player, reward in enumerate(rewards):
            self.amounts[player] += self.lasting * reward
        self.has_begun = self.has_begun or not from_chance
        if self.has_begun and not to_chance:
            self.lasting *= self.game.facts.discount
        return any(rewards)

    def total(self, payoffs: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The payoffs of a play that ends now with this outcome."""
        pairs = zip(self.amounts, payoffs, strict=True)
        return tuple(paid + self.lasting * more for paid, more in pairs)
