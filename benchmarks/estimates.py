"""Estimates of the number of positions beside the truth, for the games of the atlas.

`python -m benchmarks.estimates`: `gamedsl estimate` on each row of the atlas whose positions were
all solved. Prints a row of Markdown for each game whose positions were not all counted within the
time, then the number of counted games and the share of estimates within a factor of ten.
`--seconds 5`: the time of an estimate; `--least 10000000`: games with fewer positions are left out;
further arguments: names of games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from math import log10

from benchmarks.atlas.__main__ import DATA
from gamedsl import load
from gamedsl.solvers.feasibility.estimate import USUAL_SECONDS, WITHIN, Estimate, estimate

HEAD = "| game | positions | estimate | factor |\n|---|---:|---:|---:|"


def estimates(names: list[str], seconds: float, least: int) -> Iterator[tuple[str, int, Estimate]]:
    """The key, the number of positions and the estimate of each row with a known number."""
    for key, row in json.loads(DATA.read_text()).items():
        is_known = row["status"] == "strong" and row["positions"] >= least
        if is_known and (not names or row["game"] in names):
            game = load(row["game"], **row["parameters"])
            yield key, row["positions"], estimate(game, seconds=seconds)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=USUAL_SECONDS)
    parser.add_argument("--least", type=int, default=0)
    arguments = parser.parse_args()
    counted, near, far = 0, 0, 0
    print(HEAD)
    for key, truth, found in estimates(arguments.names, arguments.seconds, arguments.least):
        if found.positions is not None:
            counted += 1
            continue
        factor = (found.about or 0) / truth
        is_near = 1 / WITHIN <= factor <= WITHIN
        near, far = near + is_near, far + (not is_near)
        about = "none" if found.about is None else f"{found.about:.2g}"
        sure = "" if found.counted <= truth else f" (counted {found.counted:,})"
        digits = max(2, 1 - int(log10(factor or 1)))
        print(f"| {key} | {truth:,} | {about} | {factor:.{digits}f}{sure} |", flush=True)
    print(
        f"\n{counted} games counted; {near} of {near + far} estimates within a factor of {WITHIN}"
    )


if __name__ == "__main__":
    main()
