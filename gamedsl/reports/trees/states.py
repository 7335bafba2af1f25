"""Descriptions of the states in a tree, as lines at the nodes.

The lines hold the variables' values. The content of a board is written in rows, the last row first,
separated by strokes (`.../.X./O..`); boards without rows, and boards with longer words, are written
square by square.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.game import LoadedGame
from gamedsl.game.drawing import FREE, men_texts
from gamedsl.game.pictures.looks import View, view_of
from gamedsl.game.pictures.text_lines import variable_lines
from gamedsl.model import Model, State
from gamedsl.reports.trees.data import GameTree, NodeKind

LONGEST = 40
"""Letters of a line; longer lines are cut off."""


def with_states(tree: GameTree, game: LoadedGame) -> GameTree:
    """The tree with a line for each variable at each node.

    Unchanged if the game itself is a tree, whose nodes are identified by branches.
    """
    if game.model.tree is not None:
        return tree
    view = view_of(game.model)
    nodes = []
    for node in tree.nodes:
        if node.kind is NodeKind.REST:
            nodes.append(node)
            continue
        rows = _rows(game.model, view, node.state)
        on_board = (*view.men, *view.marks) if rows else ()
        lines = [
            line
            for variable in game.model.variables
            if variable not in on_board and not variable.is_constant
            for line in variable_lines(variable, node.state)
        ]
        nodes.append(replace(node, about=(*node.about, *rows, *map(_short, lines))))
    return replace(tree, nodes=tuple(nodes))


def _rows(model: Model, view: View, state: State) -> list[str]:
    """The content of the board; empty without a board, or with constant content."""
    board = model.board
    if board is None or all(variable.is_constant for variable in view.men):
        return []
    texts = men_texts(model, view, state)
    if not board.is_grid or any(len(text) != 1 for text in texts):
        pairs = zip(board.squares, texts, strict=True)
        there = [f"{square.name} {text}" for square, text in pairs if text != FREE]
        title = ", ".join(variable.name for variable in (*view.men, *view.marks))
        return [_short(f"{title}: {', '.join(there) or 'empty'}")]
    rows: dict[int, str] = {}
    for square, text in zip(board.squares, texts, strict=True):
        assert square.row is not None, "a grid has rows"
        rows[square.row] = rows.get(square.row, "") + text
    return ["/".join(rows[row] for row in sorted(rows, reverse=True))]


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
