"""A game tree as data: nodes with whose move it is, edges with their actions, values if known.

In: what other modules have found (`growth` the nodes, `search` what a search did there).
Out: nothing; these are the results that every view of a tree is made from.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction

from gamedsl.game.contract import Action, JointAction
from gamedsl.game.notebook import drawn
from gamedsl.model.state import State
from gamedsl.solvers.exact.outcomes import ROUNDED, rounded
from gamedsl.solvers.textbook.trace import EventKind, Value
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

TreePath = tuple[Action | JointAction, ...]


class NodeKind(StrEnum):
    """Who acts at a node.

    MAX and MIN are the two players of a zero-sum game; PLAYER is any player of another game.
    REST stands for siblings that are not drawn.
    """

    MAX = "max"
    MIN = "min"
    PLAYER = "player"
    CHANCE = "chance"
    TERMINAL = "terminal"
    REST = "rest"


class ValueBound(StrEnum):
    """How a value is to be read."""

    EXACT = ""
    AT_LEAST = "≥"
    AT_MOST = "≤"
    ESTIMATE = "≈"


class PlayPhase(StrEnum):
    """What Monte-Carlo tree search does with a simulated play, in order."""

    SELECT = "select"
    EXPAND = "expand"
    SIMULATE = "simulate"
    BACK_PROPAGATE = "back-propagate"


@dataclass(frozen=True, slots=True)
class Cut:
    """Why a search left a node early: the window, and the value outside it; None is infinite."""

    alpha: Fraction | None
    beta: Fraction | None
    value: Value | None


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of the tree; `number` is its place in `GameTree.nodes`, parents before children.

    Attributes:
        parent: number of the parent, -1 for the root.
        children: numbers of the children drawn, in order.
        path: the actions from the root of the tree.
        state: of a REST node, that of its parent; where all choose at once, the state stays the
            same from the choice of the first to that of the last player.
        player: index of who acts; negative for CHANCE, TERMINAL and REST.
        name: of the player who acts; empty for nobody.
        label: of the edge that leads here, as short as its siblings allow; `action` in full.
        chance: probability of that edge, below a chance node.
        share: the same in an equilibrium, below a player's node; None in trees without one.
        below: nodes below this one that are not drawn; None if there are more than were counted.
        value: backed up, or the payoffs at the end; None if not known.
        bound: how `value` is to be read.
        cut: set where a search left the node early.
        is_visited: False where a search has not been; True without a search.
        is_chosen: on the line of best play from the root.
        information_set: a number shared by nodes that the player cannot tell apart; None for a
            node that is told apart from all others.
        about: lines that say what the state is.
        visits: simulated plays through the node; None in trees of other searches.
        shown: what is written where room is kept for a value (see `boxes.Room`).
        is_hidden: not drawn, though its place is kept.
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
        """The probability of the edge that leads here, by chance or by a player's choice."""
        return self.share if self.chance is None else self.chance

    @property
    def is_pruned(self) -> bool:
        """Whether a search never looked at this node."""
        return not self.is_visited


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One event of a search, at a node that is drawn.

    Attributes:
        kind: as in `solvers.textbook.trace.Event`, or a phase of a simulated play.
        alpha, beta: the node's window from now on; None is infinite.
        node: the number of the node.
        value: as in the event.
        shown: the value that the node shows from now on; empty for none yet.
        words: what happened, as a sentence.
        pruned: numbers of the drawn nodes that are cut off for good.
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
    """A tree, or as much of it as is drawn.

    Attributes:
        title: of the game; `algorithm` is how the values came about, None if they are not given.
        nodes: the root first.
        depth: plies of the tree that are drawn.
        left_out: nodes that are not drawn; None if there are more than were counted.
        first_player_value: whether a number is the first player's payoff, not a vector.
        steps: the events of the search at drawn nodes, in order.
        visited: nodes that the search entered, drawn or not, or plays that it has simulated; None
            without a search.
        ties: one sentence, if the choice at the root is not the only one.
        remark: one more sentence for the caption.
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

    @property
    def root(self) -> DrawnNode:
        """The node where the tree begins."""
        return self.nodes[0]

    def children(self, node: DrawnNode) -> tuple[DrawnNode, ...]:
        """The drawn children, in order."""
        return tuple(self.nodes[number] for number in node.children)

    def information_sets(self) -> Iterator[tuple[DrawnNode, ...]]:
        """The sets of two or more nodes that a player cannot tell apart."""
        found: dict[int, list[DrawnNode]] = {}
        for node in self.nodes:
            if node.information_set is not None:
                found.setdefault(node.information_set, []).append(node)
        return (tuple(nodes) for nodes in found.values())

    def pruned_nodes(self) -> tuple[DrawnNode, ...]:
        """The topmost nodes that a search never looked at, from left to right."""
        found = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.is_pruned:
                found.append(node)
            else:
                stack += reversed(self.children(node))
        return tuple(found)

    def __str__(self) -> str:
        return drawn("tree_text", self)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return drawn("tree_svg", self)


def value_text(value: Value | None, bound: ValueBound = ValueBound.EXACT) -> str:
    """A value as it stands in a picture: `≤2`, `4/5`, `(1, 2, 6)`; empty if there is none."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{bound}(" + ", ".join(_short(part) for part in value) + ")"
    text = _short(value)
    return text if bound is ValueBound.ESTIMATE and text.startswith(ROUNDED) else bound + text


