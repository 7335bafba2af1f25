"""The table of solve methods: name, requirements, rank, condition and entry function.

A new solver needs a module with an entry function, and a name and a row here. Nothing is explored
or solved here; the module of a method is imported when the method runs. Conditions and entry
functions take a `Problem`, which this module does not import: problems hold options, and options
name a solver.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from gamedsl.game.accelerator import Refusal
from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.requirements import (
    BY_BEST_PLAY,
    BY_ONE_PLAY,
    EXACT_SOLVING,
    SEARCH,
    Requirement,
    refuse_unless,
)
from gamedsl.source.choices import Choice
from gamedsl.source.records import dataclass

IN_NATIVE_CODE = " in native code"


class SolverName(Choice):
    """The algorithms available to `solve`."""

    BACKWARD_INDUCTION = "backward induction"
    NATIVE_INDUCTION = "backward induction in native code"
    RETROGRADE = "retrograde analysis"
    NATIVE_RETROGRADE = "retrograde analysis in native code"
    VALUE_ITERATION = "value iteration"
    NATIVE_VALUE_ITERATION = "value iteration in native code"
    NATIVE_EXPECTIMINIMAX = "expectiminimax in native code"
    NATIVE_TURNS = "backward induction turn by turn in native code"
    POLICY_ITERATION = "policy iteration"
    DOMINANCE = "iterated dominance"
    DOMINANT = "dominant strategies"
    INFORMATION = "expectimax on information sets"
    STAGES = "matrix games stage by stage"
    NATIVE_STAGES = "matrix games stage by stage in native code"
    NATIVE_EQUILIBRIA = "equilibria stage by stage in native code"
    STRATEGY_IMPROVEMENT = "strategy improvement"
    SEQUENCE_FORM = "linear program on sequences"
    REGRETS = "regret minimisation"
    MERGED = "regret minimisation on merged histories"
    VIEWS = "regret minimisation on views"
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
    NATIVE_DEPTH_FIRST = "depth-first search in native code"
    BEST_FIRST = "best-first search"

    @classmethod
    def spellings(cls) -> dict[str, SolverName]:
        """The names of a command line."""
        return {name.slug: name for name in NAMED}

    @property
    def slug(self) -> str:
        """The name as written on a command line: `backward-induction`."""
        return SLUGS.get(self) or self.former_slug

    @property
    def former_slug(self) -> str:
        """The name in words with hyphens, understood besides: the slug of earlier versions."""
        return self.lower().replace(" ", "-")

    @property
    def is_native(self) -> bool:
        """Whether the algorithm is native code, chosen by the engine of a game."""
        return self.endswith(IN_NATIVE_CODE)


SLUGS = {
    SolverName.INFORMATION: "information-expectimax",
    SolverName.STAGES: "stage-games",
    SolverName.SEQUENCE_FORM: "sequence-form",
    SolverName.NORMAL_FORM: "normal-form",
    SolverName.STATIONARY: "markov-perfect",
    SolverName.MERGED: "merged-regrets",
    SolverName.VIEWS: "view-regrets",
}
"""Names of the field for the command line, where the names in reports are descriptions."""

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
    slug = text.lower()
    return next((name for name in NAMED if slug in (name.slug, name.former_slug)), None)


Requirements = frozenset[Requirement]
Condition = Callable[[Any], bool]
"""Whether a method suits a `Problem`, as far as the problem is known."""
Entry = Callable[[Any], Any]
"""Takes a `Problem`; returns a `Solution`, or None where the method fails."""

BY_OPPOSED_VALUES = EXACT_SOLVING | {Requirement.STRICTLY_COMPETITIVE}
FROM_THE_END = SEARCH | {Requirement.DETERMINISTIC, Requirement.STRICTLY_COMPETITIVE}
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


def never(problem: Any) -> bool:
    """The condition of methods that run only when chosen by name, or by another method."""
    return False


@dataclass(frozen=True, slots=True)
class SolveMethod:
    """A way to solve a game.

    Attributes:
        name: the algorithm; several algorithms of native code share one entry function, and the
            native code reports the algorithm used.
        entry: the entry function, as "module:function" below `gamedsl.solvers`. The function takes
            a `Problem` and returns a solution, or None where the method fails. Raises
            UnsupportedGameError if the game lacks a requirement: a caller who chose the method by
            name has not asked `applies`.
        requires: properties that the game must have.
        needs_graph: whether every state has to be explored first.
        applies: whether the method suits the game, as far as is known.
    """

    name: SolverName
    entry: str
    requires: Requirements
    needs_graph: bool = False
    applies: Condition = never

    def entry_function(self) -> Entry:
        """The entry function, with its module imported."""
        module, function = self.entry.split(":")
        entry: Entry = getattr(import_module(f"gamedsl.solvers.{module}"), function)
        return entry


def _has_secrets(problem: Any) -> bool:
    return bool(problem.game.facts.has_secrets)


def _asks_for_value(problem: Any) -> bool:
    return bool(problem.options.wants_value and problem.suits_native)


def _may_find_one_play(problem: Any) -> bool:
    return bool(problem.may_find_one_play and not problem.is_whole)


METHODS = (
    SolveMethod(
        SolverName.INFORMATION,
        "running.beliefs:by_information_sets",
        frozenset(
            {Requirement.SEQUENTIAL, Requirement.HIDDEN_FROM_ONE, Requirement.FROM_THE_START}
        ),
        applies=lambda problem: _has_secrets(problem) and len(problem.game.players) == 1,
    ),
    SolveMethod(
        SolverName.TEAM,
        "running.teams:by_team",
        frozenset({Requirement.SEVERAL_PLAYERS, Requirement.UNOPPOSED, Requirement.TEAM}),
        applies=lambda problem: problem.team is not None,
    ),
    SolveMethod(
        SolverName.MERGED,
        "running.views:by_merged_histories",
        BY_PLAYS | {Requirement.TWO_PLAYERS},
        applies=lambda problem: _has_secrets(problem) and problem.form_analysis.has_many_histories,
    ),
    SolveMethod(
        SolverName.VIEWS,
        "running.views:by_views",
        BY_PLAYS | {Requirement.TWO_PLAYERS},
        applies=lambda problem: _has_secrets(problem) and problem.form_analysis.has_many_histories,
    ),
    SolveMethod(
        SolverName.NORMAL_FORM,
        "running.forms:by_normal_form",
        BY_PLAYS,
        applies=lambda problem: _has_secrets(problem) and problem.form_analysis.has_normal_form,
    ),
    SolveMethod(
        SolverName.SEQUENCE_FORM,
        "running.forms:by_sequence_form",
        BY_PLAYS | {Requirement.TWO_PLAYERS},
        applies=lambda problem: _has_secrets(problem) and problem.form_analysis.has_few_sequences,
    ),
    SolveMethod(
        SolverName.REGRETS, "running.forms:by_regret_minimisation", BY_PLAYS, applies=_has_secrets
    ),
    SolveMethod(SolverName.QUANTAL_RESPONSE, "running.forms:by_quantal_response", BY_PLAYS),
    *(SolveMethod(rule, "running.forms:by_learning", BY_PLAYS) for rule in LEARNING),
    SolveMethod(
        SolverName.NATIVE_ALPHA_BETA,
        "running.value_search:by_value_search",
        FROM_THE_END | {Requirement.LAST_MOVE, Requirement.SEVERAL_PLAYERS},
        applies=_asks_for_value,
    ),
    SolveMethod(
        SolverName.NATIVE_PROOF_NUMBERS,
        "running.proof_search:by_forced_win",
        FROM_THE_END | {Requirement.OPPOSED},
        applies=_asks_for_value,
    ),
    SolveMethod(
        SolverName.BEST_FIRST,
        "running.native:by_guesses",
        BY_BEST_PLAY,
        applies=lambda problem: (
            problem.options.wants_value and problem.may_find_best_play and not problem.is_whole
        ),
    ),
    SolveMethod(
        SolverName.NATIVE_DEPTH_FIRST,
        "running.native:by_depth_first_search",
        BY_BEST_PLAY,
        applies=lambda problem: _asks_for_value(problem) and problem.may_find_best_play,
    ),
    SolveMethod(
        SolverName.NATIVE_TURNS,
        "running.native:by_turns",
        EXACT_SOLVING,
        applies=lambda problem: problem.suits_turns,
    ),
    SolveMethod(
        SolverName.NATIVE_INDUCTION,
        "running.native:by_native_code",
        EXACT_SOLVING,
        applies=lambda problem: problem.suits_native,
    ),
    SolveMethod(SolverName.NATIVE_RETROGRADE, "running.native:by_native_code", EXACT_SOLVING),
    SolveMethod(SolverName.NATIVE_EXPECTIMINIMAX, "running.native:by_native_code", EXACT_SOLVING),
    SolveMethod(SolverName.NATIVE_VALUE_ITERATION, "running.native:by_native_code", EXACT_SOLVING),
    SolveMethod(SolverName.NATIVE_STAGES, "running.native:by_native_code", BY_STAGES),
    SolveMethod(SolverName.NATIVE_EQUILIBRIA, "running.native:by_native_code", BY_STAGES),
    SolveMethod(
        SolverName.STRATEGY_IMPROVEMENT,
        "running.cyclic_stages:by_strategy_improvement",
        frozenset({Requirement.PERFECT_INFORMATION, Requirement.SIMULTANEOUS, Requirement.OPPOSED}),
        needs_graph=True,
        applies=lambda problem: problem.analysis.has_opposed_stages and problem.analysis.can_return,
    ),
    SolveMethod(
        SolverName.DOMINANCE,
        "running.stages:by_stages",
        BY_STAGES,
        needs_graph=True,
        applies=lambda problem: problem.game.facts.is_simultaneous,
    ),
    SolveMethod(SolverName.DOMINANT, "running.stages:by_stages", BY_STAGES, needs_graph=True),
    SolveMethod(SolverName.STAGES, "running.stages:by_stages", BY_STAGES, needs_graph=True),
    SolveMethod(
        SolverName.BACKWARD_INDUCTION,
        "running.acyclic:by_backward_induction",
        EXACT_SOLVING | {Requirement.LAST_MOVE},
        needs_graph=True,
        applies=lambda problem: not problem.analysis.can_return,
    ),
    SolveMethod(
        SolverName.POLICY_ITERATION,
        "running.cyclic:by_policy_iteration",
        EXACT_SOLVING | {Requirement.PAID_ON_THE_WAY},
        needs_graph=True,
        applies=lambda problem: not problem.game.facts.pays_at_the_end,
    ),
    SolveMethod(
        SolverName.STATIONARY,
        "running.cyclic:by_stationary_equilibrium",
        EXACT_SOLVING | {Requirement.SEVERAL_PLAYERS, Requirement.UNOPPOSED},
        needs_graph=True,
        applies=lambda problem: problem.analysis.opposed_endless is None,
    ),
    SolveMethod(
        SolverName.RETROGRADE,
        "running.cyclic:by_retrograde_analysis",
        FROM_THE_END,
        needs_graph=True,
        applies=lambda problem: not problem.graph.has_chance,
    ),
    SolveMethod(
        SolverName.VALUE_ITERATION,
        "running.cyclic:by_value_iteration",
        BY_OPPOSED_VALUES,
        needs_graph=True,
        applies=lambda _: True,
    ),
    SolveMethod(
        SolverName.NATIVE_SHORTEST_SOLUTION,
        "running.native:by_native_search",
        BY_ONE_PLAY,
        applies=lambda problem: _may_find_one_play(problem) and problem.suits_native,
    ),
    SolveMethod(SolverName.NATIVE_DEEPENING, "running.native:by_native_search", BY_ONE_PLAY),
    SolveMethod(
        SolverName.SHORTEST_SOLUTION,
        "running.puzzles:by_shortest_solution",
        BY_ONE_PLAY,
        applies=_may_find_one_play,
    ),
)
"""The methods by rank: the first applicable method that succeeds is used. Values of all states come
before a single play."""
METHOD = {method.name: method for method in METHODS}
"""The row of each algorithm."""


def required_to_begin(solver: SolverName | None) -> Requirements:
    """Requirements checked before exploration; empty without a named algorithm, since every kind of
    game has a solver."""
    return frozenset() if solver is None else METHOD[solver].requires & EXACT_SOLVING


def refusal(
    game: Game,
    solver: SolverName,
    *,
    returns: bool,
    is_begun: bool = False,
    is_team: bool = True,
) -> Refusal | None:
    """The reason why an algorithm does not apply, as a sentence; None if no obstacle is known.

    `returns`: play is known to return to an earlier position; `is_begun`: the position is not the
    first; `is_team`: nothing known excludes that all players want the same.
    """
    seen = {
        Requirement.LAST_MOVE: not returns,
        Requirement.COUNTABLE_PLAYS: not returns,
        Requirement.FROM_THE_START: not is_begun,
        Requirement.TEAM: is_team,
    }
    try:
        refuse_unless(game, METHOD[solver].requires, seen=seen)
    except UnsupportedGameError as error:
        return Refusal(error.reason)
    return None
