"""Results of solving a game: the value, the best actions, and the strength of the proof.

`planner.solve` makes these records for reports and players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from gamedsl import registry
from gamedsl.game.contract import Action, Game, JointAction, settings_of
from gamedsl.game.notebook import drawn
from gamedsl.game.slices import Slice
from gamedsl.game.steps import choosers
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.exact.lengths import Lengths, lengths_of
from gamedsl.solvers.exact.solved import Mixtures, Solved
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.verdicts import Advice, Answer, Obstacle, Outcome, Proved, TieBreaks
from gamedsl.source.choices import Choice
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.solvers.equilibria.extensive_form import FormSize
    from gamedsl.solvers.equilibria.families import Family
    from gamedsl.solvers.equilibria.informed_play import InformedChoice, InformedPlay
    from gamedsl.solvers.equilibria.learning_curve import LearningCurve
    from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
    from gamedsl.solvers.exact.information_sets import PlanStep
    from gamedsl.solvers.graphs.information import History
    from gamedsl.solvers.normal_form.form import Mixture
    from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
    from gamedsl.solvers.normal_form.solve import Equilibria


class Status(StrEnum):
    """How much is proved (Allis, "Searching for solutions in games and AI", 1994, section 1.2)."""

    STRONG = "strong"
    """The value of every reachable position is known."""
    WEAK = "weak"
    """The value of the first position is known, with play that achieves the value."""
    ULTRA_WEAK = "ultra-weak"
    """The value of the first position is known, but no play that achieves the value."""
    MODEL = "model"
    """Play by a model of behaviour, as requested; best play is not computed."""
    OPEN = "open"
    """Not solved: the search exhausted the budget, or a value is not precise enough."""


class Limit(Choice):
    """The limit at which an unfinished search ended."""

    TIME = "time"
    MEMORY = "memory"
    POSITIONS = "positions"
    """The number of positions requested."""
    USUAL_POSITIONS = "usual positions"
    """The default number of positions, where no number was requested."""


class Others(StrEnum):
    """Knowledge about further equilibria, besides the equilibrium that gives a solution's value."""

    NONE = "none"
    """No further equilibria, or only equivalent equilibria: one player, opposed interests, a
    team."""
    LISTED = "listed"
    """Further equilibria exist, and `alternatives` lists all different payoffs; where equilibria
    are connected, the payoffs of the ends."""
    POSSIBLE = "possible"
    """Further equilibria may exist that are not listed."""


class Goal(Choice):
    """The least result requested from `solve`; more is found where more costs no extra time."""

    VALUE = "value"
    """The value of the first position; results about actions only at little extra cost."""
    PLAY = "play"
    """The value of the first position, with play that achieves the value."""
    ALL = "all"
    """The value of every reachable position."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """An action (a joint action where all players choose at once), with the payoffs of best play
    after the action.

    Attributes:
        value: payoffs of all players, in turn order.
        plies: plies from the position to the end, including the action; None with chance, without
            end, or where no length was computed (status WEAK).
        is_best: whether the action is optimal for the player to move: no action has a better value.
        makes_progress: whether the action also keeps the length of best play, if known: of the best
            actions the shortest if the mover is ahead, the longest if behind.
    """

    action: Action | JointAction
    name: str
    value: Vector
    plies: int | None
    is_best: bool
    makes_progress: bool


@dataclass(frozen=True, slots=True)
class OutcomeValue:
    """A result of a chance event, with the payoffs of best play after the result.

    Attributes:
        value: payoffs of all players, in turn order.
        best: names of the best actions of the next player to move; empty before a further chance
            event.
    """

    name: str
    probability: Fraction
    value: Vector
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SolvedStates:
    """Evidence of a solution: the value of every state reachable from the root.

    Attributes:
        solved: the values, in a graph or a table.
        strategies: probabilities of each player's choices, where players choose at once.
        equilibria: equilibria of the first stage, where interests are not opposed.
    """

    solved: Solved = field(compare=False, repr=False)
    strategies: Sequence[LocalStrategy] = ()
    equilibria: Equilibria | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Evidence of a solution: a plan of one player with imperfect information.

    Attributes:
        informed: the player's actions, by the player's observations.
        plan: the actions in the information sets that best play can reach.
    """

    informed: InformedPlay = field(compare=False, repr=False)
    plan: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """Evidence of a solution: strategies of all players in the extensive form.

    Attributes:
        form: the size of the extensive form.
        informed: each player's choices, by the player's observations.
        strategies: probabilities of each player's choices.
        equilibria: equilibria of the normal form, where interests are not opposed.
        families: for small games with opposed interests, all optimal plans of each player with
            several optimal plans.
        learning: for a requested rule of regret minimisation, the distance from equilibrium by
            round.
        response: for a requested quantal response equilibrium, the precision and proof.
        paid: the payoffs of strategies that need not form an equilibrium; else empty.
    """

    form: FormSize
    informed: InformedPlay = field(compare=False, repr=False)
    strategies: Sequence[LocalStrategy] = ()
    equilibria: Equilibria | None = field(default=None, compare=False, repr=False)
    families: tuple[Family, ...] = field(default=(), compare=False, repr=False)
    learning: LearningCurve | None = None
    response: QuantalResponse | None = None
    paid: Vector = ()