def _short(number: Fraction) -> str:
    """A fraction, or a decimal where the fraction is long."""
    text = str(number)
    return text if len(text) <= 9 else rounded(number, ".4g")


def likelihood_text(node: DrawnNode) -> str:
    """The probability of the edge that leads to a node, by chance or by choice: `1/3`; empty where
    there is none."""
    return "" if node.likelihood is None else _short(node.likelihood)


def is_in_equilibrium(tree: GameTree) -> bool:
    """Whether branches say how likely players take them."""
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
    """What the picture shows and what it leaves out, in a few sentences."""
    shown = sum(node.kind is not NodeKind.REST for node in tree.nodes)
    first = f"{tree.title}: {count(shown, 'node')}"
    if tree.root.visits is not None:
        lines = [f"{first} of the search tree"]
    elif tree.left_out == 0:
        lines = [first + ", the whole tree"]
    else:
        hidden = "more than were counted" if tree.left_out is None else f"{tree.left_out:,}"
        lines = [f"{first} to depth {tree.depth}; nodes below that are not drawn: {hidden}"]
    if tree.algorithm:
        lines.append(f"{tree.algorithm}: {_found(tree)}{_work(tree)}")
        pruned = tree.pruned_nodes()
        if pruned:
            names = ", ".join(_place(tree, node) for node in pruned[:12])
            more = f" and {len(pruned) - 12} more" if len(pruned) > 12 else ""
            below = " (with all below)" if any(n.children or n.below != 0 for n in pruned) else ""
            lines.append(f"never visited: {names}{more}{below}")
    lines += filter(None, (tree.ties, tree.remark))
    lines += _roles(tree)
    return tuple(lines)


def _found(tree: GameTree) -> str:
    """What the root is worth; of simulated plays, what they paid, which is no estimate."""
    if tree.root.visits is not None:
        return f"average {value_text(tree.root.value)}"
    value = value_text(tree.root.value, tree.root.bound)
    return f"value {value}" if value else "no value"


def _work(tree: GameTree) -> str:
    """What the search has looked at."""
    if tree.visited is None:
        return ""
    if tree.root.visits is not None:
        return f", {count(tree.visited, 'play')} simulated"
    return f", {count(tree.visited, 'node')} visited"


def _roles(tree: GameTree) -> list[str]:
    """Who MAX and MIN are, if the game calls its players otherwise."""
    roles = [f"{role} is {name}" for role, name in zip(("MAX", "MIN"), tree.players, strict=False)]
    is_opposed = any(node.kind in (NodeKind.MAX, NodeKind.MIN) for node in tree.nodes)
    is_plain = tree.players[:2] == ("MAX", "MIN")
    return [", ".join(roles)] if is_opposed and not is_plain else []


def row_name(tree: GameTree, depth: int) -> str:
    """Who moves at all nodes of a row: `MAX`, `CHANCE`, a player's name; empty if not the same."""
    found = set()
    for node in tree.nodes:
        if node.depth == depth and node.kind not in (NodeKind.TERMINAL, NodeKind.REST):
            found.add(node.name if node.kind is NodeKind.PLAYER else node.kind.upper())
    return found.pop() if len(found) == 1 else ""


def _place(tree: GameTree, node: DrawnNode) -> str:
    words: list[str] = []
    while node.parent >= 0:
        words.append(node.label)
        node = tree.nodes[node.parent]
    return " ".join(reversed(words))
