"""The program as Typer sees it: its name, its help and its own options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from inspect import signature
from types import NoneType
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

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

TERM_INDENT = 2
"""Blanks in front of an option in the help."""
NO_INTEGER = "Input should be a valid integer"


class OwnCommand(TyperCommand):
    """A command that has only converted what needs it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, `--help` among them."""
        return sparing(super().get_params(ctx), self.callback)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options; a list of names to choose from is broken between
        names."""
        write, room = formatter.write_dl, formatter.width - TERM_INDENT
        formatter.write_dl = lambda rows: write(
            [(_broken(term, room), text) for term, text in rows]
        )
        super().format_options(ctx, formatter)
        formatter.write_dl = write


class GroupedCommands(TyperGroup):
    """Lists commands by what they are for."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of the program itself."""
        return sparing(super().get_params(ctx))

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
            if error.message.startswith(NO_INTEGER):
                error.message = "a whole number is needed here"
            used = len(f"Error: {error.format_message()}") - len(error.message)
            error.message = filled(error.message, sys.stderr, used)
            raise


def _broken(term: str, room: int) -> str:
    """An option and what it takes, `--format <text|svg|...>`, in lines of so many columns."""
    lines, begins = [""], " " * (term.find("<") + 1 + TERM_INDENT)
    for part in re.split(r"(?<=\|)", term):
        if len(lines[-1]) + len(part) > room and lines[-1].strip():
            lines.append(begins)
        lines[-1] += part
    return "\n".join(lines)


def sparing(params: list[Any], body: Callable[..., Any] | None = None) -> list[Any]:
    """The parameters of a command with this body, of which Typer has only converted what is neither
    of the declared type nor plainly one of its values.

    Typer converts by Pydantic, whose import takes longer than a small game is solved in; but most
    of what a command is given are texts, defaults that nobody has typed, numbers and names.
    """
    declared = signature(body, eval_str=True).parameters if body else {}
    for param in params:
        if "process_value" not in vars(param):
            annotation = declared[param.name].annotation if param.name in declared else None
            wanted = () if annotation is None else _types(annotation)
            plain = None if annotation is None else _plain(annotation, wanted)
            convert = partial(_given, param, param.process_value, wanted, plain)
            vars(param)["process_value"] = convert
    return params


def _types(annotation: Any) -> tuple[type, ...]:
    """What a value, or each of several, may be: of `Annotated[list[str] | None, ...]` a text. A
    text that is parsed is never what it is to be; a whole number may be a float."""
    declared, *options = get_args(annotation)
    types = {one for part in get_args(declared) or (declared,) for one in get_args(part) or (part,)}
    is_parsed = any(getattr(option, "parser", None) for option in options)
    types |= {int} if float in types else set()
    return tuple(types - {NoneType} - ({str} if is_parsed else set()))


def _plain(annotation: Any, wanted: tuple[type, ...]) -> Callable[[str], object] | None:
    """What makes of a text what it plainly means: a whole number, a name of which one is chosen, or
    what the option parses itself. It raises an error where Typer had better look, and say what is
    wrong."""
    for option in get_args(annotation)[1:]:
        if getattr(option, "parser", None) is not None:
            parser: Callable[[str], object] = option.parser
            return parser
        if wanted == (int,):
            return partial(_whole_number, option)
        if len(wanted) == 1 and issubclass(wanted[0], StrEnum):
            return {str(one): one for one in wanted[0]}.__getitem__
    return None


def _whole_number(option: Any, text: str) -> int:
    """The number that is written there, if it needs no second look."""
    number = int(text) if text.isascii() and text.isdecimal() else -1
    if number < 0 or number < (option.min or 0) or option.max is not None:
        raise ValueError
    return number


def _given(
    param: Any,
    convert: Callable[[Any, Any], Any],
    wanted: tuple[type, ...],
    plain: Callable[[str], object] | None,
    context: Any,
    value: Any,
) -> Any:
    values = value if isinstance(value, list | tuple) else (value,)
    is_left_out = value is None and not param.required
    if not (is_left_out or (values and all(isinstance(one, wanted) for one in values))):
        if plain is None or not isinstance(value, str):
            return convert(context, value)
        try:
            value = plain(value)
        except Exception:  # noqa: BLE001 -- Typer meets it again, and has the words for it
            return convert(context, value)
    return value if param.callback is None else param.callback(context, param, value)


app = typer.Typer(
    name="gamedsl",
    cls=GroupedCommands,
    help="Write the rules of a game; check, play and solve it.",
    epilog="Begin with `gamedsl new`, `gamedsl games` or `gamedsl solve tic_tac_toe`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
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
