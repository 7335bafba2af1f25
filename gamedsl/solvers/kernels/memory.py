"""Enlarge large tables, and return their memory.

In: a count of numbers. Out: zeros that can be written, and later enlarged. The operating system
provides a page at the first write; unreferenced memory is returned at once.
"""

from __future__ import annotations

import mmap
from typing import Any

from gamedsl.solvers.memory import NUMBER, zeros

__all__ = ["GIVES_BACK", "NUMBER", "enlarged", "give_back", "zeros"]
GIVES_BACK = hasattr(mmap, "MADV_DONTNEED")
"""Whether the operating system can take back part of an array."""


def enlarged(row: memoryview[int], count: int) -> memoryview[int]:
    """An array of `count` numbers that begins with the contents of `row`, an array of `zeros` that
    is not used afterwards. Pages are moved, not copied, if the operating system supports moving."""
    room = row.obj
    assert isinstance(room, mmap.mmap)
    length = len(row)
    row.release()
    try:
        room.resize(max(1, count) * NUMBER)
    except SystemError:  # not every system moves pages
        larger = zeros(count)
        larger[:length] = memoryview(room).cast("q")[:length]
        return larger
    return memoryview(room).cast("q")[:count]


def give_back(row: Any, begin: int, end: int) -> None:
    """Return the memory of unneeded numbers to the operating system, in whole pages."""
    room = row.obj if isinstance(row, memoryview) else None
    if isinstance(room, mmap.mmap) and GIVES_BACK:
        first = -(-begin * NUMBER // mmap.PAGESIZE) * mmap.PAGESIZE
        behind = end * NUMBER // mmap.PAGESIZE * mmap.PAGESIZE
        if behind > first:
            room.madvise(mmap.MADV_DONTNEED, first, behind - first)