Evidence: TypeAlias = SolvedStates | Beliefs | Profile | None
"""The evidence of a solution; None for a single line of play, a search, or an open game."""


T = TypeVar("T")


class FromEvidence(Generic[T]):
    """A field of a solution's evidence as an attribute of the solution, with the value where the
    evidence has no such field."""

    def __init__(self, otherwise: T) -> None:
        self._otherwise = otherwise

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, solution: Solution | None, owner: type | None = None) -> T:
        if solution is None:
            return self  # type: ignore[return-value]
        value: T = getattr(solution.evidence, self._name, self._otherwise)
        return value


class Sentence(Generic[T]):
    """The words of reports for a solution (`gamedsl.reports.solutions.sentences`) as an attribute
    of the solution."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, solution: Solution | None, owner: type | None = None) -> T:
        if solution is None:
            return self  # type: ignore[return-value]
        words: T = registry.say(self._name, solution)
        return words


@dataclass(frozen=True, slots=True)
class Solution:
    """A game, or a position of a game, solved as far as the budget allowed.

    Attributes:
        rules: the game, or its slice; no part of a comparison of solutions.
        status: how much is proved; where OPEN, `value` may still be given with an error bound.
        positions: states where a player is to move or the game is over; the number so far, if the
            search did not finish.
        terminals: number of endings among the positions; chance_nodes: chance events, not counted
            as positions.
        value: payoffs of all players under best play, in turn order; None if not known. Exact if
            `error_bound` is 0, else decimals.
        error_bound: proven bound on the error of every payoff given here.
        outcome_form: the form of `outcome`, the value in words.
        moves: every first action with the action's value; where the status is WEAK, the best
            actions only.
        undecided: names of first actions that may or may not be as good; only where the status is
            WEAK.
        plies: length of best play in plies; None with chance or without end.
        principal_variation: names of the actions of best play, up to the first chance event or
            repetition.
        win_probability: the first player's probability of winning under best play, where every play
            ends and pays one player 1 and the opponent (if any) -1; else None.
        tie_breaks: the effect of different ways of breaking ties; None if payoffs are the same.
        alternatives: the payoffs of different tie-breaking, where listed.
        others: knowledge about further equilibria, which are equally good answers.
        answer: the kind of answer, with remarks, where the value is not the value of best play
            against all play of the opponents; a kind read from a file is text.
        gain: the greatest gain by a deviation, for strategies near an equilibrium.
        solver: the algorithm; None where no algorithm finished.
        evidence: values of states, beliefs, or strategies, by the algorithm.
        facts_proved: facts proved about an unknown value; None if no fact is proved.
        limit: the limit that ended the search, where the status is OPEN and the search was begun;
            else None.
        obstacle: the reason why nothing is known; obstacle_words: its size, or the reason in words.
        advice: further attempts, where the status is OPEN without any result.
        seconds: wall-clock time of solving; compiling: the part spent on compiling machine code.
        part: the slice that was solved in place of the game; states of the game are answered by
            their states of the slice.
    """

    rules: Game = field(compare=False, repr=False)
    status: Status
    positions: int = 0
    terminals: int = 0
    chance_nodes: int = 0
    value: Vector | None = None
    error_bound: Fraction = Fraction(0)
    outcome_form: Outcome = Outcome.OPEN
    moves: tuple[MoveValue, ...] = ()
    undecided: tuple[str, ...] = ()
    plies: int | None = None
    principal_variation: tuple[str, ...] = ()
    win_probability: Fraction | None = None
    tie_breaks: TieBreaks | None = None
    alternatives: tuple[Vector, ...] = ()
    others: Others = Others.NONE
    answer: tuple[Answer, ...] | str = field(default=(), compare=False)
    gain: Fraction = Fraction(0)
    solver: SolverName | None = None
    evidence: Evidence = None
    facts_proved: Proved | None = None
    limit: Limit | None = None
    obstacle: Obstacle | None = None
    obstacle_words: str = ""
    advice: tuple[Advice, ...] = ()
    seconds: float = 0.0
    compiling: float = field(default=0.0, compare=False)
    part: Slice | None = field(default=None, compare=False, repr=False)

    @property
    def game(self) -> str:
        """The game's title."""
        return self.rules.name

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in turn order."""
        return tuple(self.rules.facts.players)

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Names and bound values of the game's parameters, as text."""
        return tuple(self.rules.parameters.items())

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The parameters that differ from the file."""
        return settings_of(self.rules)

    @property
    def best(self) -> tuple[str, ...]:
        """Names of all optimal first actions, in declaration order."""
        return tuple(move.name for move in self.moves if move.is_best)

    solved = FromEvidence["Solved | None"](None)
    """Values of all states, if the status is STRONG; else None."""
    equilibria = FromEvidence["Equilibria | None"](None)
    """Equilibria of the normal form, where interests are not opposed and all players choose at once
    or have imperfect information; `value` belongs to the first equilibrium."""
    strategies = FromEvidence["Sequence[LocalStrategy]"](())
    """Probabilities of each player's choices, where choices are randomised."""
    informed = FromEvidence["InformedPlay | None"](None)
    """With imperfect information, each player's actions by the player's observations."""
    plan = FromEvidence["tuple[PlanStep, ...]"](())
    """With imperfect information of one player, the actions in the information sets that best play
    can reach."""
    form = FromEvidence["FormSize | None"](None)
    """The size of the extensive form, where explored."""
    families = FromEvidence["tuple[Family, ...]"](())
    """For small games with opposed interests, all optimal plans of each player with several optimal
    plans."""
    learning = FromEvidence["LearningCurve | None"](None)
    """For a requested rule of regret minimisation, the distance from equilibrium by round."""
    response = FromEvidence["QuantalResponse | None"](None)
    """For a requested quantal response equilibrium, the precision and proof."""
    paid = FromEvidence[Vector](())
    """The payoffs of strategies that need not form an equilibrium."""

    outcome = Sentence[str]()
    """The value in words."""
    kind = Sentence["str | None"]()
    """The kind of answer, where the value is not the value of best play against all play of the
    opponents; else None."""
    ties = Sentence["str | None"]()
    """The effect of different ways of breaking ties, if payoffs differ; else None."""
    proved = Sentence["str | None"]()
    """Facts proved about an unknown value; None if no fact is proved."""
    ways = Sentence["tuple[str, ...]"]()
    """Suggestions for an answer, where the status is OPEN without any result."""

    @property
    def progress(self) -> tuple[str, ...]:
        """Names of the best first actions that also keep the length of best play."""
        return tuple(move.name for move in self.moves if move.makes_progress)

    @property
    def payoffs(self) -> tuple[Vector, ...]:
        """Payoffs of the known equilibria, without duplicates; `value` comes first."""
        return () if self.value is None else (self.value, *self.alternatives)

    @property
    def is_exact(self) -> bool:
        """Whether the value is known without error."""
        return self.value is not None and self.error_bound == 0

    @property
    def has_winners(self) -> bool:
        """Whether values are wins, losses and draws of endings, without rewards, discount or
        numbers paid to a lone player."""
        if self.solved is None:
            return True
        facts = self.solved.game.facts
        return facts.pays_at_the_end and facts.has_winners

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the variables and draws on which nothing depends; the positions are counted
        without them."""
        return tuple(getattr(self.rules, "left_out", ()))

    def state_of(self, state: State) -> State | None:
        """The state of the solved game for a state of the game; None if not known."""
        return state if self.part is None else self.part.state_of(state)

    def __contains__(self, state: object) -> bool:
        if self.solved is None or not isinstance(state, State):
            return False
        if self.part is not None and state.pending is not None:
            return _value_of(self, state) is not None
        return self.state_of(state) in self.solved

    def value_at(self, state: State) -> Vector:
        """Payoffs of best play from a solved state; KeyError if `state not in self`."""
        value = _value_of(self, state)
        if value is None:
            raise KeyError(state)
        return value

    def remoteness(self, state: State) -> int | None:
        """Plies to the end under best play; None with chance or without end."""
        if self.state_of(state) is None and state in self:
            return None
        solved, stands = self._solved(state)
        return solved.remoteness(stands)

    def choice(self, state: State) -> Action | JointAction | None:
        """An optimal action that also makes progress, or a joint action where players choose at
        once; None where no player chooses."""
        if self._is_by_chance(state):
            return None
        solved, stands = self._solved(state)
        return solved.choice(stands)

    def mixture(self, state: State) -> Mixtures | None:
        """Probabilities of each player's actions, where players randomise simultaneous choices;
        else None."""
        if self._is_by_chance(state):
            return None
        solved, stands = self._solved(state)
        return solved.mixture(stands)

    def strategies_at(self, history: History, number: int = 0) -> tuple[LocalStrategy, ...]:
        """Probabilities of the choices of each player to choose after a history.

        Given with imperfect information or simultaneous choices; () if unknown or not applicable.
        `number`: number of the equilibrium, where `equilibria` lists several.
        """
        from gamedsl.solvers.exact.stage_strategies import stage_choices
        from gamedsl.solvers.graphs.information import play_names

        state = history[-1][0]
        if self.informed is not None:
            choices = self.informed_choices(history)
            if not number:
                return tuple(choice.local for choice in choices)
            assert self.equilibria is not None, "one of several"
            return tuple(
                self.equilibria.equilibria[number].behaviour[choice.place] for choice in choices
            )
        if state not in self or self._is_by_chance(state):
            return ()
        game = self.rules if self.part is None else self.part.whole
        strategies = stage_choices(*self._solved(state), play_names(game, history))
        if number and len(history) == 1 and self.equilibria is not None:
            mixtures = self.equilibria.equilibria[number].mixtures
            strategies = tuple(map(_with_chances, strategies, mixtures))
        return strategies

    def informed_choices(self, history: History) -> tuple[InformedChoice, ...]:
        """Choices of each player to choose after a history, by the player's observations.

        Empty with perfect information, or where no history of the game matches the observations.
        """
        if self.informed is None:
            return ()
        game = self.informed.game
        choices = (self.informed.at(history, player) for player in choosers(game, history[-1][0]))
        return tuple(choice for choice in choices if choice is not None)

    def moves_at(self, state: State) -> tuple[MoveValue, ...]:
        """Every action of the player to move with the action's value; KeyError if not solved."""
        return () if self._is_by_chance(state) else move_values(*self._solved(state))

    def lengths(self) -> Lengths:
        """Numbers of positions by result and length of best play, and the hardest positions.

        Raises UnsupportedGameError unless every position is solved with a length of best play.
        """
        if self.solved is None:
            raise UnsupportedGameError(
                f"not every position of {self.game} has been solved",
                "smaller parameters, or a later position, may have few enough",
            )
        by_length = self.solved.by_length
        if by_length is None:
            raise UnsupportedGameError(
                f"best play of {self.game} has no length that is a number of plies, as chance "
                "has a part in it",
                "`gamedsl solve` without `--goal hardest` gives its value",
            )
        return lengths_of(by_length)

    @property
    def first_outcomes(self) -> tuple[OutcomeValue, ...]:
        """Results of the chance event in the first position, if solved; else ()."""
        if self.solved is None or self.moves:
            return ()
        game, root = self.solved.game, next(iter(self.solved.states))
        if game.current_player(root) != CHANCE:
            return ()
        return tuple(
            _outcome_value(self.solved, root, outcome, share)
            for outcome, share in game.chance_outcomes(root)
        )

    def __str__(self) -> str:
        return drawn("solution_words", self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn("solution_html", self)

    def _is_by_chance(self, state: State) -> bool:
        """Whether a chance event comes next in a solved state, where a slice was solved."""
        return self.part is not None and state.pending is not None and state in self

    def _solved(self, state: State) -> tuple[Solved, State]:
        """The solved states, and the state that stands for a given state."""
        stands = self.state_of(state)
        if self.solved is None or stands is None or stands not in self.solved:
            raise KeyError(state)
        return self.solved, stands


def _value_of(solution: Solution, state: State) -> Vector | None:
    """Payoffs of best play from a state; None if not solved."""
    if solution.solved is None:
        return None
    if solution.part is not None and state.pending is not None:
        return solution.part.mean(state, lambda after: _value_of(solution, after))
    stands = solution.state_of(state)
    if stands is None or stands not in solution.solved:
        return None
    return solution.solved.value(stands)


def _outcome_value(solved: Solved, root: State, outcome: Action, share: Fraction) -> OutcomeValue:
    after = solved.game.result(root, outcome)
    best = tuple(
        solved.game.action_name(after, move.action)
        for move in solved.assessed(after)
        if move.is_best
    )
    return OutcomeValue(solved.game.action_name(root, outcome), share, solved.value(after), best)


def _with_chances(local: LocalStrategy, mixture: Mixture) -> LocalStrategy:
    names = (name for name, _ in local.choices)
    return replace(local, choices=tuple(zip(names, mixture, strict=True)))


def with_evidence(solution: Solution, **changes: Any) -> Solution:
    """The solution with changed fields of its evidence."""
    assert solution.evidence is not None, "the solution has evidence"
    return replace(solution, evidence=replace(solution.evidence, **changes))


def move_values(solved: Solved, state: State) -> tuple[MoveValue, ...]:
    """Every action of the player to move, in declaration order, with the action's value."""
    return tuple(
        MoveValue(
            move.action,
            solved.game.action_name(state, move.action),
            move.value,
            move.plies,
            move.is_best,
            move.makes_progress,
        )
        for move in solved.assessed(state)
    )
