"""Types of expressions narrowed by the conditions that hold at a place in the rules.

The keys of expressions are made by `nodes.likeness.key`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field

from gamedsl.model.types import Scalar, join, meet
from gamedsl.source.records import dataclass

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

    found: Mapping[Hashable, KnownType] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.found)

    def of(self, key: Hashable) -> Scalar | None:
        """The narrowed type of an expression; None if no condition narrows the type."""
        known = self.found.get(key)
        return None if known is None else known.type

    def and_(self, other: KnownTypes) -> KnownTypes:
        """Types under both sets of conditions. If the two exclude one another, code under both is
        never carried out, and the type from `other` stands."""
        found = dict(self.found)
        for key, known in other.found.items():
            mine = found.get(key)
            both = known.type if mine is None else meet(mine.type, known.type)
            found[key] = KnownType(both if both.kinds else known.type, known.reads)
        return KnownTypes(found)

    def or_(self, other: KnownTypes) -> KnownTypes:
        """Types under the conditions of `self` or the conditions of `other`."""
        found: dict[Hashable, KnownType] = {}
        for key in self.found.keys() & other.found.keys():
            left = join(self.found[key].type, other.found[key].type)
            if isinstance(left, Scalar):
                found[key] = KnownType(left, self.found[key].reads)
        return KnownTypes(found)

    def without(self, changed: frozenset[str] | None) -> KnownTypes:
        """Types after a change of the variables in `changed`; None: after a change of all
        variables."""
        return KnownTypes(
            {
                key: known
                for key, known in self.found.items()
                if not known.reads or (changed is not None and known.reads.isdisjoint(changed))
            }
        )


NOTHING_KNOWN = KnownTypes()
