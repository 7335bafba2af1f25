"""Commands that answer: what a game is worth, what to play, how many plays there are."""

from __future__ import annotations

import os
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.declare import command, game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import (
    AnswerTimeOption,
    AtOption,
    DefineOption,
    FilesArgument,
    GoalChoice,
    GoalOption,
    JsonOption,
    MaxRoundsOption,
    MemoryOption,
    Opponent,
    OutputFormat,
    ProvedPositionsOption,
    QuietOption,
    SolutionArgument,
    SolutionOption,
    SolvedPositionsOption,
    SolverOption,
    TimeOption,
    positions_option,
)
from gamedsl.cli.request import Request
from gamedsl.cli.units import rationality_of, seconds_of


@command("Look for mistakes and verify claims.")
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
    claims: Annotated[
        str | None,
        typer.Option(
            metavar="CLAIMS",
            help="Verify the claims of this file about each FILE, which takes the place of "
            "the game that it includes.",
        ),
    ] = None,
    positions: Annotated[
        int | None,
        positions_option(
            "100,000, 10,000 or 20,000 of games that are slow to play; of larger games a sample",
            "Look for errors until so many positions of each game are found.",
        ),
    ] = None,
    max_positions: SolvedPositionsOption = None,
    time: TimeOption = None,
    memory: MemoryOption = None,
    max_rounds: MaxRoundsOption = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=0, help="Files to check at a time; 0: one a processor."),
    ] = 0,
    output_format: Annotated[
        OutputFormat, typer.Option("--output-format", help="For people or for machines.")
    ] = OutputFormat.TEXT,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Look for mistakes: in the text, in the rules, and by playing; verify every `expect`."""
    from gamedsl.cli.bodies.check import CheckOptions, run

    wanted = CheckOptions(
        parameters=tuple(define or ()),
        plays=play,
        positions=positions,
        max_positions=max_positions,
        max_seconds=time,
        max_rounds=max_rounds,
        shows_facts=facts,
        claims=claims,
    )
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    most = Limits(None if time is None else time * ceil(len(files) / jobs), memory)
    with limited(most.with_slack()):
        return run(files, wanted, OutputFormat.JSON if json else output_format, jobs, quiet)


@game_command("Say what solving would take.", engine_after="request", has_quiet=True)
def estimate(
    request: Request,
    time: Annotated[
        float,
        typer.Option("--time", parser=seconds_of, metavar="TIME", help="Look for so long."),
    ] = 10,
    memory: MemoryOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the random plays.")] = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Say how large a game is, which solvers apply, what they would take, and which one `solve`
    takes."""
    from gamedsl.cli.bodies.estimate import run

    return run(request, time, memory, seed, json)


@game_command("Find the value and the best moves.", engine_after="request", has_quiet=True)
def solve(
    request: Request,
    max_positions: SolvedPositionsOption = None,
    time: TimeOption = None,
    memory: MemoryOption = None,
    policy: Annotated[
        bool, typer.Option("--policy", help="Also list the best moves of every position.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="OUT", help="Keep the solution in this file, for `gamedsl probe`."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what --save OUT began and was cut off.")
    ] = False,
    checkpoint_every: Annotated[
        float,
        typer.Option(
            parser=seconds_of, metavar="TIME", help="How often --save keeps work under way."
        ),
    ] = 30,
    solver: SolverOption = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rounds of regret minimisation (--solver cfr+ and its like). "
            "[default: (some seconds of them)]",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Of the samples of --solver external-sampling-mccfr. [default: 0]",
            show_default=False,
        ),
    ] = None,
    rationality: Annotated[
        Fraction | None,
        typer.Option(
            parser=rationality_of,
            metavar="LAMBDA",
            help="The precision of --solver quantal-response: from 0, where all actions are chosen "
            "alike, on. [default: 1]",
            show_default=False,
        ),
    ] = None,
    goal: GoalOption = GoalChoice.PLAY,
    no_symmetry: Annotated[
        bool,
        typer.Option(
            "--no-symmetry",
            help="Do not take positions for one that are images of one another.",
        ),
    ] = False,
    threads: Annotated[
        int,
        typer.Option(
            min=0,
            help="How many work side by side where every position is solved by native code; 0: one "
            "a processor. No answer depends on it.",
        ),
    ] = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Find the value of a game under best play, the best moves and how long it takes."""
    from gamedsl.cli.bodies.solve import Keeping, SolveLimits, run

    limits = SolveLimits(
        max_positions, time, memory, solver, goal, not no_symmetry, rounds, seed, rationality,
        threads,
    )  # fmt: skip
    keeping = Keeping(save, checkpoint_every, resume)
    with limited(Limits(time, memory).with_slack()):
        return run(request, limits, policy, keeping, json)


@command("Ask a solution that was saved.")
def probe(
    solution: SolutionArgument,
    at: AtOption = "",
    json: JsonOption = False,
) -> ExitCode:
    """Say what a solution that `gamedsl solve --save` has written knows of a position."""
    from gamedsl.cli.bodies import probe as body

    return body.probe(solution, at, json)


@command("Check a solution that was saved.")
def verify(
    solution: SolutionArgument,
    positions: Annotated[
        int | None,
        positions_option(
            "all up to 100,000, else 100,000 picked at random", "Look at so many positions."
        ),
    ] = None,
    time: TimeOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Check a solution against the rules in it: endings, values and lengths of every position, by
    code that has no part in solving."""
    from gamedsl.cli.bodies import probe as body

    with limited(Limits(time, memory)):
        return body.verify(solution, positions, json, quiet)


