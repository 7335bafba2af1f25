"""The score of a play so far, for games with rewards or a discount."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.game import LoadedGame
from gamedsl.game.paid import Paid
from gamedsl.model import State


class Score:
    """The score, in words."""

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.paid = Paid(game)

    def add(self, before: State, action: int | tuple[int, ...], after: State) -> str:
        """Count a step; returns the score, or "" without a reward or in games with secrets."""
        is_told = self.paid.add(before, action, after) and not self.game.facts.has_secrets
        return f"score: {self._words(self.paid.amounts)}" if is_told else ""

    def total_words(self, payoffs: tuple[Fraction, ...]) -> str:
        """The score and the outcome together."""
        return f"in all {self._words(self.paid.total(payoffs))}"

    def _words(self, amounts: Sequence[Fraction]) -> str:
        pairs = zip(self.game.facts.players, amounts, strict=True)
        return ", ".join(f"{name} {amount}" for name, amount in pairs)
