"""`gamedsl compare`: the shortest play on which two games differ."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from gamedsl.cli.asked.answers import CompareOptions
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import STDIN, load, parameters_of, read, supported
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame, read_program
from gamedsl.python.comparing import compare
from gamedsl.reports.checks.comparisons import comparison_data
from gamedsl.reports.json_text import json_text
from gamedsl.source import SourceFile
from gamedsl.syntax.ast import ParamDecl


def run(files: tuple[str, str], options: CompareOptions, as_json: bool, quiet: bool) -> ExitCode:
    """Compare two games and print the shortest difference found."""
    settings = parameters_of(options.define or ())
    games = [_game(file, settings, quiet) for file in files]
    for name in settings:
        if not any(name in game.parameters for game in games):
            raise typer.BadParameter(f"neither game has a parameter `{name}`", param_hint="-D")
    names = {}
    for text in options.name or ():
        first, equals, second = text.partition("=" if text.count("=") == 1 else "==")
        if not (equals and first.strip() and second.strip()):
            said = f"write NAME=NAME, or NAME==NAME where names have `=`, not {text!r}"
            raise typer.BadParameter(said, param_hint="--name")
        names[first.strip()] = second.strip()
    with supported(), ProgressLine("comparing", quiet) as progress:
        report = compare(
            games[0],
            games[1],
            names=names,
            positions=options.positions,
            plays=options.plays,
            seed=options.seed,
            progress=progress,
        )
    Console().out(json_text(comparison_data(report.comparison)) if as_json else str(report))
    return ExitCode.DONE if report.is_same else ExitCode.NO


def _game(file: str, settings: Mapping[str, str], quiet: bool) -> LoadedGame:
    """A game of the comparison, with the settings of parameters that the text declares."""
    source = read(file) if settings and file != STDIN else None
    declared = set(settings) if file == STDIN else set()
    if isinstance(source, SourceFile):
        parts = read_program(source)[0].declarations
        declared = {part.name.text for part in parts if isinstance(part, ParamDecl)}
    named = tuple(f"{name}={value}" for name, value in settings.items() if name in declared)
    return load(Request(file=file, parameters=named, quiet=quiet))
