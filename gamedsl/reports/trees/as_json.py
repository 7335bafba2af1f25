"""A game tree as data in the schema of the machine interface; numbers are exact, as text."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.reports.trees.data import Cut, DrawnNode, GameTree, SearchStep
from gamedsl.solvers.textbook.trace import Value


def tree_data(tree: GameTree) -> dict[str, object]:
    """The tree, JSON-ready: nodes by number, the root first, and the steps of the search."""
    return {
        "game": tree.title,
        "players": list(tree.players),
        "algorithm": tree.algorithm,
        "value": _value(tree.root.value),
        "depth": tree.depth,
        "left_out": tree.left_out,
        "visited": tree.visited,
        "ties": tree.ties,
        "nodes": [_node(node) for node in tree.nodes],
        "steps": [_step(step) for step in tree.steps],
    }


def _node(node: DrawnNode) -> dict[str, object]:
    return {
        "number": node.number,
        "parent": None if node.parent < 0 else node.parent,
        "kind": str(node.kind),
        "player": node.name or None,
        "action": node.action or None,
        "label": node.label or None,
        "chance": None if node.chance is None else str(node.chance),
        "share": None if node.share is None else str(node.share),
        "value": _value(node.value),
        "bound": node.bound.name.lower(),
        "cut": None if node.cut is None else _cut(node.cut),
        "visited": node.is_visited,
        "chosen": node.is_chosen,
        "information_set": node.information_set,
        "below": node.below,
        "visits": node.visits,
        "about": list(node.about),
    }


def _cut(cut: Cut) -> dict[str, object]:
    return {**_window(cut.alpha, cut.beta), "value": _value(cut.value)}


def _step(step: SearchStep) -> dict[str, object]:
    return {
        "kind": str(step.kind),
        "node": step.node,
        **_window(step.alpha, step.beta),
        "shown": step.shown,
        "words": step.words,
        "pruned": list(step.pruned),
    }


def _window(alpha: Fraction | None, beta: Fraction | None) -> dict[str, object]:
    """The window; None for an infinite bound, and without a window."""
    return {
        "alpha": None if alpha is None else str(alpha),
        "beta": None if beta is None else str(beta),
    }


def _value(value: Value | None) -> str | list[str] | None:
    if value is None:
        return None
    return [str(part) for part in value] if isinstance(value, tuple) else str(value)