@game_command("Name the best moves of a position.", has_quiet=True)
def best(
    request: Request,
    time: AnswerTimeOption = 5,
    max_positions: ProvedPositionsOption = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            min=1,
            show_default="as many as the time allows",
            help="Nodes or simulated plays of an estimate, whatever time they take.",
        ),
    ] = None,
    memory: MemoryOption = None,
    seed: Annotated[int, typer.Option(help="Of the simulated plays.")] = 1,
    solution: SolutionOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Name the best moves of a position, their values and best play; exact where possible."""
    from gamedsl.cli.bodies.best import BestLimits, run

    with limited(Limits(None, memory)):
        return run(request, BestLimits(time, max_positions, budget), seed, json, solution)


@game_command(
    "Count the ways to play n plies.", engine_after="request", has_limits=True, has_quiet=True
)
def perft(
    *,
    depth: Annotated[
        int | None, typer.Argument(metavar="DEPTH", min=0, help="How many plies deep.")
    ] = None,
    plies: Annotated[
        int | None, typer.Option("--depth", metavar="DEPTH", min=0, help="The same as DEPTH.")
    ] = None,
    request: Request,
    divide: Annotated[
        bool, typer.Option("--divide", help="One count for each first move, at this depth alone.")
    ] = False,
    turns: Annotated[
        bool, typer.Option("--turns", help="Count depth in changes of turn, not in plies.")
    ] = False,
    json: JsonOption = False,
) -> ExitCode:
    """Count the ways to play a number of plies: the classic test of a set of rules.

    Results of chance are no plies, but plays that differ in them are two, those that are drawn
    after the last ply included.
    """
    from gamedsl.cli.bodies.perft import run

    depths = [number for number in (depth, plies) if number is not None]
    if len(depths) != 1:
        raise typer.BadParameter("how many plies? `gamedsl perft FILE 3`", param_hint="DEPTH")
    return run(request, depths[0], divide, turns, json)


@game_command(
    "Play at random, many times.", engine_after="longest", has_limits=True, has_quiet=True
)
def playouts(
    *,
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many plays.")] = 1_000,
    seed: Annotated[
        int, typer.Option(min=0, help="Which plays: the same seed, the same plays.")
    ] = 0,
    request: Request,
    threads: Annotated[
        int,
        typer.Option(min=0, help="Plays at a time; 0: one a processor. No result depends on it."),
    ] = 0,
    longest: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Break a play off after this many plies.")
    ] = 10_000,
    json: JsonOption = False,
) -> ExitCode:
    """Play at random, every legal action as likely, and tell how the plays end."""
    from gamedsl.cli.bodies.playouts import PlayoutOptions, run

    return run(request, PlayoutOptions(count, seed, threads, longest), json)


@game_command("Play in the terminal.", engine_after="request", has_quiet=True)
def play(
    request: Request,
    seat: Annotated[
        str, typer.Option("--as", metavar="PLAYER", help="Whom you play; else who moves first.")
    ] = "",
    opponent: Annotated[
        Opponent,
        typer.Option(
            help="The other side: as good as `best`; auto: at random where that cannot be."
        ),
    ] = Opponent.AUTO,
    time: AnswerTimeOption = 2,
    seed: Annotated[
        int | None, typer.Option(help="Makes dice and random opponents repeatable.")
    ] = None,
    max_positions: ProvedPositionsOption = None,
    solution: SolutionOption = None,
) -> ExitCode:
    """Play in the terminal; `help` there lists what you can type."""
    from gamedsl.cli.bodies.play import PlayOptions, run

    return run(request, PlayOptions(seat, opponent, seed, time, max_positions, solution))
