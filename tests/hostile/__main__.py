"""The long hunt: `python -m tests.hostile --all`, or `... interrupts 300`, or `... flips 2000`.

Prints all that went wrong, and figures at the end; the exit status is 1 if anything did.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from tests.hostile.cases import cases
from tests.hostile.flips import flipped
from tests.hostile.interrupts import SOON, stopped
from tests.hostile.limited import carried_out

Tried = tuple[str, float, str]
"""What was tried, how many seconds it took, and what was wrong; empty if nothing."""


def main() -> None:
    """Try what is asked for, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=TRIALS, default="cases")
    parser.add_argument("count", nargs="?", type=int, default=30)
    parser.add_argument("--all", action="store_true", help="all cases")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    tried = wrong = 0
    longest = 0.0
    for name, seconds, trouble in TRIALS[chosen.what](
        0 if chosen.all else chosen.count, chosen.seed
    ):
        tried, wrong, longest = tried + 1, wrong + bool(trouble), max(longest, seconds)
        if trouble:
            print(f"--- {name} ({seconds:.1f} s)\n{trouble}", flush=True)
    print(f"{chosen.what}: {tried} tried, {wrong} wrong, the longest took {longest:.1f} s")
    sys.exit(wrong > 0)


def _cases(count: int, seed: int) -> Iterator[Tried]:
    """So many cases, spread over all of them; 0: all."""
    found = list(cases())
    step = len(found) // count if count else 1
    for done in carried_out(found[seed % step :: step]):
        yield f"{done.case.name}: {done.command}", done.seconds, done.trouble


def _interrupts(count: int, seed: int) -> Iterator[Tried]:
    for one in stopped(count, seed):
        trouble = one.trouble or ("late" if one.seconds > SOON else "")
        yield f"{one.command}, stopped after {one.after:.2f} s", one.seconds, trouble


def _flips(count: int, seed: int) -> Iterator[Tried]:
    for one in flipped(count, seed):
        trouble = ("" if one.is_renewed else "still damaged") if one.is_right else "another answer"
        yield f"byte {one.place} of {one.kind}", 0, trouble


TRIALS: dict[str, Callable[[int, int], Iterator[Tried]]] = {
    "cases": _cases,
    "interrupts": _interrupts,
    "flips": _flips,
}

if __name__ == "__main__":
    main()
