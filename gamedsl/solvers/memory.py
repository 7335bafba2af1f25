"""How much memory there is, how much of it this process holds, and how many processors there are.

In: what the machine and its control groups say. Out: numbers; nothing is taken here.
"""

from __future__ import annotations

import os
from pathlib import Path

SHARE = 2
"""One part in so many of the free memory may be used."""
IF_UNKNOWN = 1 << 30
"""Bytes that may be used where the machine does not say what is free."""
BESIDE = 100_000_000
"""Bytes that LLVM holds, with what it has made."""
LIMITS = (
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)
"""Files below the folder of control groups (version 2, version 1): what may be used, what is."""


def usable_bytes(
    meminfo: Path = Path("/proc/meminfo"), groups: Path = Path("/sys/fs/cgroup")
) -> int:
    """How much memory may be used without harm to others."""
    free = [found for found in (_available(meminfo), *_within(groups)) if found is not None]
    return max(0, min(free)) // SHARE if free else IF_UNKNOWN


def bytes_for_tables(most: int, *, native: bool) -> int:
    """How much tables may hold where so much may be held in all."""
    return most - min(BESIDE, 3 * most // 4) if native else most


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


def resident_bytes(statm: Path = Path("/proc/self/statm")) -> int | None:
    """How much memory this process holds; None where the machine does not say."""
    try:
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return None


def usable_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
