"""OpenSpiel's Monte-Carlo tree search as a player of matches.

Games of OpenSpiel are played by OpenSpiel's bot in C++; games of the language by the bot in Python,
as the bot in C++ ends with a segmentation fault in games that are written in Python.
"""

from __future__ import annotations

from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.bridges.spiel_contract import SpielGame
from gamedsl.bridges.spiel_games import load
from gamedsl.game.contract import Action, Game, History
from gamedsl.game.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError

EXPLORATION = 1.4
"""OpenSpiel's `uct_c`, for payoffs between -1 and 1."""
MEGABYTES = 1000


class SpielPlayer:
    """OpenSpiel's search with random plays; proved positions are played by their proofs."""

    def __init__(self, game: Game, plays: int, seed: int) -> None:
        """Raises UnsupportedGameError for games with secrets or choices at once, MissingExtraError
        without OpenSpiel."""
        if game.facts.has_secrets or game.facts.is_simultaneous:
            raise UnsupportedGameError(
                "OpenSpiel's tree search is for games without secrets and choices at once"
            )
        self.unadvised = 0
        self._start = game.initial_state()
        if isinstance(game, SpielGame):
            self._peer = game.peer
            self._bot = _bot_in_c(self._peer, plays, seed)
        else:
            assert isinstance(game, LoadedGame), "a game is a file, or OpenSpiel's own"
            self._peer = load(game)
            self._bot = _bot_in_python(self._peer, plays, seed)

    def prepare(self, history: History) -> None:
        """Raises UnsupportedGameError where a play does not begin at the start of the game: the
        search replays all actions."""
        if history[0][0] != self._start:
            raise UnsupportedGameError(
                "OpenSpiel's tree search plays whole games: without --at and --state"
            )

    def choose(self, history: History, player: int) -> Action:
        """The action of the search."""
        play = self._peer.new_initial_state()
        for _, action in history[:-1]:
            play.apply_action(action)
        return int(self._bot.step(play))


def _bot_in_c(peer: Any, plays: int, seed: int) -> Any:
    (pyspiel,) = needed("openspiel", "pyspiel")
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(
        peer, evaluator, EXPLORATION, plays, MEGABYTES, True, seed, False
    )  # fmt: skip


def _bot_in_python(peer: Any, plays: int, seed: int) -> Any:
    mcts, numpy = needed("openspiel", "open_spiel.python.algorithms.mcts", "numpy")
    random = numpy.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    return mcts.MCTSBot(peer, EXPLORATION, plays, evaluator, random_state=random)
