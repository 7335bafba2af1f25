"""A game tree as an outline: a line per node, with best play, cuts and gaps marked."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.paragraphs import fill
from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    NodeKind,
    caption,
    cut_text,
    is_in_equilibrium,
    likelihood_text,
    value_text,
)
from gamedsl.source.plurals import count

CHOSEN, PRUNED = "*", "x"


def tree_text(tree: GameTree) -> str:
    """The outline, a legend of the marks used, and the number of omitted nodes."""
    lines = [_words(tree, tree.root), *_below(tree, tree.root, "")]
    below = [fill(line, later="  ") for line in (*_legend(tree), *caption(tree))]
    return "\n".join([*lines, "", *below])


def _below(tree: GameTree, node: DrawnNode, margin: str) -> Iterator[str]:
    children = tree.children(node)
    for child in children:
        is_last = child is children[-1] and not _has_more(node)
        yield f"{margin}{'└' if is_last else '├'}─{_edge(child)} {_words(tree, child)}".rstrip()
        yield from _below(tree, child, margin + ("   " if is_last else "│  "))
    if children and _has_more(node):
        yield f"{margin}└─ ... {_hidden(node)} below"


def _has_more(node: DrawnNode) -> bool:
    """Whether nodes below a node are left out."""
    return node.below != 0 and node.kind is not NodeKind.REST


def _hidden(node: DrawnNode) -> str:
    if node.below is None:
        return "nodes that were not counted"
    return count(node.below, "node")


def _edge(node: DrawnNode) -> str:
    mark = PRUNED if node.is_pruned else CHOSEN if node.is_chosen else "─"
    chance = "" if node.likelihood is None else f"{likelihood_text(node)} "
    return f"{mark} {chance}{node.label}:"


def _words(tree: GameTree, node: DrawnNode) -> str:
    """The player to move, the value, and the search's way out of the node."""
    parts = []
    match node.kind:
        case NodeKind.TERMINAL:
            pass
        case NodeKind.CHANCE:
            parts.append("chance")
        case NodeKind.REST:
            parts.append(f"({_hidden(node)} below)")
        case _:
            parts.append(node.name)
    if node.information_set is not None:
        parts.append(f"[{node.information_set + 1}]")
    if node.is_pruned:
        parts.append("not visited")
    elif node.value is not None:
        parts.append(value_text(node.value, node.bound))
    if node.visits is not None:
        parts.append(f"({node.visits:,} {'play' if node.visits == 1 else 'plays'})")
    if node.about:
        parts.append("{" + "; ".join(node.about) + "}")
    if node.cut is not None:
        parts.append(f"({cut_text(node.cut)})")
    if _has_more(node) and not tree.children(node):
        parts.append("..." if node.below is None else f"({_hidden(node)} below)")
    return " ".join(parts)


def _legend(tree: GameTree) -> list[str]:
    marks = []
    if any(node.is_chosen and node.parent >= 0 for node in tree.nodes):
        line = "best play" if tree.root.visits is None else "tried most often"
        line = (
            "play can come here; at each branch how likely it is taken"
            if is_in_equilibrium(tree)
            else line
        )
        marks.append(f"{CHOSEN} {line}")
    if any(node.is_pruned for node in tree.nodes):
        marks.append(f"{PRUNED} never visited")
    if any(node.information_set is not None for node in tree.nodes):
        marks.append("[n] the same number: the player cannot tell these nodes apart")
    if any(node.below is None and not tree.children(node) for node in tree.nodes):
        marks.append("... nodes below, not counted")
    return [", ".join(marks)] if marks else []
