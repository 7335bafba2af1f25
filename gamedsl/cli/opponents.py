"""Who plays the other side in `play`: the adviser that `best` asks, or chance.

In: a game and plays as they stand. Out: actions, and words on who chooses them. It is solved
before play begins; in its middle an answer takes no more than its time, whatever has to be tried
first. Randomness comes from the generator that is passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from time import perf_counter

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import Opponent
from gamedsl.cli.progress import ProgressLine
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.reports.solutions.best_moves import method_words, proof_words
from gamedsl.reports.solutions.policy import choice_words, is_mixed, worth_words
from gamedsl.solvers.advice.adviser import HEAD_START, Adviser
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.requirements import SEARCH, meets
from gamedsl.solvers.solution import Solution, Status
from gamedsl.source.records import dataclass

BEFORE_PLAY = 5
"""So many times the time of a move may be spent before play begins."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play, and how that is known, in words; `drawn`: the chances from which it is, and
    `informed` what it is worth where players do not see everything."""

    action: Action | JointAction
    how: str
    drawn: tuple[LocalStrategy, ...] = ()
    informed: tuple[InformedChoice, ...] = ()

    def words(self, game: Game, state: State, player: int) -> str:
        """What a player is to do, by its name, or as probabilities."""
        name = repr(game.players[player])
        worths = (worth_words(one, name) for one in self.informed if one.local.player == player)
        more = "".join(f"; {words}" for words in worths)
        for local in self.drawn:
            if local.player == player:
                return f"{choice_words(local)} ({self.how}{more})"
        action = self.action[player] if isinstance(self.action, tuple) else self.action
        return f"{game.action_name(state, action)} ({self.how})"


class Counsel:
    """Advice for whoever sits at the table, within `seconds` for each answer.

    Attributes:
        why_none: why there is no advice in this game; "" if there is.
    """

    def __init__(
        self,
        game: Game,
        rng: Random,
        seconds: float,
        max_positions: int | None,
        quiet: bool,
        solution: Solution | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`solution`: what is known already. Time is told by `clock`."""
        self.game = game
        self.why_none = ""
        self._adviser = Adviser(
            game, rng, max_positions=max_positions, solution=solution, clock=clock
        )
        self._rng = rng
        self._seconds = seconds
        self._clock = clock
        self._quiet = quiet
        self._is_prepared = False
        self._can_estimate = meets(game, SEARCH)

    def prepare(self, history: History, seconds: float | None = None) -> None:
        """Solve from here on if that can be done soon, or have estimates made ready; games with
        secrets are solved from the beginning."""
        self._is_prepared = True
        state = history[0 if self.game.facts.has_secrets else -1][0]
        known = self._adviser.solution
        if known is not None and (known.informed is not None or state in known):
            return
        most = self._seconds * BEFORE_PLAY if seconds is None else seconds
        begun = self._clock()
        try:
            with ProgressLine("solving", self._quiet) as progress:
                found = self._adviser.solve(state, most, self._preparing(state, most, progress))
        except UnsupportedGameError as refusal:
            self._adviser.why_not = refusal.reason
            found = None
        if found is None and not self._can_estimate:
            self.why_none = self._adviser.why_not
        elif found is None and not self.game.facts.has_evaluate:
            with ProgressLine("preparing", self._quiet):
                self._adviser.prepare(state, max(0.0, begun + most - self._clock()))

    def _preparing(self, state: State, seconds: float, progress: Progress) -> Progress:
        """Progress that has estimates made ready where solving takes more than a moment."""
        soon = self._clock() + seconds * HEAD_START

        def listen(explored: int, waiting: int) -> None:
            if self._can_estimate and self._clock() > soon:
                self._adviser.prepare(state)
            progress(explored, waiting)

        return listen

    def informed(self, history: History, player: int) -> InformedChoice | None:
        """What a player does who does not see everything, and what that is worth; None where that
        is not known."""
        self.known(history)
        solution = self._adviser.solution
        found = () if solution is None else solution.informed_choices(history)
        return next((one for one in found if one.local.player == player), None)

    def known(self, history: History) -> Solution | None:
        """The same as `solution_at`; where nothing has been tried yet, it is looked for."""
        if not self._is_prepared:
            self.prepare(history, self._seconds)
        return self.solution_at(history[-1][0])

    def solution_at(self, state: State) -> Solution | None:
        """The solution, if there is one that holds the state."""
        solution = self._adviser.solution
        return solution if solution is not None and state in solution else None

    @property
    def why_unsolved(self) -> str:
        """Why there is no solution of positions."""
        solution = self._adviser.solution
        if solution is not None and solution.informed is not None:
            return f"players do not see the whole position; of the game: {solution.outcome}"
        return self.why_none or self._adviser.why_not or "nothing is solved yet"

    def words(self) -> str:
        """Who it is that gives advice."""
        solution = self._adviser.solution
        if solution is not None and solution.strategies:
            mixes = ", which mixes by chance" if any(map(is_mixed, solution.strategies)) else ""
            return f"{_sort_of(solution)}{mixes}: {solution.outcome}"
        if solution is not None:
            return f"the solution: {solution.outcome}"
        how = "alpha-beta and `evaluate`" if self.game.facts.has_evaluate else "UCT"
        return f"{how}, {self._seconds:g} s a move; not solved: {self._adviser.why_not}"

    def advise(self, history: History) -> Advice:
        """What to play, within the time; of all who choose at once a joint action.

        Raises UnsupportedGameError where there is no advice.
        """
        begun, state, answer = self._clock(), history[-1][0], None
        can_answer = self._can_estimate and self.game.current_player(state) >= 0
        if not self._is_prepared and can_answer and self.solution_at(state) is None:
            self._is_prepared = True
            answer = self._adviser.answer(state, self._seconds)
        elif not self._is_prepared:
            self.prepare(history, self._seconds)
        if self.why_none:
            raise UnsupportedGameError(self.why_none)
        solution = self._adviser.solution
        if solution is not None and (drawn := solution.strategies_at(history)):
            how = _sort_of(solution)
            if len(self.game.players) == 1:
                how = "best by what can be known"
            informed = solution.informed_choices(history)
            return Advice(self._drawn(state, drawn), how, drawn, informed)
        if solution is not None and solution.informed is not None:
            raise UnsupportedGameError("players cannot have come to know what they do here")
        solution = self.solution_at(state)
        if solution is not None and (best := solution.choice(state)) is not None:
            return Advice(best, proof_words(solution))
        if answer is None and len(self.game.players) == 1:
            answer = self._adviser.answer(state, self._seconds)
        if answer is None:
            left = max(0.0, begun + self._seconds - self._clock())
            answer = self._adviser.estimate(state, seconds=left)
        if isinstance(answer, Solution):
            move = max(answer.moves, key=lambda move: (move.is_best, move.makes_progress))
            return Advice(move.action, proof_words(answer))
        decision = answer
        assert decision.action is not None, "a player is to move"
        return Advice(decision.action, method_words(decision))

    def _drawn(self, state: State, strategies: tuple[LocalStrategy, ...]) -> Action | JointAction:
        """The action of the player to move, or one a player, each with its probability."""
        drawn = []
        for local in strategies:
            legal = self.game.legal_actions(state, local.player)
            shares = [float(chance) for _, chance in local.choices]
            drawn.append(self._rng.choices(legal, shares)[0])
        is_joint = self.game.current_player(state) == SIMULTANEOUS
        return tuple(drawn) if is_joint else drawn[0]


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

    def choose(self, history: History, player: int) -> Action:
        """An action for a player."""
        state = history[-1][0]
        if self.is_random:
            return self.any_of(self._counsel.game.legal_actions(state, player))
        try:
            advised = self._counsel.advise(history).action
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


def _sort_of(solution: Solution) -> str:
    """What behaviour is that leaves choices to chance."""
    match solution.status:
        case Status.MODEL:
            return "a model of behaviour"
        case Status.OPEN:
            return "nearly an equilibrium"
        case _:
            return "an equilibrium"
