"""The options of `check`, `best`, `compare`, `sweep` and `exercise`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.options import (
    AnswerTimeOption,
    DefineOption,
    JobsOption,
    JsonOption,
    MaxRoundsOption,
    MemoryOption,
    ProvedPositionsOption,
    Question,
    SeedOption,
    SolutionOption,
    SolvedPositionsOption,
    TimeOption,
    positions_option,
)
from gamedsl.cli.units import seconds_of
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of `check`."""

    define: DefineOption = None
    facts: Annotated[bool, "Also print facts derived from the rules alone."] = False
    play: Annotated[
        bool,
        typer.Option("--play/--no-play", help="Play the game to find errors and test claims."),
    ] = True
    claims: Annotated[
        str | None,
        typer.Option(
            metavar="CLAIMS",
            help="Verify the claims in this file, with each FILE in place of the included game.",
        ),
    ] = None
    positions: Annotated[
        int | None,
        positions_option(
            "100,000; 10,000 or 20,000 for slow games; larger games are sampled",
            "Search at most this many positions of each game for errors.",
        ),
    ] = None
    max_positions: SolvedPositionsOption = None
    time: TimeOption = None
    max_rounds: MaxRoundsOption = None


@dataclass(frozen=True, slots=True)
class BestOptions:
    """The options of `best`."""

    time: AnswerTimeOption = 5
    max_positions: ProvedPositionsOption = None
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            min=1,
            show_default="as many as the time allows",
            help="Nodes or simulated plays of an estimate, regardless of --time.",
        ),
    ] = None
    seed: Annotated[int, "Random seed of simulated plays."] = 1
    solution: SolutionOption = None
    json: JsonOption = False


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """The options of `compare`."""

    define: DefineOption = None
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME=NAME",
            help="An action of FIRST and the same action of SECOND, where names differ.",
        ),
    ] = None
    positions: Annotated[
        int, typer.Option(min=1, help="Compare this many positions in order of distance.")
    ] = 5_000
    plays: Annotated[
        int, typer.Option(min=0, help="Then compare along this many random plays.")
    ] = 50
    seed: SeedOption = 0


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """The options of `sweep`."""

    define: Annotated[
        list[str] | None,
        typer.Option(
            "-D",
            "--define",
            metavar="NAME=VALUE",
            help="Values of a parameter: n=3..8, or n=3 and n=5 as two options.",
        ),
    ] = None
    do: Annotated[Question, "The question about each game."] = Question.SOLVE
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of the records; only jobs without a record there are done. [default: the "
            "screen]",
            show_default=False,
        ),
    ] = None
    jobs: JobsOption = 1
    part: Annotated[
        str,
        typer.Option(
            metavar="I/N", help="Only the I-th of N parts of the jobs, for arrays of a cluster."
        ),
    ] = "1/1"
    time: Annotated[
        float | None,
        typer.Option("--time", parser=seconds_of, metavar="TIME", help="Time limit for a job."),
    ] = None
    memory: MemoryOption = None
    max_positions: SolvedPositionsOption = None
    count: Annotated[
        int, typer.Option("-n", "--count", min=1, help="Number of plays of a job.")
    ] = 1_000
    seed: SeedOption = 0


@dataclass(frozen=True, slots=True)
class ExerciseOptions:
    """The options of `exercise`."""

    hint: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show hint number N.")] = None
    solution: Annotated[bool, "Show the right answer with the reason."] = False
    time: TimeOption = None
    json: JsonOption = False
