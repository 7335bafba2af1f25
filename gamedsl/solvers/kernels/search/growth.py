"""Searches with a stack that keep bounds in a table of `bounds_kernel`, and growth of the table.

The table grows by steps that do not depend on the memory: it has twice the size of the table
before, as long as memory allows, and at last all memory. So a search that never fills the smaller
of two memories takes the same course in both. The memory of the old table is given back while its
entries are moved, if the operating system supports that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamedsl.compiler.records import Record, Rows
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER, give_back
from gamedsl.solvers.kernels.search.bounds_kernel import PATH
from gamedsl.solvers.kernels.table_records import TableNotes
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

MOVED = 1 << 20
"""Numbers moved at a time."""
LEAST = (11, 10)
"""Least growth that is worth moving all entries."""
FIRST_FRAMES = 64
SHORTEST_SLICE = 1 << 8
ACTIONS_OF_SLICE = 1 << 20
"""Maximal number of actions tried in a slice: with many actions per state, a slice has fewer
states."""


class BoundsRun:
    """The arrays of a search: a stack of frames, records of waiting states, and a table."""

    def __init__(
        self,
        arrays: TranspositionTable,
        frame: type[Record],
        record: int,
        buckets: tuple[int, int],
        most: int,
    ) -> None:
        """`record`: numbers in the record of a state; `buckets`: the first number of buckets, and
        the numbers of a bucket; `most`: the maximal number of states visited in a slice."""
        self._arrays, self._stride = arrays, buckets[1]
        arrays.table = arrays.zeros(buckets[0] * buckets[1])
        self._stack: Rows[Any] = arrays.assembly.rows(frame, FIRST_FRAMES)
        self._keys = arrays.assembly.row((arrays.room + FIRST_FRAMES) * record)
        self._path = arrays.assembly.row(PATH)
        actions = arrays.assembly.engine.model.facts.action_count
        self._slice = min(most, max(SHORTEST_SLICE, ACTIONS_OF_SLICE // max(1, actions)))

    @property
    def looked_at(self) -> int:
        """States visited so far."""
        count: int = self._arrays.notes.looked_at
        return count

    def _raise_stack(self) -> None:
        """Make room for twice as many frames and records."""
        held = len(self._stack.row) + len(self._keys)
        if 2 * held * NUMBER > self._arrays.limits.bytes:
            raise OutOfMemoryError(self.looked_at, held * NUMBER)
        self._stack = Rows(self._stack.record, self._arrays.assembly.doubled(self._stack.row))
        self._keys = self._arrays.assembly.doubled(self._keys)

    def _see_to_table(self) -> None:
        """Enlarge the table if it is half full, and memory allows."""
        arrays = self._arrays
        if 2 * arrays.used >= arrays.entries:
            count = next_size(arrays.table, self._stride, arrays.limits.bytes)
            if count is not None:
                arrays.table = moved(
                    arrays.table, arrays.zeros(count), self._stride, arrays.notes, arrays.call
                )


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
