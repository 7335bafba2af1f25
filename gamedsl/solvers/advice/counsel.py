"""Advice for a play: from a solution, from sampled strategies, or by an estimate.

In: a game, a play, the time for an answer. Out: `Advice`. Before play the game is solved if soon
possible; during play an answer keeps within its time, including all attempts to solve.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from gamedsl.game.contract import Action, Game, History, JointAction
from gamedsl.game.slices import relevant_game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.solvers.advice.adviser import HEAD_START, Adviser
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.advice.sampled_play import SampledAnswer
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.records import dataclass

BEFORE_PLAY = 5
"""Time before play begins, as a multiple of the time of a move."""


@dataclass(frozen=True, slots=True)
class Advice:
    """An advised action.

    Attributes:
        action: the action, or a joint action.
        answer: the solution, the estimate or the sampled strategies behind the action.
        drawn: the mixed strategies from which the action is drawn.
        informed: the values of choices, in games with hidden information.
    """

    action: Action | JointAction
    answer: Solution | Decision | SampledAnswer
    drawn: tuple[LocalStrategy, ...] = ()
    informed: tuple[InformedChoice, ...] = ()

    def of(self, player: int) -> Action:
        """The action of a player."""
        return self.action[player] if isinstance(self.action, tuple) else self.action


class Counsel:
    """Advice for a play, within `seconds` for an answer.

    Attributes:
        why_none: the reason for the lack of advice in the game; "" if advice is possible.
        seconds: the time for an answer.
        adviser: the searches.
        samples: whether strategies are sampled where no solution is known.
    """

    def __init__(
        self,
        game: Game,
        rng: Random,
        seconds: float,
        *,
        max_positions: int | None = None,
        solution: Solution | None = None,
        solves: bool = True,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`solution`: a known solution. `solves`: whether a solution is sought. `clock` returns the
        time in seconds."""
        self.game = game
        self.why_none = ""
        self.seconds = seconds
        self.adviser = Adviser(
            game, rng, max_positions=max_positions, solution=solution, clock=clock
        )
        self._rng, self._clock, self._solves = rng, clock, solves
        self._is_prepared = False
        self._can_estimate = self.adviser.can_estimate()
        self.samples = asks_for_chances(game) and not self.adviser.sampled.why_not

    def prepare(
        self,
        history: History,
        seconds: float | None = None,
        *,
        progress: Progress = lambda *_: None,
        compiling: float = 0,
    ) -> None:
        """Solve from the current position if soon possible, or prepare estimates.

        Games with secrets are solved from the start.

        Args:
            seconds: the time; None: the time of some moves.
            compiling: seconds in which machine code is waited for, even if solving took all time.
        """
        self._is_prepared = True
        state = history[0 if relevant_game(self.game).facts.has_secrets else -1][0]
        self.samples = self.samples and not self.adviser.sampled.refusal(history)
        known = self.adviser.solution
        if known is not None and (known.informed is not None or state in known):
            return
        most = self.seconds * BEFORE_PLAY if seconds is None else seconds
        begun, solution = self._clock(), None
        if self._solves:
            try:
                solution = self.adviser.solve(state, most, self._preparing(state, most, progress))
            except UnsupportedGameError as refusal:
                self.adviser.why_not = refusal.reason
        left = max(compiling, begun + most - self._clock())
        if solution is None and self.samples:
            self.adviser.sampled.prepare(history, left)
        elif solution is None and not self._can_estimate:
            self.why_none = self.adviser.why_not or self.adviser.sampled.why_not
        elif solution is None:
            self.adviser.prepare(state, left)

    def _preparing(self, state: State, seconds: float, progress: Progress) -> Progress:
        """A progress callback that prepares estimates if solving takes more than a moment."""
        soon = self._clock() + seconds * HEAD_START

        def listen(explored: int, waiting: int) -> None:
            if self._can_estimate and self._clock() > soon:
                self.adviser.prepare(state)
            progress(explored, waiting)

        return listen

    def informed(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice under hidden information, and the choice's value; None if unknown."""
        self.known(history)
        solution = self.adviser.solution
        choices = () if solution is None else solution.informed_choices(history)
        return next((choice for choice in choices if choice.local.player == player), None)

    def known(self, history: History) -> Solution | None:
        """Like `solution_at`, but with a search for a solution if not yet attempted."""
        if not self._is_prepared:
            self.prepare(history, self.seconds)
        return self.solution_at(history[-1][0])

    def solution_at(self, state: State) -> Solution | None:
        """The solution, if known for the state."""
        solution = self.adviser.solution
        return solution if solution is not None and state in solution else None

    @property
    def why_unsolved(self) -> str:
        """The reason for the lack of a solution by positions."""
        solution = self.adviser.solution
        if solution is not None and solution.informed is not None:
            return f"players do not see the whole position; of the game: {solution.outcome}"
        return self.why_none or self.adviser.why_not or "nothing is solved yet"

    def advise(self, history: History, plays: int | None = None) -> Advice:
        """The action to play, within the time limit or by a number of simulated plays; a joint
        action for simultaneous moves.

        Raises UnsupportedGameError if no advice is possible.
        """
        begun, state = self._clock(), history[-1][0]
        can_answer = self._can_estimate and self.game.current_player(state) >= 0
        if not self._is_prepared and not can_answer:
            self.prepare(history, self.seconds)
        if self.why_none:
            raise UnsupportedGameError(self.why_none)
        left = max(0.0, begun + self.seconds - self._clock())
        solution = self.adviser.solution
        if solution is None and self.samples:
            seconds = left if plays is None else None
            sampled = self.adviser.sampled.answer(history, seconds=seconds, plays=plays)
            drawn = tuple(choice.local for choice in sampled.choices)
            return Advice(self._drawn(state, drawn), sampled, drawn, sampled.choices)
        if solution is not None and (drawn := solution.strategies_at(history)):
            informed = solution.informed_choices(history)
            return Advice(self._drawn(state, drawn), solution, drawn, informed)
        if solution is not None and solution.informed is not None:
            raise UnsupportedGameError("players cannot have come to know what they do here")
        solution = self.solution_at(state)
        if solution is not None and (best := solution.choice(state)) is not None:
            return Advice(best, solution)
        answer = self._answer(state, left, plays)
        if isinstance(answer, Solution):
            move = max(answer.moves, key=lambda move: (move.is_best, move.makes_progress))
            return Advice(move.action, answer)
        assert answer.action is not None, "a player is to move"
        return Advice(answer.action, answer)

    def _answer(self, state: State, seconds: float, plays: int | None) -> Solution | Decision:
        if plays is not None:
            return self.adviser.estimate(state, budget=plays)
        if self._solves:
            return self.adviser.answer(state, seconds)
        return self.adviser.estimate(state, seconds=seconds)

    def _drawn(self, state: State, strategies: tuple[LocalStrategy, ...]) -> Action | JointAction:
        """The action of the player to move, or an action per player, drawn by probability."""
        drawn = []
        for local in strategies:
            legal = self.game.legal_actions(state, local.player)
            shares = [float(chance) for _, chance in local.choices]
            drawn.append(self._rng.choices(legal, shares)[0])
        is_joint = self.game.current_player(state) == SIMULTANEOUS
        return tuple(drawn) if is_joint else drawn[0]
