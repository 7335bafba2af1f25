"""From a game to its tree: the nodes down to a depth, and the number of omitted nodes.

The `GameTree` has no values except the payoffs at the ends. Omitted nodes are counted. Levels are
drawn completely or not at all, except the first level: the actions that fit are drawn, and a single
node stands for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.action_names import short_name
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.reports.trees.data import DrawnNode, GameTree, NodeKind, TreePath
from gamedsl.reports.trees.size import TreeSize
from gamedsl.solvers.graphs.images import Cells, Images
from gamedsl.solvers.textbook.ordering import Ordering, declared_order
from gamedsl.source.records import dataclass

DEFAULT_MAX_NODES = 250
ALL_PLIES = 10_000


@dataclass(slots=True, eq=False)
class _GrowingNode:
    """A node that may get children.

    Attributes:
        chosen: for simultaneous moves, the actions chosen so far.
        branches: all children; `children`: those that are drawn, the first of them.
        merged: children left out, whose results are symmetric to other children's.
        alike: number of actions that the node stands for.
    """

    parent: _GrowingNode | None
    path: TreePath
    state: State
    player: int
    depth: int
    action: str = ""
    chance: Fraction | None = None
    chosen: tuple[Action, ...] = ()
    number: int = 0
    label: str = ""
    children: list[_GrowingNode] = field(default_factory=list)
    rest: int | None = 0
    branches: list[_GrowingNode] = field(default_factory=list)
    merged: list[_GrowingNode] = field(default_factory=list)
    alike: int = 1


def grow(
    game: Game,
    root: State,
    depth: int = ALL_PLIES,
    max_nodes: int = DEFAULT_MAX_NODES,
    ordering: Ordering = declared_order,
    width: int | None = None,
    images: Images | None = None,
) -> GameTree:
    """The tree below `root`.

    The tree has at most `depth` levels of edges, at most `max_nodes` nodes, and the first `width`
    children per node; a player's actions are in the given order. Without a depth, the subtree of a
    state that repeats an ancestor's state is not drawn. With `images`, only the first of a player's
    actions with symmetric results is drawn.
    """
    size = TreeSize(game)
    nodes = [_GrowingNode(None, (), root, _mover(game, root, ()), 0)]
    level = nodes[:]
    drawn = 0
    stopped_by = None
    while level and drawn < depth:
        for node in level:
            node.branches = _branches(game, node, ordering)
            if images is not None:
                node.branches = _unlike(node, images)
        total = sum(len(node.branches[:width]) for node in level)
        if total == 0:
            break
        if len(nodes) + total > max_nodes and drawn > 0:
            stopped_by = None if depth == ALL_PLIES else max_nodes
            break
        level = _next_level(game, nodes, level, max_nodes - 1, width)
        if depth == ALL_PLIES:
            level = [node for node in level if not _returns(node)]
        drawn += 1
    for node in nodes:
        if node.rest == 0 and not node.children:
            node.rest = size.below(node.state, node.chosen)
    return replace(_finished(game, nodes, drawn, size), stopped_by=stopped_by)


def is_opposed(game: Game) -> bool:
    """Whether a single number decides: MAX wants the number large, MIN (if any) small."""
    return len(game.players) == 1 or game.facts.is_opposed


def _mover(game: Game, state: State, chosen: tuple[Action, ...]) -> int:
    mover = game.current_player(state)
    return len(chosen) if mover == SIMULTANEOUS else int(mover)


def _branches(game: Game, node: _GrowingNode, ordering: Ordering) -> list[_GrowingNode]:
    """The children of a node, one for each action or outcome, in order. In simultaneous moves
    players choose in turn order, hidden from each other, with a level of nodes per player."""
    state, mover = node.state, game.current_player(node.state)
    if mover == TERMINAL:
        return []
    if mover == CHANCE:
        return [_child(game, node, *outcome) for outcome in game.chance_outcomes(state)]
    if mover == SIMULTANEOUS:
        choices = game.legal_actions(state, len(node.chosen))
        return [_child(game, node, choice, chosen=(*node.chosen, choice)) for choice in choices]
    return [_child(game, node, action) for action in ordering(game, state)]


def _child(
    game: Game, node: _GrowingNode, action: Action, chance: Fraction | None = None,
    chosen: tuple[Action, ...] = (),
) -> _GrowingNode:  # fmt: skip
    """The child of an action, or of an outcome with its probability; `chosen`: of a simultaneous
    choice, which takes place when all players have chosen."""
    name, state, path = game.action_name(node.state, action), node.state, node.path
    if len(chosen) in (0, len(game.players)):
        step, chosen = chosen or action, ()
        state, path = game.result(state, step), (*path, step)
    mover = _mover(game, state, chosen)
    return _GrowingNode(node, path, state, mover, node.depth + 1, name, chance, chosen)


def _unlike(node: _GrowingNode, images: Images) -> list[_GrowingNode]:
    """The first of the children with symmetric results, with the number of such children."""
    if node.player < 0 or not node.branches or node.branches[0].chosen:
        return node.branches
    representatives: dict[Cells, _GrowingNode] = {}
    for child in node.branches:
        symmetric = images(child.state)
        like = next((representatives[c] for c in symmetric if c in representatives), None)
        if like is None:
            representatives[tuple(child.state.cells)] = child
        else:
            like.alike += 1
            node.merged.append(child)
    return list(representatives.values())


def _next_level(
    game: Game,
    nodes: list[_GrowingNode],
    level: Sequence[_GrowingNode],
    most: int,
    width: int | None,
) -> list[_GrowingNode]:
    """Add the children of a level: at most `most` for the root, at most `width` per node."""
    grown = []
    for node in level:
        labels = short_labels([child.action for child in node.branches])
        drawn = node.branches[:width] if node.parent is not None else node.branches[:width][:most]
        node.children, node.rest = drawn, len(node.branches) - len(drawn)
        for child, label in zip(drawn, labels, strict=False):
            step = child.path[-1] if len(child.path) > len(node.path) else None
            child.label = label + _paid(game, node.state, step)
            child.number = len(nodes)
            nodes.append(child)
            grown.append(child)
    return grown


def _returns(node: _GrowingNode) -> bool:
    """Whether play has returned to an earlier state."""
    above = node.parent
    while above is not None:
        if above.state == node.state and above.chosen == node.chosen:
            return True
        above = above.parent
    return False


def _paid(game: Game, state: State, step: Action | JointAction | None) -> str:
    """The reward of a step, in brackets; for opposed players the first player's reward."""
    if step is None or not game.facts.has_rewards or not any(paid := game.rewards(state, step)):
        return ""
    if is_opposed(game):
        return f" ({paid[0]})"
    pairs = zip(game.facts.players, paid, strict=True)
    return f" ({', '.join(f'{name} {amount}' for name, amount in pairs)})"


