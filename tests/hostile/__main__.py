"""The long hunt: `python -m tests.hostile --all`, or `... interrupts 300`, or `... flips 2000`, or
`... solutions 2000`, or `... plants 3000`, or `... checkpoints 1000`, or `... layers 2000`.

Prints a line for all that went wrong, and figures at the end; the exit status is 1 if anything did.
`--jobs 16` does 16 things at a time; `--part 1/3` is the first third of the work, for a machine
that must not be busy for long; `--only TEXT` takes the cases whose names have that in them, and
says all that went wrong with them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.hostile.cases import cases
from tests.hostile.checkpoint_plants import planted_checkpoints
from tests.hostile.flips import flipped
from tests.hostile.interrupts import SOON, stopped
from tests.hostile.layer_damage import damaged_layers
from tests.hostile.limited import carried_out
from tests.hostile.shares import Tried, together
from tests.hostile.solution_flips import flipped_solutions
from tests.hostile.solution_plants import planted_solutions

LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be tried: `count` trials (0: all of them), or those whose names contain `only`."""

    count: int
    seed: int
    only: str


def main() -> None:
    """Try what is asked for, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=TRIALS, default="cases")
    parser.add_argument("count", nargs="?", type=int, default=30)
    parser.add_argument("--all", action="store_true", help="all cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="trials at a time")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="only one of N parts")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their names")
    chosen = parser.parse_args()
    part, _, parts = chosen.part.partition("/")
    shares = range((int(part) - 1) * chosen.jobs, int(part) * chosen.jobs)
    whole = int(parts) * chosen.jobs
    asked = Asked(0 if chosen.all or chosen.only else chosen.count, chosen.seed, chosen.only)
    trial = TRIALS[chosen.what]
    tried = wrong = 0
    longest, start = 0.0, time.monotonic()
    for name, seconds, trouble in together(lambda share: trial(asked, share, whole), shares):
        tried, wrong, longest = tried + 1, wrong + bool(trouble), max(longest, seconds)
        if trouble:
            said = f"\n{trouble}" if chosen.only else _in_a_line(trouble)
            print(f"wrong: {name} ({seconds:.1f} s): {said}", flush=True)
    print(
        f"{chosen.what}: {tried} tried, {wrong} wrong, the longest took {longest:.1f} s; "
        f"{time.monotonic() - start:.0f} s in all"
    )
    sys.exit(wrong > 0)


def _in_a_line(trouble: str) -> str:
    """The end of what went wrong, which says most."""
    line = " | ".join(part.strip() for part in trouble.splitlines() if part.strip())
    return line if len(line) <= LONGEST_LINE else f"... {line[-LONGEST_LINE:]}"


def _cases(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    """So many cases, spread over all of them."""
    found = [case for case in cases() if asked.only in case.name]
    step = max(1, len(found) // asked.count) if asked.count else 1
    for done in carried_out(found[asked.seed % step :: step][share::shares]):
        yield f"{done.case.name}: {done.command}", done.seconds, done.trouble


def _interrupts(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in stopped(range(share, asked.count, shares), asked.seed):
        trouble = one.trouble or ("late" if one.seconds > SOON else "")
        yield f"{one.command}, stopped after {one.after:.2f} s", one.seconds, trouble


def _flips(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in flipped(range(share, asked.count, shares), asked.seed):
        trouble = ("" if one.is_renewed else "still damaged") if one.is_right else "another answer"
        yield f"byte {one.place} of {one.kind}", 0, trouble


def _solutions(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in flipped_solutions(range(share, asked.count, shares), asked.seed):
        yield f"byte {one.place} of {one.game}", 0, "" if one.is_found else "not found"


def _plants(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in planted_solutions(range(share, asked.count, shares), asked.seed):
        yield one.what, one.seconds, one.trouble


def _checkpoints(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in planted_checkpoints(range(share, asked.count, shares), asked.seed):
        yield one.what, one.seconds, one.trouble


def _layers(asked: Asked, share: int, shares: int) -> Iterator[Tried]:
    for one in damaged_layers(range(share, asked.count, shares), asked.seed):
        yield one.what, one.seconds, one.trouble


TRIALS: dict[str, Callable[[Asked, int, int], Iterator[Tried]]] = {
    "cases": _cases,
    "interrupts": _interrupts,
    "flips": _flips,
    "solutions": _solutions,
    "plants": _plants,
    "checkpoints": _checkpoints,
    "layers": _layers,
}

if __name__ == "__main__":
    main()
