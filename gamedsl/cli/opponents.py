"""The computer opponents of `play`: the adviser of `best`, or chance.

Randomness comes from the given generator.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import Opponent
from gamedsl.game.contract import Action, History
from gamedsl.game.steps import drawn_outcome
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.reports.solutions.advice import counsel_words
from gamedsl.solvers.advice.counsel import Counsel


class Chooser:
    """Chooses the actions of the players controlled by the computer.

    Attributes:
        words: a description of the chooser.
    """

    def __init__(self, counsel: Counsel, kind: Opponent, rng: Random) -> None:
        self._counsel = counsel
        self._rng = rng
        self.is_random = kind is Opponent.RANDOM
        if kind is Opponent.BEST and counsel.why_none:
            raise CommandError(ExitCode.UNSUPPORTED, f"not supported: {counsel.why_none}")
        if self.is_random:
            self.words = "at random"
        elif counsel.why_none:
            self.is_random = True
            self.words = f"at random: {counsel.why_none}"
        else:
            self.words = f"by {counsel_words(counsel)}"

    def choose(self, history: History, player: int) -> Action:
        """An action for a player."""
        state = history[-1][0]
        if self.is_random:
            return self.any_of(self._counsel.game.legal_actions(state, player))
        try:
            return self._counsel.advise(history).of(player)
        except UnsupportedGameError as refusal:
            name = repr(self._counsel.game.players[player])
            Console().out(f"({name} plays at random here: {refusal.reason})")
            return self.any_of(self._counsel.game.legal_actions(state, player))

    def any_of(self, actions: Iterable[Action]) -> Action:
        """A uniformly random action."""
        return self._rng.choice(tuple(actions))

    def draw(self, state: State) -> Action:
        """The outcome of a chance event, drawn by probability."""
        return drawn_outcome(self._counsel.game, state, self._rng)
