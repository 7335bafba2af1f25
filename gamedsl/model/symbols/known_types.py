"""What conditions that have been asked leave of the values of expressions.

In: expressions by their keys (`nodes.likeness.key`), the type that is left, what they read. Out:
what is known where several conditions hold, where one of them does, and after something changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field

from gamedsl.model.types import Scalar, join, meet
from gamedsl.source.records import dataclass

TURN = "turn"
"""Stands for the player to move among the variables that an expression reads."""


@dataclass(frozen=True, slots=True)
class KnownType:
    """The type that is left of an expression, and the variables that it reads."""

    type: Scalar
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class KnownTypes:
    """What is known, by the keys of expressions."""

    found: Mapping[Hashable, KnownType] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.found)

    def of(self, key: Hashable) -> Scalar | None:
        """The type that is left of an expression; None where nothing has been asked."""
        known = self.found.get(key)
        return None if known is None else known.type

    def and_(self, other: KnownTypes) -> KnownTypes:
        """Where both hold; where they cannot, which is never carried out, what the other says."""
        found = dict(self.found)
        for key, known in other.found.items():
            mine = found.get(key)
            both = known.type if mine is None else meet(mine.type, known.type)
            found[key] = KnownType(both if both.kinds else known.type, known.reads)
        return KnownTypes(found)

    def or_(self, other: KnownTypes) -> KnownTypes:
        """Where one of them holds."""
        found: dict[Hashable, KnownType] = {}
        for key in self.found.keys() & other.found.keys():
            left = join(self.found[key].type, other.found[key].type)
            if isinstance(left, Scalar):
                found[key] = KnownType(left, self.found[key].reads)
        return KnownTypes(found)

    def without(self, changed: frozenset[str] | None) -> KnownTypes:
        """After these variables (None: any of them) may have changed."""
        return KnownTypes(
            {
                key: known
                for key, known in self.found.items()
                if not known.reads or (changed is not None and known.reads.isdisjoint(changed))
            }
        )


NOTHING_KNOWN = KnownTypes()
