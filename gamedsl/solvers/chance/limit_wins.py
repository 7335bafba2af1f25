"""Decides whether a player attains the greatest payoff with certainty, or only in the limit.

In: a state graph with returning play, in which two players may choose at once. Out: the choices by
which a player attains the greatest payoff with probability one, by state; the player who can reach
the best-paying endings with probability arbitrarily near one, but not one: a supremum need not be
attained (Everett, "Recursive games", 1957). By the nested fixed points of L. de Alfaro,
T. Henzinger and O. Kupferman, "Concurrent reachability games", Theoretical Computer Science 386,
2007.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from fractions import Fraction

from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.exact.stages import choices_of
from gamedsl.solvers.graphs.graph import OutOfTimeError, StateGraph, Vector
from gamedsl.solvers.verdicts import Approached

Outcomes = list[list[frozenset[int]]]
"""Possible successors, by the player's choice and by the opponent's choice."""


def approached_payoff(
    graph: StateGraph, endless: Vector, at_most: Vector, tick: Callable[[], None] = lambda: None
) -> Approached | None:
    """The player who approaches the greatest payoff without attaining the payoff.

    None without such a player, or if `tick` reports the end of the time. `at_most`: upper bounds on
    the payoffs of best play, also in the limit.
    """
    facts = graph.game.facts
    if not facts.pays_at_the_end:
        return None
    for player in range(len(facts.players)):
        most = max(paid[player] for paid in graph.payoffs.values())
        try:
            if at_most[player] >= most and is_only_approached(graph, player, endless, tick):
                return Approached(player, most)
        except OutOfTimeError:
            return None
    return None


def is_only_approached(
    graph: StateGraph, player: int, endless: Vector, tick: Callable[[], None]
) -> bool:
    """Whether the player can bring the probability of the best-paying endings arbitrarily near 1,
    but not to 1.

    False if endless play pays as much: nothing is proved then.
    """
    most = max(payoffs[player] for payoffs in graph.payoffs.values())
    if endless[player] >= most:
        return False
    goals, nodes = _goals_and_outcomes(graph, player, most)
    nearly = _reaching(nodes, goals, tick, in_the_limit=True)
    return 0 in nearly and 0 not in _reaching(nodes, goals, tick, in_the_limit=False)


def certain_choices(
    graph: StateGraph, player: int, endless: Vector, tick: Callable[[], None]
) -> dict[int, tuple[int, ...]]:
    """The choices, by number, of which each is made with equal probability by a player who attains
    the greatest payoff of all endings, and of endless play, with probability 1; by state, for the
    states where the player can.

    In a state in which the player moves alone, a single choice; endings are left out.
    """
    if not graph.payoffs or not graph.game.facts.pays_at_the_end:
        return {}
    most = max(payoffs[player] for payoffs in graph.payoffs.values())
    if endless[player] > most:
        return {}
    goals, nodes = _goals_and_outcomes(graph, player, most)
    if endless[player] == most:
        safe = _staying(nodes, goals, tick)
        return {node: _usable(nodes[node], safe)[:1] for node in safe - goals}
    within, choices = _reaching(nodes, goals, tick, in_the_limit=False), {}
    nearer = goals
    while nearer != within:
        more = set()
        for node in within - nearer:
            if _leads(nodes[node], within, nearer, in_the_limit=False):
                usable = _usable(nodes[node], within)
                if len(nodes[node][0]) == 1:
                    usable = next((row,) for row in usable if nodes[node][row][0] & nearer)
                choices[node] = usable
                more.add(node)
        nearer = nearer | more
    return choices


def _usable(outcomes: Outcomes, within: Set[int]) -> tuple[int, ...]:
    """The choices after which play stays in a set, whatever the reply."""
    return tuple(n for n, row in enumerate(outcomes) if all(reply <= within for reply in row))


def _staying(
    nodes: Mapping[int, Outcomes], goals: frozenset[int], tick: Callable[[], None]
) -> frozenset[int]:
    """The greatest set of states and goals that one choice in each state keeps play in."""
    within = frozenset(nodes) | goals
    while True:
        tick()
        left = frozenset(n for n in within if n in goals or _usable(nodes[n], within))
        if left == within:
            return within
        within = left


def _goals_and_outcomes(
    graph: StateGraph, player: int, most: Fraction
) -> tuple[frozenset[int], dict[int, Outcomes]]:
    """The endings that pay a player `most`, and the outcomes of the states that are no endings."""
    goals = frozenset(node for node, payoffs in graph.payoffs.items() if payoffs[player] == most)
    nodes = {
        node: _outcomes(graph, node, player)
        for node in range(len(graph.states))
        if node not in graph.payoffs
    }
    return goals, nodes


def _outcomes(graph: StateGraph, node: int, player: int) -> Outcomes:
    children, mover = graph.successors[node], graph.movers[node]
    if mover == CHANCE:
        return [[frozenset(children)]]
    if mover != SIMULTANEOUS:
        single = [frozenset({child}) for child in children]
        return [[outcome] for outcome in single] if mover == player else [single]
    joint_actions = graph.joint_actions(node)
    after = dict(zip(joint_actions, children, strict=True))
    rows, columns = choices_of(joint_actions)
    if player:
        return [[frozenset({after[row, column]}) for row in rows] for column in columns]
    return [[frozenset({after[row, column]}) for column in columns] for row in rows]


def _reaching(
    nodes: dict[int, Outcomes],
    goals: frozenset[int],
    tick: Callable[[], None],
    *,
    in_the_limit: bool,
) -> frozenset[int]:
    """States from which the goals are reached with probability 1, or arbitrarily near 1.

    The result is the greatest set with two properties: from every state play can go nearer to the
    goals, and play leaves the set never, or with arbitrarily small probability. `tick` is called
    before every round.
    """
    within = frozenset(nodes) | goals
    while True:
        nearer = goals
        while True:
            tick()
            more = nearer | {
                node
                for node, outcomes in nodes.items()
                if node in within and _leads(outcomes, within, nearer, in_the_limit=in_the_limit)
            }
            if more == nearer:
                break
            nearer = more
        if nearer == within:
            return within
        within = nearer


def _leads(outcomes: Outcomes, within: Set[int], nearer: Set[int], *, in_the_limit: bool) -> bool:
    """Whether some mixture of choices leads nearer against all replies without leaving the set.

    In the limit a choice may leave the set against a reply if a much likelier choice leads nearer
    against the same reply.
    """
    replies = range(len(outcomes[0]))
    covered: set[int] = set()
    while True:
        risked = covered if in_the_limit else set()
        usable = [row for row in outcomes if all(n in risked or row[n] <= within for n in replies)]
        wider = covered | {n for n in replies if any(row[n] & nearer for row in usable)}
        if wider == covered:
            return len(covered) == len(replies)
        covered = wider
