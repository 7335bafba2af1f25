"""The commands as Typer sees them: names, options and help. Each imports its body when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.boundary import finish
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import (
    AtOption,
    DefineOption,
    EngineName,
    EngineOption,
    ExplainFormat,
    FileArgument,
    FilesArgument,
    JsonOption,
    MaxPositionsOption,
    MaxSecondsOption,
    MoveOrder,
    Opponent,
    OutputFormat,
    OutputOption,
    QuietOption,
    Stage,
    StateOption,
    TraceAlgorithm,
    TreeFormat,
)

app = typer.Typer(
    name="gamedsl",
    help="Write the rules of a game; check, play and solve it.",
    epilog="Begin with `gamedsl new`, `gamedsl games` or `gamedsl solve tic_tac_toe`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    app(prog_name="gamedsl")


def _print_version(wanted: bool) -> None:
    if wanted:
        from gamedsl import __version__

        typer.echo(f"gamedsl {__version__}")
        raise typer.Exit(ExitCode.DONE)


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Write the rules of a game; check, play and solve it."""


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
    max_positions: MaxPositionsOption = 2_000_000,
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
        from gamedsl.cli.solve import Limits, run

        request = Request(file, tuple(define or ()), at, state, engine, quiet)
        return run(request, Limits(max_positions, max_seconds), policy, json, quiet)

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
        int, typer.Option(min=1, help="Break a play off after this many plies.")
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


@app.command(short_help="Show or clear the compiled code that is kept.")
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all of it.")] = False,
) -> None:
    """Show where compiled code is kept and how much there is, or delete it."""

    def body() -> ExitCode:
        from gamedsl.cli.cache import run

        return run(clear)

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


@app.command(short_help="Show a position, the rules or the tree.")
def show(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    stage: Annotated[
        Stage,
        typer.Option(
            help="The board as text or picture, the state as JSON, the checked rules or the tree."
        ),
    ] = Stage.BOARD,
    output: OutputOption = None,
) -> None:
    """Show a position, or what the program made of the text at each stage."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.show import run

        return run(Request(file, tuple(define or ()), at, state), stage, output)

    finish(body)


@app.command(short_help="Draw the game tree.")
def tree(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    depth: Annotated[
        int | None,
        typer.Option(min=0, show_default="all that fit", help="Draw this many plies."),
    ] = None,
    algorithm: Annotated[
        TraceAlgorithm | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="Show this search: its values, its cuts and what it never visits.",
        ),
    ] = None,
    order: Annotated[
        MoveOrder, typer.Option(help="Which moves come first; best and worst solve first.")
    ] = MoveOrder.DECLARED,
    cutoff: Annotated[
        int | None,
        typer.Option(min=1, help="Stop the search after this many plies and use `evaluate`."),
    ] = None,
    output_format: Annotated[
        TreeFormat, typer.Option("--format", help="html with an algorithm: step by step.")
    ] = TreeFormat.TEXT,
    output: OutputOption = None,
    boards: Annotated[
        bool, typer.Option("--boards/--no-boards", help="Small boards at the nodes of a picture.")
    ] = True,
    max_nodes: Annotated[int, typer.Option(min=1, help="Draw no more nodes than these.")] = 250,
    max_visits: Annotated[
        int, typer.Option(min=1, help="Nodes that a search may visit.")
    ] = 200_000,
    quiet: QuietOption = False,
) -> None:
    """Draw the game tree, or what an algorithm does in it, as text, picture or page."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.tree import TreeOptions, run
        from gamedsl.solvers.textbook import Algorithm, Order

        wanted = TreeOptions(
            depth=depth,
            algorithm=None if algorithm is None else Algorithm(algorithm),
            order=Order(order),
            cutoff=cutoff,
            max_nodes=max_nodes,
            max_visits=max_visits,
            boards=boards,
            format=output_format,
            output=output,
            quiet=quiet,
        )
        return run(Request(file, tuple(define or ()), at, state), wanted)

    finish(body)


@app.command(short_help="Explain a game as a textbook would.")
def explain(
    file: FileArgument,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    output_format: Annotated[
        ExplainFormat, typer.Option("--format", help="For reading, or for a document.")
    ] = ExplainFormat.TEXT,
    output: OutputOption = None,
    max_positions: MaxPositionsOption = 20_000,
    quiet: QuietOption = False,
) -> None:
    """Explain a game as a textbook would: S0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY."""

    def body() -> ExitCode:
        from gamedsl.cli.explain import run
        from gamedsl.cli.inputs import Request

        request = Request(file, tuple(define or ()), at, state)
        return run(request, output_format, output, max_positions, quiet)

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


@app.command(short_help="Write down a search, step by step.")
def trace(
    file: FileArgument,
    algorithm: Annotated[
        TraceAlgorithm, typer.Option("--algorithm", "-a", help="The search to write down.")
    ] = TraceAlgorithm.ALPHA_BETA,
    define: DefineOption = None,
    at: AtOption = "",
    state: StateOption = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "--cutoff",
            min=1,
            help="Stop after this many plies and use the file's `evaluate`.",
        ),
    ] = None,
    order: Annotated[
        MoveOrder, typer.Option(help="Which moves to look at first; best and worst solve first.")
    ] = MoveOrder.DECLARED,
    summary: Annotated[
        bool, typer.Option("--summary", help="The value and the counts, without the table.")
    ] = False,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Give up beyond this many visits.",
            show_default="2000 rows of a table, a summary has no limit",
        ),
    ] = None,
    max_positions: MaxPositionsOption = 100_000,
    json: JsonOption = False,
) -> None:
    """Write down what an algorithm of the textbook does: every visit, alpha, beta and value,
    what it cuts, and which leaves it never visits."""

    def body() -> ExitCode:
        from gamedsl.cli.inputs import Request
        from gamedsl.cli.trace import TraceOptions, run
        from gamedsl.solvers.textbook import Algorithm, Order

        wanted = TraceOptions(
            Algorithm(algorithm), depth, Order(order), max_nodes, max_positions, summary, json
        )
        return run(Request(file, tuple(define or ()), at, state), wanted)

    finish(body)


@app.command(short_help="Lay files out in the standard way.")
def fmt(
    files: FilesArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing but the differences; exit as --check.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Lay files out in the standard way; `-` formats standard input to standard output."""

    def body() -> ExitCode:
        from gamedsl.cli.fmt import run

        return run(files, check, diff, quiet)

    finish(body)


@app.command(short_help="Explain a diagnostic code.")
def rule(
    code: Annotated[str | None, typer.Argument(help="A code such as E0102.")] = None,
) -> None:
    """Explain a diagnostic code; without one, list them all."""

    def body() -> ExitCode:
        from gamedsl.cli.rule import run

        return run(code)

    finish(body)


@app.command(short_help="Write a small game to start from.")
def new(
    name: Annotated[str, typer.Argument(help="Title of the game.")] = "My game",
) -> None:
    """Write a small commented game to start from; never overwrites a file."""

    def body() -> ExitCode:
        from gamedsl.cli.new import run

        return run(name)

    finish(body)


@app.command(short_help="List the games that come along.")
def games() -> None:
    """List the games that come with this program."""

    def body() -> ExitCode:
        from gamedsl.cli.games import run

        return run()

    finish(body)
