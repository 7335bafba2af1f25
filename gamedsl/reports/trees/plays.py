"""The tree of a Monte-Carlo tree search, and the phases of the simulated plays.

The nodes of the `GameTree` are the nodes of the search tree, in the order of creation, with average
payoffs and numbers of plays; the steps are selection, expansion, simulation and back-propagation
(AIMA 4th ed., section 5.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import choices_at
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    PlayPhase,
    SearchStep,
    TreePath,
    ValueBound,
)
from gamedsl.reports.trees.growth import is_opposed, kind_of, short_labels
from gamedsl.reports.trees.search import place_words
from gamedsl.solvers.montecarlo.uct import SimulatedPlay
from gamedsl.solvers.textbook.trace import Value
from gamedsl.source.records import dataclass


@dataclass(slots=True)
class _Grown:
    """A node of the search tree, and the total payoffs of the plays through the node."""

    state: State
    totals: list[float]
    number: int
    visits: int = 0
    children: dict[Action, TreePath] = field(default_factory=dict)


def tree_of_plays(game: Game, plays: Sequence[SimulatedPlay], max_nodes: int) -> GameTree:
    """The search tree after all plays, or its first `max_nodes` nodes, with steps."""
    grown: dict[TreePath, _Grown] = {}
    for play in plays:
        for depth, state in enumerate(play.states):
            path = play.path[:depth]
            if path not in grown and len(grown) < max_nodes:
                grown[path] = _Grown(state, [0.0] * len(game.players), len(grown))
                if path:
                    grown[path[:-1]].children[path[-1]] = path
            if path in grown:
                node = grown[path]
                node.visits += 1
                node.totals = [a + b for a, b in zip(node.totals, play.payoffs, strict=True)]
    names = tuple(player.name for player in game.players)
    depth = max(map(len, grown))
    tree = GameTree(game.name, names, (), depth, None, "UCT", visited=len(plays))
    tree = replace(tree, nodes=_nodes(game, grown))
    return replace(tree, steps=tuple(_steps(game, tree, plays, grown)))


def _nodes(game: Game, grown: dict[TreePath, _Grown]) -> tuple[DrawnNode, ...]:
    chosen = _most_tried(game, grown)
    labels: dict[TreePath, tuple[str, str]] = {(): ("", "")}
    nodes = []
    for path, node in grown.items():
        labels |= _labels(game, path, node)
        player = int(game.current_player(node.state))
        label, action = labels[path]
        order = sorted(node.children, key=choices_at(game, node.state).index)
        nodes.append(
            DrawnNode(
                number=node.number,
                parent=grown[path[:-1]].number if path else -1,
                depth=len(path),
                children=tuple(grown[node.children[choice]].number for choice in order),
                path=path,
                state=node.state,
                kind=kind_of(game, player),
                player=player,
                name=game.players[player].name if player >= 0 else "",
                label=label,
                action=action,
                value=_mean(game, node),
                bound=ValueBound.ESTIMATE,
                is_chosen=path in chosen,
                visits=node.visits,
            )
        )
    return tuple(nodes)


def _labels(game: Game, path: TreePath, node: _Grown) -> dict[TreePath, tuple[str, str]]:
    """The labels of the edges to the children: short, and in full."""
    if not node.children:
        return {}
    actions: Sequence[Action | JointAction] = choices_at(game, node.state)
    names = [game.action_name(node.state, action) for action in actions]
    both = zip(actions, short_labels(names), names, strict=True)
    return {(*path, action): (label, name) for action, label, name in both}


def _mean(game: Game, node: _Grown) -> Value:
    means = tuple(Fraction(total) / node.visits for total in node.totals)
    return means[0] if is_opposed(game) else means


def _most_tried(game: Game, grown: dict[TreePath, _Grown]) -> set[TreePath]:
    """The line of the most frequent actions; the better action for the mover wins a tie."""
    path: TreePath = ()
    chosen = {path}
    while (node := grown[path]).children:
        player = game.current_player(node.state)
        if player in (CHANCE, TERMINAL):
            break

        def rank(below: TreePath, player: int = player) -> tuple[int, float]:
            return grown[below].visits, grown[below].totals[player] / grown[below].visits

        path = max(node.children.values(), key=rank)
        if grown[path].visits < 2:
            break
        chosen.add(path)
    return chosen


def _steps(
    game: Game, tree: GameTree, plays: Sequence[SimulatedPlay], grown: dict[TreePath, _Grown]
) -> list[SearchStep]:
    """The phases of all plays, at drawn nodes."""
    steps: list[SearchStep] = []
    totals = {path: [0.0] * len(game.players) for path in grown}
    visits = dict.fromkeys(grown, 0)
    whose = f" for {game.players[0].name}" if is_opposed(game) else ""

    def say(kind: PlayPhase, path: TreePath, words: str, shown: str = "") -> None:
        if path in grown:
            node = grown[path].number
            steps.append(SearchStep(kind, node, None, None, None, shown, words))

    def where(path: TreePath) -> str:
        return place_words(tree, tree.nodes[grown[path].number]) if path in grown else ""

    for number, play in enumerate(plays, start=1):
        for depth, bounds in enumerate(play.bounds):
            path, taken = play.path[:depth], play.path[depth]
            if path in grown and (*path, taken) in grown:
                words = _selection(tree, grown, path, taken, bounds)
                say(PlayPhase.SELECT, path, f"Play {number}: {words}")
        if play.is_new:
            say(PlayPhase.EXPAND, play.path, f"Play {number}: a new node {where(play.path)}.")
        paid = _paid(game, play.payoffs)
        is_over = game.is_terminal(play.states[-1])
        how = "It is over" if is_over else "A random play from here ends"
        say(PlayPhase.SIMULATE, play.path, f"Play {number}: {how}: {paid}.")
        for depth in range(len(play.path), -1, -1):
            path = play.path[:depth]
            if path in grown:
                visits[path] += 1
                pairs = zip(totals[path], play.payoffs, strict=True)
                totals[path] = [a + b for a, b in pairs]
                shown = _share(game, totals[path], visits[path])
                words = f"Play {number}: back {where(path)}, now {shown}{whose}."
                say(PlayPhase.BACK_PROPAGATE, path, words, shown)
    return steps


def _selection(
    tree: GameTree,
    grown: dict[TreePath, _Grown],
    path: TreePath,
    taken: Action,
    bounds: tuple[tuple[Action, float], ...],
) -> str:
    node = tree.nodes[grown[path].number]
    label = tree.nodes[grown[*path, taken].number].label
    where = place_words(tree, node)
    if node.player < 0:
        return f"chance {where} gives {label}."
    if not bounds:
        return f"{node.name} {where} tries {label}, for the first time."
    names = {
        action: tree.nodes[grown[*path, action].number].label
        for action, _ in bounds
        if (*path, action) in grown
    }
    listed = ", ".join(f"{names[a]} {value:.2f}" for a, value in bounds if a in names)
    return f"{node.name} {where} takes {label}, by the greatest bound: {listed}."


def _paid(game: Game, payoffs: Sequence[float]) -> str:
    named = zip(game.players, payoffs, strict=True)
    return ", ".join(f"{player.name} {payoff:g}" for player, payoff in named)


def _share(game: Game, totals: Sequence[float], visits: int) -> str:
    """`3/8`: eight plays with a total payoff of 3."""
    if is_opposed(game):
        return f"{totals[0]:g}/{visits}"
    return f"({', '.join(f'{total:g}' for total in totals)})/{visits}"
