"""Memory for large tables: as much as there is, asked for in large pages.

In: how many numbers. Out: that many zeros that can be written to. A page is taken from the machine
when it is first written; what nobody refers to any more is given back at once.
"""

from __future__ import annotations

import mmap
from pathlib import Path

SHARE = 2
"""One part in so many of the free memory may be used."""
IF_UNKNOWN = 1 << 30
"""Bytes that may be used where the machine does not say what is free."""
NUMBER = 8
"""Bytes of a number."""
LIMITS = (
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)
"""Files below the folder of control groups (version 2, version 1): what may be used, what is."""


def zeros(count: int) -> memoryview[int]:
    """So many numbers of 64 bits."""
    room = mmap.mmap(-1, max(1, count) * NUMBER)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(room).cast("q")[:count]


def usable_bytes(
    meminfo: Path = Path("/proc/meminfo"), groups: Path = Path("/sys/fs/cgroup")
) -> int:
    """How much memory may be used without harm to others."""
    free = [found for found in (_available(meminfo), *_within(groups)) if found is not None]
    return max(0, min(free)) // SHARE if free else IF_UNKNOWN


def _available(meminfo: Path) -> int | None:
    """What the machine could give."""
    try:
        lines = meminfo.read_text().splitlines()
    except OSError:
        return None
    found = [line.split() for line in lines if line.startswith("MemAvailable:")]
    return int(found[0][1]) * 1024 if found else None


def _within(groups: Path) -> list[int]:
    """What the control groups leave."""
    found = []
    for limit, used in LIMITS:
        try:
            most, now = ((groups / name).read_text().strip() for name in (limit, used))
        except OSError:
            continue
        if most.isdigit() and now.isdigit():
            found.append(int(most) - int(now))
    return found
