"""A game tree as data in the schema of the machine interface; numbers are exact, as text."""

from __future__ import annotations

from gamedsl.reports.json_text import data_of, plain
from gamedsl.reports.trees.data import DrawnNode, GameTree


def tree_data(tree: GameTree) -> dict[str, object]:
    """The tree, JSON-ready: nodes by number, the root first, and the steps of the search."""
    return data_of(
        tree,
        "game=title players algorithm value depth left_out visited ties nodes steps",
        value=plain(tree.root.value),
        nodes=[_node(node) for node in tree.nodes],
        steps=[data_of(step, "kind node alpha beta shown words pruned") for step in tree.steps],
    )


def _node(node: DrawnNode) -> dict[str, object]:
    return data_of(
        node,
        "number parent kind player action label chance share value bound cut visited=is_visited "
        "chosen=is_chosen information_set below visits about",
        parent=None if node.parent < 0 else node.parent,
        player=node.name or None,
        action=node.action or None,
        label=node.label or None,
        bound=node.bound.name.lower(),
        cut=None if node.cut is None else data_of(node.cut, "alpha beta value"),
    )
