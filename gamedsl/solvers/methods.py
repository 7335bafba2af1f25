"""The table of solve methods: requirements, rank, entry function and condition of each algorithm.

A new solver needs a name in `solver_names`, a module with an entry function, and a row here.
Nothing is explored or solved here, and the module of a method is imported when the method runs.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from gamedsl.game.accelerator import Refusal
from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import (
    BY_ONE_PLAY,
    EXACT_SOLVING,
    SEARCH,
    Requirement,
    refuse_unless,
)
from gamedsl.solvers.solver_names import LEARNING, SolverName
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.solvers.solution import Solution

Requirements = frozenset[Requirement]
Condition = Callable[[Problem], bool]
Entry = Callable[[Problem], "Solution | None"]

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


def never(problem: Problem) -> bool:
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

    def run(self, problem: Problem) -> Solution | None:
        """Solves the game by the entry function."""
        return self.entry_function()(problem)


def _has_secrets(problem: Problem) -> bool:
    return problem.game.facts.has_secrets


def _asks_for_value(problem: Problem) -> bool:
    return problem.options.wants_value and problem.suits_native


def _may_find_one_play(problem: Problem) -> bool:
    return problem.may_find_one_play and not problem.is_whole


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
        frozenset({Requirement.SEVERAL_PLAYERS, Requirement.UNOPPOSED}),
        applies=lambda problem: problem.team is not None,
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
    SolveMethod(SolverName.NATIVE_VALUE_ITERATION, "running.native:by_native_code", EXACT_SOLVING),
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
    game: Game, solver: SolverName, *, returns: bool, is_begun: bool = False
) -> Refusal | None:
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
        refuse_unless(game, METHOD[solver].requires, seen=seen)
    except UnsupportedGameError as error:
        return Refusal(error.reason)
    return None
