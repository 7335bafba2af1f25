"""Leave endings out of the table while the other states are settled.

In: a table of all reachable states. Out: a smaller table without endings, whose payoffs follow
from the rules; and finally a table with all entries again, found by the same exploration. The
memory limit held for the full table before, so the full table fits again.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER
from gamedsl.solvers.kernels.returning import retrograde_kernel as kernel
from gamedsl.solvers.kernels.returning.parts import Part, parts_of, round_of
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

TIGHTEST = (17, 20)
"""The load factor of a table without further insertions, only lookups of existing entries."""
SAVING = 1.25
"""Least ratio of old to new table size for which a move to a smaller table pays off."""


def tightest(found: TranspositionTable, count: int) -> int:
    """Number of entries of a table for `count` states without further insertions."""
    return count * TIGHTEST[1] // TIGHTEST[0] + found.room


def put_aside(found: TranspositionTable, others: int) -> None:
    """Move the table to a smaller table without endings if the saving is large enough. There are at
    most `others` states besides the endings."""
    size = tightest(found, others)
    has_room = (
        GIVES_BACK or (found.entries + size) * found.layout.width * NUMBER <= found.limits.bytes
    )
    if not found.notes[kernel.ASIDE] and size * SAVING < found.entries and has_room:
        smaller = found.zeros(size * found.layout.width)
        found.notes[kernel.ASIDE] = found.move_to(smaller, "leave_endings")
        found.notes[codes.USED] -= found.notes[kernel.ASIDE]


def begin_to_enter(found: TranspositionTable, crew: Crew) -> list[Part]:
    """Make room for endings that were left out; return the parts of the table whose successors are
    to be entered."""
    if not found.notes[kernel.ASIDE]:
        return []
    width, count = found.layout.width, found.used + found.notes[kernel.ASIDE]
    size = min(tightest(found, count), found.limits.bytes // NUMBER // width)
    if size < found.used + found.room:
        raise OutOfMemoryError(count, found.limits.bytes)
    found.move_to(found.zeros(size * width))
    parts = parts_of(found, crew.threads)
    for one in parts:
        one.begin(kernel.SWEEP, 0)
    return parts


def enter_on(found: TranspositionTable, parts: list[Part], crew: Crew, waiting: Any) -> bool:
    """Enter the endings again, for a slice or a round; return whether all endings are entered.

    Endings are already settled, so no new state waits for expansion. Raises OutOfMemoryError if
    there are more endings than were left out.
    """
    if not found.notes[kernel.ASIDE]:
        return True
    left = [one for one in parts if one.status != codes.DONE]
    free = found.entries - found.used
    if free < found.room:
        raise OutOfMemoryError(found.used, len(found.table) * NUMBER)
    shares = len(left[: crew.threads])
    if free < shares * found.room:
        shares = 1

    def work(one: Part) -> int:
        return found.call(
            "enter_endings", found.table, free // shares, one.keys, waiting, one.actions,
            one.buckets, found.paid, one.notes, transposition_table.SLICE,
        )  # fmt: skip

    still = round_of(left[:shares], work, crew)
    for one in left[:shares]:
        found.notes[codes.USED] += one.notes[codes.USED]
        one.notes[codes.USED] = 0
    if still or left[shares:]:
        return False
    found.notes[kernel.ASIDE] = 0
    return True
