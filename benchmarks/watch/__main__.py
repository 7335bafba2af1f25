"""`python -m benchmarks.watch [--write] [--only JOB ...]`: whether a change has made anything slow.

Each job runs in turn with a fixed piece of work in the same process, and both are timed by the
processor's time; of the rounds the least counts. A job's speed is the fixed work's time through its
own, compared with the speed that is kept in `kept.json`. A machine that is twice as fast leaves the
comparison alone; a machine of another kind may not, so that the median of all comparisons is taken
out, as far as it goes. A job that has lost more than `LOST` is measured again, and is reported only
if every measurement says so; exit status 1, with the commits since the speeds were kept.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.watch.jobs import Job, jobs
from benchmarks.watch.references import REFERENCES

KEPT = Path(__file__).parent / "kept.json"
LOST = 0.75
"""The part of its kept speed that a job has to keep."""
SHIFT = 1.5
"""The most by which all speeds together may differ for a reason of the machine."""
ROUNDS, AGAIN = 4, 2
"""Rounds of a measurement, and further measurements of a job that seems slow."""
STRETCH = 0.08
"""Seconds that a timed stretch lasts at least."""


def main(arguments: list[str] | None = None) -> int:
    """Measure, compare, report."""
    options = _parser().parse_args(arguments)
    kept: dict[str, float] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    chosen = [job for job in jobs() if not options.only or job.name in options.only]
    works = {job.name: job.prepare() for job in chosen}
    for job in chosen:
        answer = works[job.name]()
        if not job.is_right(answer):
            print(f"{job.name}: {answer} in place of {job.right}")
            return 1
    speeds = {job.name: _speed(job, works[job.name]) for job in chosen}
    if options.write:
        KEPT.write_text(json.dumps(kept | _rounded(speeds), indent=2) + "\n")
        return 0
    for _ in range(AGAIN):
        for job in chosen:
            if job.name in _slow(speeds, kept):
                speeds[job.name] = max(speeds[job.name], _speed(job, works[job.name]))
    return _report(speeds, kept)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watch", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the speeds of today")
    parser.add_argument("--only", nargs="+", default=[], metavar="JOB")
    return parser


def _speed(job: Job, work: Callable[[], float]) -> float:
    """The time of the fixed work through the time of a job."""
    fixed = REFERENCES[job.reference]
    fixed()
    times = [(_seconds(fixed), _seconds(work)) for _ in range(ROUNDS)]
    return min(first for first, _ in times) / min(second for _, second in times)


def _seconds(work: Callable[[], float]) -> float:
    """Seconds of one run, of as many as fill a stretch."""
    begin, runs = process_time(), 0
    while not runs or process_time() - begin < STRETCH:
        work()
        runs += 1
    return (process_time() - begin) / runs


def _compared(speeds: Mapping[str, float], kept: Mapping[str, float]) -> dict[str, float]:
    """For each job the part of its kept speed, the machine's shift taken out."""
    parts = {name: speed / kept[name] for name, speed in speeds.items() if name in kept}
    shift = min(SHIFT, max(1 / SHIFT, median(parts.values()))) if len(parts) > 4 else 1
    return {name: part / min(1, shift) for name, part in parts.items()}


def _slow(speeds: Mapping[str, float], kept: Mapping[str, float]) -> list[str]:
    return [name for name, part in _compared(speeds, kept).items() if part < LOST]


def _report(speeds: Mapping[str, float], kept: Mapping[str, float]) -> int:
    slow = _slow(speeds, kept)
    for name, part in _compared(speeds, kept).items():
        print(f"{'SLOW ' if name in slow else '     '}{name:32} {part:5.2f} of the kept speed")
    for name in speeds.keys() - kept.keys():
        print(f"     {name:32} has no kept speed: python -m benchmarks.watch --write")
    if slow:
        print(
            f"{len(slow)} of {len(speeds)} jobs have lost more than {1 - LOST:.0%} of their speed"
        )
        print(f"between {_last_kept()} (speeds kept) and now")
    return 1 if slow else 0


def _last_kept() -> str:
    """The commit that last kept speeds."""
    command = ["git", "log", "-1", "--format=%h of %as", "--", str(KEPT)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=KEPT.parent, check=False)
    return result.stdout.strip() or "the first commit"


def _rounded(speeds: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{speed:.3g}") for name, speed in speeds.items()}


if __name__ == "__main__":
    sys.exit(main())
