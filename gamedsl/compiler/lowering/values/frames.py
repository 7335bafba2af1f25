"""Bodies cut at chance events: the remaining statements, and the events so far.

The classes are data only; `bodies.continuations` does the cutting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gamedsl.compiler.generated import Event
from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.values.scope import Scope
from gamedsl.model import nodes
from gamedsl.model.values import Value as GameValue
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """The remaining statements of a block."""

    statements: nodes.Block
    scope: Scope


@dataclass(frozen=True, slots=True)
class LoopFrame:
    """The remaining rounds of a loop; `within`: the ends of a range, the lower end None after the
    first round.
    """

    loop: nodes.Loop
    values: tuple[GameValue, ...]
    scope: Scope
    within: tuple[Value | None, Value] | None


@dataclass(frozen=True, slots=True)
class Body:
    """A body from its start: the number of its move (-1: `setup:`), the mover, the whole block."""

    move: int
    player: int
    block: nodes.Block


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of a body: frames, the innermost first; behind the last, the end of the body."""

    frames: tuple[Frame | LoopFrame, ...]
    body: Body

    def behind(self, *frames: Frame | LoopFrame) -> Rest:
        """The rest with further frames before its own."""
        return Rest((*frames, *self.frames), self.body)


@dataclass(slots=True)
class Bodies:
    """Facts about the bodies of a game, for the functions that write bodies.

    Attributes:
        measured: the original moves, by name, of which only the greatest instances are legal.
        is_walkable: whether legal instances may be enumerated in any order; None while unknown.
        events: all chance events so far.
        numbers: the number of the event for each rest of a body.
        live: the slots of the locals that each chance event keeps, by the id of the event.
        waiting: events whose functions are still to be written.
        most_saved: greatest number of locals saved at an event.
    """

    measured: Mapping[str, nodes.Move]
    is_walkable: bool | None = None
    events: list[Event] = field(default_factory=list)
    numbers: dict[object, int] = field(default_factory=dict)
    live: dict[int, frozenset[int]] = field(default_factory=dict)
    waiting: list[tuple[int, nodes.Chance, Rest]] = field(default_factory=list)
    most_saved: int = 0
