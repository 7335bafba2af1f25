"""Who plays the other side in `play`: the adviser that `best` asks, or chance.

In: a game and states. Out: actions, and words on who chooses them. It is solved before play
begins; in its middle an answer takes no more than its time. Randomness comes from the generator
that is passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import Opponent
from gamedsl.cli.progress import ProgressLine
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.reports.solutions.best_moves import method_words
from gamedsl.solvers.adviser import Adviser
from gamedsl.solvers.exact.solved import Mixtures
from gamedsl.solvers.requirements import SEARCH, Requirement, refuse_unless
from gamedsl.solvers.solution import Solution
from gamedsl.source.records import dataclass

BEFORE_PLAY = 5
"""So many times the time of a move may be spent before play begins."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play, and how that is known, in words."""

    action: Action | JointAction
    how: str


class Counsel:
    """Advice for whoever sits at the table, within `seconds` for each answer.

    Attributes:
        why_none: why there is no advice in this game; "" if there is.
    """

    def __init__(
        self, game: Game, rng: Random, seconds: float, max_positions: int | None, quiet: bool
    ) -> None:
        self.game = game
        self.why_none = ""
        self._adviser = Adviser(game, rng, max_positions=max_positions)
        self._rng = rng
        self._seconds = seconds
        self._quiet = quiet
        self._is_prepared = False
        self._can_estimate = self._is_met(SEARCH)

    def _is_met(self, requirements: frozenset[Requirement]) -> bool:
        try:
            refuse_unless(self.game, requirements)
        except UnsupportedGameError:
            return False
        return True

    def prepare(self, state: State, seconds: float | None = None) -> None:
        """Solve from here on if that can be done soon, or have estimates made ready."""
        self._is_prepared = True
        if self.solution_at(state) is not None:
            return
        most = self._seconds * BEFORE_PLAY if seconds is None else seconds
        try:
            with ProgressLine("solving", self._quiet) as progress:
                found = self._adviser.solve(state, most, progress)
        except UnsupportedGameError as refusal:
            self._adviser.why_not = refusal.reason
            found = None
        if found is None and not self._can_estimate:
            self.why_none = self._adviser.why_not
        elif found is not None and (found.plan or found.form is not None):
            self.why_none = "what is best depends on what was seen on the way (`solve` says how)"
        elif found is None and not self.game.facts.has_evaluate:
            with ProgressLine("preparing", self._quiet):
                self._adviser.prepare(state, most)

    def known(self, state: State) -> Solution | None:
        """The same as `solution_at`; where nothing has been tried yet, it is looked for."""
        if not self._is_prepared:
            self.prepare(state, self._seconds)
        return self.solution_at(state)

    def solution_at(self, state: State) -> Solution | None:
        """The solution, if there is one that holds the state."""
        solution = self._adviser.solution
        return solution if solution is not None and state in solution else None

    @property
    def why_unsolved(self) -> str:
        """Why there is no solution."""
        return self.why_none or self._adviser.why_not or "nothing is solved yet"

    def words(self) -> str:
        """Who it is that gives advice."""
        solution = self._adviser.solution
        if solution is not None:
            return f"the solution: {solution.outcome}"
        how = "alpha-beta and `evaluate`" if self.game.facts.has_evaluate else "UCT"
        return f"{how}, {self._seconds:g} s a move; not solved: {self._adviser.why_not}"

    def advise(self, state: State) -> Advice:
        """What to play; of all who choose at once a joint action.

        Raises UnsupportedGameError where there is no advice.
        """
        if not self._is_prepared:
            self.prepare(state, self._seconds)
        if self.why_none:
            raise UnsupportedGameError(self.why_none)
        solution = self.solution_at(state)
        if solution is not None and (best := solution.choice(state)) is not None:
            return Advice(best, "proved best")
        if solution is not None and (mixture := solution.mixture(state)) is not None:
            return Advice(self._drawn(mixture), "drawn with the best probabilities")
        if len(self.game.players) == 1 and (solved := self._adviser.solve(state, self._seconds)):
            return Advice(solved.moves[0].action, "proved best")
        decision = self._adviser.estimate(state, seconds=self._seconds)
        assert decision.action is not None, "a player is to move"
        return Advice(decision.action, method_words(decision))

    def _drawn(self, mixture: Mixtures) -> JointAction:
        """One action a player, each with its probability."""
        pairs = [tuple(zip(*shares, strict=True)) for shares in mixture]
        return tuple(
            self._rng.choices(actions, [float(share) for share in shares])[0]
            for actions, shares in pairs
        )


class Chooser:
    """Chooses the actions of the players that nobody at the keyboard plays.

    Attributes:
        words: who it is.
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
            self.words = f"by {counsel.words()}"

    def choose(self, state: State, player: int) -> Action:
        """An action for a player."""
        if self.is_random:
            return self.any_of(self._counsel.game.legal_actions(state, player))
        try:
            advised = self._counsel.advise(state).action
        except UnsupportedGameError as refusal:
            name = repr(self._counsel.game.players[player])
            Console().out(f"({name} plays at random here: {refusal.reason})")
            return self.any_of(self._counsel.game.legal_actions(state, player))
        return advised[player] if isinstance(advised, tuple) else advised

    def any_of(self, actions: Iterable[Action]) -> Action:
        """One of the actions, each as likely."""
        return self._rng.choice(tuple(actions))

    def draw(self, state: State) -> Action:
        """The outcome of a chance event, with its own probabilities."""
        outcomes = self._counsel.game.chance_outcomes(state)
        weights = [float(chance) for _, chance in outcomes]
        return self._rng.choices([outcome for outcome, _ in outcomes], weights)[0]
