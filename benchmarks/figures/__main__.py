"""`python -m benchmarks.figures [--quick] [--only DOCUMENT ...] [--missing]`.

Works the figures of README, docs and decisions out again. A count that differs is a fault; a time,
a size or a ratio that has left its band is told, and is none: machines differ. With `--missing`
nothing is run: measured figures that no row covers are named, and sentences that are gone.
Exit code 1: a fault, a figure without a row, or a row whose sentence does not stand there any more.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from benchmarks.figures.documents import documents
from benchmarks.figures.outcomes import Outcome, checked, checked_constants, outcome_of
from benchmarks.figures.table import Row, missing, rows, stale

QUICK = 2
"""Seconds up to which a command is run by `--quick`."""


def main(arguments: list[str] | None = None) -> int:
    """Do what was asked for."""
    options = _parser().parse_args(arguments)
    wanted = [
        name
        for name in documents()
        if not options.only or any(part in name for part in options.only)
    ]
    faults = [
        f"{row.document}: does not say any more: {row.says}"
        for row in stale()
        if row.document in wanted
    ]
    faults += [
        f"{document}:{figure.line}: no row covers {' '.join(figure.written.split())!r}"
        for document in wanted
        for figure in missing(document)
    ]
    if not options.missing:
        chosen = [
            row
            for row in rows()
            if row.document in wanted and (not options.quick or row.takes <= QUICK)
        ]
        faults += _run(chosen)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0


def _run(chosen: Iterable[Row]) -> list[str]:
    """What differs in these rows; each command is run once."""
    faults: list[str] = []
    outcomes: dict[str, Outcome] = {}
    for row in chosen:
        faults += checked_constants(row)
        if row.run is None:
            continue
        if row.run not in outcomes:
            outcomes[row.run] = outcome_of(row.run)
            print(f"{outcomes[row.run].seconds:8.1f} s  {row.run}", file=sys.stderr)
        wrong, outside = checked(row, outcomes[row.run])
        faults += wrong
        for line in outside:
            print(f"outside its band: {line}")
    return faults


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.figures", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"commands of {QUICK} seconds at most")
    parser.add_argument(
        "--only", nargs="+", metavar="DOCUMENT", help="documents whose path holds this"
    )
    parser.add_argument("--missing", action="store_true", help="only say what no row covers")
    return parser


if __name__ == "__main__":
    sys.exit(main())
