"""Random plays, to reach positions far from the start.

Callbacks receive failures of the rules, every step, and the end of a play. The module draws no
conclusions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from math import inf
from typing import TypeVar

from gamedsl.conformance.time_limits import Pace
from gamedsl.conformance.visits import AnyAction, Play
from gamedsl.conformance.work import Work
from gamedsl.game.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, State

LONGEST_PLAY = 2_000
OnError = Callable[[GameRuleError, State | None, AnyAction | None, Play | None], None]
OnEnd = Callable[[State, Play], None]
OnStep = Callable[[State, AnyAction, State], None]
OnReturn = Callable[[Play, Play], None]
Choice = TypeVar("Choice")


class RandomPlays:
    """Random plays of a game with uniform choices, also at chance events.

    `made` is the number of plays begun.
    """

    def __init__(
        self,
        game: LoadedGame,
        chooser: random.Random,
        on_error: OnError,
        on_end: OnEnd,
        on_step: OnStep,
        on_return: OnReturn | None = None,
        pace: Pace | None = None,
        work: tuple[Work, Work] | None = None,
    ) -> None:
        """Set up random plays.

        `on_return` is called once, for a play that returns to a state, with the way to the state
        and the cycle; `pace` may stop all plays by an exception; no step begins after `work`, for
        steps and for ends of play, is spent.
        """
        self._game = game
        self._chooser = chooser
        self._on_error = on_error
        self._on_end = on_end
        self._on_step = on_step
        self._on_return = on_return
        self._pace = pace
        self._work, self._ends = work or (Work(), Work())
        self._steps = game.steps()
        self.made = 0
        self._met: dict[Hashable, int] = {}
        self._offered = 0
        self._has_ended = False

    def run(self, plays: int, plies: int, offered: float = inf) -> None:
        """Make at most `plays` plays with `plies` plies in total.

        No play begins after `offered` legal actions were listed, summed over positions. The last
        play may be cut short.
        """
        self._offered = 0
        for _ in range(plays):
            if plies <= 0 or self._offered >= offered or self._is_spent:
                return
            self.made += 1
            plies -= self._play(min(plies, LONGEST_PLAY), offered)

    @property
    def _is_spent(self) -> bool:
        return self._work.is_spent or self._ends.is_spent

    def _play(self, longest: int, offered: float) -> int:
        """Make a play of at most `longest` steps; returns the number of steps."""
        state: State | None = self._game.initial_state()
        past: Play = []
        self._met.clear()
        self._has_ended = False
        while state is not None and len(past) < longest and self._offered < offered:
            if self._is_spent:
                break
            if self._on_return is not None:
                self._look_back(state, past)
            before, state = state, self._work.step(partial(self._step, state, past))
            if self._has_ended:
                self._end(before, past)
        return len(past)

    def _look_back(self, state: State, past: Play) -> None:
        key = state if self._steps is None else self._steps.key(state)
        before = self._met.setdefault(key, len(past))
        if before < len(past) and self._on_return is not None:
            self._on_return(past[:before], past[before:])
            self._on_return = None

    def _step(self, state: State, past: Play) -> State | None:
        game = self._game
        if self._pace is not None:
            self._pace.count()
        try:
            choice = self._choice(state)
            if choice is None:
                self._has_ended = True
                return None
        except GameRuleError as error:
            self._on_error(error, state, None, past)
            return None
        try:
            following = self._result(state, choice)
            if game.facts.has_rewards:
                self._pay(state, choice)
        except GameRuleError as error:
            self._on_error(error, state, choice, past)
            return None
        past.append((state, choice))
        self._on_step(state, choice, following)
        return following

    def _end(self, state: State, past: Play) -> None:
        try:
            self._ends.step(partial(self._on_end, state, past))
        except GameRuleError as error:
            self._on_error(error, state, None, past)

    def _choice(self, state: State) -> AnyAction | None:
        """The choice in a state; None at the end of play."""
        game = self._game
        if self._steps is not None:
            player, choices, _ = self._steps.at(self._steps.key(state))
            return None if player == TERMINAL else self._one_of(list[AnyAction](choices))
        player = game.current_player(state)
        if player == TERMINAL:
            return None
        if player == CHANCE:
            return self._one_of([outcome for outcome, _ in game.chance_outcomes(state)])
        if player == SIMULTANEOUS:
            return tuple(self._one_of(game.legal_actions(state, p)) for p in game.players)
        return self._one_of(game.legal_actions(state))

    def _one_of(self, choices: Sequence[Choice]) -> Choice:
        self._offered += len(choices)
        return self._chooser.choice(choices)

    def _pay(self, state: State, choice: AnyAction) -> None:
        """Compute the rewards of a choice, as the rules may fail in doing so."""
        if self._steps is None or not isinstance(choice, int):
            self._game.rewards(state, choice)
        else:
            self._steps.paid(self._steps.key(state), (choice,))

    def _result(self, state: State, choice: AnyAction) -> State:
        if self._steps is None or not isinstance(choice, int):
            return self._game.result(state, choice)
        return self._steps.state(self._steps.result(self._steps.key(state), choice))
