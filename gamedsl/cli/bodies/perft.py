"""`gamedsl perft`: counts of plays."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import typer

from gamedsl.cli.boundary import Interrupted
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.reports.counts import perft as report
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.interruptible import BrokenOff
from gamedsl.solvers.perft import divide, perft
from gamedsl.source.records import dataclass
from gamedsl.source.stopwatch import COMPILING


def run(request: Request, depth: int, divides: bool, turns: bool, as_json: bool) -> ExitCode:
    """Count and print."""
    if divides and depth == 0:
        raise typer.BadParameter("--divide needs a depth of at least 1", param_hint="DEPTH")
    with opened(request) as (game, state):
        count = _Count(game, state, depth, turns, divides, as_json)
        console = Console(request.quiet)
        begun, compiled = perf_counter(), COMPILING.seconds
        try:
            with ProgressLine("counting", request.quiet) as progress:
                counts = count.run(progress)
        except Interrupted as stop:
            if isinstance(stop.__cause__, BrokenOff) and count.is_something(stop.__cause__.partial):
                console.out(count.text(stop.__cause__.partial))
            raise
        console.out(count.text(counts))
        seconds, compiling = perf_counter() - begun, COMPILING.seconds - compiled
        console.note(report.rate_text(count.plays(counts), seconds, compiling))
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _Count:
    """The options of a count, and the report's format."""

    game: LoadedGame
    state: State
    depth: int
    turns: bool
    divides: bool
    as_json: bool

    def run(self, progress: ProgressLine) -> tuple[Any, ...]:
        """The counts of all depths, or the counts of all moves."""
        count = divide if self.divides else perft
        return count(self.game, self.state, self.depth, turns=self.turns, progress=progress)

    def is_something(self, counts: tuple[Any, ...]) -> bool:
        """Whether incomplete counts are worth printing: more than the count of depth 0."""
        return len(counts) > (0 if self.divides else 1)

    def plays(self, counts: tuple[Any, ...]) -> int:
        return sum(number for _, number in counts) if self.divides else counts[-1]

    def text(self, counts: tuple[Any, ...]) -> str:
        if self.as_json:
            data = report.divide_data if self.divides else report.counts_data
            return json_text(data(self.game, self.depth, self.turns, counts))
        return report.divide_text(counts) if self.divides else report.counts_text(counts)
