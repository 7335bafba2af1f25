"""Random plays, to reach positions far from the start.

Callbacks receive failures of the rules, every step, and the end of a play. The module draws no
conclusions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import TypeVar

from gamedsl.conformance.time_limits import Pace
from gamedsl.conformance.visits import AnyAction, Play
from gamedsl.game.game import LoadedGame
from gamedsl.game.paid import Paid
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, Player, State

LONGEST_PLAY = 2_000
OnError = Callable[[GameRuleError, State | None, AnyAction | None, Play | None], None]
OnEnd = Callable[[State, Play, Paid], None]
"""Called with the last state, the play and the payments on the way."""
OnStep = Callable[[State, AnyAction, State], None]
OnReturn = Callable[[Play, Play], None]
Choice = TypeVar("Choice")


class RandomPlays:
    """Random plays of a game with uniform choices, also at chance events.

    `begun` and `finished` are the numbers of plays begun, and of plays that came to an end.
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
    ) -> None:
        """Set up random plays.

        `on_return` is called once, for a play that returns to a state, with the way to the state
        and the cycle; `pace` may stop all plays by an exception.
        """
        self._game = game
        self._chooser = chooser
        self._on_error = on_error
        self._on_end = on_end
        self._on_step = on_step
        self._on_return = on_return
        self._pace = pace
        self._steps = game.steps()
        self._pays_on_the_way = not game.facts.pays_at_the_end
        self.begun = 0
        self.finished = 0
        self._rewarded: list[tuple[Sequence[Fraction], bool]] = []
        """The rewards of each step, and whether the step was a chance event."""
        self._met: dict[Hashable, int] = {}
        self._offered = 0

    def run(self, plays: int, plies: int, offered: float = inf, worth: int = 0) -> None:
        """Make at most `plays` plays with `plies` plies in total.

        No play begins after `offered` legal actions were listed, summed over positions, or after
        half of the plies or actions if fewer than half of `worth` plays are finished. The last play
        may be cut short.
        """
        self._offered = 0
        half = plies / 2
        for _ in range(plays):
            if plies <= 0 or self._offered >= offered:
                return
            if (plies <= half or self._offered >= offered / 2) and 2 * self.finished < worth:
                return
            self.begun += 1
            plies -= self._play(min(plies, LONGEST_PLAY), offered)

    def _play(self, longest: int, offered: float) -> int:
        """Make a play of at most `longest` steps; returns the number of steps."""
        state: State | None = self._game.initial_state()
        past: Play = []
        self._met.clear()
        self._rewarded.clear()
        while state is not None and len(past) < longest and self._offered < offered:
            if self._on_return is not None:
                self._look_back(state, past)
            state = self._step(state, past)
        return len(past)

    def _look_back(self, state: State, past: Play) -> None:
        key = state if self._steps is None else self._steps.key(state)
        before = self._met.setdefault(key, len(past))
        if before < len(past) and self._on_return is not None:
            self._on_return(past[:before], past[before:])
            self._on_return = None

    def _step(self, state: State, past: Play) -> State | None:
        if self._pace is not None:
            self._pace.count()
        try:
            player, choice = self._choice(state)
            if choice is None:
                self.finished += 1
                self._on_end(state, past, self._paid())
                return None
        except GameRuleError as error:
            self._on_error(error, state, None, past)
            return None
        try:
            following = self._result(state, choice)
            if self._pays_on_the_way:
                self._rewarded.append((self._rewards(state, choice), player == CHANCE))
        except GameRuleError as error:
            self._on_error(error, state, choice, past)
            return None
        past.append((state, choice))
        self._on_step(state, choice, following)
        return following

    def _paid(self) -> Paid:
        """The payments of the finished play."""
        paid = Paid(self._game)
        for step, following in pairwise([*self._rewarded, ((), False)]):
            paid.count(*step, following[1])
        return paid

    def _choice(self, state: State) -> tuple[Player, AnyAction | None]:
        """The player to move and the choice in a state; None at the end of play."""
        game = self._game
        if self._steps is not None:
            player, offered, _ = self._steps.at(self._steps.key(state))
            choices: Sequence[AnyAction] = offered
            return player, None if player == TERMINAL else self._one_of(choices)
        player = game.current_player(state)
        if player == TERMINAL:
            return player, None
        if player == CHANCE:
            return player, self._one_of([outcome for outcome, _ in game.chance_outcomes(state)])
        if player == SIMULTANEOUS:
            legal = (game.legal_actions(state, p) for p in game.players)
            return player, tuple(map(self._one_of, legal))
        return player, self._one_of(game.legal_actions(state))

    def _one_of(self, choices: Sequence[Choice]) -> Choice:
        self._offered += len(choices)
        return self._chooser.choice(choices)

    def _rewards(self, state: State, choice: AnyAction) -> Sequence[Fraction]:
        if self._steps is None or not isinstance(choice, int):
            return self._game.rewards(state, choice)
        return self._steps.paid(self._steps.key(state), (choice,))[0]

    def _result(self, state: State, choice: AnyAction) -> State:
        if self._steps is None or not isinstance(choice, int):
            return self._game.result(state, choice)
        return self._steps.state(self._steps.result(self._steps.key(state), choice))
