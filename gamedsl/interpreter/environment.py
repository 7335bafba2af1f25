"""Where expressions are evaluated: the cells being worked on, whose turn it is, the locals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.model.values import NONE, Atom, Value


class Environment:
    """Working memory of one evaluation; thrown away afterwards.

    Attributes:
        cells: a digit a cell (None: not set yet, in `setup:` alone).
        turn: the player to move; `keeps_turn` once a body ran `again` or assigned `turn`.
        me: the chooser, in a `simultaneous` body.
        locals: one value a slot.
        is_stuck: answers `stuck`.
        paused_at: the chance event at which a body stopped.
        rewards: what each player has got in this step of play; None where nobody asks.
        measure: what the last `require e is greatest` came to.
        calls: of `def`s by themselves, in the call that is under way.
    """

    __slots__ = (
        "calls",
        "cells",
        "is_stuck",
        "keeps_turn",
        "locals",
        "me",
        "measure",
        "paused_at",
        "rewards",
        "turn",
    )

    def __init__(self, cells: list[int | None], turn: Atom, slots: int) -> None:
        self.cells = cells
        self.turn = turn
        self.keeps_turn = False
        self.me: Atom = turn
        self.locals: list[Value] = [NONE] * slots
        self.is_stuck: Callable[[], bool] = bool
        self.paused_at = -1
        self.rewards: list[Fraction] | None = None
        self.measure: Value = NONE
        self.calls = 0


Meaning = Callable[[Environment], Value]
"""What an expression means: a function from an environment to a value."""
