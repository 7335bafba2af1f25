"""The facts about a solution that `gamedsl.reports.solutions.sentences` puts into sentences.

A solver answers with members of these enumerations; the numbers in the sentences are fields of the
solution.
"""

from __future__ import annotations

from enum import Enum, auto
from fractions import Fraction
from typing import TypeAlias

from gamedsl.game.accelerator import Payoffs
from gamedsl.source.records import dataclass


class Outcome(Enum):
    """The form of the headline of a solution."""

    OPEN = auto()
    """No value is known, for the solution's obstacle."""
    BOUNDS = auto()
    """The value lies between bounds that are too far apart."""
    CERTAIN = auto()
    """Best play leads to an ending, or a payoff, without chance."""
    ENDLESS = auto()
    """Best play never ends."""
    PROBABLE = auto()
    """Every ending is a win or a loss: the value is a probability of winning."""
    EXPECTED = auto()
    """Chance decides: the value lists expected payoffs."""
    PAYOFFS = auto()
    """Play pays on the way, without chance: the value lists payoffs."""
    EQUILIBRIA = auto()
    """The solution lists equilibria."""
    UNSETTLED = auto()
    """Strategies that need not form an equilibrium, with the payoffs of the strategies."""
    MODEL = auto()
    """Strategies by a model of behaviour, with the payoffs of the strategies."""


class Obstacle(Enum):
    """The reason why nothing is known about a game."""

    HISTORIES = auto()
    """Too many histories, with secrets."""
    OUT_OF_REACH = auto()
    """Far too many positions."""
    MEMORY = auto()
    """The positions, or the histories, fill the memory."""
    REPEATS = auto()
    """The rule `repeat` makes the history part of every position."""


class Answer(Enum):
    """A kind of answer, where the value is not the value of best play against all play, or a remark
    on the kind."""

    SUBGAME_PERFECT = auto()
    """Backward induction with unopposed interests."""
    PURE_PAY_THE_SAME = auto()
    """A remark: all subgame-perfect equilibria in pure strategies have the same payoffs."""
    TEAM = auto()
    """The best joint plan of players with identical interests."""
    BEST_FOR_ALL = auto()
    """A play that pays every player the most that any play pays."""
    NEARLY_TEAM = auto()
    """A joint plan with an upper bound on all joint plans."""
    SIDES = auto()
    """The value of two opposed sides that draw joint plans at random before play."""
    NEARLY_SIDES = auto()
    """As `SIDES`, within the error."""
    STATIONARY = auto()
    """An equilibrium of one action for each position, where play can return."""
    RETURNING = auto()
    """An equilibrium of probabilities for each position, where play can return."""
    NEARLY_RETURNING = auto()
    """As `RETURNING`, within the error."""
    REPETITIONS = auto()
    """The value of the first state, where a repetition is worth as much as endless play."""
    SEQUENCES = auto()
    """An equilibrium of two opposed players with imperfect information."""
    NEARLY_SEQUENCES = auto()
    """As `SEQUENCES`, within the error."""
    LEARNED_MERGED = auto()
    """As `NEARLY_SEQUENCES`; the error is the exploitability."""
    LEARNED_VIEWS = auto()
    """As `NEARLY_SEQUENCES`, by strategies of views; the error is the exploitability."""
    LEARNED = auto()
    """An equilibrium by regret minimisation, which need not find one."""
    NEARLY_LEARNED = auto()
    """Strategies by regret minimisation; `gain` bounds the gains by deviations."""
    SAMPLED = auto()
    """A remark: the strategies were learned from samples."""
    IRRATIONAL = auto()
    """Strategies near an equilibrium with irrational probabilities, within `gain`."""
    ALL_EQUILIBRIA = auto()
    """A list of all equilibria."""
    ENDS_OF_EQUILIBRIA = auto()
    """A list of the ends of connected equilibria."""
    SOME_EQUILIBRIA = auto()
    """A list of equilibria that may not be complete."""
    GIVEN_LATER = auto()
    """A remark: equilibria of the first stage, given the play after the stage."""
    LATER_EQUILIBRIA = auto()
    """A remark: later stages have several equilibria."""
    STAGES = auto()
    """Equilibria of all stages, with a common value."""
    PERFECT_STAGES = auto()
    """Equilibria of all stages; the first move is no simultaneous choice."""
    PURE_STAGES = auto()
    """Opposed interests: a saddle point in every stage."""
    ONLY_EQUILIBRIUM = auto()
    """The only equilibrium, of one stage, by dominance."""
    ONLY_PERFECT = auto()
    """The only subgame-perfect equilibrium, by dominance in every stage."""
    DOMINANT = auto()
    """An equilibrium of one stage in weakly dominant choices."""
    DOMINANT_PERFECT = auto()
    """A subgame-perfect equilibrium in weakly dominant choices."""
    QUANTAL_RESPONSE = auto()
    """A model of people who make mistakes."""


class TieBreaks(Enum):
    """The effect of different choices between equally good moves."""

    LISTED = auto()
    """The payoffs differ, and `Solution.alternatives` lists the payoffs."""
    TOO_MANY = auto()
    """The payoffs may differ; too many combinations to list."""


class Advice(Enum):
    """A further attempt at a game that was not solved."""

    SEARCH_LONGER = auto()
    ESTIMATE = auto()
    SMALLER_OR_LATER = auto()
    LATER = auto()
    MORE = auto()
    """A higher limit, by `Solution.limit`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The first of two players gets at least `low` and at most `high`; None: not bounded."""

    low: Payoffs | None
    high: Payoffs | None


NO_BOUNDS = Bounds(None, None)


@dataclass(frozen=True, slots=True)
class Approached:
    """A player gets arbitrarily near to the payoff `most`, but by no way to play the payoff."""

    player: int
    most: Fraction


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """Progress of a value search that asks which first actions keep the value.

    Attributes:
        value: the value of the position.
        best: names of the first actions that keep the value; has_more: the list is not complete.
        asked, count: numbers of the first actions asked so far, and of all first actions.
    """

    value: Payoffs
    best: tuple[str, ...]
    has_more: bool
    asked: int
    count: int


Proved: TypeAlias = Bounds | Approached
"""Facts proved about an unknown value."""
Progressed: TypeAlias = Bounds | FirstMoves
"""Facts proved so far during a search for a value."""
