"""A game tree as data: nodes with the player to move, edges with actions, values if known.

Other modules fill the tree (`growth` the nodes, `search` the steps of a search); every view draws
from these data.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction

from gamedsl.game.contract import Action, History, JointAction
from gamedsl.game.notebook import drawn
from gamedsl.model.state import State
from gamedsl.solvers.decimals import ROUNDED, rounded
from gamedsl.solvers.textbook.trace import EventKind, Value
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

TreePath = tuple[Action | JointAction, ...]


NodeKind = StrEnum("NodeKind", "MAX MIN PLAYER CHANCE TERMINAL REST")
"""Kinds of nodes, by the player to move.

MAX and MIN are the two players of a zero-sum game; PLAYER is a player of any other game. REST
stands for siblings that are not drawn.
"""


class ValueBound(StrEnum):
    """The meaning of a value."""

    EXACT = ""
    AT_LEAST = "≥"
    AT_MOST = "≤"
    ESTIMATE = "≈"


class PlayPhase(StrEnum):
    """The phases of a simulated play in Monte-Carlo tree search, in order."""

    SELECT = "select"
    EXPAND = "expand"
    SIMULATE = "simulate"
    BACK_PROPAGATE = "back-propagate"


@dataclass(frozen=True, slots=True)
class Cut:
    """The reason for leaving a node early: the window, and the value outside; None is infinite."""

    alpha: Fraction | None
    beta: Fraction | None
    value: Value | None


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of the tree; `number` is the place in `GameTree.nodes`, parents before children.

    Attributes:
        parent: number of the parent, -1 for the root.
        children: numbers of the drawn children, in order.
        path: the actions from the root of the tree.
        state: the state; for a REST node, the parent's state; for simultaneous moves, constant
            from the first player's choice to the last.
        player: index of the player to move; negative for CHANCE, TERMINAL and REST.
        name: name of the player to move; empty for nobody.
        label: short label of the edge to the node, unique among siblings.
        action: the full name of the action.
        chance: probability of the edge to the node, below a chance node.
        share: probability of the edge in an equilibrium, below a player's node; None in trees
            without an equilibrium.
        below: number of undrawn nodes below; None if more than could be counted.
        value: backed up, or the payoffs at the end; None if unknown.
        bound: the meaning of `value`.
        cut: set if a search left the node early.
        is_visited: False if a search never entered the node; True without a search.
        is_chosen: on the line of best play from the root.
        information_set: a number shared by nodes that the player cannot tell apart; None for a
            node alone in its information set.
        about: lines that describe the state.
        visits: simulated plays through the node; None in trees of other searches.
        shown: text for the room reserved for a value (see `boxes.Room`).
        is_hidden: not drawn, though the place is kept.
    """

    number: int
    parent: int
    depth: int
    children: tuple[int, ...]
    path: TreePath
    state: State
    kind: NodeKind
    player: int
    name: str
    label: str
    action: str
    chance: Fraction | None = None
    below: int | None = 0
    value: Value | None = None
    bound: ValueBound = ValueBound.EXACT
    cut: Cut | None = None
    is_visited: bool = True
    is_chosen: bool = False
    information_set: int | None = None
    about: tuple[str, ...] = ()
    visits: int | None = None
    shown: str = ""
    is_hidden: bool = False
    share: Fraction | None = None

    @property
    def likelihood(self) -> Fraction | None:
        """The probability of the edge to the node, by chance or by a player's choice."""
        return self.share if self.chance is None else self.chance

    @property
    def is_pruned(self) -> bool:
        """Whether a search never entered the node."""
        return not self.is_visited


