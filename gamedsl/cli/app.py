"""The Typer application: name, help and global options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from inspect import signature
from types import NoneType
from typing import Annotated, Any, cast, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from gamedsl.cli.console import filled
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.manual.examples import EXAMPLES
from gamedsl.cli.manual.layout import SHOWS_ALL, TERM_INDENT, sections, usage
from gamedsl.cli.manual.spellings import MEANT, MOST_NAMED, about, modern, with_json_as_offered

USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""The class of mistakes on the command line, which Typer exports only by its subclass."""

GROUPS = {
    "Write": (
        "new",
        "how",
        "check",
        "compare",
        "fmt",
        "import",
        "rule",
        "show",
        "lsp",
        "playground",
    ),
    "Design": ("analyse", "puzzles"),
    "Play": ("games", "play", "match", "ladder", "tournament", "playouts", "perft", "engine"),
    "Solve": ("estimate", "count", "solve", "sweep", "best", "probe", "verify"),
    "Teach": ("explain", "tree", "trace", "exercise"),
    "This program": ("cache",),
}
"""The commands by purpose, in the order of the help."""
PYDANTIC_SAYS = "Value error, "
"""Prefix of Pydantic's messages about a value, as passed on by Typer."""

NEAR = 0.8
"""Likeness of an option to a misspelling, beside options with the word in their help."""
NO_INTEGER = "Input should be a valid integer"
OUT_OF_RANGE = r"Input should be (greater|less) than or equal to (\S+)"


