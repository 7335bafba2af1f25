"""Scopes: the meanings of local names while code is generated.

A local name is bound to a value known at compile time (`Known`), to an expression of the generated
code (`Code`), or to an expression of the game that is evaluated where it is used (`Later`).
"""

from __future__ import annotations

from dataclasses import field

from gamedsl.compiler.ir import values as ir
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A value known when the game is compiled."""

    value: Value


@dataclass(frozen=True, slots=True)
class Code:
    """A value of the generated code: a truth value where `type` is Boolean, else a code (see
    `codes`); for a fraction, the numerator over the fixed denominator `per`.
    """

    expr: ir.Value
    type: Scalar
    per: int = 1

    @property
    def is_name(self) -> bool:
        """Whether the expression can be repeated at no cost."""
        return self.expr.is_atom


@dataclass(frozen=True, slots=True)
class Later:
    """An expression that cannot fail, with its scope (None: the scope in which the local is looked
    up).
    """

    node: nodes.Expr
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Held:
    """An evaluated collection: a row of codes, their number, and the type of an element."""

    array: ir.Value
    count: ir.Value
    type: Scalar


@dataclass(frozen=True, slots=True)
class SquareSet:
    """A set of squares, in the order of the board."""

    squares: ir.Value


@dataclass(frozen=True, slots=True)
class Bound:
    """A `Later` with the scope in which it was looked up."""

    node: nodes.Expr
    scope: Scope


Meaning = Known | Code | Later | Held | SquareSet
Found = Known | Code | Bound | Held | SquareSet | None
"""The meaning of a local; None if the local has no value yet."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The locals, the player to move, the player who chooses.

    Attributes:
        stuck: the code of `stuck`, in `end:` only.
    """

    turn: Known | Code
    me: Known | Code | None = None
    slots: dict[int, Meaning] = field(default_factory=dict)
    stuck: ir.Value | None = None

    def of(self, slot: int) -> Found:
        """The meaning of a local; None if the local has no value yet."""
        meaning = self.slots.get(slot)
        if isinstance(meaning, Later):
            return Bound(meaning.node, self if meaning.scope is None else meaning.scope)
        return meaning

    def having(self, slot: int, meaning: Meaning) -> Scope:
        """The scope with an additional local."""
        return Scope(self.turn, self.me, {**self.slots, slot: meaning}, self.stuck)


Stop = nodes.Require | nodes.Loop

"""The last guard of a body, or the loop that contains it."""


@dataclass(frozen=True, slots=True)
class Guarding:
    """The treatment of `require` and `ensure`.

    Attributes:
        stop: the last guard; None where the action is known to be legal and guards are left out.
        established: the guards that are known to hold, because the action was found by testing
            them.
    """

    stop: Stop | None = None
    established: tuple[nodes.Require, ...] = ()