@dataclass(frozen=True, slots=True)
class SearchStep:
    """An event of a search, at a drawn node.

    Attributes:
        kind: as in `solvers.textbook.trace.Event`, or a phase of a simulated play.
        alpha, beta: the node's window from now on; None is infinite.
        node: the number of the node.
        value: as in the event.
        shown: the value displayed at the node from now on; empty without a value.
        words: the event as a sentence.
        pruned: numbers of the drawn nodes that are cut off permanently.
    """

    kind: EventKind | PlayPhase
    node: int
    alpha: Fraction | None
    beta: Fraction | None
    value: Value | None
    shown: str
    words: str
    pruned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameTree:
    """A tree, or the drawn part of a tree.

    Attributes:
        title: title of the game.
        algorithm: the origin of the values, None without values.
        nodes: the root first.
        depth: plies of the drawn tree.
        left_out: number of undrawn nodes; None if more than could be counted.
        first_player_value: whether a number is the first player's payoff, not a vector.
        steps: the events of the search at drawn nodes, in order.
        visited: nodes entered by the search, drawn or not, or simulated plays; None without a
            search.
        ties: one sentence, if the choice at the root is not unique.
        remark: one more sentence for the caption.
        stopped_by: the limit on nodes that ended the drawing above the wanted depth, else None.
    """

    title: str
    players: tuple[str, ...]
    nodes: tuple[DrawnNode, ...]
    depth: int
    left_out: int | None
    algorithm: str | None = None
    steps: tuple[SearchStep, ...] = ()
    visited: int | None = None
    ties: str | None = None
    remark: str | None = None
    stopped_by: int | None = None

    @property
    def root(self) -> DrawnNode:
        """The root of the tree."""
        return self.nodes[0]

    def children(self, node: DrawnNode) -> tuple[DrawnNode, ...]:
        """The drawn children, in order."""
        return tuple(self.nodes[number] for number in node.children)

    def place(self, node: DrawnNode) -> str:
        """The labels on the way to a node: `a1 b2`."""
        words: list[str] = []
        while node.parent >= 0:
            words.append(node.label)
            node = self.nodes[node.parent]
        return " ".join(reversed(words))

    def history(self, node: DrawnNode) -> History:
        """The play to a node; the first choices of a simultaneous move are no part of the play."""
        steps: list[tuple[State, Action | JointAction | None]] = [(node.state, None)]
        while node.parent >= 0:
            above = self.nodes[node.parent]
            if len(node.path) > len(above.path):
                steps.append((above.state, node.path[-1]))
            node = above
        return tuple(reversed(steps))

    @property
    def has_vectors(self) -> bool:
        """Whether values are payoffs of all players."""
        return any(n.kind is NodeKind.PLAYER or isinstance(n.value, tuple) for n in self.nodes)

    def information_sets(self) -> Iterator[tuple[DrawnNode, ...]]:
        """The sets of two or more nodes that a player cannot tell apart."""
        sets: dict[int, list[DrawnNode]] = {}
        for node in self.nodes:
            if node.information_set is not None:
                sets.setdefault(node.information_set, []).append(node)
        return (tuple(nodes) for nodes in sets.values())

    def pruned_nodes(self) -> tuple[DrawnNode, ...]:
        """The topmost nodes never entered by a search, from left to right."""
        pruned = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.is_pruned:
                pruned.append(node)
            else:
                stack += reversed(self.children(node))
        return tuple(pruned)

    def __str__(self) -> str:
        return drawn("tree_text", self)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return drawn("tree_svg", self)


def value_text(value: Value | None, bound: ValueBound = ValueBound.EXACT) -> str:
    """A value in the notation of pictures: `≤2`, `4/5`, `(1, 2, 6)`; empty without a value."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{bound}(" + ", ".join(_short(part) for part in value) + ")"
    text = _short(value)
    return text if bound is ValueBound.ESTIMATE and text.startswith(ROUNDED) else bound + text


def _short(number: Fraction) -> str:
    """A fraction, or a decimal in place of a long fraction."""
    text = str(number)
    return text if len(text) <= 9 else rounded(number, ".4g")


def likelihood_text(node: DrawnNode) -> str:
    """The probability of the edge to a node, by chance or by choice: `1/3`.

    Empty without a probability.
    """
    return "" if node.likelihood is None else _short(node.likelihood)


def is_in_equilibrium(tree: GameTree) -> bool:
    """Whether branches have probabilities of players' choices."""
    return any(node.share is not None for node in tree.nodes)


