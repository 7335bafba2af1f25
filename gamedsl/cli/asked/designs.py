"""The options of `analyse` and `puzzles`."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.options import (
    OutputOption,
    SeedOption,
    SheetFormat,
)
from gamedsl.cli.units import seconds_of
from gamedsl.source.records import dataclass

ThreadsOption = Annotated[int, typer.Option(min=0, help="Threads (0: one per core).")]
FormatOption = Annotated[SheetFormat, typer.Option("--format", "-f", help="Output format.")]


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """The options of `analyse`."""

    time: Annotated[
        float,
        typer.Option(
            "--time",
            parser=seconds_of,
            metavar="TIME",
            help="Processor time of each thread, about: more plays, and stronger players.",
        ),
    ] = 20
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=LOW..HIGH",
            help="Compare the values of a parameter: NAME=3..6, NAME=3,5,7.",
        ),
    ] = None
    seed: SeedOption = 1
    threads: ThreadsOption = 0
    format: FormatOption = SheetFormat.TEXT
    output: OutputOption = None


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """The options of `puzzles`."""

    count: Annotated[
        int, typer.Option("-n", "--count", min=1, max=500, help="Number of puzzles.")
    ] = 20
    seed: SeedOption = 1
    time: Annotated[
        float,
        typer.Option("--time", parser=seconds_of, metavar="TIME", help="Processor time, about."),
    ] = 30
    format: FormatOption = SheetFormat.TEXT
    output: OutputOption = None
