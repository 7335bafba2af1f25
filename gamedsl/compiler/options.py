"""Options: the optional strategies and passes of the compiler.

The lowering and the passes read `CompilerOptions`. Options never change how a game is played: a
strategy that is left out is replaced by the plain code, a pass by the unchanged module. Only the
speed and the size of the code change.
"""

from __future__ import annotations

from enum import Enum

from gamedsl.source.records import dataclass


class Strategy(Enum):
    """Optional strategies of the lowering, better than the plain code where applicable."""

    LIFT = "lift"
    """Conditions evaluated for all squares at once (`lowering.sets.lifting`)."""
    FILLS = "fills"
    """Rays and lines of sight followed for all squares at once (`lowering.sets.fills`)."""
    PARALLEL_TESTS = "parallel tests"
    """A test evaluated for all values of a parameter at once (`lowering.sets.parallel_tests`)."""
    SET_LOOPS = "set loops"
    """Loops over squares as assignments to sets (`lowering.sets.set_loops`)."""
    PARALLEL_LOOPS = "parallel loops"
    """Loops around set loops, with all rounds at once (`lowering.sets.parallel_loops`)."""
    WALK = "walk"
    """Actions executed where they are found (`lowering.bodies.walks`)."""
    PICKING = "picking"
    """Actions of random plays picked before they are known to be legal
    (`lowering.bodies.picks`).
    """
    END_AFTER = "end after"
    """Tests of `end:` that no move can have made true are left out (`module`)."""
    ESTABLISHED_GUARDS = "established guards"
    """Guards tested before a body is run are not tested in the body (`bodies.enumeration`)."""
    KNOWN_BRANCHES = "known branches"
    """Guards in a branch that is known to be taken, for example behind `if turn == White`, are
    tested with the first guards (`bodies.enumeration`).
    """
    TABLES = "tables"
    """State-free expressions as tables (`lowering.values.tables`)."""


class Rewrite(Enum):
    """Optional passes."""

    FORWARD = "forward"
    SIMPLIFY = "simplify"
    PRUNE = "prune"
    SHARE = "share"


OPTIONAL = tuple(part.value for part in (*Rewrite, *Strategy))
"""The names of all optional parts."""


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """The selection of optional parts.

    Attributes:
        without: names of passes and strategies that are left out, out of `OPTIONAL`.

    Raises ValueError for an unknown name.
    """

    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = sorted(self.without - set(OPTIONAL))
        if unknown:
            names, known = ", ".join(unknown), ", ".join(OPTIONAL)
            raise ValueError(f"cannot leave out {names}; what can be left out: {known}")

    def has(self, part: Rewrite | Strategy) -> bool:
        """Whether a pass or strategy is enabled."""
        return part.value not in self.without


EVERYTHING = CompilerOptions()
NOT_COUNTED = CompilerOptions(frozenset({Strategy.WALK.value, Strategy.PICKING.value}))
"""Without the strategies that speed up counts and random plays."""