class OwnCommand(TyperCommand):
    """A command that uses Typer's slow conversion only for values in need of conversion."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, including `--help`."""
        return sparing(super().get_params(ctx), self.callback)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; other spellings are renamed, `--help-all` is answered."""
        args, notes = modern(str(self.name), args)
        for note in notes:
            typer.echo(note, err=True)
        offered = {name for param in self.get_params(ctx) for name in param.opts}
        args = with_json_as_offered(args, offered)
        words = args[: args.index("--")] if "--" in args else args
        if SHOWS_ALL in words:
            ctx.meta[SHOWS_ALL] = True
            typer.echo(ctx.get_help())
            ctx.exit()
        try:
            return super().parse_args(ctx, args)
        except USAGE_ERROR as error:
            options: list[Any] = [p for p in self.params if getattr(p, "multiple", False)]
            named = [option for option in options if option.name != "define"]
            message = getattr(error, "message", "")
            if named and "unexpected extra argument" in message:
                place = f"each {named[0].metavar} stands behind {named[0].opts[0]}"
                vars(error)["message"] = f"{message}; {place}"
            if hasattr(error, "possibilities"):
                vars(error).update(self._meant(ctx, error))
            raise

    def _meant(self, ctx: Any, error: Any) -> dict[str, object]:
        """The message about an unknown option: the options that may be meant, or the commands that
        have the option."""
        from difflib import get_close_matches  # slow, and seldom needed

        unknown = error.option_name
        meant = MEANT.get((str(self.name), unknown))
        if meant is not None:
            return {"message": f"{error.message}; write {meant}", "possibilities": None}
        named = about(unknown, self.get_params(ctx)) if unknown.startswith("--") else []
        alike = error.possibilities or []
        if named or alike:
            near = get_close_matches(unknown, alike, cutoff=NEAR) if named else alike
            return {"possibilities": {*named, *near}}
        commands = ctx.parent.command.commands if ctx.parent is not None else {}
        others = [
            name
            for name, each in commands.items()
            if any(unknown in param.opts for param in each.params)
        ]
        if not 0 < len(others) <= MOST_NAMED:
            return {}
        return {"message": f"{error.message}; this is an option of {', '.join(others)}"}

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The pieces of the usage line."""
        return usage(super().collect_usage_pieces(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options by sections; lists of names are broken between names."""
        room = formatter.width - TERM_INDENT
        shows_all = SHOWS_ALL in ctx.meta
        params = self.get_params(ctx)
        for title, rows in sections(str(self.name), params, ctx, shows_all):
            with formatter.section(title):
                formatter.write_dl([(_broken(term, room), text) for term, text in rows])
        with formatter.section("Examples"):
            for example in EXAMPLES.get(str(self.name), ()):
                formatter.write(f"{' ' * formatter.current_indent}{example}\n")


class GroupedCommands(TyperGroup):
    """A group that lists the commands by purpose."""

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

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named; the name of a game in its place is told from a misspelling."""
        name = args[0]
        if name == "help":  # `gamedsl help solve` is `gamedsl solve --help`
            if not args[1:]:
                typer.echo(ctx.get_help())
                ctx.exit()
            args = [args[1], "--help"]
            name = args[0]
        if self.get_command(ctx, name) is None:
            from gamedsl.game.library import shipped_game

            if name.endswith(".game") or shipped_game(name) is not None:
                ctx.fail(f"{name} is a game, and a command comes first, as in: gamedsl play {name}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; messages about bad arguments are wrapped to the terminal's width."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(PYDANTIC_SAYS)
            if error.message.startswith(NO_INTEGER):
                error.message = "a whole number is needed here"
            error.message = re.sub(OUT_OF_RANGE, _within, error.message)
            used = len(f"Error: {error.format_message()}") - len(error.message)
            error.message = filled(error.message, sys.stderr, used)
            raise


def _within(bound: re.Match[str]) -> str:
    return f"at {'least' if bound[1] == 'greater' else 'most'} {bound[2]} is allowed here"


def _broken(term: str, room: int) -> str:
    """An option with values, `--format <text|svg|...>`, broken into lines of `room` columns."""
    lines, begins = [""], " " * (term.find("<") + 1 + TERM_INDENT)
    for part in re.split(r"(?<=\|)", term):
        if len(lines[-1]) + len(part) > room and lines[-1].strip():
            lines.append(begins)
        lines[-1] += part
    return "\n".join(lines)


def sparing(params: list[Any], body: Callable[..., Any] | None = None) -> list[Any]:
    """The parameters of a command, with Typer's conversion skipped for plain values.

    Typer converts with Pydantic, whose import takes longer than the solution of a small game. Most
    arguments are texts, untyped defaults, numbers and names, and are converted here. Typer still
    converts values neither of the declared type nor plainly readable.
    """
    declared = signature(body, eval_str=True).parameters if body else {}
    for param in params:
        if "process_value" not in vars(param):
            annotation = declared[param.name].annotation if param.name in declared else None
            wanted = () if annotation is None else _types(annotation)
            plain = None if annotation is None else _plain(annotation, wanted)
            convert = partial(_convert_value, param, param.process_value, wanted, plain)
            vars(param)["process_value"] = convert
    return params


def _types(annotation: Any) -> tuple[type, ...]:
    """The possible types of a value or of a list's items.

    Example: `str` for `Annotated[list[str] | None, ...]`. A text with a parser is never the final
    value; a whole number may stand for a float.
    """
    declared, *options = get_args(annotation)
    types = {
        member for part in get_args(declared) or (declared,) for member in get_args(part) or (part,)
    }
    is_parsed = any(getattr(option, "parser", None) for option in options)
    types |= {int} if float in types else set()
    return tuple(types - {NoneType} - ({str} if is_parsed else set()))


def _plain(annotation: Any, wanted: tuple[type, ...]) -> Callable[[str], object] | None:
    """A converter for plain texts: a whole number, a name of a choice, or an option with a parser.

    The converter raises an exception if Typer should convert the text and explain errors.
    """
    for option in get_args(annotation)[1:]:
        if getattr(option, "parser", None) is not None:
            parser: Callable[[str], object] = option.parser
            return parser
        if wanted == (int,):
            return partial(_whole_number, option)
        if len(wanted) == 1 and issubclass(wanted[0], StrEnum):
            return {str(choice): choice for choice in wanted[0]}.__getitem__
    return None


def _whole_number(option: Any, text: str) -> int:
    """The non-negative number in the text, if unquestionably valid for the option."""
    number = int(text) if text.isascii() and text.isdecimal() else -1
    if number < 0 or number < (option.min or 0) or option.max is not None:
        raise ValueError
    return number


def _convert_value(
    param: Any,
    convert: Callable[[Any, Any], Any],
    wanted: tuple[type, ...],
    plain: Callable[[str], object] | None,
    context: Any,
    value: Any,
) -> Any:
    values = value if isinstance(value, list | tuple) else (value,)
    is_left_out = value is None and not param.required
    if not (is_left_out or (values and all(isinstance(item, wanted) for item in values))):
        if plain is None or not isinstance(value, str):
            return convert(context, value)
        try:
            value = plain(value)
        except Exception:  # noqa: BLE001 -- Typer fails too, and has the message
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
