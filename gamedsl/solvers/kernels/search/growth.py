"""Growth of the tables of `bounds_kernel`: by steps that do not depend on the memory.

A table has twice the size of the table before, as long as memory allows, and at last all memory.
So a search that never fills the smaller of two memories takes the same course in both. The memory
of the old table is given back while its entries are moved, if the operating system supports that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, give_back
from gamedsl.solvers.kernels.table_records import TableNotes

MOVED = 1 << 20
"""Numbers moved at a time."""
LEAST = (11, 10)
"""Least growth that is worth moving all entries."""


def next_size(table: Any, stride: int, most_bytes: int) -> int | None:
    """Numbers of the table that follows a table with buckets of `stride` numbers; None if memory
    allows no larger table."""
    room = most_bytes // NUMBER
    if not GIVES_BACK or isinstance(table, list):
        room -= len(table)
    size = min(2 * len(table), room // stride * stride)
    return size if size * LEAST[1] >= len(table) * LEAST[0] else None


def moved(table: Any, larger: Any, stride: int, notes: TableNotes, call: Callable[..., int]) -> Any:
    """The empty, larger table, with the entries of the table; `call` runs a kernel by name."""
    notes.used = 0
    step = max(1, MOVED // stride) * stride
    for begin in range(0, len(table), step):
        end = min(begin + step, len(table))
        call("enlarge", table, begin, end, larger, notes)
        give_back(table, begin, end)
    return larger
