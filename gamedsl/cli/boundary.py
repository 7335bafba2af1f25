"""The error boundary of every command: every exception becomes a message and an exit status.

Failures are explained on standard error. No traceback reaches a user, unless GAMEDSL_DEBUG=1 is
set.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NoReturn

import typer

from gamedsl.cli import process
from gamedsl.cli.console import Console, OutputError, explaining_output, width_of
from gamedsl.cli.exits import ExitCode
from gamedsl.reports.paragraphs import filling
from gamedsl.source.rewording import reworded


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a sentence on the progress so far."""

    def __init__(self, reached: str) -> None:
        super().__init__(reached)
        self.reached = reached


class CommandError(Exception):
    """The command cannot go on; `message` gives the reason, `code` the exit status."""

    def __init__(self, code: ExitCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def wrong_usage(reason: str, advice: str = "") -> CommandError:
    """The error of a wrong command line, with a line of help if there is advice."""
    return CommandError(ExitCode.USAGE, f"error: {reason}" + f"\n  help: {advice}" * bool(advice))


def not_supported(reason: str) -> CommandError:
    """The error of a game or an algorithm that is not supported."""
    return CommandError(ExitCode.UNSUPPORTED, f"not supported: {reason}")


def refusing(option: str, *causes: type[Exception]) -> AbstractContextManager[None]:
    """Context in which exceptions of `causes` are errors in the value of an option."""
    return reworded(partial(typer.BadParameter, param_hint=option), "{}", *causes)


undecided = partial(CommandError, ExitCode.UNDECIDED)
"""The error of a limit that was reached, from a message."""


def place_of(error: BaseException) -> str:
    """The place of an exception, by path inside the package: `cli/main.py:12 (main)`."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    path, package = Path(frame.filename), Path(__file__).resolve().parents[1]
    name = path.relative_to(package).as_posix() if path.is_relative_to(package) else path.name
    return f"{name}:{frame.lineno} ({frame.name})"


def finish(body: Callable[[], ExitCode]) -> NoReturn:
    """Run the body of a command and end the command with the body's status."""
    raise typer.Exit(_status_of(body))


def run_program(program: Callable[[], None]) -> None:
    """Run the command-line parser, which may also write before a command runs."""
    try:
        with explaining_output():
            program()
            sys.stdout.flush()
    except OutputError as failure:
        sys.exit(_nowhere_to_write(Console(), failure))


def _status_of(body: Callable[[], ExitCode]) -> ExitCode:
    console = Console()
    try:
        with process.running(), filling(width_of(sys.stdout)):
            code = body()
        with explaining_output():
            sys.stdout.flush()
    except CommandError as failure:
        console.error(failure.message)
        return failure.code
    except BrokenPipeError:
        process.give_up_output()
        return ExitCode.DONE
    except OutputError as failure:
        return _nowhere_to_write(console, failure)
    except KeyboardInterrupt as stop:
        return _stopped(console, stop)
    except RecursionError as error:
        return _internal(console, error)
    except MemoryError:
        console.error("error: out of memory; set a lower limit with --max-positions")
        return ExitCode.UNDECIDED
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Exception as error:  # noqa: BLE001 -- the only place to turn bugs into messages
        interrupt = _interrupt_behind(error)
        return _internal(console, error) if interrupt is None else _stopped(console, interrupt)
    return code


def _interrupt_behind(error: BaseException) -> KeyboardInterrupt | None:
    """The interrupt that caused an exception, for interrupts wrapped by Python (`__set_name__`)."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    return cause


def _nowhere_to_write(console: Console, failure: OutputError) -> ExitCode:
    process.give_up_output()
    console.error(str(failure))
    return ExitCode.USAGE


def _stopped(console: Console, stop: KeyboardInterrupt) -> ExitCode:
    """Print the progress of an interrupted command; returns the exit status."""
    reached = f": {stop.reached}" if isinstance(stop, Interrupted) else ""
    asked: BaseException | None = stop
    while asked is not None and not isinstance(asked, process.Stopped):
        asked = asked.__cause__
    asked = asked or process.asked_by(signal.SIGINT)
    process.leave_unsaid()
    console.error(f"{asked.why}{reached}")
    return ExitCode(asked.status)


def _internal(console: Console, error: BaseException) -> ExitCode:
    from gamedsl import __version__

    notes = "".join(f"  {note}\n" for note in getattr(error, "__notes__", ()))
    console.error(
        f"internal error: {type(error).__name__}: {error}\n{notes}"
        "This is a bug in gamedsl, not in your game. Please report it with\n"
        f"  the command: {' '.join(['gamedsl', *sys.argv[1:]])}\n"
        f"  the version: gamedsl {__version__}, Python {sys.version.split()[0]}\n"
        f"  the place:   {place_of(error)}\n"
        "and the game file. GAMEDSL_DEBUG=1 shows the traceback."
    )
    if os.environ.get("GAMEDSL_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return ExitCode.INTERNAL
