"""Scopes: all that the code of an expression or statement depends on besides the state.

A local name is bound to a value known at compile time (`Known`), to an expression of the generated
code (`Code`), or to an expression of the game that is evaluated where it is used (`Later`).
"""

from __future__ import annotations

from dataclasses import field, replace

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


Low = Known | Code
"""The result of lowering an expression."""


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
class Testing:
    """A body is written to test whether an action is legal: up to the last guard.

    Attributes:
        stop: the last guard, or the outermost loop around it.
        established: the guards that are known to hold, because the action was found by testing
            them.
    """

    stop: nodes.Statement
    established: tuple[nodes.Require, ...] = ()


@dataclass(frozen=True, slots=True)
class Paying:
    """A body is written for the payments of its rewards.

    Attributes:
        per: the denominator of all payments; None while the denominators are collected.
        denominators: the denominators of the shares so far.
    """

    per: int | None = None
    denominators: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AfterMove:
    """`end:` is written for a state after a move from a state that was not over: tests that such a
    move cannot have made true are left out.

    Attributes:
        movers: the players who may have moved.
        left_out: the tests left out so far.
    """

    movers: tuple[int, ...]
    left_out: list[nodes.Branch] = field(default_factory=list)


Purpose = Testing | Paying | AfterMove | None
"""The purpose for which statements are written; None: the effects of a legal action, or `end:`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The locals, the player to move, the player who chooses.

    Attributes:
        stuck: the code of `stuck`, in `end:` only.
        calls: in the function of a recursive `def`: the row that counts the calls.
        evaluated: locals whose values are evaluated before a loop changes the state.
        purpose: the purpose for which statements are written; no expression depends on it.
    """

    turn: Known | Code
    me: Known | Code | None = None
    slots: dict[int, Meaning] = field(default_factory=dict)
    stuck: ir.Value | None = None
    calls: ir.Value | None = None
    evaluated: frozenset[int] = frozenset()
    purpose: Purpose = None

    @property
    def stop(self) -> nodes.Statement | None:
        """The last guard, where legality is tested."""
        return self.purpose.stop if isinstance(self.purpose, Testing) else None

    def of(self, slot: int | None) -> Found:
        """The meaning of a local; None if the local has no value yet, or if there is no local."""
        meaning = None if slot is None else self.slots.get(slot)
        if isinstance(meaning, Later):
            return Bound(meaning.node, self if meaning.scope is None else meaning.scope)
        return meaning

    def mover(self, word: str) -> Known | Code:
        """The player that `turn` or `me` stands for."""
        mover = self.turn if word == "turn" else self.me
        assert mover is not None
        return mover

    def having(self, slot: int, meaning: Meaning) -> Scope:
        """The scope with an additional local."""
        return replace(self, slots={**self.slots, slot: meaning})

    def inside_definition(self) -> Scope:
        """The scope of the body of a `def`, before its parameters are bound: without locals."""
        return replace(self, slots={})
