"""Local names in force at one place of the rules, the types of expressions narrowed by the
conditions that hold there, and the kind of the place.

Global names are in the `SymbolTable`; the keys of expressions are made by `nodes.likeness.key`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import field, replace
from enum import Enum

from gamedsl.model.nodes import ArrayRef, Builtin, Collection, Const, Local
from gamedsl.model.types import Scalar, join, meet
from gamedsl.source.records import dataclass

Meaning = Const | Local | ArrayRef | Builtin | Collection
"""The meaning of a local name."""

TURN = "turn"
"""Name of the player to move among the variables that an expression reads."""


@dataclass(frozen=True, slots=True)
class KnownType:
    """The narrowed type of an expression, and the variables that the expression reads."""

    type: Scalar
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class KnownTypes:
    """Narrowed types, by the keys of expressions."""

    types: Mapping[Hashable, KnownType] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.types)

    def of(self, key: Hashable) -> Scalar | None:
        """The narrowed type of an expression; None if no condition narrows the type."""
        known = self.types.get(key)
        return None if known is None else known.type

    def and_(self, additional: KnownTypes) -> KnownTypes:
        """Types under both sets of conditions. If the two exclude one another, code under both is
        never carried out, and the type from `additional` stands."""
        if not (self.types and additional.types):
            return self if self.types else additional
        types = dict(self.types)
        for key, known in additional.types.items():
            mine = types.get(key)
            both = known.type if mine is None else meet(mine.type, known.type)
            types[key] = KnownType(both if both.kinds else known.type, known.reads)
        return KnownTypes(types)

    def or_(self, alternative: KnownTypes) -> KnownTypes:
        """Types under the conditions of `self` or the conditions of `alternative`."""
        types: dict[Hashable, KnownType] = {}
        for key in self.types.keys() & alternative.types.keys():
            left = join(self.types[key].type, alternative.types[key].type)
            if isinstance(left, Scalar):
                types[key] = KnownType(left, self.types[key].reads)
        return KnownTypes(types)

    def without(self, changed: frozenset[str] | None) -> KnownTypes:
        """Types after a change of the variables in `changed`; None: after a change of all
        variables."""
        return KnownTypes(
            {
                key: known
                for key, known in self.types.items()
                if not known.reads or (changed is not None and known.reads.isdisjoint(changed))
            }
        )


NOTHING_KNOWN = KnownTypes()


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
    """Local names. A name stands for a constant, a slot, a whole variable, or an
    item of the tuple in a slot (`for (a, b) in S`).

    `in_definition` is the `def` or `effect` under elaboration, for a single combination of argument
    types; comparisons that can never hold are not reported in the body. `known` holds the types of
    expressions narrowed by conditions.
    """

    context: RuleContext
    names: Mapping[str, Meaning] = field(default_factory=dict)
    in_definition: str | None = None
    known: KnownTypes = NOTHING_KNOWN

    def find(self, name: str) -> Meaning | None:
        """The meaning of a local name, or None."""
        return self.names.get(name)

    def having(self, name: str, meaning: Meaning) -> Scope:
        """This scope with an additional name."""
        names = {**self.names, name: meaning}
        return Scope(self.context, names, self.in_definition, self.known)

    def knowing(self, known: KnownTypes) -> Scope:
        """The scope with further narrowed types."""
        return replace(self, known=self.known.and_(known)) if known else self

    def after_changes(self, changed: frozenset[str] | None) -> Scope:
        """The scope after a change of the variables in `changed` (or `turn`; None: of all
        variables)."""
        return replace(self, known=self.known.without(changed)) if self.known else self

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def is_constant(self) -> bool:
        """Whether all values at this place must be known before the game starts."""
        return self.context is RuleContext.CONSTANT
