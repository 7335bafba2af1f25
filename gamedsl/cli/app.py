"""The program as Typer sees it: its name, its help and its own options."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.exits import ExitCode

app = typer.Typer(
    name="gamedsl",
    help="Write the rules of a game; check, play and solve it.",
    epilog="Begin with `gamedsl new`, `gamedsl games` or `gamedsl solve tic_tac_toe`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
