"""Bodies cut at chance events: what is still to be run, and the events met so far.

Data alone; `bodies.continuations` cuts.
"""

from __future__ import annotations

from dataclasses import field

from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.values.scope import Scope
from gamedsl.model import nodes
from gamedsl.model.values import Domain
from gamedsl.model.values import Value as GameValue
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """The statements of a block that are still to be run."""

    statements: nodes.Block
    scope: Scope


@dataclass(frozen=True, slots=True)
class LoopFrame:
    """The rounds of a loop that are still to be run; `within`: the ends of a range, the lower one
    None where a round of it has been run."""

    loop: nodes.Loop
    values: tuple[GameValue, ...]
    scope: Scope
    within: tuple[Value | None, Value] | None


Frames = tuple[Frame | LoopFrame, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event as the engine sees it.

    Attributes:
        move: the number of the move in whose body it stands, -1 for `setup:`.
        name: what is drawn: the target, with the values of its indices if they are known.
        support: an outcome's id is its position here.
        drawn_into: the variable whose cell is found in play, by the function `cell_NUMBER`.
    """

    number: int
    move: int
    name: str
    support: Domain
    drawn_into: nodes.Variable | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """A body that is being run: the number of its move (-1: `setup:`), who moves, all of it."""

    move: int = -1
    player: int = 0
    block: nodes.Block = ()


@dataclass(slots=True)
class Cut:
    """What is known of bodies that are cut.

    Attributes:
        body: the one being run.
        events: all chance events so far.
        numbers: the number of the event for each continuation.
        kept: the slots of the locals that each chance event keeps, by its identity.
        waiting: events whose functions are still to be written.
        most_saved: locals that are saved at an event, at most.
    """

    body: Body = Body()
    events: list[Event] = field(default_factory=list)
    numbers: dict[object, int] = field(default_factory=dict)
    kept: dict[int, frozenset[int]] = field(default_factory=dict)
    waiting: list[tuple[int, nodes.Chance, Frames, Body]] = field(default_factory=list)
    most_saved: int = 0
