"""Commands that compute answers: values, best moves, counts of plays, and plays."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.asked.answers import BestOptions, CheckOptions, CompareOptions, SweepOptions
from gamedsl.cli.asked.plays import (
    PLAYERS,
    MatchOptions,
    MatchSeedOption,
    PairsOption,
    PlayOptions,
    PlayoutOptions,
)
from gamedsl.cli.declare import command, game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import (
    AtOption,
    FilesArgument,
    GoalChoice,
    GoalOption,
    JobsOption,
    JsonOption,
    MemoryOption,
    OutputFormat,
    QuietOption,
    SeedOption,
    SolutionArgument,
    SolvedPositionsOption,
    SolverOption,
    StateOption,
    TimeOption,
    completed_game,
    positions_option,
)
from gamedsl.cli.request import Request
from gamedsl.cli.units import rationality_of, seconds_of


@command("Find mistakes and verify claims.")
def check(
    files: FilesArgument,
    options: CheckOptions,
    memory: MemoryOption = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=0, help="Files to check in parallel (0: one per core)."),
    ] = 0,
    output_format: Annotated[
        OutputFormat,
        typer.Option(
            "--format", "-f", help="Report for people (text, concise) or machines (json, github)."
        ),
    ] = OutputFormat.TEXT,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Find mistakes in the text, in the rules, and by play; verify every `expect`."""
    from gamedsl.cli.bodies.check import run

    jobs, time = min(jobs or os.cpu_count() or 1, len(files)), options.time
    most = Limits(None if time is None else time * ceil(len(files) / jobs), memory)
    with limited(most.with_slack()):
        return run(files, options, OutputFormat.JSON if json else output_format, jobs, quiet)


ComparedArgument = typer.Argument(
    help="A .game file, the name of a shipped game, or openspiel:NAME for a game of OpenSpiel.",
    autocompletion=completed_game,
)


@command("Find the shortest difference of two games.")
def compare(
    first: Annotated[str, ComparedArgument],
    second: Annotated[str, ComparedArgument],
    options: CompareOptions,
    json: JsonOption = False,
    time: TimeOption = None,
    memory: MemoryOption = None,
    quiet: QuietOption = False,
) -> ExitCode:
    """Play two games in lockstep, and print the shortest play on which they differ: in the player
    to move, the legal actions, chances, the end, payoffs, or what a player knows. Parameters are
    set in each game that has them. The exit status is 1 for a difference."""
    from gamedsl.cli.bodies.compare import run

    with limited(Limits(time, memory)):
        return run((first, second), options, json, quiet)


