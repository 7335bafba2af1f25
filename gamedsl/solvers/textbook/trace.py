"""Events of a search in order, each at a node named by the path from the root.

An algorithm reports to an observer when the search enters a node, learns a value, moves alpha or
beta, cuts off the remaining actions of a node, or leaves a node. Views (text, pictures, pages) are
made from the events alone. Without an observer an algorithm does the same search without reports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum
from fractions import Fraction

from gamedsl.game.contract import Action
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

Path = tuple[Action, ...]
"""The actions (and outcomes of chance) from the root of the search to a node."""
Value = Fraction | tuple[Fraction, ...]
"""A number for the first player (or as the algorithm defines), or one payoff per player."""


class EventKind(StrEnum):
    """The kinds of events at a node.

    ENTER: the node is visited. VALUE: a better value (or bound) of the node became known from a
    child. NARROW: alpha or beta has moved to the value. CUT: the remaining actions need not be
    visited. LEAVE: the node's value is final (a bound after a cut).
    """

    ENTER = "enter"
    VALUE = "value"
    NARROW = "narrow"
    CUT = "cut"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a search.

    Attributes:
        path: the node.
        state: the state of the node.
        player: index of the player to move; CHANCE or TERMINAL at chance nodes and endings.
        alpha, beta: the window at the event, from the first player's (MAX's) view; None where the
            algorithm has no window, or the bound is infinite.
        value: the value known so far (all but ENTER), from the algorithm's view.
        action: the action with the value (VALUE), if any.
        pruned: the actions never visited (CUT).
        is_cutoff: (LEAVE) the value is an estimate at the depth limit.
    """

    kind: EventKind
    path: Path
    state: State
    player: int
    alpha: Fraction | None = None
    beta: Fraction | None = None
    value: Value | None = None
    action: Action | None = None
    pruned: tuple[Action, ...] = ()
    is_cutoff: bool = False


Observer = Callable[[Event], None]


@dataclass(slots=True)
class Trace:
    """Collects the events of a search: `algorithm(..., observer=trace)`."""

    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        """Note an event."""
        self.events.append(event)
