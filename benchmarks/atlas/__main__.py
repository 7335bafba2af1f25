"""`python -m benchmarks.atlas [--quick] [--only NAME ...] [--missing] [--seconds N]`.

Works rows of the atlas out, writes `docs/atlas/atlas.json` and the page. With `--quick` the cheap
rows are worked out again and compared, and nothing is written; rows that are missing are named.
Exit code 1: a row differs, a claim does not hold, or the page is not that of the rows.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import process_time

from benchmarks.atlas.pages import page, summary
from benchmarks.atlas.rows import MEASURED, Row, all_rows, in_a_process, row
from gamedsl.game import shipped_games

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "atlas"
DATA, PAGE = FOLDER / "atlas.json", FOLDER / "README.md"
CHEAP = 0.25
"""Seconds of computing up to which a row is worked out again by `--quick`."""


def main(arguments: list[str] | None = None) -> int:
    """Do what was asked for."""
    options = _parser().parse_args(arguments)
    rows: dict[str, Row] = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    names = options.only or [path.stem for path in shipped_games()]
    if options.quick:
        return _compared(rows, names)
    wanted = list(all_rows(names))
    for key, shipped, settings, claims in wanted:
        if options.missing and key in rows:
            continue
        rows[key] = in_a_process(lambda: row(shipped, settings, claims, options.seconds))  # noqa: B023
        print(f"{key}: {rows[key]['status']}, {rows[key]['seconds']} s", file=sys.stderr)
        _write(rows)
    if not options.only:
        keys = {key for key, *_ in wanted}
        rows = {key: found for key, found in rows.items() if key in keys}
    _write(rows)
    print(summary(rows).strip())
    return 1 if _differing(rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.atlas", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="compare the cheap rows")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="rows of these games")
    parser.add_argument("--missing", action="store_true", help="rows that are not there yet")
    parser.add_argument("--seconds", type=float, default=60, help="of computing for a row")
    return parser


def _compared(rows: dict[str, Row], names: list[str]) -> int:
    """Whether the cheap rows of games come out as they stand, and the page is that of the rows."""
    faults = [f"{key}: {claim} differs from what is published" for key, claim in _differing(rows)]
    if PAGE.read_text("utf-8") != page(rows):
        faults.append(f"{PAGE.name} is not the page of {DATA.name}")
    wanted = list(all_rows(names))
    keys = {key for key, *_ in wanted}
    of_these = {key for key, found in rows.items() if found["game"] in names}
    faults += [f"{key}: no game has such a row any more" for key in of_these - keys]
    looked = 0
    for key, shipped, settings, claims in wanted:
        old = rows.get(key)
        if old is None or old["status"] == "open" or old["seconds"] > CHEAP:
            continue
        looked += 1
        new = json.loads(json.dumps(row(shipped, settings, claims, 60)))
        faults += [
            f"{key}: {field} was {old.get(field)}, and is {new.get(field)}"
            for field in sorted(old.keys() | new.keys())
            if field not in MEASURED and old.get(field) != new.get(field)
        ]
    for fault in faults:
        print(fault, file=sys.stderr)
    if missing := sorted(keys - rows.keys()):
        print(f"not worked out yet (--missing does so): {', '.join(missing)}", file=sys.stderr)
    print(f"{looked} rows compared, {len(faults)} differ; {process_time():.0f} s of computing")
    return 1 if faults else 0


def _differing(rows: dict[str, Row]) -> list[tuple[str, str]]:
    return [
        (key, claim["claim"])
        for key, found in rows.items()
        for claim in found["claims"]
        if claim["agrees"] is False
    ]


def _write(rows: dict[str, Row]) -> None:
    FOLDER.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(page(rows), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
