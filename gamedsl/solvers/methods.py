"""Names of the algorithms of `solve`, and the requirements of each algorithm.

Gives the algorithm for a name, the requirements, and the reason why an algorithm does not apply to
a game, as far as the rules and a look at the graph show. Nothing is explored or solved here. A new
solver gets a name and requirements here, and a row in `strategies` with the condition for choosing
the solver.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.requirements import EXACT_SOLVING, SEARCH, Requirement, refuse_unless
from gamedsl.source.choices import Choice

IN_NATIVE_CODE = " in native code"


class SolverName(Choice):
    """The algorithms available to `solve`."""

    BACKWARD_INDUCTION = "backward induction"
    NATIVE_INDUCTION = "backward induction in native code"
    RETROGRADE = "retrograde analysis"
    NATIVE_RETROGRADE = "retrograde analysis in native code"
    VALUE_ITERATION = "value iteration"
    NATIVE_VALUE_ITERATION = "value iteration in native code"
    NATIVE_TURNS = "backward induction turn by turn in native code"
    POLICY_ITERATION = "policy iteration"
    DOMINANCE = "iterated dominance"
    DOMINANT = "dominant strategies"
    INFORMATION = "expectimax on information sets"
    STAGES = "matrix games stage by stage"
    STRATEGY_IMPROVEMENT = "strategy improvement"
    SEQUENCE_FORM = "linear program on sequences"
    REGRETS = "regret minimisation"
    CFR = "CFR"
    CFR_PLUS = "CFR+"
    LINEAR_CFR = "linear CFR"
    DISCOUNTED_CFR = "discounted CFR"
    PREDICTIVE_CFR_PLUS = "predictive CFR+"
    EXTERNAL_SAMPLING = "external-sampling MCCFR"
    NORMAL_FORM = "equilibria of the normal form"
    TEAM = "best joint plan"
    QUANTAL_RESPONSE = "quantal response"
    STATIONARY = "stationary best replies"
    NATIVE_ALPHA_BETA = "alpha-beta in native code"
    NATIVE_PROOF_NUMBERS = "proof-number search in native code"
    SHORTEST_SOLUTION = "breadth-first search"
    NATIVE_SHORTEST_SOLUTION = "breadth-first search in native code"
    NATIVE_DEEPENING = "IDA* in native code"

    @property
    def slug(self) -> str:
        """The name as written on a command line: `backward-induction`."""
        return self.lower().replace(" ", "-")

    @property
    def is_native(self) -> bool:
        """Whether the algorithm is native code, chosen by the engine of a game."""
        return self.endswith(IN_NATIVE_CODE)


LEARNING = (
    SolverName.CFR,
    SolverName.CFR_PLUS,
    SolverName.LINEAR_CFR,
    SolverName.DISCOUNTED_CFR,
    SolverName.PREDICTIVE_CFR_PLUS,
    SolverName.EXTERNAL_SAMPLING,
)
"""Rules of regret minimisation, which report their own learning curves."""

NAMED = tuple(name for name in SolverName if not name.is_native)
"""Algorithms that can be chosen by name."""


def by_slug(text: str) -> SolverName | None:
    """The algorithm named on a command line; None if the name is unknown."""
    return next((name for name in NAMED if name.slug == text.lower()), None)


Requirements = frozenset[Requirement]

BY_OPPOSED_VALUES = EXACT_SOLVING | {Requirement.STRICTLY_COMPETITIVE}
FROM_THE_END = SEARCH | {Requirement.DETERMINISTIC, Requirement.STRICTLY_COMPETITIVE}
BY_ONE_PLAY = SEARCH | {Requirement.ONE_PLAYER, Requirement.DETERMINISTIC}
BY_STAGES = frozenset(
    {Requirement.PERFECT_INFORMATION, Requirement.SIMULTANEOUS, Requirement.LAST_MOVE}
)
BY_PLAYS = frozenset(
    {
        Requirement.HIDDEN_OR_SIMULTANEOUS,
        Requirement.COUNTABLE_PLAYS,
        Requirement.SEVERAL_PLAYERS,
        Requirement.FROM_THE_START,
    }
)
"""Requirements of solvers of the extensive form."""

REQUIRES: Mapping[SolverName, Requirements] = {
    SolverName.BACKWARD_INDUCTION: EXACT_SOLVING | {Requirement.LAST_MOVE},
    SolverName.NATIVE_INDUCTION: EXACT_SOLVING,
    SolverName.RETROGRADE: FROM_THE_END,
    SolverName.NATIVE_RETROGRADE: EXACT_SOLVING,
    SolverName.VALUE_ITERATION: BY_OPPOSED_VALUES,
    SolverName.NATIVE_VALUE_ITERATION: EXACT_SOLVING,
    SolverName.NATIVE_TURNS: EXACT_SOLVING,
    SolverName.POLICY_ITERATION: EXACT_SOLVING | {Requirement.PAID_ON_THE_WAY},
    SolverName.DOMINANCE: BY_STAGES,
    SolverName.DOMINANT: BY_STAGES,
    SolverName.INFORMATION: frozenset(
        {Requirement.SEQUENTIAL, Requirement.HIDDEN_FROM_ONE, Requirement.FROM_THE_START}
    ),
    SolverName.STAGES: BY_STAGES,
    SolverName.STRATEGY_IMPROVEMENT: frozenset(
        {Requirement.PERFECT_INFORMATION, Requirement.SIMULTANEOUS, Requirement.OPPOSED}
    ),
    SolverName.SEQUENCE_FORM: BY_PLAYS | {Requirement.TWO_PLAYERS},
    SolverName.REGRETS: BY_PLAYS,
    **dict.fromkeys(LEARNING, BY_PLAYS),
    SolverName.NORMAL_FORM: BY_PLAYS,
    SolverName.TEAM: frozenset({Requirement.SEVERAL_PLAYERS, Requirement.UNOPPOSED}),
    SolverName.QUANTAL_RESPONSE: BY_PLAYS,
    SolverName.STATIONARY: EXACT_SOLVING | {Requirement.SEVERAL_PLAYERS, Requirement.UNOPPOSED},
    SolverName.NATIVE_ALPHA_BETA: FROM_THE_END
    | {Requirement.LAST_MOVE, Requirement.SEVERAL_PLAYERS},
    SolverName.NATIVE_PROOF_NUMBERS: FROM_THE_END | {Requirement.OPPOSED},
    SolverName.SHORTEST_SOLUTION: BY_ONE_PLAY,
    SolverName.NATIVE_SHORTEST_SOLUTION: BY_ONE_PLAY,
    SolverName.NATIVE_DEEPENING: BY_ONE_PLAY,
}


def required_to_begin(solver: SolverName | None) -> Requirements:
    """Requirements checked before exploration; empty without a named algorithm, since every kind of
    game has a solver."""
    return frozenset() if solver is None else REQUIRES[solver] & EXACT_SOLVING


def why_not(game: Game, solver: SolverName, *, returns: bool, is_begun: bool = False) -> str | None:
    """The reason why an algorithm does not apply, as a sentence; None if no obstacle is known.

    `returns`: play is known to return to an earlier position; `is_begun`: the position is not the
    first.
    """
    seen = {
        Requirement.LAST_MOVE: not returns,
        Requirement.COUNTABLE_PLAYS: not returns,
        Requirement.FROM_THE_START: not is_begun,
    }
    try:
        refuse_unless(game, REQUIRES[solver], seen=seen)
    except UnsupportedGameError as refusal:
        return refusal.reason
    return None