@game_command("Estimate the cost of solving.", engine_after="request")
def estimate(
    request: Request,
    time: Annotated[
        float,
        typer.Option("--time", parser=seconds_of, metavar="TIME", help="Time for the estimate."),
    ] = 10,
    memory: MemoryOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Estimate the size of a game and the costs of all applicable solvers, and name the solver
    that `solve` would choose."""
    from gamedsl.cli.bodies.estimate import run

    return run(request, time, memory, seed, json)


@game_command("Find the value and the best moves.", engine_after="request")
def solve(
    request: Request,
    max_positions: SolvedPositionsOption = None,
    time: TimeOption = None,
    memory: MemoryOption = None,
    policy: Annotated[bool, "Also list the best moves of every position."] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="OUT", help="Save the solution to this file, for `gamedsl probe`."
        ),
    ] = None,
    out_of_core: Annotated[
        bool, "Solve layer by layer in the folder --save OUT, with bounded memory."
    ] = False,
    mpi: Annotated[
        bool, "Solve out of core, shared by all processes of `mpiexec` or `srun`."
    ] = False,
    resume: Annotated[bool, "Resume interrupted work of --save OUT."] = False,
    checkpoint_every: Annotated[
        float | None,
        typer.Option(
            parser=seconds_of,
            metavar="TIME",
            help="Time between checkpoints of --save. [default: 30s]",
            show_default=False,
        ),
    ] = None,
    solver: SolverOption = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rounds of regret minimisation (--solver cfr+ and variants). "
            "[default: (some seconds)]",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Random seed of external-sampling MCCFR. [default: 0]",
            show_default=False,
        ),
    ] = None,
    rationality: Annotated[
        Fraction | None,
        typer.Option(
            parser=rationality_of,
            metavar="LAMBDA",
            help="Precision of --solver quantal-response, 0 or more; at 0 all actions are equally "
            "likely. [default: 1]",
            show_default=False,
        ),
    ] = None,
    goal: GoalOption = GoalChoice.PLAY,
    no_symmetry: Annotated[bool, "Treat symmetric positions as different."] = False,
    threads: Annotated[
        int,
        typer.Option(
            min=0,
            help="Threads for native strong solving (0: one per core). Answers do not depend on "
            "it.",
        ),
    ] = 0,
    json: JsonOption = False,
) -> ExitCode:
    """Find the value of a game under best play, the best moves and the length of play."""
    from gamedsl.cli.bodies.solve import BeyondMemoryError, Wanted, run, solver_named
    from gamedsl.solvers.options import SolveOptions

    options = SolveOptions(
        max_positions=max_positions,
        max_seconds=time,
        max_bytes=memory,
        solver=solver_named(solver, quiet=request.quiet),
        uses_symmetry=not no_symmetry,
        rounds=rounds,
        seed=seed,
        rationality=rationality,
        threads=threads,
    )
    wanted = Wanted(goal, policy, json, save, checkpoint_every, resume)
    alone = None if mpi else time  # processes that share work stop together
    with limited(Limits(alone, memory).with_slack()):
        if out_of_core or mpi:
            from gamedsl.cli.bodies.saving import run_out_of_core
            from gamedsl.cli.bodies.shared import shared

            run_layers = partial(run_out_of_core, request, options, wanted)
            return shared(lambda ranks: run_layers(ranks=ranks)) if mpi else run_layers()
        try:
            if save is None:
                return run(request, options, wanted)
            from gamedsl.cli.bodies.saving import run_saved

            return run_saved(request, options, wanted, save)
        except BeyondMemoryError:
            from gamedsl.cli.bodies.saving import run_beyond_memory

        return run_beyond_memory(request, options, wanted)


@command("Query a saved solution.")
def probe(
    solution: SolutionArgument,
    at: AtOption = "",
    state: StateOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Print the answer of a solution saved by `gamedsl solve --save` for a position."""
    from gamedsl.cli.bodies import probe as body

    return body.probe(solution, at, state, json)


@command("Verify a saved solution.")
def verify(
    solution: SolutionArgument,
    positions: Annotated[
        int | None,
        positions_option(
            "all up to 100,000, else a random 100,000", "Number of positions to verify."
        ),
    ] = None,
    mpi: Annotated[bool, "Share a folder's positions among all processes of `mpiexec`."] = False,
    time: TimeOption = None,
    memory: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Verify a saved solution against its rules: terminal payoffs, values and lengths of all
    positions, by code independent of the solvers."""
    from gamedsl.cli.bodies import probe as body
    from gamedsl.cli.bodies.shared import shared

    verify_in = partial(body.verify, solution, positions, json, quiet, memory)
    with limited(Limits(None, memory).with_slack()._replace(seconds=time)):
        return shared(verify_in) if mpi else verify_in()


@game_command("Name the best moves of a position.")
def best(request: Request, options: BestOptions, memory: MemoryOption = None) -> ExitCode:
    """Name the best moves of a position with values and best play, exact if possible."""
    from gamedsl.cli.bodies.best import run

    with limited(Limits(None, memory)):
        return run(request, options)


@game_command("Count the plays of n plies.", engine_after="request", has_limits=True)
def perft(
    *,
    depth: Annotated[
        int | None, typer.Argument(metavar="DEPTH", min=0, help="Number of plies.")
    ] = None,
    plies: Annotated[
        int | None,
        typer.Option("--depth", metavar="DEPTH", min=0, help="Same as the argument DEPTH."),
    ] = None,
    request: Request,
    divide: Annotated[bool, "Count each first move separately, at this depth only."] = False,
    turns: Annotated[bool, "Measure depth in changes of turn instead of plies."] = False,
    json: JsonOption = False,
) -> ExitCode:
    """Count the plays of a number of plies: the classic test of a set of rules.

    Chance events are no plies, but plays with different outcomes count separately, outcomes after
    the last ply included.
    """
    from gamedsl.cli.bodies.perft import run

    depths = [number for number in (depth, plies) if number is not None]
    if len(depths) != 1:
        raise typer.BadParameter("how many plies? `gamedsl perft FILE 3`", param_hint="DEPTH")
    return run(request, depths[0], divide, turns, json)


@game_command("Count reachable positions.", engine_after="request", has_limits=True)
def count(
    request: Request,
    symbolic: Annotated[bool, "Count on sets of positions, beyond memory (needs oxidd)."] = False,
    json: JsonOption = False,
) -> ExitCode:
    """Count the positions that play can reach, by the number of plies of a shortest play.

    With --symbolic no position is stored: sets of positions are decision diagrams. Boards that fill
    up are counted far beyond memory, and an error of the rules in any position is certain to be
    noticed. Games whose men wander may be slower to count in this way than one by one.
    """
    from gamedsl.cli.bodies.count import run

    return run(request, symbolic, json)


@game_command("Play many random games.", engine_after="longest", has_limits=True)
def playouts(request: Request, options: PlayoutOptions, json: JsonOption = False) -> ExitCode:
    """Play at random, all legal actions equally likely, and print the results of the plays."""
    from gamedsl.cli.bodies.playouts import run

    return run(request, options, json)


@game_command("Play a match of two players.", engine_after="record")
def match(request: Request, options: MatchOptions, json: JsonOption = False) -> ExitCode:
    """Play pairs of games with seats changed, and print the difference in strength, with an
    interval."""
    from gamedsl.cli.bodies.playouts import run_match

    return run_match(request, options, json)


@game_command("Measure the levels of play.", engine_after="request")
def ladder(
    request: Request,
    pairs: PairsOption = 10,
    lowest: Annotated[int, typer.Option(min=1, max=9, help="The first level.")] = 1,
    highest: Annotated[int, typer.Option(min=2, max=10, help="The last level.")] = 10,
    seed: MatchSeedOption = 1,
    jobs: JobsOption = 1,
    json: JsonOption = False,
) -> ExitCode:
    """Play each level against the level before, and print the difference in strength."""
    from gamedsl.cli.bodies.playouts import run_ladder

    options = MatchOptions(pairs=pairs, seed=seed, jobs=jobs)
    return run_ladder(request, options, lowest, highest, json)


CONTENDERS = ("random", "level:2", "level:5")
"""The players of a tournament, if no player is named."""


@game_command("Rate several players.", engine_after="request")
def tournament(
    request: Request,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help=f"Once a player: {PLAYERS} [default: {', '.join(CONTENDERS)}]",
            show_default=False,
        ),
    ] = None,
    pairs: PairsOption = 10,
    seed: MatchSeedOption = 1,
    jobs: JobsOption = 1,
    json: JsonOption = False,
) -> ExitCode:
    """Play a match of every two players, and print the differences in strength and the ratings."""
    from gamedsl.cli.bodies.playouts import run_tournament

    options = MatchOptions(pairs=pairs, seed=seed, jobs=jobs)
    return run_tournament(request, options, tuple(players or CONTENDERS), json)


@command("Ask about many games and parameters.")
def sweep(
    files: FilesArgument,
    options: SweepOptions,
    mpi: Annotated[bool, "Hand out jobs to the processes of `mpiexec` or `srun`."] = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Ask the same question about every game with every choice of parameters; write one line of
    JSON for each. A sweep that was broken off goes on with the same command and --out."""
    from gamedsl.cli.bodies.shared import shared
    from gamedsl.cli.bodies.sweep import run, run_in_job

    if mpi:
        return shared(lambda ranks: run_in_job(files, options, quiet, ranks))
    return run(files, options, quiet)


@game_command("Play in the terminal.", engine_after="request")
def play(request: Request, options: PlayOptions) -> ExitCode:
    """Play in the terminal; the input `help` lists all inputs."""
    from gamedsl.cli.bodies.play import run

    return run(request, options)
