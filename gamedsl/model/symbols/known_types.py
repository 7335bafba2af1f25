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
