"""What has been paid in a play so far, for games with rewards or a discount.

In: the steps of a play as they are made. Out: the score as text.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, State


class Score:
    """Rewards added up, each with what it counts when it is paid."""

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.paid = [Fraction(0)] * len(game.players)
        self.lasting = Fraction(1)
        """What a payoff counts now."""
        self.has_begun = False
        """Whether a player has made a move; what chance does before is no part of a ply."""

    def copied(self) -> Score:
        """The same score, to go on from."""
        other = Score(self.game)
        other.paid, other.lasting, other.has_begun = list(self.paid), self.lasting, self.has_begun
        return other

    def add(self, before: State, action: int | tuple[int, ...], after: State) -> str:
        """Count a step; the score as text where it has paid something and
        nobody's secrets show in it, else ""."""
        game = self.game
        rewards = game.rewards(before, action) if game.facts.has_rewards else ()
        for player, reward in enumerate(rewards):
            self.paid[player] += self.lasting * reward
        self.has_begun = self.has_begun or game.current_player(before) != CHANCE
        if self.has_begun and game.current_player(after) != CHANCE:
            self.lasting *= game.facts.discount
        is_told = any(rewards) and not game.facts.has_secrets
        return f"score: {self._words(self.paid)}" if is_told else ""

    def total_words(self, payoffs: tuple[Fraction, ...]) -> str:
        """The score and the outcome together."""
        pairs = zip(self.paid, payoffs, strict=True)
        return f"in all {self._words([paid + self.lasting * more for paid, more in pairs])}"

    def _words(self, amounts: list[Fraction]) -> str:
        pairs = zip(self.game.facts.players, amounts, strict=True)
        return ", ".join(f"{name} {amount}" for name, amount in pairs)
