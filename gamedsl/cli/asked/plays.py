"""The options of `play`, `playouts` and `match`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.options import (
    AnswerTimeOption,
    JobsOption,
    ProvedPositionsOption,
    SolutionOption,
)
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of `play`."""

    seat: Annotated[
        str,
        typer.Option(
            "--as", metavar="PLAYER", help="Your player; by default the first in turn order."
        ),
    ] = ""
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent",
            "--against",
            metavar="PLAYER",
            help="The opponents: level:1 to level:10, best, random, or another player of `match`; "
            "auto: best, else random; human: you play all.",
        ),
    ] = "auto"
    time: AnswerTimeOption = 2
    seed: Annotated[int | None, "Random seed of dice and random opponents."] = None
    max_positions: ProvedPositionsOption = None
    solution: SolutionOption = None


@dataclass(frozen=True, slots=True)
class PlayoutOptions:
    """The options of `playouts`."""

    count: Annotated[int, typer.Option("-n", "--count", min=1, help="Number of plays.")] = 1_000
    seed: Annotated[int, typer.Option(min=0, help="Random seed; equal seeds give equal plays.")] = 0
    threads: Annotated[
        int,
        typer.Option(min=0, help="Threads (0: one per core). Results do not depend on it."),
    ] = 0
    longest: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Cut off plays after this many plies.")
    ] = 10_000


PLAYERS = (
    "random, search or best, with options: search:time=0.5 (wall-clock seconds of a move), "
    "search:cpu=0.5 (processor time of all threads), search:plays=1000 (simulated plays of a "
    "move); level:1 to level:10; openspiel:plays=1000 (OpenSpiel's tree search); other programs: "
    "uci:stockfish, json:time=0.5,COMMAND."
)
MatchSeedOption = Annotated[int, typer.Option(min=0, help="Random seed of openings and chance.")]
PairsOption = Annotated[
    int,
    typer.Option("-n", "--pairs", min=1, max=1_000_000, help="Pairs of games between two players."),
]


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The options of `match`."""

    first: Annotated[
        str,
        typer.Option(
            "--first",
            metavar="PLAYER",
            help=PLAYERS,
        ),
    ] = "search"
    against: Annotated[
        str,
        typer.Option(
            "--against", "--second", metavar="PLAYER", help="The second player, as --first."
        ),
    ] = "random"
    pairs: PairsOption = 10
    seed: MatchSeedOption = 1
    jobs: JobsOption = 1
    longest: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Break off games after this many plies.")
    ] = 1_000
    record: Annotated[
        Path | None, "File of all plays; a match that was broken off goes on from there."
    ] = None
    pgn: Annotated[Path | None, "Write all plays with headers to this file."] = None
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="End the match as soon as one of two Elo differences is clear, as 0,50.",
        ),
    ] = None
