"""`gamedsl probe` and `gamedsl verify`: solutions in files, asked and checked."""

from __future__ import annotations

from pathlib import Path

from gamedsl.archive.saved import SavedSolution
from gamedsl.archive.verification import Verification, verify_solution
from gamedsl.cli.bodies.solve import show_solution
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import played
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.saved import opening, solution_at
from gamedsl.reports.json_text import json_text

AS_MANY_AS = 100_000
"""Positions that are verified where nobody says how many."""


def probe(path: Path, at: str, as_json: bool) -> ExitCode:
    """Print what a solution says of a position."""
    with opening(path) as saved:
        state = played(saved.game, saved.table.root, at)[1]
        show_solution(saved.game, state, solution_at(saved, state), as_json=as_json)
    return ExitCode.DONE


def verify(path: Path, positions: int | None, as_json: bool, quiet: bool) -> ExitCode:
    """Print whether a solution is right; NO if it is not. `positions`: how many are looked at."""
    with opening(path) as saved, ProgressLine("verifying", quiet) as progress:
        found = verify_solution(saved, most=positions or AS_MANY_AS, progress=progress)
    console = Console(quiet)
    if as_json:
        console.out(json_text(_data(saved, found)))
    else:
        console.report(_text(path, saved, found))
    return ExitCode.DONE if found.fault is None else ExitCode.NO


def _text(path: Path, saved: SavedSolution, found: Verification) -> str:
    rules = f"{path}: {saved.game.name}, written by gamedsl {saved.facts['gamedsl']}"
    many = f"{found.looked_at:,} of {found.of:,}"
    if found.fault is not None:
        where = f"\n\n{saved.game.show(found.state)}" if found.state is not None else ""
        return f"{rules}\nwrong: {found.fault}; after {many} positions{where}"
    if not found.is_whole:
        return f"{rules}\nnothing wrong in {many} positions, picked at random (--positions all)"
    if saved.table.settled.chance is not None:
        what = "every value is, within the error, what those after it say"
        return f"{rules}\nright: {what}, in all {found.of:,} positions and chance events"
    return f"{rules}\nverified: all {found.of:,} positions, by the rules in the file"


def _data(saved: SavedSolution, found: Verification) -> dict[str, object]:
    return {
        "game": saved.game.name,
        "parameters": dict(saved.game.parameters),
        "rules_sha256": saved.facts["rules_sha256"],
        "positions": found.of,
        "looked_at": found.looked_at,
        "is_right": found.fault is None,
        "fault": found.fault,
    }
