"""What a search did, as data: events in order, each at a node named by the path that leads there.

An algorithm is given an observer and tells it when it enters a node, learns a value, moves alpha
or beta, cuts the rest of a node's actions off, and leaves. Views (text, pictures, pages) are made
from the events alone. An algorithm without an observer does the same search and tells nobody.
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
"""A number for the first player (or as the algorithm says), or one payoff a player."""


class EventKind(StrEnum):
    """What happened at a node.

    ENTER: the node is visited. VALUE: a better value (or bound) for it became known from a
    child. NARROW: for that value alpha or beta has moved. CUT: its remaining actions need not be
    looked at. LEAVE: its value is final (a bound, if it was cut).
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
        path: where.
        state: the state there.
        player: index of who moves there; CHANCE or TERMINAL for the others.
        alpha, beta: the window at that moment, from the first player's (MAX's) view; None where
            the algorithm has none, or the bound is infinite.
        value: the value known so far (all but ENTER), from the algorithm's view.
        action: the action that the value comes from (VALUE), if any.
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
