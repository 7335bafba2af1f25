"""Solutions from solved graphs and tables: the value in numbers and words, the moves, best play."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.solvers.displayed import DisplayedValues, paid_in_plays
from gamedsl.solvers.exact.outcomes import (
    bounds_words,
    chance_of_winning,
    chance_words,
    expected_words,
    solved_words,
    sure_words,
    win_probability,
)
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.exact.teams import team_of
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Others, Solution, SolvedStates, Status, move_values
from gamedsl.solvers.solved_table import SolvedTable

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from gamedsl.game.contract import Game
    from gamedsl.solvers.equilibria.local_strategies import LocalStrategy


PERFECT_KIND = (
    "a subgame-perfect equilibrium: from no position on does anybody gain by other moves while the "
    "others keep to theirs"
)
TEAM_KIND = (
    "the value of the best joint plan: all players want the same, and whatever they do together, "
    "they do not get more; equilibria that pay less are not best play of a team"
)


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
    words = solved_words(solved, value, error)
    return Solution(
        graph.game,
        Status.STRONG if is_near else Status.OPEN,
        graph.positions,
        len(graph.payoffs),
        len(graph.chances),
        value,
        error,
        words if is_near else "not solved: " + bounds_words(facts.players, value, error),
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
        words = sure_words(facts, value, plies)
    elif not facts.pays_at_the_end:
        words = expected_words(facts, value, error)
    else:
        known = chance.outcomes, lambda: chance.ends_surely
        words = chance_words(facts, value, error, *known)
        probability = chance_of_winning(value, *known)
    solution = Solution(
        game,
        Status.STRONG,
        solved.settled.positions,
        solved.settled.endings,
        0 if chance is None else chance.events,
        value,
        error,
        words,
        moves=moves,
        plies=plies,
        principal_variation=tuple(
            game.action_name(state, action) for state, action in solved.best_play(root)
        ),
        win_probability=probability,
        solver=solver,
        evidence=SolvedStates(solved),
    )
    if solved.settled.counts_plies:
        return solution
    if _is_team(game, solved.settled.values):
        return replace(solution, kind=TEAM_KIND)
    return with_ties(solution, solved.settled.possible)


def _is_team(game: Game, values: Set[Vector]) -> bool:
    """Whether the values of all states show several players with identical interests."""
    nothing = (Fraction(0),) * len(game.players)
    return team_of(values if game.facts.pays_at_the_end else values | {nothing}) is not None


def with_ties(solution: Solution, possible: tuple[Vector, ...] | None) -> Solution:
    """The solution for unopposed interests, with the payoffs of different tie-breaking."""
    solution = replace(solution, kind=PERFECT_KIND)
    if possible is None:
        ties = "may depend on tie-breaking; there are too many ties to list"
        return replace(solution, ties=ties, others=Others.POSSIBLE)
    alternatives = tuple(vector for vector in possible if vector != solution.value)
    if not alternatives:
        return replace(solution, kind=f"{PERFECT_KIND}; all in pure strategies pay the same")
    listed = ", ".join(f"({', '.join(map(str, vector))})" for vector in alternatives)
    ties = f"depends on tie-breaking: other ties lead to {listed}"
    return replace(solution, ties=ties, alternatives=alternatives, others=Others.LISTED)
