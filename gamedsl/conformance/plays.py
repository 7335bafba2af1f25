"""Plays at random, to where no exploration of the nearest positions gets.

In: a game, a generator of random numbers, how many plies. Out: how many plays were made; who asked
is told where the rules fail, and shown each step and the end of each play. It judges nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gamedsl.conformance.visits import AnyAction, Play
from gamedsl.game.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, State

LONGEST_PLAY = 2_000
OnError = Callable[[GameRuleError, State | None, AnyAction | None, Play | None], None]
OnEnd = Callable[[State, Play], None]
OnStep = Callable[[State, AnyAction, State], None]
OnReturn = Callable[[Play, Play], None]


class RandomPlays:
    """Plays of one game; every choice is equally likely, those of chance too."""

    def __init__(
        self,
        game: LoadedGame,
        chooser: random.Random,
        on_error: OnError,
        on_end: OnEnd,
        on_step: OnStep,
        on_return: OnReturn | None = None,
    ) -> None:
        """`on_return` is told once of a play that came back to a state: the way there, and the
        way round."""
        self._game = game
        self._chooser = chooser
        self._on_error = on_error
        self._on_end = on_end
        self._on_step = on_step
        self._on_return = on_return
        self._met: dict[State, int] = {}

    def run(self, plays: int, plies: int) -> int:
        """Make at most so many plays, of so many plies together; how many were made. The last one
        may be broken off."""
        for number in range(plays):
            if plies <= 0:
                return number
            plies -= self._play(min(plies, LONGEST_PLAY))
        return plays

    def _play(self, longest: int) -> int:
        """One play of at most so many steps; how many it had."""
        state: State | None = self._game.initial_state()
        past: Play = []
        self._met.clear()
        while state is not None and len(past) < longest:
            if self._on_return is not None:
                self._look_back(state, past)
            state = self._step(state, past)
        return len(past)

    def _look_back(self, state: State, past: Play) -> None:
        before = self._met.setdefault(state, len(past))
        if before < len(past) and self._on_return is not None:
            self._on_return(past[:before], past[before:])
            self._on_return = None

    def _step(self, state: State, past: Play) -> State | None:
        game = self._game
        try:
            player = game.current_player(state)
            if player == TERMINAL:
                self._on_end(state, past)
                return None
            choice = self._choice(state, int(player))
        except GameRuleError as error:
            self._on_error(error, state, None, past)
            return None
        try:
            following = game.result(state, choice)
            if game.facts.has_rewards:
                game.rewards(state, choice)
        except GameRuleError as error:
            self._on_error(error, state, choice, past)
            return None
        past.append((state, choice))
        self._on_step(state, choice, following)
        return following

    def _choice(self, state: State, player: int) -> AnyAction:
        game, choose = self._game, self._chooser.choice
        if player == CHANCE:
            return choose([outcome for outcome, _ in game.chance_outcomes(state)])
        if player == SIMULTANEOUS:
            return tuple(choose(game.legal_actions(state, p)) for p in game.players)
        return choose(game.legal_actions(state))
