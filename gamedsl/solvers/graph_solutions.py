"""Solutions from solved graphs and tables: the value in numbers and words, the moves, best play."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.solvers.decimals import DisplayedValues, paid_in_plays
from gamedsl.solvers.exact.outcomes import (
    chance_of_winning,
    outcome_by_chance,
    outcome_of_graph,
    outcome_without_chance,
    win_probability,
)
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.exact.teams import team_of
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import (
    Others,
    Solution,
    SolvedStates,
    Status,
    move_values,
    with_evidence,
)
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.solvers.verdicts import Answer, Outcome, TieBreaks

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from gamedsl.game.contract import Game
    from gamedsl.solvers.equilibria.local_strategies import LocalStrategy


def solution_from_graph(solved: SolvedGraph, solver: SolverName, tolerance: Fraction) -> Solution:
    """The solution of a solved graph; OPEN if the error exceeds the tolerance."""
    graph = solved.graph
    facts = graph.game.facts
    moves = move_values(solved, graph.states[0])
    shown = DisplayedValues(solved.error_bound, paid_in_plays(facts, graph.outcomes()))
    value, moves, error = shown.of(solved.values[0], moves)
    line, node = [], 0
    for edge in solved.principal_variation():
        line.append(graph.edge_name(node, edge))
        node = graph.successors[node][edge]
    is_near = solved.error_bound <= tolerance
    return Solution(
        graph.game,
        Status.STRONG if is_near else Status.OPEN,
        graph.positions,
        len(graph.payoffs),
        len(graph.chances),
        value,
        error,
        outcome_of_graph(solved, value, error) if is_near else Outcome.BOUNDS,
        moves=moves,
        plies=solved.plies[0],
        principal_variation=tuple(line),
        win_probability=win_probability(solved, value) if is_near else None,
        solver=solver,
        evidence=SolvedStates(solved, _strategies(solved)),
    )


def _strategies(solved: SolvedGraph) -> Sequence[LocalStrategy]:
    """Strategies of the stages of simultaneous choices; empty if no player randomises."""
    if not solved.mixtures:
        return ()
    from gamedsl.solvers.exact.stage_strategies import stage_strategies

    return stage_strategies(solved)


def solution_from_table(solved: SolvedTable, solver: SolverName) -> Solution:
    """The solution of the first state of a solved table."""
    game, root = solved.game, solved.root
    facts, plies, chance = game.facts, solved.remoteness(root), solved.settled.chance
    endings = frozenset() if chance is None else chance.outcomes
    shown = DisplayedValues(solved.error_bound, paid_in_plays(facts, endings))
    value, moves, error = shown.of(solved.value(root), move_values(solved, root))
    probability = None
    if chance is None:
        outcome = outcome_without_chance(facts, plies)
    elif not facts.pays_at_the_end:
        outcome = Outcome.EXPECTED if facts.has_chance else Outcome.PAYOFFS
    else:
        known = chance.outcomes, lambda: chance.ends_surely
        outcome = outcome_by_chance(facts, value, error, *known)
        probability = chance_of_winning(value, *known)
    solution = Solution(
        game,
        Status.STRONG,
        solved.settled.positions,
        solved.settled.endings,
        0 if chance is None else chance.events,
        value,
        error,
        outcome,
        moves=moves,
        plies=plies,
        principal_variation=tuple(
            game.action_name(state, action) for state, action in solved.best_play(root)
        ),
        win_probability=probability,
        solver=solver,
        evidence=SolvedStates(solved),
    )
    if facts.is_simultaneous:
        from gamedsl.solvers.exact.stage_strategies import stage_choices

        solution = with_evidence(solution, strategies=stage_choices(solved, root, ()))
        if solved.settled.counts_plies:
            return replace(solution, answer=(Answer.STAGES,))
        if solved.settled.is_team:
            return replace(solution, answer=(Answer.TEAM,))
        return replace(solution, answer=(Answer.PERFECT_STAGES,), others=Others.POSSIBLE)
    if solved.settled.counts_plies:
        return solution
    if _is_team(game, solved.settled.values):
        return replace(solution, answer=(Answer.TEAM,))
    return with_ties(solution, solved.settled.possible)


def _is_team(game: Game, values: Set[Vector]) -> bool:
    """Whether the values of all states show several players with identical interests."""
    nothing = (Fraction(0),) * len(game.players)
    return team_of(values if game.facts.pays_at_the_end else values | {nothing}) is not None


def with_ties(solution: Solution, possible: tuple[Vector, ...] | None) -> Solution:
    """The solution for unopposed interests, with the payoffs of different tie-breaking."""
    solution = replace(solution, answer=(Answer.SUBGAME_PERFECT,))
    if possible is None:
        return replace(solution, tie_breaks=TieBreaks.TOO_MANY, others=Others.POSSIBLE)
    alternatives = tuple(vector for vector in possible if vector != solution.value)
    if not alternatives:
        return replace(solution, answer=(Answer.SUBGAME_PERFECT, Answer.PURE_PAY_THE_SAME))
    return replace(
        solution,
        tie_breaks=TieBreaks.LISTED,
        alternatives=alternatives,
        others=Others.LISTED,
    )
