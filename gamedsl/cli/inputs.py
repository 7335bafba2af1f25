"""The input of a command: a file, parameters, and the start position.

Typed arguments become a loaded game and a state; errors become `CommandError` with a drawn
diagnostic.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TextIO

import typer

from gamedsl.cli.boundary import CommandError, not_supported, wrong_usage
from gamedsl.cli.console import Console, uses_colour, width_of
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.game import (
    LoadedGame,
    NoNativeCodeError,
    find_source,
    load_source,
    state_from_json,
)
from gamedsl.game.reading import Step, read_play
from gamedsl.model import (
    CHANCE,
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    State,
    UnsupportedGameError,
)
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.reports.checks.rule_errors import rule_error_diagnostic
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.files import read_data, read_source, read_stream
from gamedsl.source.render import render
from gamedsl.source.rewording import reworded
from gamedsl.source.screen import escaped, on_one_line

STDIN = "-"
OF_OPENSPIEL = "openspiel:"
"""In front of the name of a game of OpenSpiel, in place of a file."""
NO_SUCH_FILE = "E0001"
MOST_NAMED = 8
"""Limit on chance outcomes named before the first move of a player."""
GIVEN_FROM_OUTSIDE = "E14"
"""Prefix of the codes about values given for parameters."""


def read(file: str) -> SourceFile | Diagnostic:
    """The text of a path, of standard input (`-`), or of a shipped game by name."""
    if file == STDIN:
        return read_stream(sys.stdin.buffer, "<stdin>")
    return read_source(Path(file)) if "\n" in file else find_source(file)


def text_of(file: str) -> SourceFile:
    """Like `read`; CommandError if there is no text."""
    source = read(file)
    if isinstance(source, Diagnostic):
        raise CommandError(ExitCode.USAGE, rendered([source], sys.stderr))
    return source


def parameters_of(definitions: Iterable[str]) -> dict[str, str]:
    """`n=4` as name and value; the value stays text, in the notation of the language."""
    parameters = {}
    for definition in definitions:
        name, equals, value = definition.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise typer.BadParameter(f"write -D NAME=VALUE, not {definition!r}")
        parameters[name.strip()] = value.strip()
    return parameters


def load(request: Request) -> LoadedGame:
    """The game of a request; CommandError with all diagnostics if the rules have errors."""
    parameters = parameters_of(request.parameters)
    if request.file.startswith(OF_OPENSPIEL):
        return _of_openspiel(request)
    source = read(request.file)
    if isinstance(source, Diagnostic):
        raise _refusal([source], parameters)
    try:
        with ProgressLine("reading the rules", request.quiet):
            rounds = request.max_rounds or MOST_ROUNDS
            game = load_source(source, parameters, request.engine, rounds)
    except GameSourceError as error:
        errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.is_error]
        raise _refusal(errors, parameters) from error
    except CannotCompileError as error:
        raise not_supported(str(error)) from error
    except NoNativeCodeError as error:
        raise wrong_usage(str(error)) from error
    if game.fallback is not None:
        Console(request.quiet).note(f"note: played by the interpreter: {game.fallback}")
    return game


def _of_openspiel(request: Request) -> LoadedGame:
    """A game of OpenSpiel, by the contract: a use of its rules is refused with a sentence."""
    from gamedsl.bridges.extras import MissingExtraError
    from gamedsl.python.coerce import game_of

    if request.parameters or request.state is not None:
        said = f"a game of OpenSpiel has its parameters in its name, {OF_OPENSPIEL}NAME(x=3), and "
        raise typer.BadParameter(f"{said}no state in a file", param_hint="FILE")
    with reworded(wrong_usage, "{}", MissingExtraError, ValueError), supported():
        return game_of(request.file)


@contextmanager
def opened(request: Request) -> Iterator[tuple[LoadedGame, State]]:
    """The game of a request, and its start position; in the context, errors are explained."""
    game = load(request)
    with explaining(game):
        yield game, start(game, request)


def start(game: LoadedGame, request: Request) -> State:
    """The start position: S0 or the state of a file, after the moves of `--at`."""
    return arrival(game, request)[0]


def arrival(game: LoadedGame, request: Request) -> tuple[State, tuple[Step, ...]]:
    """The start position, and the steps of `--at` that lead there."""
    root, steps = beginning(game, request)
    return (game.result(*steps[-1]) if steps else root), steps


def beginning(game: LoadedGame, request: Request) -> tuple[State, tuple[Step, ...]]:
    """S0 or the state of a file, and the steps of `--at` from the state."""
    root = game.initial_state() if request.state is None else state_in(game, request.state)
    return root, played(game, root, request.at)[0]


def played(game: LoadedGame, root: State, at: str) -> tuple[tuple[Step, ...], State]:
    """The steps of `--at` from a position on, and the resulting state."""
    try:
        return read_play(game, root, at)
    except IllegalActionError as error:
        raise typer.BadParameter(escaped(str(error)), param_hint="--at") from error


def chance_comes_next(
    game: LoadedGame, state: State, request: Request
) -> typer.BadParameter | CommandError:
    """The error for a chance event at a place that needs a player's move.

    The message names outcomes up to the next move of a player.
    """
    names: list[str] = []
    while game.current_player(state) == CHANCE and len(names) < MOST_NAMED:
        outcome, _ = game.chance_outcomes(state)[0]
        names.append(game.action_name(state, outcome))
        state = game.result(state, outcome)
    moves = " ".join([*request.at.split(), *names])
    if request.at:
        message = f'a chance event comes next; name its outcome too, as in --at "{moves}"'
        return typer.BadParameter(message, param_hint="--at")
    return wrong_usage(f'a chance event comes first; name its outcome, as in --at "{moves}"')


def supported() -> AbstractContextManager[None]:
    """Context in which an unsupported game or algorithm ends the command with the reason."""
    return reworded(not_supported, "{}", UnsupportedGameError)


@contextmanager
def explaining(game: LoadedGame) -> Iterator[None]:
    """In the context, errors of the rules and unsupported algorithms end the command with an
    explanation.
    """
    try:
        with supported():
            yield
    except GameRuleError as error:
        diagnostic = rule_error_diagnostic(error, game)
        raise CommandError(ExitCode.NO, rendered([diagnostic], sys.stderr)) from error


def write_diagnostics(diagnostics: Iterable[Diagnostic], stream: TextIO) -> None:
    """Write diagnostics for the user; nothing if there are none."""
    if text := rendered(diagnostics, stream):
        stream.write(text + "\n")


def rendered(diagnostics: Iterable[Diagnostic], stream: TextIO) -> str:
    """Diagnostics as readable text, in colour if the stream supports colours."""
    colour, width = uses_colour(stream), width_of(stream)
    return "\n\n".join(
        render(diagnostic, colour=colour, width=width).rstrip() for diagnostic in diagnostics
    )


def is_usage(diagnostics: Iterable[Diagnostic], parameters: Mapping[str, str]) -> bool:
    """Whether the command line is to blame, not the file: a single error can cause more errors."""
    return any(
        (diagnostic.code == NO_SUCH_FILE and diagnostic.primary is None)
        or (parameters and diagnostic.code.startswith(GIVEN_FROM_OUTSIDE))
        for diagnostic in diagnostics
    )


def _refusal(diagnostics: list[Diagnostic], parameters: Mapping[str, str]) -> CommandError:
    code = ExitCode.USAGE if is_usage(diagnostics, parameters) else ExitCode.NO
    return CommandError(code, rendered(diagnostics, sys.stderr))


def state_in(game: LoadedGame, path: Path) -> State:
    """The state in a file, as JSON or in the notation of the game, or written in the notation in
    place of the file."""
    notation = game.notation
    try:
        if notation is not None and notation.is_position(str(path)):
            return notation.state(str(path))
        text = read_data(path)
        if notation is not None and notation.is_position(text):
            return notation.state(text)
        return state_from_json(game, json.loads(text))
    except OSError as error:
        problem = str(error.strerror).lower()
    except json.JSONDecodeError as error:
        problem = f"this is not JSON: {error}"
    except RecursionError:
        problem = "this is nested far deeper than a state"
    except ValueError as error:
        problem = str(error)
    raise typer.BadParameter(f"{on_one_line(str(path))}: {problem}", param_hint="--state")
