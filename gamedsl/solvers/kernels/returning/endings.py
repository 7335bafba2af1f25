"""Endings that have no entries while other states are settled.

In: a table in which all states are entered. Out: a smaller one without endings, of which the rules
tell what they pay; and in the end all entries again, found as they were found before. There was
room for them once, so that there will be room for them.
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
"""The part of a table that is in use where no more is entered: what is looked for is there."""
SAVING = 1.25
"""How many times smaller a table has to become by what is done to it."""


def tightest(found: TranspositionTable, count: int) -> int:
    """Entries of a table for so many states, to which none come."""
    return count * TIGHTEST[1] // TIGHTEST[0] + found.room


def put_aside(found: TranspositionTable, others: int) -> None:
    """Leave endings out of the table if that makes it much smaller; besides them there are so many
    states, at most."""
    size = tightest(found, others)
    has_room = (
        GIVES_BACK or (found.entries + size) * found.layout.width * NUMBER <= found.limits.bytes
    )
    if not found.notes[kernel.ASIDE] and size * SAVING < found.entries and has_room:
        smaller = found.zeros(size * found.layout.width)
        found.notes[kernel.ASIDE] = found.move_to(smaller, "leave_endings")
        found.notes[codes.USED] -= found.notes[kernel.ASIDE]


def begin_to_enter(found: TranspositionTable, crew: Crew) -> list[Part]:
    """Make room for endings that were put aside; the parts of the table after which they come."""
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
    """Enter them again, for a slice or a round; whether all are. Those that others settle are not
    new: nothing waits. Raises OutOfMemoryError where there are more than were put aside."""
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
