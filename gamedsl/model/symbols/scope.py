"""Local names in force at one place of the rules, and the kind of the place.

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
"""The meaning of a local name."""


class RuleContext(Enum):
    """The kind of place of an expression or statement; decides which words are allowed."""

    CONSTANT = "a constant"
    SETUP = "`setup:`"
    MOVE = "a move"
    SIMULTANEOUS = "a `simultaneous` move"
    END = "`end:`"
    EVALUATE = "`evaluate`"
    GUARD = "a repetition rule"


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names, innermost first. A name stands for a constant, a slot, a whole variable, or an
    item of the tuple in a slot (`for (a, b) in S`).

    `in_definition` is the `def` or `effect` under elaboration, for a single combination of argument
    types; comparisons that can never hold are not reported in the body. `known` holds the types of
    expressions narrowed by conditions.
    """

    context: RuleContext
    names: tuple[tuple[str, Meaning], ...] = ()
    in_definition: str | None = None
    known: KnownTypes = NOTHING_KNOWN

    def find(self, name: str) -> Meaning | None:
        """The meaning of a local name, or None."""
        for known, meaning in reversed(self.names):
            if known == name:
                return meaning
        return None

    def having(self, name: str, meaning: Meaning) -> Scope:
        """This scope with an additional name."""
        names = (*self.names, (name, meaning))
        return Scope(self.context, names, self.in_definition, self.known)

    def knowing(self, known: KnownTypes) -> Scope:
        """The scope with further narrowed types."""
        return replace(self, known=self.known.and_(known)) if known else self

    def after_changes(self, changed: frozenset[str] | None) -> Scope:
        """The scope after a change of the variables in `changed` (or `turn`; None: of all
        variables)."""
        return replace(self, known=self.known.without(changed)) if self.known else self

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.names)

    @property
    def is_constant(self) -> bool:
        """Whether all values at this place must be known before the game starts."""
        return self.context is RuleContext.CONSTANT
