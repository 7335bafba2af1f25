"""The result of a search on a drawn tree: values, bounds, cuts, unvisited nodes.

A `SearchLog` records the events of a search from the tree's root; `with_search` adds the values and
the steps to a `GameTree`. Events below the drawn depth are counted, not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction

from gamedsl.game.contract import Action
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.reports.trees.data import (
    Cut,
    DrawnNode,
    GameTree,
    NodeKind,
    SearchStep,
    TreePath,
    ValueBound,
    value_text,
    window_text,
)
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.textbook.trace import Event, EventKind, Observer, Value
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


class SearchLimitError(RuntimeError):
    """The search visited more nodes than allowed.

    `visited` is the number of nodes, `advice` the suggested remedy.
    """

    def __init__(self, visited: int, advice: str = "") -> None:
        super().__init__(f"more than {count(visited, 'node')}" + (advice and f"; {advice}"))
        self.visited = visited


@dataclass(slots=True)
class Visits:
    """The observer that counts visits, and passes events on.

    Attributes:
        most: number of visits beyond which SearchLimitError is raised, with `advice`; None: no
            limit.
        observer: receives the events.
        progress: called with (visits, 0) at each visit.
    """

    most: int | None
    observer: Observer | None = None
    progress: Progress | None = None
    advice: str = ""
    count: int = 0

    def __call__(self, event: Event) -> None:
        """Count a visit. Raises `SearchLimitError`."""
        if event.kind is EventKind.ENTER:
            self.count += 1
            if self.progress is not None:
                self.progress(self.count, 0)
            if self.most is not None and self.count > self.most:
                raise SearchLimitError(self.most, self.advice)
        if self.observer is not None:
            self.observer(event)


@dataclass(frozen=True, slots=True)
class _Known:
    """The relation of a value to the true value: an upper bound (`is_upper`), a lower bound
    (`is_lower`), or exact with both.
    """

    value: Value
    is_upper: bool
    is_lower: bool
    is_estimate: bool

    @property
    def bound(self) -> ValueBound:
        if self.is_estimate:
            return ValueBound.ESTIMATE
        if self.is_upper and not self.is_lower:
            return ValueBound.AT_MOST
        if self.is_lower and not self.is_upper:
            return ValueBound.AT_LEAST
        return ValueBound.EXACT


@dataclass(slots=True)
class _Open:
    """A node that the search has entered and not left."""

    alpha: Fraction | None
    beta: Fraction | None
    player: int
    is_cut: bool = False
    children: dict[TreePath, _Known] = field(default_factory=dict)


@dataclass(slots=True)
class SearchLog:
    """The observer: passed to an algorithm, then to `with_search`.

    Attributes:
        depth: longest path of a recorded event.
        max_nodes: number of visits beyond which SearchLimitError is raised.
        maximiser: index of the player for whom numbers are maximized.
    """

    depth: int
    max_nodes: int
    maximiser: int = 0
    visited: int = 0
    events: list[Event] = field(default_factory=list)
    known: dict[TreePath, _Known] = field(default_factory=dict)
    open: list[_Open] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        """Record an event. Raises `SearchLimitError`."""
        if not event.path and event.kind is EventKind.ENTER:
            self._begin()
        match event.kind:
            case EventKind.ENTER:
                self.visited += 1
                if self.visited > self.max_nodes:
                    raise SearchLimitError(self.max_nodes)
                self.open.append(_Open(event.alpha, event.beta, event.player))
            case EventKind.CUT:
                self.open[-1].is_cut = True
            case EventKind.LEAVE:
                known = _judged(self.open.pop(), event, self.maximiser)
                if self.open:
                    self.open[-1].children[event.path] = known
                if len(event.path) <= self.depth:
                    self.known[event.path] = known
            case EventKind.VALUE | EventKind.NARROW:
                pass
        if len(event.path) <= self.depth:
            self.events.append(event)

    def _begin(self) -> None:
        """Start a new iteration: in iterative deepening only the last iteration counts."""
        self.events.clear()
        self.known.clear()
        self.open.clear()


def _judged(node: _Open, event: Event, maximiser: int) -> _Known:
    """The meaning of a node's value, derived from the children's values."""
    value = event.value
    assert value is not None, "a search leaves a node with a value"
    children = tuple(node.children.values())
    is_estimate = event.is_cutoff or any(known.is_estimate for known in children)
    if not children or not isinstance(value, Fraction):
        return _Known(value, True, True, is_estimate)
    if node.player == CHANCE:
        if not node.is_cut:
            is_upper, is_lower = (
                all(k.is_upper for k in children),
                all(k.is_lower for k in children),
            )
            return _Known(value, is_upper, is_lower, is_estimate)
        fails_low = node.alpha is not None and value <= node.alpha
        return _Known(value, fails_low, not fails_low, is_estimate)
    reached = [known for known in children if known.value == value]
    if node.player == maximiser:
        is_lower = any(known.is_lower for known in reached)
        is_upper = not node.is_cut and all(known.is_upper for known in children)
    else:
        is_upper = any(known.is_upper for known in reached)
        is_lower = not node.is_cut and all(known.is_lower for known in children)
    return _Known(value, is_upper, is_lower, is_estimate)


def with_search(
    tree: GameTree, log: SearchLog, algorithm: str, ties: str | None = None
) -> GameTree:
    """The tree with the values, cuts and chosen line of the search, and the steps."""
    by_path = {node.path: node for node in tree.nodes if node.kind is not NodeKind.REST}
    entered = {event.path for event in log.events if event.kind is EventKind.ENTER}
    cuts: dict[TreePath, Cut] = {
        event.path: Cut(event.alpha, event.beta, event.value)
        for event in log.events
        if event.kind is EventKind.CUT
    }
    chosen = _chosen_paths(log.events)
    nodes = []
    for node in tree.nodes:
        known = log.known.get(node.path)
        if node.kind is NodeKind.REST:
            nodes.append(node)
            continue
        nodes.append(
            replace(
                node,
                value=None if known is None else known.value,
                bound=ValueBound.EXACT if known is None else known.bound,
                cut=cuts.get(node.path),
                is_visited=node.path in entered,
                is_chosen=node.path in chosen,
            )
        )
    done = replace(tree, nodes=tuple(nodes), algorithm=algorithm, visited=log.visited, ties=ties)
    steps = _steps(done, by_path, log)
    return replace(done, steps=steps)


def _chosen_paths(events: Sequence[Event]) -> set[TreePath]:
    """The root and the nodes on the search's principal line."""
    best: dict[TreePath, Action] = {}
    for event in events:
        if event.kind is EventKind.VALUE and event.action is not None and event.player >= 0:
            best[event.path] = event.action
    path: TreePath = ()
    chosen = {path}
    while path in best:
        path = (*path, best[path])
        chosen.add(path)
    return chosen


