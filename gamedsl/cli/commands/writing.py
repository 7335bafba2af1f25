"""Commands for those who write games: files, codes, and what comes along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamedsl.cli.declare import command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import (
    FilesArgument,
    QuietOption,
    completed_game,
)


@command("Lay files out in the standard way.")
def fmt(
    files: FilesArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing but the differences; exit as --check.")
    ] = False,
    quiet: QuietOption = False,
) -> ExitCode:
    """Lay files out in the standard way; `-` formats standard input to standard output."""
    from gamedsl.cli.bodies.fmt import run

    return run(files, check, diff, quiet)


@command("Explain a diagnostic code.")
def rule(
    code: Annotated[str | None, typer.Argument(help="A code such as E0102.")] = None,
) -> ExitCode:
    """Explain a diagnostic code; without one, list them all."""
    from gamedsl.cli.bodies.rule import run

    return run(code)


@command("Write a small game to start from.")
def new(
    name: Annotated[str, typer.Argument(help="Title of the game.")] = "My game",
    base: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Begin a variant of this file or shipped game.",
            autocompletion=completed_game,
        ),
    ] = None,
) -> ExitCode:
    """Write a small commented game to start from, or a variant of another; never overwrites a
    file."""
    from gamedsl.cli.bodies.new import run

    return run(name, base)


@command("List the games that come along, or describe one.")
def games(
    name: Annotated[
        str | None, typer.Argument(help="A game, to say what it is.", autocompletion=completed_game)
    ] = None,
) -> ExitCode:
    """List the games that come with this program; of one game say what is known of it."""
    from gamedsl.cli.bodies.games import run

    return run(name)


@command("Show or clear the compiled code that is kept.")
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all of it.")] = False,
) -> ExitCode:
    """Show where compiled code is kept and how much there is, or delete it."""
    from gamedsl.cli.bodies.cache import run

    return run(clear)


@command("Serve an editor: messages, meanings, completion.")
def lsp() -> ExitCode:
    """Serve an editor by the Language Server Protocol, on standard input and output; the editor
    starts it."""
    from gamedsl.cli.bodies.lsp import run

    return run()


@command("Serve the page on which games are written, played and solved.")
def playground(
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The built page; usually web/dist of the checkout."),
    ] = None,
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.")] = 8000,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in a browser.")
    ] = True,
) -> ExitCode:
    """Serve the playground to this machine alone, until Ctrl-C. `python web/build.py` builds it;
    everything then runs in the browser, and works without a network."""
    from gamedsl.cli.bodies.playground import run

    return run(folder, port, browser)
