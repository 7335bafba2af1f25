"""Who chooses for the other side in `play`: the solution where one is found, else chance.

In: a game and a state. Out: an action. Randomness comes from the generator that is passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from gamedsl.cli.console import Console
from gamedsl.cli.options import Opponent
from gamedsl.cli.progress import ProgressLine
from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status


class Adviser:
    """Knows the values of positions, as far as they can be had within `max_positions`."""

    def __init__(self, game: Game, max_positions: int, console: Console) -> None:
        self.game = game
        self.why_not = ""
        self._max_positions = max_positions
        self._console = console
        self._solution: Solution | None = None
        self._is_refused = False

    def about(self, state: State) -> Solution | None:
        """A solution that holds the state, or None: then `why_not` says why there is none."""
        if self._solution is not None and state in self._solution:
            return self._solution
        if self._is_refused:
            return None
        try:
            with ProgressLine("solving", self._console.quiet) as progress:
                solution = solve(
                    self.game, state, max_positions=self._max_positions, progress=progress
                )
        except UnsupportedGameError as refusal:
            self._is_refused = True
            self.why_not = refusal.reason
            return None
        if solution.plan:
            self._is_refused = True
            self.why_not = "what is best depends on what was seen on the way (`solve` says how)"
            return None
        if solution.status is Status.OPEN or state not in solution:
            self.why_not = f"it has more than {self._max_positions:,} positions from here on"
            return None
        self._solution = solution
        return solution


class Chooser:
    """Chooses the actions of the players that nobody at the keyboard plays."""

    def __init__(self, adviser: Adviser, kind: Opponent, rng: Random, console: Console) -> None:
        self._adviser = adviser
        self._rng = rng
        self._console = console
        self._asks_always = kind is Opponent.BEST
        self._asks = kind in {Opponent.AUTO, Opponent.BEST}

    def choose(self, state: State, player: int) -> Action:
        """An action for a player: a best one if the position is solved, else any."""
        solution = self._adviser.about(state) if self._asks else None
        if solution is not None:
            best = solution.choice(state)
            if best is not None:
                return best[player] if isinstance(best, tuple) else best
        elif self._asks:
            self._console.note(f"(no best play here: {self._adviser.why_not}; playing at random)")
            self._asks = self._asks_always
        return self.any_of(self._adviser.game.legal_actions(state, player))

    def any_of(self, actions: Iterable[Action]) -> Action:
        """One of the actions, each as likely."""
        return self._rng.choice(tuple(actions))

    def draw(self, state: State) -> Action:
        """The outcome of a chance event, with its own probabilities."""
        outcomes = self._adviser.game.chance_outcomes(state)
        weights = [float(chance) for _, chance in outcomes]
        return self._rng.choices([outcome for outcome, _ in outcomes], weights)[0]
