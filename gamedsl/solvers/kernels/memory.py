"""Memory for large tables, asked for in large pages.

In: how many numbers. Out: that many zeros that can be written to, and more behind them later. A
page is taken from the machine when it is first written; what nobody refers to any more is given
back at once.
"""

from __future__ import annotations

import mmap
from typing import Any

NUMBER = 8
"""Bytes of a number."""
GIVES_BACK = hasattr(mmap, "MADV_DONTNEED")
"""Whether the machine takes part of an array back."""


def zeros(count: int) -> memoryview[int]:
    """So many numbers of 64 bits."""
    size = max(1, count) * NUMBER
    if hasattr(mmap, "MAP_PRIVATE"):  # what processes share gets no large pages
        room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    else:
        room = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(room).cast("q")[:count]


def enlarged(row: memoryview[int], count: int) -> memoryview[int]:
    """So many numbers, the first those of an array of `zeros` that nobody goes on using: its pages
    are moved, not copied, where the machine does that."""
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
    """Give the memory of numbers back that nobody reads any more, as far as it is whole pages."""
    room = row.obj if isinstance(row, memoryview) else None
    if isinstance(room, mmap.mmap) and GIVES_BACK:
        first = -(-begin * NUMBER // mmap.PAGESIZE) * mmap.PAGESIZE
        behind = end * NUMBER // mmap.PAGESIZE * mmap.PAGESIZE
        if behind > first:
            room.madvise(mmap.MADV_DONTNEED, first, behind - first)
