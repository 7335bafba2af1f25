"""Commands that answer: what a game is worth, what to play, how many plays there are."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.app import app
from gamedsl.cli.boundary import finish
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import (
    AtOption,
    DefineOption,
    EngineName,
    EngineOption,
    FileArgument,
    FilesArgument,
    JsonOption,
    MaxPositionsOption,
    MaxSecondsOption,
    Opponent,
    OutputFormat,
    QuietOption,
    StateOption,
)


@app.command(short_help="Look for mistakes and verify claims.")
def check(
    files: FilesArgument,
    define: DefineOption = None,
    facts: Annotated[
        bool, typer.Option("--facts", help="Also print what follows from the rules alone.")
    ] = False,
    play: Annotated[
        bool,
        typer.Option("--play/--no-play", help="Play the game to look for errors and test claims."),
    ] = True,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions",
            min=0,
            show_default="as many as a few seconds allow",
            help="Positions of each game to look at for errors.",
        ),
    ] = None,
    max_positions: MaxPositionsOption = 1_000_000,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=0, help="Files to check at a time; 0: one a processor."),
    ] = 0,
    output_format: Annotated[
        OutputFormat, typer.Option("--output-format", help="For people or for machines.")
    ] = OutputFormat.TEXT,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Look for mistakes: in the text, in the rules, and by playing; verify every `expect`."""

    def body() -> ExitCode:
        from gamedsl.cli.check import CheckOptions, run

        wanted = CheckOptions(
            parameters=tuple(define or ()),
            plays=play,
            positions=positions,
            max_positions=max_positions,
            shows_facts=facts,
        )
        return run(files, wanted, OutputFormat.JSON if json else output_format, jobs, quiet)

    finish(body)


@app.command(short_help="Find the value and the best moves.")
def solve(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    engine: EngineOption = EngineName.AUTO,
    max_positions: Annotated[
        int | None,
        typer.Option(
            "--max-positions",
            min=1,
            show_default="2,000,000; natively as many as the memory holds",
            help="Give up beyond this many positions.",
        ),
    ] = None,
    max_seconds: MaxSecondsOption = None,
    policy: Annotated[
        bool, typer.Option("--policy", help="Also list the best moves of every position.")
    ] = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Find the value of a game under best play, the best moves and how long it takes."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.solve import SolveLimits, run

        request = Request(file, tuple(define or ()), at, state, engine, quiet)
        return run(request, SolveLimits(max_positions, max_seconds), policy, json, quiet)

    finish(body)


@app.command(short_help="Name the best moves of a position.")
def best(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    max_positions: MaxPositionsOption = 100_000,
    budget: Annotated[
        int,
        typer.Option(
            "--budget", min=1, help="Nodes or simulated plays of an estimate, where all else fails."
        ),
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the simulated plays.")] = 1,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Name the best moves of a position, their values and best play; exact where possible."""

    def body() -> ExitCode:
        from gamedsl.cli.best import run
        from gamedsl.cli.inputs import Request

        request = Request(file, tuple(define or ()), at, state)
        return run(request, max_positions, budget, seed, json, quiet)

    finish(body)


@app.command(short_help="Count the ways to play n plies.")
def perft(
    file: FileArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="How many plies deep.")],
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    engine: EngineOption = EngineName.AUTO,
    divide: Annotated[
        bool, typer.Option("--divide", help="One count for each first move, at this depth alone.")
    ] = False,
    turns: Annotated[
        bool, typer.Option("--turns", help="Count depth in changes of turn, not in plies.")
    ] = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Count the ways to play a number of plies: the classic test of a set of rules."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.perft import run

        request = Request(file, tuple(define or ()), at, state, engine, quiet)
        return run(request, depth, divide, turns, json, quiet)

    finish(body)


@app.command(short_help="Play at random, many times.")
def playouts(
    file: FileArgument,
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many plays.")] = 1_000,
    seed: Annotated[
        int, typer.Option(min=0, help="Which plays: the same seed, the same plays.")
    ] = 0,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    threads: Annotated[
        int,
        typer.Option(min=0, help="Plays at a time; 0: one a processor. No result depends on it."),
    ] = 0,
    longest: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Break a play off after this many plies.")
    ] = 10_000,
    engine: EngineOption = EngineName.AUTO,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play at random, every legal action as likely, and tell how the plays end."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.playouts import PlayoutOptions, run

        request = Request(file, tuple(define or ()), at, state, engine, quiet)
        return run(request, PlayoutOptions(count, seed, threads, longest), json)

    finish(body)


@app.command(short_help="Play in the terminal.")
def play(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    engine: EngineOption = EngineName.AUTO,
    seat: Annotated[
        str, typer.Option("--as", metavar="PLAYER", help="Whom you play; else who moves first.")
    ] = "",
    opponent: Annotated[
        Opponent, typer.Option(help="The other side; auto: the solution, if one is found soon.")
    ] = Opponent.AUTO,
    seed: Annotated[
        int | None, typer.Option(help="Makes dice and random opponents repeatable.")
    ] = None,
    max_positions: MaxPositionsOption = 20_000,
    quiet: QuietOption = False,
) -> None:
    """Play in the terminal; `help` there lists what you can type."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.play import run

        request = Request(file, tuple(define or ()), at, state, engine, quiet)
        return run(request, seat, opponent, seed, max_positions, quiet)

    finish(body)
