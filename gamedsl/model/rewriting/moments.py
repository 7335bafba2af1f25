"""What stands where at a moment of a body, told by the state before it: the data of rewriting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gamedsl.model import nodes
from gamedsl.model.types import Type
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Unknown:
    """That something cannot be told, and why."""

    reason: str


class NotToldError(Exception):
    """Raised inside this package where an `Unknown` will be answered."""


@dataclass(frozen=True, slots=True)
class Write:
    """`variable[indices] = value` if `guard` holds; all of them told by the state before."""

    variable: nodes.Variable
    indices: tuple[nodes.Expr, ...]
    value: nodes.Expr
    guard: nodes.Expr


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a body.

    Attributes:
        writes: what has been written, in order.
        turn: the player to move, told by the state before; None as long as nobody changed it.
        keeps_turn: the condition under which the turn does not pass at the end; None: it passes.
        locals: what locals stand for; one that is missing stands for itself.
        pins: the type of what a cell held before the body, by the cell's key, where `require`s
            say more than its domain. It holds if none of the cell's indices is `none`.
    """

    writes: tuple[Write, ...] = ()
    turn: nodes.Expr | None = None
    keeps_turn: nodes.Expr | None = None
    locals: Mapping[int, nodes.Expr] = field(default_factory=dict)
    pins: Mapping[object, Type] = field(default_factory=dict)
