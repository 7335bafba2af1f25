"""Leave endings out of the table while the other states are settled.

In: a table of all reachable states. Out: a smaller table without endings, whose payoffs follow
from the rules; and finally a table with all entries again, found by the same exploration. The
memory limit held for the full table before, so the full table fits again.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import memory, transposition_table
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.retrograde import retrograde_kernel as kernel
from gamedsl.solvers.kernels.retrograde.parts import Part, parts_of, round_of
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

TIGHTEST = (17, 20)
"""The load factor of a table without further insertions, only lookups of existing entries."""
SAVING = 1.25
"""Least ratio of old to new table size for which a move to a smaller table pays off."""


def tightest(table: TranspositionTable, count: int) -> int:
    """Number of entries of a table for `count` states without further insertions."""
    return count * TIGHTEST[1] // TIGHTEST[0] + table.room


def tighten(table: TranspositionTable) -> None:
    """Move a complete table to a fuller table, if the fuller table is much smaller."""
    size = tightest(table, table.used)
    numbers = size * table.layout.width
    has_room = memory.GIVES_BACK or (len(table.table) + numbers) * NUMBER <= table.limits.bytes
    if size * SAVING < table.entries and has_room:
        table.move_to(table.zeros(numbers))


def put_aside(table: TranspositionTable, remaining: int) -> None:
    """Move the table to a smaller table without endings if the saving is large enough. There are at
    most `remaining` states besides the endings."""
    size = tightest(table, remaining)
    has_room = (
        memory.GIVES_BACK
        or (table.entries + size) * table.layout.width * NUMBER <= table.limits.bytes
    )
    if not table.notes.aside and size * SAVING < table.entries and has_room:
        smaller = table.zeros(size * table.layout.width)
        table.notes.aside = table.move_to(smaller, "leave_endings")
        table.notes.used -= table.notes.aside


def begin_to_enter(table: TranspositionTable, crew: Crew) -> list[Part]:
    """Make room for endings that were left out; return the parts of the table whose successors are
    to be entered."""
    if not table.notes.aside:
        return []
    width, count = table.layout.width, table.used + table.notes.aside
    size = min(tightest(table, count), table.limits.bytes // NUMBER // width)
    if size < table.used + table.room:
        raise OutOfMemoryError(count, table.limits.bytes)
    table.move_to(table.zeros(size * width))
    parts = parts_of(table, crew.threads)
    for part in parts:
        part.begin(kernel.SWEEP, 0)
    return parts


def enter_on(table: TranspositionTable, parts: list[Part], crew: Crew, waiting: Any) -> bool:
    """Enter the endings again, for a slice or a round; return whether all endings are entered.

    Endings are already settled, so no new state waits for expansion. Raises OutOfMemoryError if
    there are more endings than were left out.
    """
    if not table.notes.aside:
        return True
    left = [part for part in parts if part.status != codes.DONE]
    free = table.entries - table.used
    if free < table.room:
        raise OutOfMemoryError(table.used, len(table.table) * NUMBER)
    shares = len(left[: crew.threads])
    if free < shares * table.room:
        shares = 1

    def work(part: Part) -> int:
        arrays, room = part.arrays(table, waiting), free // shares
        return table.call("enter_endings", arrays, room, part.notes, transposition_table.SLICE)

    still = round_of(left[:shares], work, crew)
    for part in left[:shares]:
        table.notes.used += part.notes.used
        part.notes.used = 0
    if still or left[shares:]:
        return False
    table.notes.aside = 0
    return True
