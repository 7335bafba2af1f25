"""Commands for those who write games: files, codes, and what comes along."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.app import app
from gamedsl.cli.boundary import finish
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.options import (
    FilesArgument,
    QuietOption,
)


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


@app.command(short_help="Show or clear the compiled code that is kept.")
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all of it.")] = False,
) -> None:
    """Show where compiled code is kept and how much there is, or delete it."""

    def body() -> ExitCode:
        from gamedsl.cli.cache import run

        return run(clear)

    finish(body)
