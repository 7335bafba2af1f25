"""What an equilibrium does, laid over a game tree: how likely each branch is taken.

In: a `GameTree` as grown, and with what probabilities players choose after a history. Out: the tree
with these probabilities on the branches, and, where all of it is drawn, what play pays from each
node on average. It solves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from gamedsl.game.contract import Action, JointAction
from gamedsl.model.state import State
from gamedsl.reports.phrases import Payoffs
from gamedsl.reports.trees.data import DrawnNode, GameTree, NodeKind
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.textbook.trace import Value

ZERO = Fraction(0)


def with_strategies(
    tree: GameTree,
    before: History,
    strategies_at: Callable[[History], tuple[LocalStrategy, ...]],
    *,
    name: str,
    value: Payoffs | None,
    pays_at_the_end: bool,
    remark: str | None = None,
) -> GameTree:
    """The tree with probabilities on the branches of those who choose; those branches are marked
    that play comes to.

    Args:
        before: the play that leads to the root, without the root itself.
        strategies_at: with what probabilities each player chooses who is to choose after a history.
        name: of what is shown; value: what it pays from the root, None if that is not known.
        pays_at_the_end: whether nothing is paid on the way; else nodes get no values.
        remark: one more sentence for the caption.
    """
    nodes = list(tree.nodes)
    for node in tree.nodes:
        if node.player >= 0 and node.children:
            chances = _chances(strategies_at(_history(tree, node, before)), node)
            for child in tree.children(node):
                if child.kind is not NodeKind.REST:
                    share = chances.get(child.action)
                    nodes[child.number] = replace(nodes[child.number], share=share)
    nodes[0] = replace(nodes[0], is_chosen=True)
    for number, node in enumerate(nodes[1:], start=1):
        comes = nodes[node.parent].is_chosen and bool(node.likelihood)
        nodes[number] = replace(node, is_chosen=comes)
    if pays_at_the_end and tree.left_out == 0:
        values = _values(nodes)
    else:
        values = [node.value for node in nodes]
        values[0] = None if value is None else value if _has_vectors(tree) else value[0]
    nodes = [replace(node, value=paid) for node, paid in zip(nodes, values, strict=True)]
    return replace(tree, nodes=tuple(nodes), algorithm=name, remark=remark)


def _has_vectors(tree: GameTree) -> bool:
    """Whether values are payoffs of all players."""
    return any(n.kind is NodeKind.PLAYER or isinstance(n.value, tuple) for n in tree.nodes)


def _chances(found: tuple[LocalStrategy, ...], node: DrawnNode) -> dict[str, Fraction]:
    """The probability of each action of the player at a node, by its name."""
    mine = (one for one in found if one.player == node.player)
    return {name: chance for one in mine for name, chance in one.choices}


def _history(tree: GameTree, node: DrawnNode, before: History) -> History:
    """The play to a node; of choices made at once the first ones are no part of it."""
    history: list[tuple[State, Action | JointAction | None]] = [(node.state, None)]
    while node.parent >= 0:
        above = tree.nodes[node.parent]
        if len(node.path) > len(above.path):
            history.append((above.state, node.path[-1]))
        node = above
    return (*before, *reversed(history))


def _values(nodes: list[DrawnNode]) -> list[Value | None]:
    """What play pays on average from each node; None where something is not known."""
    values = [node.value for node in nodes]
    for node in reversed(nodes):
        if node.children:
            values[node.number] = _mean([(nodes[n].likelihood, values[n]) for n in node.children])
    return values


def _mean(parts: list[tuple[Fraction | None, Value | None]]) -> Value | None:
    """The mean of values with their probabilities."""
    totals: list[Fraction] = []
    is_vector = False
    for share, value in parts:
        if share is None or value is None:
            return None
        is_vector = isinstance(value, tuple)
        paid = value if isinstance(value, tuple) else (value,)
        totals = totals or [ZERO] * len(paid)
        totals = [total + share * payoff for total, payoff in zip(totals, paid, strict=True)]
    return tuple(totals) if is_vector else totals[0]
