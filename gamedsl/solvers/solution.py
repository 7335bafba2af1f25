"""What solving a game found: the value, the best actions, how it is known.

In: nothing; these are the results that `planner.solve` makes. Out: values for reports and players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction

from gamedsl.game.contract import Action, JointAction
from gamedsl.game.notebook import drawn
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State
from gamedsl.solvers.equilibria.extensive_form import FormSize
from gamedsl.solvers.equilibria.families import Family
from gamedsl.solvers.equilibria.informed_play import InformedChoice, InformedPlay
from gamedsl.solvers.equilibria.learning_curve import LearningCurve
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.exact.information_sets import PlanStep
from gamedsl.solvers.exact.lengths import Lengths, lengths_of
from gamedsl.solvers.exact.solved import Mixtures, Solved
from gamedsl.solvers.exact.stage_strategies import stage_choices
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.form import Mixture
from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
from gamedsl.solvers.normal_form.solve import Equilibria
from gamedsl.source.choices import Choice
from gamedsl.source.records import dataclass


class Status(StrEnum):
    """How much is proved (Allis, "Searching for solutions in games and AI", 1994, section 1.2)."""

    STRONG = "strong"
    """The value of every reachable position is known."""
    WEAK = "weak"
    """The value of the first position is known, and play that achieves it."""
    ULTRA_WEAK = "ultra-weak"
    """The value of the first position is known, but no play that achieves it."""
    MODEL = "model"
    """What players do by a model of behaviour, as was asked; best play is another question."""
    OPEN = "open"
    """Not solved: the search ran out of its budget, or a value is not near enough."""


class Limit(Choice):
    """What a search ended at that did not finish."""

    TIME = "time"
    MEMORY = "memory"
    POSITIONS = "positions"
    """As many as were asked for."""
    USUAL_POSITIONS = "usual positions"
    """As many as are looked at where nobody asks for a number of them."""


class Others(StrEnum):
    """What is known of equilibria besides that whose payoffs are the value of a solution."""

    NONE = "none"
    """There are none, or all count for the same: a player alone, opposed interests, a team."""
    LISTED = "listed"
    """There are others, and `alternatives` are all payoffs of theirs that differ; or those of the
    ends, where they are connected."""
    POSSIBLE = "possible"
    """There may be others that are not listed."""


class Goal(Choice):
    """What `solve` is asked for at least; where it is as quick, more is found."""

    VALUE = "value"
    """The value of the first position; of its actions only what costs little more."""
    PLAY = "play"
    """The value of the first position, with play that achieves it."""
    ALL = "all"
    """The value of every position that can be reached."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """An action of a position (of all players, where they choose at once), and what best play
    gives after it.

    Attributes:
        value: payoffs of all players, in turn order.
        plies: plies from the position to the end, this move included; None with chance, without
            end, or where it has not been looked for (status WEAK).
        is_best: whether the action is optimal for the player to move: no other has a better value.
        makes_progress: whether it also keeps the length of best play, where that is known: of the
            best actions the shortest if the mover is ahead, those that last longest if behind.
    """

    action: Action | JointAction
    name: str
    value: Vector
    plies: int | None
    is_best: bool
    makes_progress: bool


@dataclass(frozen=True, slots=True)
class OutcomeValue:
    """A result of a chance event, and what best play gives after it.

    Attributes:
        value: payoffs of all players, in turn order.
        best: names of the best actions of who moves next; none where another chance event is next.
    """

    name: str
    probability: Fraction
    value: Vector
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """A game, or a position of it, solved as far as the budget allowed.

    Attributes:
        game: its title.
        parameters: names and bound values, as text.
        players: their names in turn order.
        status: how much is proved; where it is OPEN, `value` may still be given with its bound.
        value: payoffs of all players under best play, in turn order; None if not known. Exact if
            `error_bound` is 0, else decimals.
        error_bound: proven bound on the error of every payoff given here.
        outcome: the value in words.
        positions: states where a player is to move or the game is over; those found so far, if
            the search did not finish.
        terminals: how many of them are endings; chance_nodes: chance events, not among them.
        best: names of all optimal first actions, in declaration order.
        moves: every first action with its value; where the status is WEAK, the best ones only.
        undecided: names of first actions of which it is not known whether they are as good; some
            only where the status is WEAK.
        plies: length of best play in plies; None with chance or without end.
        principal_variation: names of the actions of best play, up to the first chance event or
            repetition.
        win_probability: the first player's probability of winning under best play, where every
            play ends and pays one player 1 and the other (if there is one) -1; else None.
        ties: one sentence if other ways of breaking ties give other payoffs, else None.
        alternatives: those other payoffs, where they could be listed.
        plan: where the player does not see everything, what to do in the information sets that
            best play can reach.
        strategies: where choosing takes chance, with what probabilities each player chooses.
        form: the size of the extensive form, where that was gone through.
        kind: what kind of answer it is, in one sentence, where it is not the value of best play
            against any play of the others; else None.
        seconds: wall-clock time that solving took; compiling: how much of it machine code took to
            be made.
        solved: values of all states, if the status is STRONG.
        equilibria: those of the normal form, where interests are not opposed and all choose at
            once, or do not see everything; `value` is that of the first.
        families: of small games with opposed interests all optimal plans of each player who has
            several.
        proved: what is proved of the value where it is not known, in words; None if nothing is.
        settings: those of `parameters` that are not as the file has them.
        informed: where players do not see everything, what each does by what it has seen.
        learning: where a rule of regret minimisation was asked for, how near it came and when.
        response: where a quantal response equilibrium was asked for, its precision and proof.
        limit: what the search ended at, where the status is OPEN and it was begun; else None.
        ways: what may still answer, in words, where the status is OPEN and nothing is known.
        others: what is known of other equilibria, which are as good an answer.
    """

    game: str
    parameters: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    status: Status
    value: Vector | None
    error_bound: Fraction
    outcome: str
    positions: int
    terminals: int
    chance_nodes: int
    best: tuple[str, ...]
    moves: tuple[MoveValue, ...]
    undecided: tuple[str, ...]
    plies: int | None
    principal_variation: tuple[str, ...]
    win_probability: Fraction | None
    ties: str | None
    alternatives: tuple[Vector, ...]
    plan: tuple[PlanStep, ...]
    strategies: Sequence[LocalStrategy]
    form: FormSize | None
    kind: str | None
    solver: SolverName | None
    seconds: float
    solved: Solved | None = field(default=None, compare=False, repr=False)
    equilibria: Equilibria | None = field(default=None, compare=False, repr=False)
    proved: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    families: tuple[Family, ...] = field(default=(), compare=False, repr=False)
    informed: InformedPlay | None = field(default=None, compare=False, repr=False)
    learning: LearningCurve | None = None
    response: QuantalResponse | None = None
    limit: Limit | None = None
    ways: tuple[str, ...] = ()
    compiling: float = field(default=0.0, compare=False)
    others: Others = Others.NONE

    @property
    def progress(self) -> tuple[str, ...]:
        """Names of the best first actions that also keep the length of best play."""
        return tuple(move.name for move in self.moves if move.makes_progress)

    @property
    def payoffs(self) -> tuple[Vector, ...]:
        """What the equilibria pay that are known, each once; that of `value` first."""
        return () if self.value is None else (self.value, *self.alternatives)

    @property
    def is_exact(self) -> bool:
        """Whether the value is known without error."""
        return self.value is not None and self.error_bound == 0

    @property
    def has_winners(self) -> bool:
        """Whether values are those of endings, and these wins, losses and draws: no rewards, no
        discount, no numbers paid to a lone player."""
        if self.solved is None:
            return True
        facts = self.solved.game.facts
        return facts.pays_at_the_end and facts.has_winners

    def __contains__(self, state: object) -> bool:
        return self.solved is not None and state in self.solved

    def value_at(self, state: State) -> Vector:
        """Payoffs of best play from a solved state; KeyError if `state not in self`."""
        return self._solved(state).value(state)

    def remoteness(self, state: State) -> int | None:
        """Plies to the end under best play; None with chance or without end."""
        return self._solved(state).remoteness(state)

    def choice(self, state: State) -> Action | JointAction | None:
        """An optimal action that also makes progress, of all where they choose at once; None where
        nobody chooses."""
        return self._solved(state).choice(state)

    def mixture(self, state: State) -> Mixtures | None:
        """For each player the actions with the probabilities of choosing them, where all choose at
        once and by chance; else None."""
        return self._solved(state).mixture(state)

    def strategies_at(self, history: History, number: int = 0) -> tuple[LocalStrategy, ...]:
        """With what probabilities each player chooses who is to choose after a history, where they
        do not see everything or all choose at once; () if that is not known, or another
        question. `number`: of the equilibrium, where there are several `equilibria`."""
        state = history[-1][0]
        if self.informed is not None:
            choices = self.informed_choices(history)
            if not number:
                return tuple(one.local for one in choices)
            assert self.equilibria is not None, "one of several"
            return tuple(self.equilibria.found[number].behaviour[one.place] for one in choices)
        found = stage_choices(self._solved(state), history) if state in self else ()
        if number and len(history) == 1 and self.equilibria is not None:
            mixtures = self.equilibria.found[number].mixtures
            found = tuple(map(_with_chances, found, mixtures))
        return found

    def informed_choices(self, history: History) -> tuple[InformedChoice, ...]:
        """What each player does who is to choose after a history, by what it has seen; () where
        they see everything, or where no history of the game looks like it."""
        if self.informed is None:
            return ()
        game = self.informed.game
        mover = game.current_player(history[-1][0])
        players = game.players if mover == SIMULTANEOUS else (mover,) if mover >= 0 else ()
        found = (self.informed.at(history, int(player)) for player in players)
        return tuple(one for one in found if one is not None)

    def moves_at(self, state: State) -> tuple[MoveValue, ...]:
        """Every action of the player to move with its value; KeyError if not solved."""
        return move_values(self._solved(state), state)

    def lengths(self) -> Lengths:
        """How many positions there are by result and length of best play, and the hardest ones.

        Raises UnsupportedGameError unless every position is solved and its play has a length.
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
        """The results of the chance event with which the position begins, if it does so and is
        solved."""
        if self.solved is None or self.moves:
            return ()
        game, root = self.solved.game, next(iter(self.solved.states))
        if game.current_player(root) != CHANCE:
            return ()
        return tuple(
            self._outcome(root, outcome, share) for outcome, share in game.chance_outcomes(root)
        )

    def _outcome(self, state: State, outcome: Action, share: Fraction) -> OutcomeValue:
        solved = self._solved(state)
        after = solved.game.result(state, outcome)
        best = tuple(
            solved.game.action_name(after, move.action)
            for move in solved.assessed(after)
            if move.is_best
        )
        name = solved.game.action_name(state, outcome)
        return OutcomeValue(name, share, solved.value(after), best)

    def __str__(self) -> str:
        return drawn("solution_words", self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn("solution_html", self)

    def _solved(self, state: State) -> Solved:
        if self.solved is None or state not in self.solved:
            raise KeyError(state)
        return self.solved


def _with_chances(local: LocalStrategy, mixture: Mixture) -> LocalStrategy:
    names = (name for name, _ in local.choices)
    return replace(local, choices=tuple(zip(names, mixture, strict=True)))


def move_values(solved: Solved, state: State) -> tuple[MoveValue, ...]:
    """Every action of the player to move, in declaration order, with what it is worth."""
    return tuple(
        MoveValue(
            found.action,
            solved.game.action_name(state, found.action),
            found.value,
            found.plies,
            found.is_best,
            found.makes_progress,
        )
        for found in solved.assessed(state)
    )
