"""Whether a player gets the most there is for certain, or only as nearly as is wanted.

In: a state graph in which two may choose at once and play can return. Out: who can reach the
endings that pay most nearly for certain and not for certain: a supremum that is approached need not
be attained (Everett, "Recursive games", 1957). By the nested fixed points of L. de Alfaro, T.
Henzinger and O. Kupferman, "Concurrent reachability games", Theoretical Computer Science 386, 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.exact.stages import choices_of
from gamedsl.solvers.graphs.graph import OutOfTimeError, StateGraph, Vector

Outcomes = list[list[frozenset[int]]]
"""Where play may go, by the player's choice and by the other's."""


APPROACHED = (
    "{0} gets as near to {1} as is wanted, and {1} by no way to play: a supremum that is "
    "approached and not attained"
)


def approached_words(
    graph: StateGraph, endless: Vector, at_most: Vector, tick: Callable[[], None] = lambda: None
) -> str | None:
    """Who gets as near to the greatest payoff as is wanted, and does not get it; None if nobody, or
    if `tick` says that the time is up.

    `at_most`: upper bounds on what best play pays; nobody approaches more.
    """
    facts = graph.game.facts
    if not facts.pays_at_the_end:
        return None
    for player, name in enumerate(facts.players):
        most = max(paid[player] for paid in graph.payoffs.values())
        try:
            if at_most[player] >= most and is_only_approached(graph, player, endless, tick):
                return APPROACHED.format(name, most)
        except OutOfTimeError:
            return None
    return None


def is_only_approached(
    graph: StateGraph, player: int, endless: Vector, tick: Callable[[], None]
) -> bool:
    """Whether the player can bring the probability of the endings that pay him most as near to one
    as is wanted, and not to one. False where endless play pays as much: nothing is known then."""
    most = max(payoffs[player] for payoffs in graph.payoffs.values())
    if endless[player] >= most:
        return False
    goals = frozenset(node for node, payoffs in graph.payoffs.items() if payoffs[player] == most)
    nodes = {
        node: _outcomes(graph, node, player)
        for node in range(len(graph.states))
        if node not in graph.payoffs
    }
    nearly = _reaching(nodes, goals, tick, in_the_limit=True)
    return 0 in nearly and 0 not in _reaching(nodes, goals, tick, in_the_limit=False)


def _outcomes(graph: StateGraph, node: int, player: int) -> Outcomes:
    children, mover = graph.successors[node], graph.movers[node]
    if mover == CHANCE:
        return [[frozenset(children)]]
    if mover != SIMULTANEOUS:
        single = [frozenset({child}) for child in children]
        return [[one] for one in single] if mover == player else [single]
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
    """From where the goals are reached with probability one, or nearly: the greatest set within
    which each state leads nearer to them, and out of which it leads never, or next to never.

    `tick` is called before each round.
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
    """Whether some mixture of choices leads nearer, whatever the other chooses, and does not lead
    out. In the limit a choice may lead out against what another, much likelier one leads nearer
    by."""
    others = range(len(outcomes[0]))
    covered: set[int] = set()
    while True:
        risked = covered if in_the_limit else set()
        usable = [row for row in outcomes if all(n in risked or row[n] <= within for n in others)]
        found = covered | {n for n in others if any(row[n] & nearer for row in usable)}
        if found == covered:
            return len(covered) == len(others)
        covered = found
