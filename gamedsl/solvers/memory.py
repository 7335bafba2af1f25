"""Memory of the machine and of the process, zeros in large pages, and the number of processors.

Figures come from the operating system and from control groups.
"""

from __future__ import annotations

import mmap
import os
import sys
from pathlib import Path

NUMBER = 8
"""Bytes of a number."""
SHARE = 2
"""Divisor of the free memory: one part in `SHARE` may be used."""
IF_UNKNOWN = 1 << 30
"""Bytes usable if the operating system reports no free memory."""
BESIDE = 100_000_000
"""Bytes reserved for LLVM and the compiled machine code."""
LIMITS = (
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)
"""Files of limit and usage below the folder of control groups (version 2, version 1)."""


def usable_bytes(
    meminfo: Path = Path("/proc/meminfo"), groups: Path = Path("/sys/fs/cgroup")
) -> int:
    """Bytes of memory usable without harm to concurrent processes."""
    free = [amount for amount in (_available(meminfo), *_within(groups)) if amount is not None]
    return max(0, min(free)) // SHARE if free else IF_UNKNOWN


def bytes_for_tables(most: int, *, native: bool) -> int:
    """Bytes left for tables of a total of `most` bytes."""
    return most - min(BESIDE, 3 * most // 4) if native else most


def bytes_around_tables(tables: int, *, native: bool) -> int:
    """Total bytes of which `bytes_for_tables` leaves so many for tables, to within rounding."""
    return tables + min(BESIDE, 3 * tables) if native else tables


def _available(meminfo: Path) -> int | None:
    """Bytes of available memory of the machine; None if unknown."""
    try:
        lines = meminfo.read_text().splitlines()
    except OSError:
        return None
    entries = [line.split() for line in lines if line.startswith("MemAvailable:")]
    return int(entries[0][1]) * 1024 if entries else None


def _within(groups: Path) -> list[int]:
    """Bytes left by each limit of the control groups."""
    room = []
    for limit, used in LIMITS:
        try:
            most, now = ((groups / name).read_text().strip() for name in (limit, used))
        except OSError:
            continue
        if most.isdigit() and now.isdigit():
            room.append(int(most) - int(now))
    return room


def resident_bytes(statm: Path = Path("/proc/self/statm")) -> int | None:
    """Bytes of memory held by the process; None if the operating system does not say."""
    try:
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return None


def peak_bytes() -> int:
    """The most memory that the process has held; 0 if unknown."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def usable_processors() -> int:
    """Number of processors usable by the process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def zeros(count: int) -> memoryview[int]:
    """An array of `count` numbers of 64 bits, in large pages. The operating system provides a page
    at the first write; unreferenced memory is returned at once."""
    size = max(1, count) * NUMBER
    if hasattr(mmap, "MAP_PRIVATE"):  # shared mappings get no large pages
        room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    else:
        room = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(room).cast("q")[:count]
