"""The harness: `python -m benchmarks [--only NAME ...] [--repeat N] [--list]`.

JSON lines on stdout, tables on stderr. Exit code 1 if an answer was wrong, or random plays were
not alike; what is not installed is said to be so and is no error.
"""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks import agreement
from benchmarks.batch_contests import batch_contests
from benchmarks.contender import Contest
from benchmarks.equilibrium_contests import equilibrium_contests
from benchmarks.machine import machine_facts
from benchmarks.perft_contests import perft_contests
from benchmarks.playout_contests import playout_contests
from benchmarks.process_contests import process_contests
from benchmarks.report import agreement_row, json_lines, table
from benchmarks.solve_contests import solve_contests
from benchmarks.timing import WrongAnswerError, measure


def main(arguments: list[str] | None = None) -> int:
    """Run what was asked for."""
    options = _parser().parse_args(arguments)
    contests = (
        *perft_contests(),
        *playout_contests(),
        *solve_contests(),
        *equilibrium_contests(),
        *process_contests(),
        *batch_contests(),
    )
    games = tuple(agreement.REFERENCES)
    names = [*(contest.name for contest in contests), *(f"agreement_{game}" for game in games)]
    if options.list:
        print(*names, sep="\n")
        return 0
    chosen = [name for name in names if _is_chosen(name, options.only)]
    if not chosen:
        print(f"no benchmark is called like {' or '.join(options.only)}", file=sys.stderr)
        return 2
    machine = machine_facts()
    print(", ".join(f"{name} {fact}" for name, fact in machine.items()), file=sys.stderr)
    is_right = True
    for contest in contests:
        if contest.name in chosen:
            is_right &= _run(contest, options.repeat, machine)
    for game in games:
        if f"agreement_{game}" in chosen:
            is_right &= _compare(game, machine)
    return 0 if is_right else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help="benchmarks of these names, or whose names begin so",
    )
    parser.add_argument("--repeat", type=int, default=5, help="rounds; their median counts")
    parser.add_argument("--list", action="store_true", help="names of the benchmarks")
    return parser


def _is_chosen(name: str, wanted: list[str]) -> bool:
    return not wanted or any(name.startswith(beginning) for beginning in wanted)


def _run(contest: Contest, repeat: int, machine: dict[str, object]) -> bool:
    try:
        measured = measure(contest, repeat)
    except WrongAnswerError as wrong:
        print(f"{contest.name}\n  WRONG: {wrong}", file=sys.stderr, flush=True)
        print(json.dumps({"benchmark": contest.name, "wrong": str(wrong)}), flush=True)
        return False
    print(*json_lines(contest, measured, machine), sep="\n", flush=True)
    print(table(contest, measured), file=sys.stderr, flush=True)
    return True


def _compare(game: str, machine: dict[str, object]) -> bool:
    found = agreement.agreements(game)
    print(f"agreement_{game}", file=sys.stderr)
    for one in found:
        print(json.dumps(one.data() | {"machine": machine}), flush=True)
        print(agreement_row(one), file=sys.stderr, flush=True)
    return all(one.is_alike for one in found)


if __name__ == "__main__":
    sys.exit(main())
