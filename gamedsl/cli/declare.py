"""Declaration of commands by functions whose parameters are the arguments and options.

A parameter annotated with a text, `Annotated[bool, "Also list the best moves."]`, is the option of
the same name, with the text as help; a truth is switched on by the option, and has no `--no-` form.
A parameter `options` is a record of `asked`: each field is an option.
A function that returns an exit status becomes a command of `app`, with the options shared by
commands about a game, and inside the error boundary of `boundary`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_type_hints

from typer import Option

from gamedsl.cli.app import OwnCommand, app
from gamedsl.cli.boundary import finish
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import NO_LIMITS, Limits, limited
from gamedsl.cli.options import (
    AtOption,
    DefineOption,
    EngineName,
    EngineOption,
    FileArgument,
    MaxRoundsOption,
    MemoryOption,
    QuietOption,
    StateOption,
    TimeOption,
)
from gamedsl.cli.request import Request

CommandBody = Callable[..., ExitCode]


def _option(name: str, annotation: object, default: object = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


FILE = _option("file", FileArgument)
POSITION = (
    _option("define", DefineOption, None),
    _option("at", AtOption, ""),
    _option("state", StateOption, None),
    _option("max_rounds", MaxRoundsOption, None),
)
ENGINE = _option("engine", EngineOption, EngineName.AUTO)
LIMITS = (_option("time", TimeOption, None), _option("memory", MemoryOption, None))
QUIET = _option("quiet", QuietOption, False)


def command(short_help: str) -> Callable[[CommandBody], CommandBody]:
    """Declare a command; name, options and help are taken from the decorated function."""

    def declare(body: CommandBody) -> CommandBody:
        _register(
            short_help,
            body,
            _parameters_of(body),
            lambda options: body(**_with_record(body, options)),
        )
        return body

    return declare


def game_command(
    short_help: str,
    *,
    engine_after: str | None = None,
    has_limits: bool = False,
) -> Callable[[CommandBody], CommandBody]:
    """Declare a command about a game, by a function with a parameter `request`.

    The request stands for FILE, the first argument, and for --define, --at and --state, listed in
    the help at the parameter's place.

    Args:
        short_help: the line in the list of commands.
        engine_after: the parameter after which help lists --engine; None: no such option.
        has_limits: whether the command has --time and --memory, as the last options before
            --quiet, and runs within these limits.
    """

    def declare(body: CommandBody) -> CommandBody:
        last = [*(LIMITS if has_limits else ()), QUIET]
        parameters = [FILE, *_with_position(_parameters_of(body), engine_after), *last]

        def run(options: dict[str, Any]) -> ExitCode:
            arguments = _with_record(body, _with_request(options, has_limits))
            if not has_limits:
                return body(**arguments)
            with limited(arguments["request"].limits):
                return body(**arguments)

        _register(short_help, body, parameters, run)
        return body

    return declare


def _parameters_of(body: CommandBody) -> list[Parameter]:
    """The parameters of a command; the fields of the record in place of `options`."""
    parameters: list[Parameter] = []
    for each in signature(body, eval_str=True).parameters.values():
        parameters += _fields_of(each.annotation) if each.name == "options" else (each,)
    return [_option(each.name, _told(each), each.default) for each in parameters]


def _fields_of(record: Any) -> list[Parameter]:
    kinds = get_type_hints(record, include_extras=True)
    return [_option(field.name, kinds[field.name], field.default) for field in fields(record)]


def _with_record(body: CommandBody, options: dict[str, Any]) -> dict[str, Any]:
    """The function's arguments: a record in place of its fields."""
    record: Any = get_type_hints(body).get("options")
    if record is None:
        return options
    named = {field.name: options.pop(field.name) for field in fields(record)}
    return options | {"options": record(**named)}


def _told(parameter: Parameter) -> object:
    """The annotation, with an option of typer in place of a text."""
    match get_args(parameter.annotation):
        case (kind, str(text)):
            return Annotated[kind, Option(f"--{parameter.name.replace('_', '-')}", help=text)]
    return parameter.annotation


def _with_position(parameters: Iterable[Parameter], engine_after: str | None) -> list[Parameter]:
    listed: list[Parameter] = []
    for parameter in parameters:
        listed += POSITION if parameter.name == "request" else (parameter,)
        if parameter.name == engine_after:
            listed.append(ENGINE)
    return listed


def _with_request(options: dict[str, Any], has_limits: bool) -> dict[str, Any]:
    """The function's arguments: a request in place of the options for the request."""
    arguments = dict(options)
    limits = Limits(arguments.pop("time"), arguments.pop("memory")) if has_limits else NO_LIMITS
    request = Request(
        file=arguments.pop("file"),
        parameters=tuple(arguments.pop("define") or ()),
        at=arguments.pop("at"),
        state=arguments.pop("state"),
        max_rounds=arguments.pop("max_rounds"),
        engine=arguments.pop("engine", EngineName.AUTO),
        quiet=arguments.pop("quiet"),
        limits=limits,
    )
    return arguments | {"request": request}


def _register(
    short_help: str,
    body: CommandBody,
    parameters: Iterable[Parameter],
    run: Callable[[dict[str, Any]], ExitCode],
) -> None:
    def run_and_exit(**options: Any) -> None:
        finish(lambda: run(options))

    run_and_exit.__name__ = body.__name__.rstrip("_")
    run_and_exit.__doc__ = body.__doc__
    vars(run_and_exit)["__signature__"] = Signature(tuple(parameters))
    app.command(short_help=short_help, cls=OwnCommand)(run_and_exit)
