"""Retrograde analysis: exact values of deterministic games in which play can return.

In: a state graph with cycles, of one player or of two with opposed interests, and the payoffs of
endless play. Out: a `SolvedGraph`: values, and plies to the end ("remoteness"). The analysis works
backwards from the endings, best payoff first (Thompson, "Retrograde analysis of certain endgames",
ICCA Journal 9, 1986), and decides every position from which a player can force more than the payoff
of endless play; all remaining positions have the value of endless play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from gamedsl.solvers.exact.constant_sum import delays
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.records import dataclass

Payoff = TypeVar("Payoff", int, Fraction)


@dataclass(frozen=True, slots=True)
class Arena(Generic[Payoff]):
    """A game on numbered nodes between a maximiser and a minimiser of one number.

    Attributes:
        maximises: per node whether the maximiser moves (endings: ignored).
        successors: per node the successors; endings have none.
        endings: per ending the payoff.
        endless: the payoff of endless play.
        endless_forcer: the player who wins by endless play and prefers an end with equal payoff:
            the maximiser (True), the minimiser (False); None if endless play is no win.
    """

    maximises: Sequence[bool]
    successors: Sequence[Sequence[int]]
    endings: Mapping[int, Payoff]
    endless: Payoff
    endless_forcer: bool | None = None


def retrograde(graph: StateGraph, endless: Vector) -> SolvedGraph:
    """Solves a graph without chance, for one player or for two with payoffs of constant sum.

    A player who is ahead takes the shortest play, a player who is behind the longest
    (`constant_sum.delays`). A position with the value of endless play, if endless play is no win,
    counts as finished if the players can together reach an ending without changing the value (the
    plies are then the fewest to an ending); otherwise the plies are None, for example in an endless
    draw.
    """
    endings = {node: payoffs[0] for node, payoffs in graph.payoffs.items()}
    maximises = [mover == 0 for mover in graph.movers]
    forcer = endless_forcer(endless)
    arena = Arena(maximises, graph.successors, endings, endless[0], forcer)
    values, plies = solve_arena(arena)
    if forcer is None:
        together = [node for node, value in enumerate(values) if value == endless[0]]
        _shortest_together(graph.successors, endings, values, plies, together)
    vectors = {value: (value, *(sum(endless) - value for _ in endless[1:])) for value in values}
    chosen = [_choice(graph, values, plies, node) for node in range(len(values))]
    return SolvedGraph(graph, [vectors[value] for value in values], plies, chosen)


def endless_forcer(endless: Vector) -> bool | None:
    """The player ahead in endless play: see `Arena`. A single player has the minimiser as
    opponent."""
    if delays(endless, 0, endless):
        return False
    if len(endless) == 1:
        return True if endless[0] > 0 else None
    return True if any(delays(endless, player, endless) for player in range(len(endless))) else None


def solve_arena(arena: Arena[Payoff]) -> tuple[list[Payoff], list[int | None]]:
    """Value of every node to the maximiser, and plies to the end where a player forces an end.

    Plies are given where the value differs from `endless`, and where the winner by endless play
    forces an end; there the side that gains by the end takes the shortest play and the opponent the
    longest.
    """
    values = [arena.endless] * len(arena.successors)
    plies: list[int | None] = [None] * len(arena.successors)
    predecessors = _predecessors(arena.successors, range(len(arena.successors)))
    payoffs = set(arena.endings.values())
    above = sorted((payoff for payoff in payoffs if payoff > arena.endless), reverse=True)
    below = sorted(payoff for payoff in payoffs if payoff < arena.endless)
    if arena.endless_forcer is not None:
        (above if arena.endless_forcer else below).append(arena.endless)
    for levels, forcer in ((above, True), (below, False)):
        unsettled = [len(children) for children in arena.successors]
        for level in levels:
            _attract(arena, level, forcer, predecessors, unsettled, values, plies)
    return values, plies


def _attract(
    arena: Arena[Payoff],
    level: Payoff,
    forcer: bool,
    predecessors: Sequence[Sequence[int]],
    unsettled: list[int],
    values: list[Payoff],
    plies: list[int | None],
) -> None:
    """Settles all nodes from which the forcer gets exactly `level`, nearest to the end first.

    `unsettled` counts, per node, the moves that do not yet lead to a settled node: an opponent's
    node is settled with the last move, which is the longest.
    """
    queue = [node for node, payoff in arena.endings.items() if payoff == level]
    for node in queue:
        values[node], plies[node] = level, 0
    for node in queue:
        distance = plies[node]
        assert distance is not None
        for before in predecessors[node]:
            unsettled[before] -= 1
            forces = arena.maximises[before] == forcer
            if plies[before] is None and (forces or not unsettled[before]):
                values[before], plies[before] = level, distance + 1
                queue.append(before)


def _shortest_together(
    successors: Sequence[Sequence[int]],
    endings: Mapping[int, Fraction],
    values: Sequence[Fraction],
    plies: list[int | None],
    nodes: Sequence[int],
) -> None:
    """Plies to the nearest ending along moves that keep the value, written into `plies`."""
    for node in nodes:
        plies[node] = None
    predecessors = _predecessors(successors, nodes)
    queue = [node for node in nodes if node in endings]
    for node in queue:
        plies[node] = 0
    for node in queue:
        distance = plies[node]
        assert distance is not None
        for before in predecessors[node]:
            if plies[before] is None and values[before] == values[node]:
                plies[before] = distance + 1
                queue.append(before)


def _predecessors(successors: Sequence[Sequence[int]], nodes: Iterable[int]) -> list[list[int]]:
    predecessors: list[list[int]] = [[] for _ in successors]
    for node in nodes:
        for child in successors[node]:
            predecessors[child].append(node)
    return predecessors


def _choice(
    graph: StateGraph, values: Sequence[Fraction], plies: Sequence[int | None], node: int
) -> int:
    """The first move that keeps the value and the plies of best play; -1 at an ending."""
    wanted = plies[node]
    for edge, child in enumerate(graph.successors[node]):
        after = plies[child]
        if values[child] == values[node] and (
            after is None if wanted is None else after == wanted - 1
        ):
            return edge
    return -1
