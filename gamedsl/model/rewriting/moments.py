"""Data of rewriting: cells and locals at a moment of a body, as expressions.

All expressions refer to the state before the body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import Keys
from gamedsl.model.semantics.symbolic import NotToldError as NotToldError
from gamedsl.model.types import Scalar, join
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
class Fact:
    """A fact about an expression: the type of its value, or its truth."""

    node: nodes.Expr
    known: Scalar | bool


Facts = Mapping[int, Fact]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts by the key of the expression."""

    keys: Keys
    facts: Facts = field(default_factory=dict)

    def of(self, node: nodes.Expr) -> Fact | None:
        """The fact about an expression, if any."""
        return self.facts.get(self.keys.of(node)) if self.facts else None

    def kind_of(self, node: nodes.Expr) -> Scalar | None:
        """The known type of an expression, if any."""
        fact = self.of(node)
        return fact.known if fact is not None and isinstance(fact.known, Scalar) else None

    def joined(self, alternative: Knowledge) -> Knowledge:
        """The facts common to two alternatives."""
        common: dict[int, Fact] = {}
        for name, fact in self.facts.items():
            there = alternative.facts.get(name)
            if there is None:
                continue
            if there is fact:
                common[name] = fact
            elif isinstance(fact.known, bool) or isinstance(there.known, bool):
                if fact.known is there.known:
                    common[name] = fact
            else:
                kind = join(fact.known, there.known)
                if isinstance(kind, Scalar) and not kind.unknown:
                    common[name] = replace(fact, known=kind)
        return Knowledge(self.keys, common)

    def having(self, node: nodes.Expr, known: Scalar | bool) -> Knowledge:
        """This knowledge with an additional fact."""
        facts = {**self.facts, self.keys.of(node): Fact(node, known)}
        return Knowledge(self.keys, facts)


NOTHING_KNOWN = Knowledge(Keys())


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a body.

    Attributes:
        writes: the writes up to the moment, in order; also to `turn`, and to the mark that the turn
            is kept.
        turn: the player to move before the writes, as an expression over the state before; None:
            the player to move in the state before.
        locals: meanings of locals; a missing local stands for itself.
        known: facts about the state before the body, by `require`s and by sets of parameters. The
            type of a cell holds if none of the cell's indices is `none`.
    """

    writes: tuple[Write, ...] = ()
    turn: nodes.Expr | None = None
    locals: Mapping[int, nodes.Expr] = field(default_factory=dict)
    known: Knowledge = NOTHING_KNOWN
