"""An equilibrium on a game tree: the probabilities of the branches.

In a completely drawn tree, nodes also get the expected payoffs. The equilibrium is given, not
computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

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
) -> GameTree:
    """The tree with probabilities on the players' branches; reached branches are marked.

    Args:
        before: the play that leads to the root, without the root itself.
        strategies_at: the choice probabilities of the players to move after a history.
        name: description of the strategies.
        value: payoffs from the root, None if unknown.
        pays_at_the_end: whether there are no rewards on the way; with rewards nodes get no values.
    """
    nodes = list(tree.nodes)
    for node in tree.nodes:
        if node.player >= 0 and node.children:
            chances = _chances(strategies_at((*before, *tree.history(node))), node)
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
        values[0] = None if value is None else value if tree.has_vectors else value[0]
    nodes = [replace(node, value=paid) for node, paid in zip(nodes, values, strict=True)]
    return replace(tree, nodes=tuple(nodes), algorithm=name)


def _chances(strategies: tuple[LocalStrategy, ...], node: DrawnNode) -> dict[str, Fraction]:
    """The probability of each action of the player at a node, by name."""
    mine = (strategy for strategy in strategies if strategy.player == node.player)
    return {name: chance for strategy in mine for name, chance in strategy.choices}


def _values(nodes: list[DrawnNode]) -> list[Value | None]:
    """The expected payoffs from each node; None if a payoff or probability is unknown."""
    values = [node.value for node in nodes]
    for node in reversed(nodes):
        if node.children:
            values[node.number] = _mean([(nodes[n].likelihood, values[n]) for n in node.children])
    return values


def _mean(parts: list[tuple[Fraction | None, Value | None]]) -> Value | None:
    """The mean of values with probabilities."""
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
