"""Commands for designers of games: a report on a game, and puzzles from its positions."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.declare import game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import MemoryOption, OutputOption, SeedOption, SheetFormat
from gamedsl.cli.request import Request
from gamedsl.cli.units import seconds_of

ThreadsOption = Annotated[int, typer.Option(min=0, help="Threads (0: one per core).")]
FormatOption = Annotated[SheetFormat, typer.Option("--format", "-f", help="Output format.")]


@game_command("Report on a game for its designer.", engine_after="request")
def analyse(
    request: Request,
    time: Annotated[
        float,
        typer.Option(
            "--time",
            parser=seconds_of,
            metavar="TIME",
            help="Processor time of each thread, about: more plays, and stronger players.",
        ),
    ] = 20,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=LOW..HIGH",
            help="Compare the values of a parameter: NAME=3..6, NAME=3,5,7.",
        ),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = 0,
    memory: MemoryOption = None,
    output_format: FormatOption = SheetFormat.TEXT,
    output: OutputOption = None,
) -> ExitCode:
    """Report how a game plays, as play-testers would: who wins between random, weak and strong
    players, how long plays are, how much there is to choose, how tense and how deep the game is,
    which first moves are fair, and which moves, squares and rules never matter."""
    from gamedsl.cli.bodies.designing import AnalyseOptions, run

    options = AnalyseOptions(time, sweep, seed, threads, output_format, output)
    with limited(Limits(None, memory)):
        return run(request, options)


@game_command("Make puzzles with one winning move.", engine_after="request")
def puzzles(
    *,
    count: Annotated[
        int, typer.Option("-n", "--count", min=1, max=500, help="Number of puzzles.")
    ] = 20,
    seed: SeedOption = 1,
    request: Request,
    time: Annotated[
        float,
        typer.Option("--time", parser=seconds_of, metavar="TIME", help="Processor time, about."),
    ] = 30,
    memory: MemoryOption = None,
    output_format: FormatOption = SheetFormat.TEXT,
    output: OutputOption = None,
) -> ExitCode:
    """Make puzzles: positions of play in which exactly one move wins, proved, without symmetric
    repetitions, the hardest last, with the solutions at the end."""
    from gamedsl.cli.bodies.designing import PuzzleOptions, run_puzzles

    with limited(Limits(None, memory)):
        return run_puzzles(request, PuzzleOptions(count, time, seed, output_format, output))
