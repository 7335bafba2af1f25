"""Fast random plays of a game, for the simulations of Monte-Carlo searches.

In: a game and a generator of random numbers. Out: `Place`s, which cache the game's answers for a
state, and payoffs of random plays. Payoffs are floats here: they are used for sample averages,
never for exact values.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from random import Random

from gamedsl.game.contract import Action, Game
from gamedsl.game.steps import actions_at
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL, State

Payoffs = tuple[float, ...]

MOST_PLACES = 100_000
"""Greatest number of cached states; states beyond are computed anew each time. States that carry
their history are large, and rarely met again."""
LONGEST_PLAYOUT = 5_000
"""Length in plies beyond which a random play counts as endless."""
PATIENCE = 300
"""Length in plies beyond which a random play counts as endless, where the file defines the payoff
of endless play."""


LOOK = 64
"""Plies of a random play after which the time is looked at."""


class Place:
    """A state with the player, actions (or outcomes) and results, filled in on demand."""

    __slots__ = ("actions", "mover", "odds", "payoffs", "results", "state")

    def __init__(self, game: Game, state: State) -> None:
        self.state = state
        self.mover = int(game.current_player(state))
        self.payoffs: Payoffs | None = None
        self.odds: list[float] = []
        self.actions: tuple[Action, ...] = ()
        if self.mover == TERMINAL:
            self.payoffs = tuple(map(float, game.utilities(state)))
        elif self.mover == CHANCE:
            outcomes = game.chance_outcomes(state)
            self.actions = tuple(outcome for outcome, _ in outcomes)
            self.odds = list(accumulate(float(chance) for _, chance in outcomes))
        else:
            self.actions = actions_at(game, state)  # type: ignore[assignment]
        self.results: list[Place | None] = [None] * len(self.actions)


class Playouts:
    """Places and random plays of one game, from one generator."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.longest = LONGEST_PLAYOUT if game.facts.endless is None else PATIENCE
        self._most = 0 if game.facts.repeats else MOST_PLACES
        self._places: dict[State, Place] = {}

    def place(self, state: State) -> Place:
        """The place of a state."""
        known = self._places.get(state)
        if known is None:
            known = Place(self.game, state)
            if len(self._places) < self._most:
                self._places[state] = known
        return known

    def result(self, place: Place, index: int) -> Place:
        """The successor by the action at index `index`."""
        successor = place.results[index]
        if successor is None:
            successor = self.place(self.game.result(place.state, place.actions[index]))
            if len(self._places) < self._most:
                place.results[index] = successor
        return successor

    def drawn(self, place: Place) -> int:
        """The index of an outcome of a chance node, drawn by probability."""
        odds = place.odds
        return min(bisect(odds, self.rng.random() * odds[-1]), len(odds) - 1)

    def play(self, place: Place, is_late: Callable[[], bool] = lambda: False) -> Payoffs | None:
        """The payoffs of a random play, with uniformly random actions; None for a play that is
        broken off, since `is_late`.

        Raises:
            UnsupportedGameError: the play has no end, and the file defines no payoff of endless
                play.
        """
        random = self.rng.random
        for ply in range(1, self.longest + 1):
            if place.payoffs is not None:
                return place.payoffs
            if ply % LOOK == 0 and is_late():
                return None
            index = self.drawn(place) if place.odds else int(random() * len(place.actions))
            following = place.results[index]
            place = self.result(place, index) if following is None else following
        return self._endless()

    def _endless(self) -> Payoffs:
        endless = self.game.facts.endless
        if endless is None:
            raise UnsupportedGameError(
                f"a random play of {self.game.name} has not ended after {LONGEST_PLAYOUT:,} plies",
                "use a search with a depth limit",
            )
        return tuple(map(float, endless))
