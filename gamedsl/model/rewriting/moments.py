"""Data of rewriting: cells and locals at a moment of a body, as expressions.

All expressions refer to the state before the body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gamedsl.model import nodes
from gamedsl.model.semantics.symbolic import NotToldError as NotToldError
from gamedsl.model.types import Type
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Unknown:
    """A question without answer, and the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Write:
    """`variable[indices] = value` if `guard` holds; all parts are expressions over the state
    before. The variable may be `turn`, or the mark that the turn is kept."""

    variable: nodes.Variable
    indices: tuple[nodes.Expr, ...]
    value: nodes.Expr
    guard: nodes.Expr


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a body.

    Attributes:
        writes: the writes up to the moment, in order; also to `turn`, and to the mark that the turn
            is kept.
        turn: the player to move before the writes, as an expression over the state before; None:
            the player to move in the state before.
        locals: meanings of locals; a missing local stands for itself.
        pins: the type of a cell's value before the body, by the cell's key, where `require`s narrow
            the domain. The type holds if none of the cell's indices is `none`.
    """

    writes: tuple[Write, ...] = ()
    turn: nodes.Expr | None = None
    locals: Mapping[int, nodes.Expr] = field(default_factory=dict)
    pins: Mapping[object, Type] = field(default_factory=dict)
