"""Elaborate `tree:` into a game tree with numbered nodes and information sets.

Perfect recall is not required, but a breach is reported with the forgotten fact and its place: a
game tree is the only form of rules in which perfect recall can fail.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.nodes.tree import PLAYER_ABSENT, Tree, TreeNode
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.values import text_of
from gamedsl.source import Label, Severity
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass
class _Growing:
    elaborator: Elaborator
    nodes: list[TreeNode | None] = field(default_factory=list)
    labels: dict[str, None] = field(default_factory=dict)


def elaborate_tree(elaborator: Elaborator, declared: ast.TreeDecl) -> Tree | None:
    """The tree with numbered nodes, or None after an error."""
    growing = _Growing(elaborator)
    errors = len(elaborator.reporter.findings)
    _grow(growing, declared.root, ())
    if len(elaborator.reporter.findings) > errors:
        return None
    tree_nodes = tuple(node for node in growing.nodes if node is not None)
    tree = Tree(tree_nodes, tuple(growing.labels))
    _check_information_sets(elaborator, tree)
    if len(elaborator.reporter.findings) == errors:
        _check_recall(elaborator, tree)
    return tree


def _grow(growing: _Growing, written: ast.TreeChoice | ast.TreeLeaf, path: tuple[str, ...]) -> int:
    number = len(growing.nodes)
    growing.nodes.append(None)
    if isinstance(written, ast.TreeLeaf):
        payoffs = _payoffs(growing.elaborator, written)
        growing.nodes[number] = TreeNode(number, written.span, path, payoffs=payoffs)
        return number
    reporter = growing.elaborator.reporter
    seen: dict[str, ast.Name] = {}
    children: list[int] = []
    for branch in written.branches:
        if branch.label.text in seen:
            reporter.report(
                "E2202",
                branch.label.span,
                f"two branches are called `{branch.label.text}`",
                secondary=(Label(seen[branch.label.text].span, "the first one"),),
            )
        seen[branch.label.text] = branch.label
        growing.labels[branch.label.text] = None
        children.append(_grow(growing, branch.subtree, (*path, branch.label.text)))
    player = _player(growing.elaborator, written)
    name = written.information_set.text if written.information_set else f"node {number}"
    growing.nodes[number] = TreeNode(
        number,
        written.span,
        path,
        player,
        name if player >= 0 else "",
        tuple(seen),
        tuple(children),
        _weights(growing.elaborator, written) if written.player is None else (),
    )
    return number


def _player(elaborator: Elaborator, written: ast.TreeChoice) -> int:
    if written.player is None:
        return PLAYER_ABSENT
    names = [player.name for player in elaborator.symbols.players]
    if written.player.text in names:
        return names.index(written.player.text)
    if names and written.player.text not in elaborator.reporter.broken:
        elaborator.reporter.report(
            "E2201",
            written.player.span,
            f"`{written.player.text}` is no player; the players are {', '.join(names)}",
            hint="a chance event is written `chance:`",
        )
    return PLAYER_ABSENT


def _number(elaborator: Elaborator, written: ast.Expression) -> Fraction | None:
    constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
    if constant is None:
        return None
    if isinstance(constant.value, bool) or not isinstance(constant.value, int | Fraction):
        elaborator.reporter.report(
            "E1101", written.span, f"this must be a number; it is {text_of(constant.value)}"
        )
        return None
    return Fraction(constant.value)


def _payoffs(elaborator: Elaborator, leaf: ast.TreeLeaf) -> tuple[Fraction, ...]:
    count = len(elaborator.symbols.players)
    if not count:
        return ()  # missing players have been reported
    if isinstance(leaf.value, ast.TupleLiteral):
        items = leaf.value.items
        if len(items) != count:
            elaborator.reporter.report(
                "E2203",
                leaf.span,
                f"a payoff for each player: the game has {count}, these are {len(items)}",
            )
        payoffs = [_number(elaborator, item) for item in items]
        return tuple(value for value in payoffs if value is not None)
    value = _number(elaborator, leaf.value)
    if value is None:
        return ()
    if count > 2:
        elaborator.reporter.report(
            "E2203",
            leaf.span,
            f"one number is enough for one or two players; this game has {count}",
            hint="write one payoff a player: `(1, 2, 6)`",
        )
    return (value, -value)[:count]


def _weights(elaborator: Elaborator, written: ast.TreeChoice) -> tuple[Fraction, ...]:
    weights: list[Fraction] = []
    for branch in written.branches:
        value = None if branch.weight is None else _number(elaborator, branch.weight)
        if value is None:
            continue
        weights.append(value)
        if value < 0 and branch.weight is not None:
            elaborator.reporter.report(
                "E2204", branch.weight.span, f"a probability cannot be {value}"
            )
    if len(weights) == len(written.branches) and sum(weights) != 1:
        elaborator.reporter.report(
            "E2204",
            written.span,
            f"the probabilities of this chance event add up to {sum(weights)}, not 1",
            hint="probabilities are exact fractions, as in `1/3`, and every branch has one",
        )
    return tuple(weights)


def _check_information_sets(elaborator: Elaborator, tree: Tree) -> None:
    first: dict[str, TreeNode] = {}
    for node in tree.nodes:
        if node.player < 0:
            continue
        first_node = first.setdefault(node.information_set, node)
        here = Label(first_node.span, "the other node")
        if first_node.player != node.player:
            elaborator.reporter.report(
                "E2205",
                node.span,
                f"information set `{node.information_set}` belongs to two players",
                secondary=(here,),
            )
        elif first_node.labels != node.labels:
            elaborator.reporter.report(
                "E2205",
                node.span,
                f"in information set `{node.information_set}` the player could tell the nodes"
                f" apart: {', '.join(first_node.labels)} at one,"
                f" {', '.join(node.labels)} at another",
                secondary=(here,),
                hint="nodes of one information set offer the same actions in the same order",
            )


def _check_recall(elaborator: Elaborator, tree: Tree) -> None:
    """Warn where a player forgets (absent-mindedness, an action, or earlier information)."""
    experience: dict[int, dict[int, tuple[tuple[str, str], ...]]] = {0: {}}
    first: dict[str, tuple[TreeNode, tuple[tuple[str, str], ...]]] = {}
    for node in tree.nodes:
        past = experience[node.number]
        for label, child in zip(node.labels, node.children, strict=True):
            after = dict(past)
            if node.player >= 0:
                memory = past.get(node.player, ())
                after[node.player] = (*memory, (node.information_set, label))
            experience[child] = after
        if node.player < 0:
            continue
        memory = past.get(node.player, ())
        first_node, before = first.setdefault(node.information_set, (node, memory))
        problem = _forgotten(node.information_set, before, memory)
        if problem:
            elaborator.reporter.report(
                "W2206",
                node.span,
                f"imperfect recall: in `{node.information_set}`"
                f" {elaborator.symbols.players[node.player].name} {problem}"
                f" (after {_path(node)}; after {_path(first_node)})",
                secondary=(Label(first_node.span, "a node of the same information set"),),
                severity=Severity.WARNING,
            )


def _path(node: TreeNode) -> str:
    return ", ".join(node.path) or "the start"


def _forgotten(
    here: str, before: tuple[tuple[str, str], ...], memory: tuple[tuple[str, str], ...]
) -> str | None:
    if here in {name for name, _ in (*before, *memory)}:
        return "is absent-minded: the set comes twice on one path"
    if before == memory:
        return None
    if [name for name, _ in before] == [name for name, _ in memory]:
        return "has forgotten an action taken before"
    return "has forgotten what was known before"
