"""Values of a solved game on a game tree, and the line of best play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.game.contract import Action, JointAction
from gamedsl.model.state import State
from gamedsl.reports.phrases import Payoffs
from gamedsl.reports.trees.data import GameTree, NodeKind
from gamedsl.solvers.textbook.trace import Value


def with_values(
    tree: GameTree,
    payoffs_at: Callable[[State], Payoffs],
    choice_at: Callable[[State], Action | JointAction | None],
    algorithm: str,
    ties: str | None = None,
) -> GameTree:
    """The tree with a value at every node, and the line of best play.

    `payoffs_at` returns the payoffs of all players under best play from a state. `choice_at`
    returns an action that attains the payoffs and makes progress: among equal branches, a branch
    may merely delay the end.
    """
    is_vector = tree.has_vectors
    values: list[Value | None] = []
    for node in tree.nodes:
        payoffs = None if node.kind is NodeKind.REST else payoffs_at(node.state)
        values.append(payoffs if payoffs is None or is_vector else payoffs[0])
    chosen = {0}
    place = 0
    while tree.nodes[place].player >= 0:
        path = (*tree.nodes[place].path, choice_at(tree.nodes[place].state))
        following = [c for c in tree.nodes[place].children if tree.nodes[c].path == path]
        if not following:
            break
        place = following[0]
        chosen.add(place)
    nodes = tuple(
        replace(node, value=value, is_chosen=node.number in chosen)
        for node, value in zip(tree.nodes, values, strict=True)
    )
    return replace(tree, nodes=nodes, algorithm=algorithm, ties=ties)
