"""The computer opponents of `play`: the adviser of `best`, or chance.

The game is solved before play begins; during play an answer keeps within the time limit, including
all attempts to solve. Randomness comes from the given generator.
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
from gamedsl.game.slices import relevant_game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.reports.solutions.best_moves import method_words, proof_words, sampled_words
from gamedsl.reports.solutions.policy import choice_words, is_mixed, worth_words
from gamedsl.solvers.advice.adviser import HEAD_START, Adviser
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.records import dataclass

BEFORE_PLAY = 5
"""Time before play begins, as a multiple of the time of a move."""


@dataclass(frozen=True, slots=True)
class Advice:
    """An advised action, with the method in words.

    Attributes:
        action: the action, or a joint action.
        how: the method in words.
        drawn: the mixed strategies from which the action is drawn.
        informed: the values of choices, in games with hidden information.
        answer: the solution or the estimate behind the action, where the choice is not mixed.
    """

    action: Action | JointAction
    how: str
    drawn: tuple[LocalStrategy, ...] = ()
    informed: tuple[InformedChoice, ...] = ()
    answer: Solution | Decision | None = None

    def words(self, game: Game, state: State, player: int) -> str:
        """The advised action of a player, by name or as probabilities."""
        name = repr(game.players[player])
        values = (
            worth_words(choice, name) for choice in self.informed if choice.local.player == player
        )
        more = "".join(f"; {words}" for words in values)
        for local in self.drawn:
            if local.player == player:
                return f"{choice_words(local)} ({self.how}{more})"
        action = self.action[player] if isinstance(self.action, tuple) else self.action
        return f"{game.action_name(state, action)} ({self.how})"


class Counsel:
    """Advice for a play, within `seconds` for an answer.

    Attributes:
        why_none: the reason for the lack of advice in the game; "" if advice is possible.
        seconds: the time for an answer.
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
        """`solution`: a known solution. `clock` returns the time in seconds."""
        self.game = game
        self.why_none = ""
        self._adviser = Adviser(
            game, rng, max_positions=max_positions, solution=solution, clock=clock
        )
        self._rng = rng
        self.seconds = seconds
        self._clock = clock
        self._quiet = quiet
        self._is_prepared = False
        self._can_estimate = self._adviser.can_estimate()
        self._samples = asks_for_chances(game) and not self._adviser.sampled.why_not

    def prepare(self, history: History, seconds: float | None = None) -> None:
        """Solve from the current position if soon possible, or prepare estimates.

        Games with secrets are solved from the start.
        """
        self._is_prepared = True
        state = history[0 if relevant_game(self.game).facts.has_secrets else -1][0]
        self._samples = self._samples and not self._adviser.sampled.refusal(history)
        known = self._adviser.solution
        if known is not None and (known.informed is not None or state in known):
            return
        most = self.seconds * BEFORE_PLAY if seconds is None else seconds
        begun = self._clock()
        try:
            with ProgressLine("solving", self._quiet) as progress:
                solution = self._adviser.solve(state, most, self._preparing(state, most, progress))
        except UnsupportedGameError as refusal:
            self._adviser.why_not = refusal.reason
            solution = None
        if solution is None and self._samples:
            with ProgressLine("preparing", self._quiet):
                self._adviser.sampled.prepare(history, most)
        elif solution is None and not self._can_estimate:
            self.why_none = self._adviser.why_not
        elif solution is None:
            with ProgressLine("preparing", self._quiet):
                self._adviser.prepare(state, max(0.0, begun + most - self._clock()))

    def _preparing(self, state: State, seconds: float, progress: Progress) -> Progress:
        """A progress callback that prepares estimates if solving takes more than a moment."""
        soon = self._clock() + seconds * HEAD_START

        def listen(explored: int, waiting: int) -> None:
            if self._can_estimate and self._clock() > soon:
                self._adviser.prepare(state)
            progress(explored, waiting)

        return listen

    def informed(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice under hidden information, and the choice's value; None if unknown."""
        self.known(history)
        solution = self._adviser.solution
        choices = () if solution is None else solution.informed_choices(history)
        return next((choice for choice in choices if choice.local.player == player), None)

    def known(self, history: History) -> Solution | None:
        """Like `solution_at`, but with a search for a solution if not yet attempted."""
        if not self._is_prepared:
            self.prepare(history, self.seconds)
        return self.solution_at(history[-1][0])

    def solution_at(self, state: State) -> Solution | None:
        """The solution, if known for the state."""
        solution = self._adviser.solution
        return solution if solution is not None and state in solution else None

    @property
    def why_unsolved(self) -> str:
        """The reason for the lack of a solution by positions."""
        solution = self._adviser.solution
        if solution is not None and solution.informed is not None:
            return f"players do not see the whole position; of the game: {solution.outcome}"
        return self.why_none or self._adviser.why_not or "nothing is solved yet"

    def words(self) -> str:
        """A description of the adviser."""
        solution = self._adviser.solution
        if solution is not None and solution.strategies:
            mixes = ", which mixes by chance" if any(map(is_mixed, solution.strategies)) else ""
            return f"{_sort_of(solution)}{mixes}: {solution.outcome}"
        if solution is not None:
            return f"the solution: {solution.outcome}"
        how = "outcome sampling" if self._samples else self._adviser.method
        return f"{how}, {self.seconds:g} s a move; not solved: {self._adviser.why_not}"

    def advise(self, history: History) -> Advice:
        """The action to play, within the time limit; a joint action for simultaneous moves.

        Raises UnsupportedGameError if no advice is possible.
        """
        begun, state, answer = self._clock(), history[-1][0], None
        can_answer = self._can_estimate and self.game.current_player(state) >= 0
        if not self._is_prepared and can_answer and self.solution_at(state) is None:
            self._is_prepared = True
            answer = self._adviser.answer(state, self.seconds)
        elif not self._is_prepared:
            self.prepare(history, self.seconds)
        if self.why_none:
            raise UnsupportedGameError(self.why_none)
        solution = self._adviser.solution
        if solution is None and self._samples:
            left = max(0.0, begun + self.seconds - self._clock())
            sampled = self._adviser.sampled.answer(history, seconds=left)
            drawn = tuple(choice.local for choice in sampled.choices)
            return Advice(self._drawn(state, drawn), sampled_words(sampled), drawn, sampled.choices)
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
            return Advice(best, proof_words(solution), answer=solution)
        if answer is None and len(self.game.players) == 1:
            answer = self._adviser.answer(state, self.seconds)
        if answer is None:
            left = max(0.0, begun + self.seconds - self._clock())
            answer = self._adviser.estimate(state, seconds=left)
        if isinstance(answer, Solution):
            move = max(answer.moves, key=lambda move: (move.is_best, move.makes_progress))
            return Advice(move.action, proof_words(answer), answer=answer)
        decision = answer
        assert decision.action is not None, "a player is to move"
        return Advice(decision.action, method_words(decision), answer=decision)

    def _drawn(self, state: State, strategies: tuple[LocalStrategy, ...]) -> Action | JointAction:
        """The action of the player to move, or an action per player, drawn by probability."""
        drawn = []
        for local in strategies:
            legal = self.game.legal_actions(state, local.player)
            shares = [float(chance) for _, chance in local.choices]
            drawn.append(self._rng.choices(legal, shares)[0])
        is_joint = self.game.current_player(state) == SIMULTANEOUS
        return tuple(drawn) if is_joint else drawn[0]


class Chooser:
    """Chooses the actions of the players controlled by the computer.

    Attributes:
        words: a description of the chooser.
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
        """A uniformly random action."""
        return self._rng.choice(tuple(actions))

    def draw(self, state: State) -> Action:
        """The outcome of a chance event, drawn by probability."""
        outcomes = self._counsel.game.chance_outcomes(state)
        weights = [float(chance) for _, chance in outcomes]
        return self._rng.choices([outcome for outcome, _ in outcomes], weights)[0]


def _sort_of(solution: Solution) -> str:
    """The kind of behaviour in a solution with mixed strategies."""
    match solution.status:
        case Status.MODEL:
            return "a model of behaviour"
        case Status.OPEN:
            return "nearly an equilibrium"
        case _:
            return "an equilibrium"