def bound_text(bound: Fraction | None, infinite: str) -> str:
    """A side of the window."""
    return infinite if bound is None else _short(bound)


def window_text(alpha: Fraction | None, beta: Fraction | None) -> str:
    """`α=3, β=+∞`."""
    return f"α={bound_text(alpha, '-∞')}, β={bound_text(beta, '+∞')}"


def cut_text(cut: Cut) -> str:
    """`cut: v=2, α=3, β=+∞`."""
    value = "" if cut.value is None else f"v={value_text(cut.value)}, "
    return f"cut: {value}{window_text(cut.alpha, cut.beta)}"


def caption(tree: GameTree) -> tuple[str, ...]:
    """The content of the picture and the omissions, in a few sentences."""
    shown = sum(node.kind is not NodeKind.REST for node in tree.nodes)
    first = f"{tree.title}: {count(shown, 'node')}"
    if tree.root.visits is not None:
        lines = [f"{first} of the search tree"]
    elif tree.left_out == 0:
        lines = [first + ", the whole tree"]
    else:
        hidden = "and not counted" if tree.left_out is None else f"({tree.left_out:,})"
        lines = [f"{first} to depth {tree.depth}; deeper nodes are not drawn {hidden}"]
    if tree.stopped_by is not None:
        lines.append(
            f"depth {tree.depth + 1} is not drawn: the limit is {tree.stopped_by:,} nodes "
            "(--max-nodes)"
        )
    if tree.algorithm:
        lines.append(f"{tree.algorithm}: {_root_words(tree)}{_work(tree)}")
        pruned = tree.pruned_nodes()
        if pruned:
            names = ", ".join(tree.place(node) for node in pruned[:12])
            more = f" and {len(pruned) - 12} more" if len(pruned) > 12 else ""
            below = " (with all below)" if any(n.children or n.below != 0 for n in pruned) else ""
            lines.append(f"never visited: {names}{more}{below}")
    lines += filter(None, (tree.ties, tree.remark))
    lines += _roles(tree)
    return tuple(lines)


def _root_words(tree: GameTree) -> str:
    """The value of the root; for simulated plays, the average payoff, which is no estimate."""
    if tree.root.visits is not None:
        return f"average {value_text(tree.root.value)}"
    value = value_text(tree.root.value, tree.root.bound)
    return f"value {value}" if value else "no value"


def _work(tree: GameTree) -> str:
    """The number of visited nodes or simulated plays."""
    if tree.visited is None:
        return ""
    if tree.root.visits is not None:
        return f", {count(tree.visited, 'play')} simulated"
    return f", {count(tree.visited, 'node')} visited"


def _roles(tree: GameTree) -> list[str]:
    """The players behind MAX and MIN, if the game has different names."""
    roles = [f"{role} is {name}" for role, name in zip(("MAX", "MIN"), tree.players, strict=False)]
    if len(tree.players) > 2:
        roles = [
            f"{kind.upper()} is {' or '.join(dict.fromkeys(names))}"
            for kind in (NodeKind.MAX, NodeKind.MIN)
            if (names := [node.name for node in tree.nodes if node.kind is kind])
        ]
    is_opposed = any(node.kind in (NodeKind.MAX, NodeKind.MIN) for node in tree.nodes)
    is_plain = tree.players[:2] == ("MAX", "MIN")
    return [", ".join(roles)] if is_opposed and not is_plain else []


def row_name(tree: GameTree, depth: int) -> str:
    """The common player to move of a row: `MAX`, `CHANCE`, a player's name; empty if not common."""
    names = set()
    for node in tree.nodes:
        if node.depth == depth and node.kind not in (NodeKind.TERMINAL, NodeKind.REST):
            names.add(node.name if node.kind is NodeKind.PLAYER else node.kind.upper())
    return names.pop() if len(names) == 1 else ""
