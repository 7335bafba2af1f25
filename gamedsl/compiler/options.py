"""What the compiler does besides what it must, and which of it is left out.

In: names. Out: `CompilerOptions`, which the lowering and the passes read. Whatever is left out, a
game is played alike: strategies give way to the plain way of writing the same, passes to the
module as it is. Only the speed and the size of the code change.
"""

from __future__ import annotations

from enum import Enum

from gamedsl.source.records import dataclass


class Strategy(Enum):
    """Ways in which the lowering does better than the plain way, where they apply."""

    LIFT = "lift"
    """Conditions asked of all squares at once (`lowering.sets.lifting`)."""
    FILLS = "fills"
    """Rays and lines of sight followed for all squares at once (`lowering.sets.fills`)."""
    PARALLEL_TESTS = "parallel tests"
    """A test asked for all values of a parameter at once (`lowering.sets.parallel_tests`)."""
    SET_LOOPS = "set loops"
    """Loops over squares as assignments to sets (`lowering.sets.set_loops`)."""
    PARALLEL_LOOPS = "parallel loops"
    """Loops over such loops, all made at once (`lowering.sets.parallel_loops`)."""
    WALK = "walk"
    """Actions carried out where they are found (`lowering.bodies.walks`)."""
    PICKING = "picking"
    """Actions of random plays that are picked before they are known to be legal
    (`lowering.bodies.picks`)."""
    END_AFTER = "end after"
    """Tests of `end:` that no move can have made true are not made (`module`)."""
    ESTABLISHED_GUARDS = "established guards"
    """Guards that were asked before a body is run are not asked in it (`bodies.enumeration`)."""
    KNOWN_BRANCHES = "known branches"
    """Guards in a branch that is known to be taken, as behind `if turn == White`, are among those
    that are asked first (`bodies.enumeration`)."""
    TABLES = "tables"
    """Expressions in which the state has no part as tables (`lowering.values.tables`)."""


class Rewrite(Enum):
    """Passes that may be left out."""

    FORWARD = "forward"
    SIMPLIFY = "simplify"
    PRUNE = "prune"
    SHARE = "share"


OPTIONAL = tuple(part.value for part in (*Rewrite, *Strategy))
"""The names of all that can be left out."""


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """What the compiler does besides what it must.

    Attributes:
        without: names of passes and strategies that are left out, out of `OPTIONAL`.

    Raises ValueError for a name that is none of these.
    """

    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = sorted(self.without - set(OPTIONAL))
        if unknown:
            names, known = ", ".join(unknown), ", ".join(OPTIONAL)
            raise ValueError(f"cannot leave out {names}; what can be left out: {known}")

    def has(self, part: Rewrite | Strategy) -> bool:
        """Whether a pass or strategy is not left out."""
        return part.value not in self.without


EVERYTHING = CompilerOptions()
NOT_COUNTED = CompilerOptions(frozenset({Strategy.WALK.value, Strategy.PICKING.value}))
"""Without what makes counts and random plays faster, and nothing else."""
