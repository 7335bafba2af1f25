"""What the states of a tree are, in lines at its nodes, for games without a board to draw there.

In: a `GameTree` and its game. Out: the tree with the values of the variables at each node.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.game import LoadedGame
from gamedsl.game.pictures.text_lines import variable_lines
from gamedsl.reports.trees.data import GameTree, NodeKind

LONGEST = 40
"""Letters of a line; a longer one is cut off."""


def with_states(tree: GameTree, game: LoadedGame) -> GameTree:
    """The tree with each variable on a line at each node; as it is, if the game is a tree itself,
    whose nodes are told by the branches that lead to them."""
    if game.model.tree is not None:
        return tree
    nodes = []
    for node in tree.nodes:
        if node.kind is NodeKind.REST:
            nodes.append(node)
            continue
        lines = [
            line
            for variable in game.model.variables
            for line in variable_lines(variable, node.state)
        ]
        nodes.append(replace(node, about=(*node.about, *map(_short, lines))))
    return replace(tree, nodes=tuple(nodes))


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
