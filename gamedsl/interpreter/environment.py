"""Environment of an evaluation: the cells being changed, the turn, the locals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.model.values import NONE, Atom, Value


class Environment:
    """Working memory of a single evaluation.

    Attributes:
        cells: a digit per cell (None: not set yet, in `setup:` only).
        turn: the player to move; `keeps_turn` is set once a body ran `again` or assigned `turn`.
        me: the chooser, in a `simultaneous` body.
        locals: a value per slot; a recursive call has its own.
        outermost: the locals outside all recursive calls.
        lacks_moves: computes `stuck`, and `stuck(p, moves)`, in an environment.
        paused_at: the chance event at which a body stopped.
        rewards: the rewards of each player in this step of play; None if not needed.
        measure: the value of the last `require e is greatest`.
        calls: number of recursive calls of `def`s within the last outermost call.
    """

    __slots__ = (
        "calls",
        "cells",
        "keeps_turn",
        "lacks_moves",
        "locals",
        "me",
        "measure",
        "outermost",
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
        self.outermost = self.locals
        self.lacks_moves: Callable[[Environment, Value | None, tuple[str, ...]], bool] | None = None
        self.paused_at = -1
        self.rewards: list[Fraction] | None = None
        self.measure: Value = NONE
        self.calls = 0

    def is_stuck(self, player: Value | None = None, moves: tuple[str, ...] = ()) -> bool:
        """Whether the player to move has no legal move; of `player`: none of the named moves."""
        assert self.lacks_moves is not None, "`setup:` asks for no moves"
        return self.lacks_moves(self, player, moves)


Meaning = Callable[[Environment], Value]
"""The meaning of an expression: a function from an environment to a value."""
