"""`python -m benchmarks.watch [--write] [--least PART] [--only JOB ...]`: what has become slow.

Each job runs in turn with a fixed piece of work in the same process, and both are timed by the
processor's time; of the rounds the least counts. A job's speed is the fixed work's time through its
own, compared with the speed that is kept in `kept.json`. Where all jobs are slower together, the
machine is, and the median is taken out. A job that seems slow is measured again, and is reported
only if every measurement says so; exit status 1, with the commit since when. On a processor of
another kind than the one of the kept speeds, the report is no failure (exit status 0).
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.watch.jobs import Job, jobs
from benchmarks.watch.references import REFERENCES
from gamedsl.compiler import native

KEPT = Path(__file__).parent / "kept.json"
LEAST = 0.7
"""The part of its kept speed that a job has to keep: a third lost is too much."""
SHIFT = 1.5
"""The most by which all speeds together may differ for a reason of the machine."""
ROUNDS, AGAIN = 6, 3
"""Rounds of a measurement, and further measurements of a job that seems slow."""
STRETCH = 0.06
"""Seconds that a timed stretch lasts at least."""


def main(arguments: list[str] | None = None) -> int:
    """Measure, compare, report."""
    options = _parser().parse_args(arguments)
    _optimise_at_once()
    stored = json.loads(KEPT.read_text()) if KEPT.exists() else {"processor": "", "speeds": {}}
    kept: dict[str, float] = stored["speeds"]
    chosen = [job for job in jobs() if not options.only or job.name in options.only]
    works = {job.name: job.prepare() for job in chosen}
    for job in chosen:
        answer = works[job.name]()
        if not job.is_right(answer):
            print(f"{job.name}: {answer} in place of {job.right}")
            return 1
    speeds = {job.name: _speed(job, works[job.name]) for job in chosen}
    if options.write:
        again = (
            {job.name: _speed(job, works[job.name]) for job in chosen} for _ in range(AGAIN - 1)
        )
        measured = [speeds, *again]
        middle = {name: median(each[name] for each in measured) for name in speeds}
        new = {"processor": _processor(), "speeds": kept | _rounded(middle)}
        KEPT.write_text(json.dumps(new, indent=2) + "\n")
        return 0
    for _ in range(AGAIN):
        for job in chosen:
            if job.name in slow_jobs(speeds, kept, options.least):
                speeds[job.name] = max(speeds[job.name], _speed(job, works[job.name]))
    failed = report(speeds, kept, options.least)
    if failed and stored["processor"] != _processor():
        print("the speeds were kept on another processor: no failure")
        return 0
    return failed


def _optimise_at_once() -> None:
    """Leave out quickly compiled code, which a thread replaces at a time of its own."""
    native.MOST_LEVELS = 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watch", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the speeds of today")
    parser.add_argument("--least", type=float, default=LEAST, help="the part to be kept")
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


def compared(speeds: Mapping[str, float], kept: Mapping[str, float]) -> dict[str, float]:
    """For each job the part of its kept speed, the machine's shift taken out."""
    parts = {name: speed / kept[name] for name, speed in speeds.items() if name in kept}
    shift = min(SHIFT, max(1 / SHIFT, median(parts.values()))) if len(parts) > 4 else 1
    return {name: part / min(1, shift) for name, part in parts.items()}


def slow_jobs(
    speeds: Mapping[str, float], kept: Mapping[str, float], least: float = LEAST
) -> list[str]:
    """The jobs that have not kept their speed."""
    return [name for name, part in compared(speeds, kept).items() if part < least]


def report(speeds: Mapping[str, float], kept: Mapping[str, float], least: float = LEAST) -> int:
    """Print the table; the exit status."""
    slow = slow_jobs(speeds, kept, least)
    for name, part in compared(speeds, kept).items():
        print(f"{'SLOW ' if name in slow else '     '}{name:32} {part:5.2f} of the kept speed")
    for name in speeds.keys() - kept.keys():
        print(f"     {name:32} has no kept speed: python -m benchmarks.watch --write")
    if slow:
        print(
            f"{len(slow)} of {len(speeds)} jobs have lost more than {1 - least:.0%} of their speed"
        )
        print(f"between {_last_kept()} (speeds kept) and now")
    return 1 if slow else 0


def _processor() -> str:
    """The kind of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    wanted = ("cpu family", "model", "model name", "stepping")
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    return ", ".join(text.strip() for name, text in facts.items() if name.strip() in wanted)


def _last_kept() -> str:
    """The commit that last kept speeds."""
    command = ["git", "log", "-1", "--format=%h of %as", "--", str(KEPT)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=KEPT.parent, check=False)
    return result.stdout.strip() or "the first commit"


def _rounded(speeds: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{speed:.3g}") for name, speed in speeds.items()}


if __name__ == "__main__":
    sys.exit(main())
