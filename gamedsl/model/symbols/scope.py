"""The local names in force at one place of the rules, and what may be said there.

Global names are in the `SymbolTable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from gamedsl.model.nodes import ArrayRef, Const, ListItem, Local
from gamedsl.model.symbols.known_types import NOTHING_KNOWN, KnownTypes
from gamedsl.source.records import dataclass

Meaning = Const | Local | ArrayRef | ListItem
"""What a local name stands for."""


class RuleContext(Enum):
    """Where an expression or statement stands: decides which words mean anything there."""

    CONSTANT = "a constant"
    SETUP = "`setup:`"
    MOVE = "a move"
    SIMULTANEOUS = "a `simultaneous` move"
    END = "`end:`"
    EVALUATE = "`evaluate`"
    GUARD = "a repetition rule"


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names: innermost first, each standing for a constant, a slot, a whole variable, or an
    item of what a slot counts through (`for (a, b) in S`).

    `in_definition` is the `def` or `effect` whose body this is, for one combination of argument
    types; comparisons that can never hold are not reported there. `known` is what conditions that
    have been asked leave of the values of expressions.
    """

    context: RuleContext
    names: tuple[tuple[str, Meaning], ...] = ()
    in_definition: str | None = None
    known: KnownTypes = NOTHING_KNOWN

    def find(self, name: str) -> Meaning | None:
        """What a local name stands for here, or None."""
        for known, meaning in reversed(self.names):
            if known == name:
                return meaning
        return None

    def having(self, name: str, meaning: Meaning) -> Scope:
        """This scope with one more name."""
        names = (*self.names, (name, meaning))
        return Scope(self.context, names, self.in_definition, self.known)

    def knowing(self, known: KnownTypes) -> Scope:
        """This scope where more is known of the values of expressions."""
        return replace(self, known=self.known.and_(known)) if known else self

    def after_changes(self, changed: frozenset[str] | None) -> Scope:
        """This scope after these variables (or `turn`; None: any of them) may have changed."""
        return replace(self, known=self.known.without(changed)) if self.known else self

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.names)

    @property
    def is_constant(self) -> bool:
        """Whether everything here must be known before the game starts."""
        return self.context is RuleContext.CONSTANT
