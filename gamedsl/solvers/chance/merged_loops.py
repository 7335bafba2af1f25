"""Merges loops without payments, to get a decision process in which staying has a price or a loss.

In: a component in which one side chooses. Out: `Merged`: the component with every maximal end
component of unpaid steps merged into one node. The merged node has all the ways out of the end
component, and may stay for ever. `Merged` also translates a policy of the merged nodes into a
policy of all nodes (as `best_response` does for one side where only endings pay).
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.solvers.chance.best_response import end_component_edges
from gamedsl.solvers.chance.component_game import FREE, ComponentGame, Side, unpaid_part
from gamedsl.source.components import components
from gamedsl.source.records import dataclass

Step = tuple[int, int]
"""A node and the position of an edge of the node."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A component with the unpaid end components merged.

    Attributes:
        game: the merged component. The last exit means staying for ever, if any nodes were merged.
        group: per node the merged node.
        steps: per merged node and edge the original step; None for staying.
        inside: per node the edges that stay in the node's end component.
    """

    original: ComponentGame
    game: ComponentGame
    group: tuple[int, ...]
    steps: tuple[tuple[Step | None, ...], ...]
    inside: tuple[tuple[int, ...], ...]

    def policy(self, merged: Sequence[int]) -> tuple[int, ...]:
        """Translates a policy of the merged nodes into a policy of all nodes.

        Play first goes to the node that has the edge chosen for the merged node.
        """
        policy = [edges[0] if edges else 0 for edges in self.inside]
        members: list[list[int]] = [[] for _ in self.steps]
        for node, number in enumerate(self.group):
            members[number].append(node)
        for number, steps in enumerate(self.steps):
            step = steps[merged[number]]
            if step is not None:
                self._lead_to(step, members[number], policy)
        return tuple(policy)

    def _lead_to(self, step: Step, members: Sequence[int], policy: list[int]) -> None:
        goal, policy[step[0]] = step
        reached = {goal}
        is_growing = len(members) > 1
        while is_growing:
            is_growing = False
            for node in members:
                if node in reached:
                    continue
                edges = self.original.edges[node]
                way = next((e for e in self.inside[node] if edges[e] in reached), None)
                if way is not None:
                    policy[node] = way
                    reached.add(node)
                    is_growing = True


def merge_free_loops(game: ComponentGame, chooser: Side) -> Merged:
    """Merges the end components of steps without payments, for the choosing side."""
    inside = tuple(map(tuple, end_component_edges(unpaid_part(game))))
    loops = [[game.edges[node][e] for e in edges] for node, edges in enumerate(inside)]
    group = [0] * len(game.nodes)
    members = sorted(map(sorted, components(loops)))
    for number, nodes in enumerate(members):
        for node in nodes:
            group[node] = number
    stay = ~len(game.exits)
    sides, edges, weights, totals, rewards, steps = [], [], [], [], [], []
    for nodes in members:
        first = nodes[0]
        is_loop = bool(inside[first])
        sides.append(chooser if is_loop else game.sides[first])
        leaving: list[Step | None] = [
            (node, edge)
            for node in nodes
            if not (is_loop and game.sides[node] is Side.NATURE)
            for edge in range(len(game.edges[node]))
            if edge not in inside[node]
        ]
        children = [game.edges[n][e] for n, e in filter(None, leaving)]
        edges.append([child if child < 0 else group[child] for child in children])
        weights.append(game.weights[first] if not is_loop else (1,) * (len(leaving) + 1))
        totals.append(game.totals[first] if not is_loop else 1)
        rewards.append([game.reward(n, e) for n, e in filter(None, leaving)])
        if is_loop:
            edges[-1].append(stay)
            rewards[-1].append(game.reward(first, inside[first][0]))
            leaving.append(None)
        steps.append(tuple(leaving))
    has_loops = any(inside)
    merged = ComponentGame(
        tuple(range(len(members))),
        (*game.exits, -1) if has_loops else game.exits,
        tuple(sides),
        tuple(map(tuple, edges)),
        tuple(map(tuple, weights)),
        tuple(totals),
        (*game.tolls, FREE) if has_loops else game.tolls,
        tuple(map(tuple, rewards)),
    )
    return Merged(game, merged, tuple(group), tuple(steps), inside)
