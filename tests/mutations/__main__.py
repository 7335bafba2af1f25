"""Mistakes planted into the interpreter, the passes of the compiler and the solvers: does any test
notice? `python -m tests.mutations --jobs 16` plants 120 of them, one at a time.

Prints a line for each, caught or survived, with the place, and figures for each group at the end.
Options: a number of changes, groups to take them from, a seed, `--place FILE:LINE` for the changes
to one line, `--tests` for other tests than those of the groups, `--list` to see what would be
tried. The exit status is 1 if the tests fail unchanged.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random

from tests.mutations.changes import Change, changes
from tests.mutations.groups import GROUPS, ROOT, lots_of, modules_of
from tests.mutations.trial import Copy, Outcome, without_core_files

ROOMS = ("graphs", "exact", "chance", "equilibria", "textbook", "montecarlo")
SHARES = {"interpreter": 3, "passes": 3, **dict.fromkeys(ROOMS, 0.5)}
"""How much of all changes a group gets."""
SLOWER = 3
"""Tests of a changed program may take so many times as long as without the change."""
SOONEST = 40.0
"""Seconds that they may take in any case."""

LONGEST = 3_600.0
"""Seconds for tests where nothing is changed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to a module of a group."""

    group: str
    module: str
    change: Change

    def __str__(self) -> str:
        return f"{self.module}:{self.change.line} {self.change.title}"


def main() -> None:
    """Plant mistakes, and say which were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=120, help="changes in all")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=[*GROUPS])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="changes that are tried at a time")
    parser.add_argument("--seconds", type=float, help="most seconds that all may take")
    parser.add_argument("--place", help="a file, or FILE:LINE: all changes there")
    parser.add_argument("--tests", nargs="+", default=[], help="instead of those of the groups")
    parser.add_argument("--list", action="store_true", help="try nothing")
    chosen = parser.parse_args()
    mutants = picked(chosen.groups, chosen.count, chosen.seed, chosen.place)
    if chosen.list:
        print(*mutants, sep="\n")
        return
    without_core_files()
    end = None if chosen.seconds is None else time.monotonic() + chosen.seconds
    with tempfile.TemporaryDirectory() as folder:
        stages = _stages(chosen.groups, chosen.tests)
        sys.exit(_Trial(stages, Path(folder), chosen.jobs, end).all(mutants))


def picked(groups: list[str], count: int, seed: int, place: str | None = None) -> list[Mutant]:
    """So many changes to some groups, the same ones for a seed; or all those in a place."""
    if place is not None:
        module, _, line = place.partition(":")
        found = [one for name in groups for one in all_of(name) if one.module == module]
        return [one for one in found if not line or one.change.line == int(line)]
    whole = sum(SHARES[name] for name in groups)
    taken = list[Mutant]()
    for name in groups:
        found = all_of(name)
        share = round(count * SHARES[name] / whole)
        taken += Random(f"{seed} {name}").sample(found, min(share, len(found)))
    Random(seed).shuffle(taken)  # whatever is not reached in time is of all groups
    return taken


def all_of(group: str) -> list[Mutant]:
    """All changes to the modules of a group."""
    return [
        Mutant(group, module, change)
        for module in modules_of(GROUPS[group])
        for change in changes((ROOT / module).read_text("utf-8"))
    ]


Stages = dict[str, tuple[tuple[str, ...], ...]]
"""Group -> tests that are run together, one lot after the other until one notices."""


def _stages(groups: list[str], tests: list[str]) -> Stages:
    return {name: (tuple(tests),) if tests else lots_of(GROUPS[name]) for name in groups}


class _Trial:
    """Changes tried in copies of the repository, several at a time."""

    def __init__(self, stages: Stages, folder: Path, jobs: int, end: float | None) -> None:
        self.stages = stages
        self.end = end
        self._pool = ThreadPoolExecutor(jobs)
        self._copies = SimpleQueue[Copy]()
        first = Copy.of_here(folder / "0")
        self._copies.put(first)
        for number in range(1, jobs):
            self._copies.put(first.again(folder / str(number)))
        self._usual = dict[tuple[str, ...], float]()

    def all(self, mutants: list[Mutant]) -> int:
        """Try all; 1 if tests fail where nothing is changed."""
        with self._pool as pool:
            if not self._passes_unchanged(mutants):
                return 1
            _told({pool.submit(self._tried, one): one for one in mutants}, len(mutants))
        return 0

    @contextmanager
    def _copy(self) -> Iterator[Copy]:
        copy = self._copies.get()
        try:
            yield copy
        finally:
            self._copies.put(copy)

    def _passes_unchanged(self, mutants: list[Mutant]) -> bool:
        """Whether all tests pass without any change; how long they take is noted."""
        groups = sorted({one.group for one in mutants})
        wanted = dict.fromkeys(tests for name in groups for tests in self.stages[name])
        for tests, found in zip(wanted, self._pool.map(self._unchanged, wanted), strict=True):
            users = [name for name in groups if tests in self.stages[name]]
            if found.noticed_by:
                print(f"unchanged, fails: {found.noticed_by}\n{found.words}")
                return False
            self._usual[tests] = found.seconds
            named = tests[0] if len(tests) == 1 else f"{tests[0]} and {len(tests) - 1} more"
            seconds = f"{found.seconds:.0f} s"
            print(f"unchanged: {named} pass in {seconds}, for {', '.join(users)}", flush=True)
        return True

    def _unchanged(self, tests: tuple[str, ...]) -> Outcome:
        with self._copy() as copy:
            return copy.tried(tests, LONGEST)

    def _tried(self, mutant: Mutant) -> Outcome | None:
        """What the tests of its group make of a change; None if there is no time to ask."""
        with self._copy() as copy:
            seconds = 0.0
            noticed_by, is_late = "", False
            for tests in self.stages[mutant.group]:
                usual = self._usual[tests]
                limit = max(SOONEST, SLOWER * usual)
                left = limit if self.end is None else self.end - time.monotonic()
                if left < usual:
                    return None
                found = copy.changed(mutant.module, mutant.change, tests, min(limit, left))
                if found.is_late and left < limit:
                    return None
                seconds += found.seconds
                noticed_by, is_late = found.noticed_by, found.is_late
                if noticed_by:
                    break
            return Outcome(noticed_by, is_late, seconds)


def _told(work: dict[Future[Outcome | None], Mutant], count: int) -> None:
    """Print what came of each, and figures."""
    counts = {one.group: [0, 0, 0, 0] for one in work.values()}
    survivors = list[str]()
    for number, done in enumerate(as_completed(work), start=1):
        mutant, found = work[done], done.result()
        if found is None:
            counts[mutant.group][3] += 1
            continue
        verdict = "caught" if found.noticed_by else "SURVIVED"
        by = f" by {found.noticed_by}" if found.noticed_by else ""
        print(f"{number}/{count} {verdict} {mutant}{by} ({found.seconds:.0f} s)", flush=True)
        counts[mutant.group][0] += 1
        counts[mutant.group][1] += bool(found.noticed_by)
        counts[mutant.group][2] += found.is_late
        if not found.noticed_by:
            survivors.append(str(mutant))
    for group, (tried, caught, late, left) in sorted(counts.items()):
        print(f"{group}: {caught} of {tried} caught, {late} of them by time, {left} not tried")
    tried, caught = (sum(one[place] for one in counts.values()) for place in (0, 1))
    print(f"all: {caught} of {tried} caught")
    if survivors:
        print("survived:", *sorted(survivors), sep="\n  ")


if __name__ == "__main__":
    main()
