"""The form in which the value of best play is told: certain, by chance, or as payoffs."""

from __future__ import annotations

from collections.abc import Callable, Set
from fractions import Fraction

from gamedsl.model.facts import Facts
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.verdicts import Outcome


def outcome_of_graph(solved: SolvedGraph, value: Vector, error: Fraction) -> Outcome:
    """The form of the value of state 0; `value` and `error` as displayed."""
    facts = solved.graph.game.facts
    if not solved.needs_chance:
        return outcome_without_chance(facts, solved.plies[0])
    if not facts.pays_at_the_end:
        return Outcome.EXPECTED
    outcomes = solved.graph.outcomes()
    return outcome_by_chance(facts, value, error, outcomes, lambda: ends_surely(solved))


def outcome_without_chance(facts: Facts, plies: int | None) -> Outcome:
    """The form of a value without chance; `plies` is None for endless play."""
    if not facts.pays_at_the_end:
        return Outcome.PAYOFFS
    return Outcome.ENDLESS if plies is None and facts.endless is not None else Outcome.CERTAIN


def outcome_by_chance(
    facts: Facts,
    value: Vector,
    error: Fraction,
    outcomes: Set[Vector],
    is_sure: Callable[[], bool],
) -> Outcome:
    """The form of a value by chance, where plays pay at the end; `is_sure`: whether play ends with
    probability one."""
    if not error and value in outcomes and is_sure():
        firsts = [payoffs[0] for payoffs in outcomes]
        if len(value) <= 2 and value[0] in (min(firsts), max(firsts)):
            return Outcome.CERTAIN
    is_probability = chance_of_winning(value, outcomes, is_sure) is not None
    return Outcome.PROBABLE if is_probability else Outcome.EXPECTED


def win_probability(solved: SolvedGraph, value: Vector) -> Fraction | None:
    """`chance_of_winning` from state 0 of a solved graph; None for play without chance."""
    graph = solved.graph
    if not solved.needs_chance or not graph.game.facts.pays_at_the_end:
        return None
    return chance_of_winning(value, graph.outcomes(), lambda: ends_surely(solved))


def chance_of_winning(
    value: Vector, outcomes: Set[Vector], is_sure: Callable[[], bool]
) -> Fraction | None:
    """The first player's probability of winning under best play.

    The probability is (1 + v) / 2 for the value v, if every ending is a win (payoff 1) or a loss
    (-1) and best play ends with probability one (`is_sure`). Otherwise draws, or endless play, may
    contribute to the value, and the result is None.
    """
    if len(value) > 2:
        return None
    win = (Fraction(1), Fraction(-1))[: len(value)]
    loss = tuple(-payoff for payoff in win)
    return (1 + value[0]) / 2 if outcomes <= {win, loss} and is_sure() else None


def ends_surely(solved: SolvedGraph) -> bool:
    """Whether best play from state 0 (one best action per state) ends with probability one."""
    graph = solved.graph
    before: dict[int, list[int]] = {0: []}
    reached = [0]
    for node in reached:
        for child in _played(solved, node):
            if child not in before:
                before[child] = []
                reached.append(child)
            before[child].append(node)
    ending = dict.fromkeys(node for node in reached if node in graph.payoffs)
    queue = list(ending)
    for node in queue:
        for parent in before[node]:
            if parent not in ending:
                ending[parent] = None
                queue.append(parent)
    return len(ending) == len(reached)


def _played(solved: SolvedGraph, node: int) -> list[int]:
    """The successors possible in best play."""
    edge, children = solved.choices[node], solved.graph.successors[node]
    if edge >= 0:
        return [children[edge]]
    if node not in solved.mixtures:
        return list(children)
    chances = [dict(mixture) for mixture in solved.mixtures[node]]
    joint_actions = solved.graph.joint_actions(node)
    return [
        child
        for child, joint in zip(children, joint_actions, strict=True)
        if all(probabilities[action] for probabilities, action in zip(chances, joint, strict=True))
    ]
