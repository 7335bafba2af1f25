"""`gamedsl analyse`: the designer's report; `gamedsl puzzles`: positions with one winning move."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

import typer

from gamedsl.cli.asked.designs import AnalyseOptions, PuzzleOptions
from gamedsl.cli.boundary import refusing
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.options import SheetFormat
from gamedsl.cli.output import deliver
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.model.errors import GameSourceError
from gamedsl.python.analyses import SweepTextError, analysed, made_puzzles, sweep_of, swept
from gamedsl.reports.analyses.as_html import analysis_html, sweep_html
from gamedsl.reports.analyses.as_json import analysis_data
from gamedsl.reports.analyses.as_text import analysis_text, sweep_text
from gamedsl.reports.analyses.puzzles import puzzles_data, puzzles_html, puzzles_text
from gamedsl.reports.json_text import json_text
from gamedsl.solvers.analysis.analysis import AnalysisOptions, GameAnalysis
from gamedsl.solvers.memory import usable_processors

P = ParamSpec("P")
Writers = tuple[Callable[P, str], Callable[P, str], Callable[P, dict[str, object]]]
"""Writers of a result: as text, as a page, as data."""


def run(request: Request, options: AnalyseOptions) -> ExitCode:
    """Analyse and print."""
    with opened(request) as (game, state), ProgressLine("playing", request.quiet) as line:

        def tell(percent: int, _: int) -> None:
            line.activity = f"playing, about {percent} % done"

        threads = options.threads or usable_processors()
        wanted = AnalysisOptions(options.time, options.seed, threads, progress=tell)
        if options.sweep is not None:
            if request.at or request.state is not None:
                raise typer.BadParameter("a sweep begins at the first state", param_hint="--at")
            name, rows = _swept(game, options.sweep, wanted)
            sweeping = sweep_text, sweep_html, _sweep_data
            text = _written(sweeping, options.format, name, rows)
        else:
            writers = analysis_text, analysis_html, analysis_data
            text = _written(writers, options.format, analysed(game, state, wanted))
    deliver(text, options.output)
    return ExitCode.DONE


def _swept(
    game: LoadedGame, text: str, options: AnalysisOptions
) -> tuple[str, list[tuple[str, GameAnalysis]]]:
    try:
        with refusing("--sweep", SweepTextError):
            name, values = sweep_of(text)
            return name, list(swept(game, name, values, options))
    except GameSourceError as error:
        reasons = "; ".join(diagnostic.message for diagnostic in error.diagnostics)
        raise typer.BadParameter(reasons, param_hint="--sweep") from error


def _sweep_data(name: str, rows: list[tuple[str, GameAnalysis]]) -> dict[str, object]:
    return {"parameter": name, "values": {value: analysis_data(each) for value, each in rows}}


def run_puzzles(request: Request, options: PuzzleOptions) -> ExitCode:
    """Find puzzles and print the sheet."""
    with opened(request) as (game, state), ProgressLine("looking for puzzles", request.quiet):
        puzzles = made_puzzles(
            game, state, count=options.count, seconds=options.time, seed=options.seed
        )
    writers = puzzles_text, puzzles_html, puzzles_data
    deliver(_written(writers, options.format, game, puzzles), options.output)
    return ExitCode.DONE if puzzles.puzzles else ExitCode.NO


def _written(writers: Writers[P], wanted: SheetFormat, *args: P.args, **options: P.kwargs) -> str:
    """The text, the page or the data, by the wanted format."""
    text, html, data = writers
    if wanted is SheetFormat.JSON:
        return json_text(data(*args, **options))
    return (html if wanted is SheetFormat.HTML else text)(*args, **options)
