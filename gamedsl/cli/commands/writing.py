"""Commands for authors of games: files, codes, shipped games, editors, other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.declare import command, game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import (
    AnswerTimeOption,
    FilesArgument,
    GameKind,
    MemoryOption,
    OutputOption,
    Protocol,
    ProvedPositionsOption,
    QuietOption,
    completed_game,
)
from gamedsl.cli.request import Request


@command("Format files in the standard layout.")
def fmt(
    files: FilesArgument,
    check: Annotated[bool, "Write nothing; exit with 1 if a file would change."] = False,
    diff: Annotated[bool, "Print only the differences; exit like --check."] = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Format files in the standard layout; `-` formats standard input to standard output."""
    from gamedsl.cli.bodies.writing.fmt import run

    return run(files, check, diff, quiet)


@command("Write a file of another language as rules.")
def import_(
    file: Annotated[
        str,
        typer.Argument(help="A file of Gambit's (.efg, .nfg) or in GDL (.kif), or `-`."),
    ],
    output: OutputOption = None,
) -> ExitCode:
    """Write a file of Gambit's or in GDL as rules of this language."""
    from gamedsl.cli.bodies.writing.fmt import write_rules

    return write_rules(file, output)


@command("Explain a diagnostic code.")
def rule(
    code: Annotated[str | None, typer.Argument(help="A code such as E0102.")] = None,
) -> ExitCode:
    """Explain a diagnostic code, or list all codes."""
    from gamedsl.cli.bodies.writing.rule import run

    return run(code)


@command("Write a small game to start from.")
def new(
    name: Annotated[str, typer.Argument(help="Title of the game.")] = "My game",
    base: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Start a variant of this file or shipped game.",
            autocompletion=completed_game,
        ),
    ] = None,
    kind: Annotated[GameKind | None, "Kind of game to start with; counters by default."] = None,
) -> ExitCode:
    """Write a small commented game to start from, or a variant of an existing game, to a new
    file. A template names three changes to begin with: `gamedsl new "Fox hunt" --kind capture`."""
    from gamedsl.cli.bodies.writing.new import run

    return run(name, base, kind)


@command("Show how rules say something.")
def how(
    words: Annotated[
        list[str] | None, typer.Argument(help="Words such as: draw a card.", metavar="WORDS")
    ] = None,
) -> ExitCode:
    """Show patterns of the cookbook with these words, ready to copy: `gamedsl how draw a card`.
    Without words, list all patterns."""
    from gamedsl.cli.bodies.writing.rule import patterns_of

    return patterns_of(" ".join(words or ()))


@command("List the shipped games, or describe a game.")
def games(
    name: Annotated[
        str | None, typer.Argument(help="Game to describe.", autocompletion=completed_game)
    ] = None,
    rules: Annotated[bool, "Print the rules of the game."] = False,
    path: Annotated[bool, "Print the path of the file."] = False,
) -> ExitCode:
    """List the shipped games, or print the description, facts and claims of a game. A game of
    your own begins with a copy: `gamedsl games hexapawn --rules > mine.game`."""
    from gamedsl.cli.bodies.games import run

    return run(name, rules, path)


@command("Show or clear the code cache.")
def cache(
    clear: Annotated[bool, "Delete all cached code."] = False,
) -> ExitCode:
    """Show the folder and the size of the code cache, or clear the cache."""
    from gamedsl.cli.bodies.cache import run

    return run(clear)


@command("Serve an editor: diagnostics, hover texts, completion.")
def lsp() -> ExitCode:
    """Serve an editor by the Language Server Protocol, on standard input and output; editors start
    this command."""
    from gamedsl.cli.bodies.serving.lsp import run

    return run()


@game_command("Let other programs play a game.", engine_after="request")
def engine(
    request: Request,
    uci: Annotated[bool, "Speak UCI, for games with the men of chess."] = False,
    gtp: Annotated[bool, "Speak GTP, for Go and games with moves of its form."] = False,
    time: AnswerTimeOption = 1,
    max_positions: ProvedPositionsOption = None,
    memory: MemoryOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the engine.")] = 1,
) -> ExitCode:
    """Answer other programs that play the game, on standard input and output: by a JSON object a
    line, by UCI (also where the first line is `uci`), or by GTP. Moves are found as by `best`, in
    --time where the other program sets no time."""
    from gamedsl.cli.bodies.serving.engine import run

    if uci and gtp:
        raise typer.BadParameter("one protocol, --uci or --gtp", param_hint="--gtp")
    protocol = Protocol.UCI if uci else Protocol.GTP if gtp else Protocol.AUTO
    with limited(Limits(None, memory)):
        return run(request, protocol, time, max_positions, seed)


@command("Serve a page to write, play and solve games.")
def playground(
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder of the built page; by default that of the package."
        ),
    ] = None,
    port: Annotated[int, "Port; 0 takes a free port."] = 8000,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> ExitCode:
    """Serve the playground to this machine only, until Ctrl-C. `python web/build.py` builds the
    page, which runs in the browser and needs no network."""
    from gamedsl.cli.bodies.serving.playground import run

    return run(folder, port, browser)
