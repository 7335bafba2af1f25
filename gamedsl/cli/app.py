"""The program as Typer sees it: its name, its help and its own options."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gamedsl.cli.console import filled
from gamedsl.cli.exits import ExitCode

GROUPS = {
    "Write": ("new", "check", "fmt", "rule", "show", "lsp", "playground"),
    "Play": ("games", "play", "playouts", "perft"),
    "Solve": ("estimate", "solve", "best", "probe", "verify"),
    "Teach": ("explain", "tree", "trace", "exercise"),
    "This program": ("cache",),
}
"""The commands by what they are for, in the order of the help."""
PYDANTIC_SAYS = "Value error, "
"""What Typer has from Pydantic before a message about a value."""


class GroupedCommands(TyperGroup):
    """Lists commands by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group."""
        width = max(map(len, self.commands))
        for title, names in GROUPS.items():
            rows = [
                (name.ljust(width), self.commands[name].get_short_help_str(limit=80))
                for name in names
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what is wrong with its arguments is filled into the terminal."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(PYDANTIC_SAYS)
            used = len(f"Error: {error.format_message()}") - len(error.message)
            error.message = filled(error.message, sys.stderr, used)
            raise


app = typer.Typer(
    name="gamedsl",
    cls=GroupedCommands,
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