def _steps(
    tree: GameTree, by_path: dict[TreePath, DrawnNode], log: SearchLog
) -> tuple[SearchStep, ...]:
    steps = []
    windows: dict[TreePath, tuple[Fraction | None, Fraction | None]] = {}
    for event in log.events:
        if event.kind is not EventKind.LEAVE:
            windows[event.path] = event.alpha, event.beta
        node = by_path.get(event.path)
        if node is not None:
            node = tree.nodes[node.number]
            pruned = _pruned(tree, node, event)
            shown = _shown(node, event, log)
            words = _sentence(tree, node, event, shown, log.maximiser)
            window = windows[event.path]
            steps.append(
                SearchStep(event.kind, node.number, *window, event.value, shown, words, pruned)
            )
    return tuple(steps)


def _pruned(tree: GameTree, node: DrawnNode, event: Event) -> tuple[int, ...]:
    """The drawn children left unvisited by a cut (empty for all other events)."""
    children = tree.children(node)
    return tuple(c.number for c in children if c.path and c.path[-1] in event.pruned)


def _shown(node: DrawnNode, event: Event, log: SearchLog) -> str:
    """The value, as far as known after the event."""
    if event.value is None:
        return ""
    if event.kind is EventKind.LEAVE:
        return value_text(event.value, log.known[event.path].bound)
    if not isinstance(event.value, Fraction) or node.player < 0:
        return value_text(event.value)
    is_max = node.player == log.maximiser
    return value_text(event.value, ValueBound.AT_LEAST if is_max else ValueBound.AT_MOST)


def _sentence(tree: GameTree, node: DrawnNode, event: Event, shown: str, maximiser: int) -> str:
    where = place_words(tree, node)
    who = "chance" if event.player == CHANCE else node.name or "the end"
    match event.kind:
        case EventKind.ENTER:
            if event.player == TERMINAL:
                return f"Look at the end {where}."
            return f"Visit {who} {where}."
        case EventKind.VALUE:
            by = f", by {_label_of(tree, node, event.action)}" if event.action is not None else ""
            return f"{who} {where}: the value is now {shown}{by}."
        case EventKind.NARROW:
            name = "α" if node.player == maximiser else "β"
            return f"{who} {where}: {name} is now {value_text(event.value)}."
        case EventKind.CUT:
            names = ", ".join(_label_of(tree, node, action) for action in event.pruned)
            return (
                f"Cut {where}: the value is {shown} with {window_text(event.alpha, event.beta)}, "
                f"so {names or 'the rest'} cannot matter."
            )
        case EventKind.LEAVE:
            word = "utility" if event.player == TERMINAL else "value"
            return f"Leave {who} {where} with {word} {shown}."


def _label_of(tree: GameTree, node: DrawnNode, action: Action | None) -> str:
    for child in tree.children(node):
        if child.path and child.path[-1] == action:
            return child.label
    return "an action that is not drawn"


def place_words(tree: GameTree, node: DrawnNode) -> str:
    """`at the root`, or `after a1 b2`."""
    place = tree.place(node)
    return f"after {place}" if place else "at the root"
