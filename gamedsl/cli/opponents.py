"""Players named on the command line, and the computer opponents of `play`.

Randomness comes from the given generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from random import Random

from gamedsl.bridges.protocols.client import EngineError
from gamedsl.cli.boundary import not_supported, refusing, wrong_usage
from gamedsl.cli.console import Console
from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, History
from gamedsl.game.steps import drawn_outcome
from gamedsl.model.errors import IllegalActionError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.python.matches import made_player
from gamedsl.reports.solutions.advice import counsel_words
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.matches.players import (
    Player,
    PlayerKind,
    PlayerSettings,
    PlayerTextError,
    player_settings,
)
from gamedsl.source.rewording import reworded

AUTO, HUMAN = "auto", "human"
"""Opponents of `play` beside the players of matches: the best possible, and people."""


def asked_player(text: str, option: str, others: Sequence[str] = ()) -> PlayerSettings:
    """The player of an option's text; `others` are further names for errors to suggest."""
    with refusing(option, PlayerTextError):
        return player_settings(text, others)


class Chooser:
    """Chooses the actions of the players controlled by the computer.

    Attributes:
        words: a description of the chooser, complete when prepared.
        name: the chooser, for headers of records.
        preparation: the work of `prepare`, for the line of progress.
    """

    def __init__(self, game: LoadedGame, counsel: Counsel, opponent: str, rng: Random) -> None:
        """`opponent`: `AUTO`, `HUMAN`, or the text of a player of matches."""
        self.words, self.name = "at random", "random"
        self._game, self._counsel, self._rng = game, counsel, rng
        self._kind = opponent
        self._is_advised = opponent in (AUTO, PlayerKind.BEST)
        self._player: Player | None = None
        self.preparation = "preparing the opponent"
        if opponent not in (AUTO, HUMAN, PlayerKind.BEST, PlayerKind.RANDOM):
            settings = asked_player(opponent, "--opponent", (AUTO, HUMAN))
            self.words, self.name = f"as {settings}", str(settings)
            if settings.kind is PlayerKind.LEVEL:
                self.preparation = "fitting the levels to the game by matches, once for each game"
            with telling():
                self._player = made_player(settings, game, rng)

    def prepare(self, history: History, progress: Progress) -> None:
        """Everything slow before a play."""
        if self._player is not None:
            with telling():
                self._player.prepare(history)
        if not self._is_advised:
            return
        self._counsel.prepare(history, progress=progress)
        why_none = self._counsel.why_none
        if why_none and self._kind == PlayerKind.BEST:
            raise not_supported(str(why_none))
        self._is_advised = not why_none
        if why_none:
            self.words = f"at random: {why_none}"
        else:
            self.words, self.name = f"by {counsel_words(self._counsel)}", "gamedsl"

    def choose(self, history: History, player: int) -> Action:
        """An action for a player."""
        if self._player is not None:
            before = self._player.unadvised
            with telling():
                action = self._player.choose(history, player)
            if self._player.unadvised > before:
                self._tell_random(player, "")
            return action
        if self._is_advised:
            try:
                return self._counsel.advise(history).of(player)
            except UnsupportedGameError as refusal:
                self._tell_random(player, f": {refusal.reason}")
        return self._rng.choice(self._game.legal_actions(history[-1][0], player))

    def _tell_random(self, player: int, reason: str) -> None:
        Console().out(f"({self._game.players[player]!r} plays at random here{reason})")

    def draw(self, state: State) -> Action:
        """The outcome of a chance event, drawn by probability."""
        return drawn_outcome(self._game, state, self._rng)


def telling() -> AbstractContextManager[None]:
    """Context in which failures of other programs are errors of the command."""
    return reworded(wrong_usage, "{}", EngineError, IllegalActionError)
