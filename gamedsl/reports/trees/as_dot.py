"""A game tree for Graphviz (`dot -Tpdf`): the marks of the picture, placed by Graphviz."""

from __future__ import annotations

from itertools import pairwise

from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    NodeKind,
    caption,
    cut_text,
    likelihood_text,
    value_text,
)

_SHAPES = {
    NodeKind.MAX: "triangle",
    NodeKind.MIN: "invtriangle",
    NodeKind.PLAYER: "triangle",
    NodeKind.CHANCE: "circle",
    NodeKind.TERMINAL: "box",
    NodeKind.REST: "plaintext",
}


def tree_dot(tree: GameTree) -> str:
    """The tree in the DOT language (https://graphviz.org/doc/info/lang.html)."""
    lines = [
        "digraph tree {",
        "  ordering=out;",
        f"  label={_quoted(chr(10).join(caption(tree)))};",
        '  node [fontname="Helvetica", fontsize=11, margin=0.03];',
        '  edge [fontname="Helvetica", fontsize=10, arrowhead=none];',
        *(_node(node) for node in tree.nodes),
        *(_edge(node) for node in tree.nodes if node.parent >= 0),
        *_information_lines(tree),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _node(node: DrawnNode) -> str:
    words = [node.name if node.kind is NodeKind.PLAYER else ""]
    if node.is_visited:
        words.append(value_text(node.value, node.bound))
    if node.kind is NodeKind.REST:
        words.append(node.label)
    elif node.below != 0:
        words.append("more below" if node.below is None else f"{node.below:,} below")
    if node.cut is not None:
        words.append(cut_text(node.cut))
    style = f"shape={_SHAPES[node.kind]}, label={_quoted(chr(10).join(filter(None, words)))}"
    if node.is_pruned:
        style += ", color=grey70, fontcolor=grey60"
    elif node.is_chosen:
        style += ", penwidth=2.4"
    return f"  n{node.number} [{style}];"


def _edge(node: DrawnNode) -> str:
    chance = "" if node.likelihood is None else f"{likelihood_text(node)} "
    label = "" if node.kind is NodeKind.REST else chance + node.label
    style = f"label={_quoted(label)}"
    if node.is_pruned:
        style += ", color=grey70, fontcolor=grey60, style=dashed, arrowhead=tee"
    elif node.is_chosen:
        style += ", penwidth=2.4"
    return f"  n{node.parent} -> n{node.number} [{style}];"


def _information_lines(tree: GameTree) -> list[str]:
    return [
        f"  n{left.number} -> n{right.number} [style=dashed, constraint=false];"
        for members in tree.information_sets()
        for left, right in pairwise(members)
    ]


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