def short_labels(names: Sequence[str]) -> list[str]:
    """The arguments, or the drawn value, if the short labels are unique; else the names."""
    labels = [short_name(name) for name in names]
    return labels if len(set(labels)) == len(labels) else list(names)


def _finished(game: Game, nodes: list[_GrowingNode], drawn: int, size: TreeSize) -> GameTree:
    """The frozen tree; REST nodes come last."""
    frozen = [_frozen(game, node) for node in nodes]
    total = 0
    for node in nodes:
        if node.children and node.rest:
            frozen.append(_rest_node(node, len(frozen), size))
            children = (*frozen[node.number].children, frozen[-1].number)
            frozen[node.number] = replace(frozen[node.number], children=children)
            total += node.rest
    merged = [child for node in nodes for child in node.merged if node.children]
    total += len(merged)
    hidden = [node.below for node in frozen] + [size.below(child.state) for child in merged]
    total += sum(count for count in hidden if count is not None)
    names = tuple(player.name for player in game.players)
    left_out = None if None in hidden else total
    return _with_information_sets(game, GameTree(game.name, names, tuple(frozen), drawn, left_out))


def _rest_node(node: _GrowingNode, number: int, size: TreeSize) -> DrawnNode:
    left = node.branches[len(node.children) :]
    counts = [size.below(child.state, child.chosen) for child in left]
    below = None if None in counts else sum(count for count in counts if count is not None)
    return DrawnNode(
        number, node.number, node.depth + 1, (), node.path, node.state, NodeKind.REST, TERMINAL, "",
        f"and {len(left):,} more", f"{len(left):,} more actions", below=below,
    )  # fmt: skip


def _frozen(game: Game, node: _GrowingNode) -> DrawnNode:
    is_leaf = node.player == TERMINAL
    value: Fraction | tuple[Fraction, ...] | None = None
    if is_leaf:
        payoffs = tuple(game.utilities(node.state))
        value = payoffs[0] if is_opposed(game) else payoffs
    return DrawnNode(
        number=node.number,
        parent=-1 if node.parent is None else node.parent.number,
        depth=node.depth,
        children=tuple(c.number for c in node.children),
        path=node.path,
        state=node.state,
        kind=kind_of(game, node.player),
        player=node.player,
        name=game.players[node.player].name if node.player >= 0 else "",
        label=node.label,
        action=node.action,
        chance=node.chance,
        below=0 if node.children else node.rest,
        value=value,
        about=(f"one of {node.alike} alike",) if node.alike > 1 else (),
    )


def kind_of(game: Game, player: int) -> NodeKind:
    """The kind of a node, for pictures."""
    if player == TERMINAL:
        return NodeKind.TERMINAL
    if player == CHANCE:
        return NodeKind.CHANCE
    if not is_opposed(game):
        return NodeKind.PLAYER
    return NodeKind.MAX if game.facts.are_partners(0, player) else NodeKind.MIN


def _with_information_sets(game: Game, tree: GameTree) -> GameTree:
    """The tree with the numbers of the information sets of several nodes."""
    if not (game.facts.has_secrets or game.facts.is_simultaneous):
        return tree
    sets: dict[tuple[int, tuple[object, ...]], list[int]] = {}
    for node in tree.nodes:
        if node.player >= 0:
            key = (node.player, game.information_state(tree.history(node), node.player))
            sets.setdefault(key, []).append(node.number)
    large = [members for members in sets.values() if len(members) > 1]
    index = {number: index for index, members in enumerate(large) for number in members}
    nodes = tuple(replace(node, information_set=index.get(node.number)) for node in tree.nodes)
    return replace(tree, nodes=nodes)
