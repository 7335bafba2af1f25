"""`gamedsl analyse`: the designer's report; `gamedsl puzzles`: positions with one winning move."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

import typer

from gamedsl.cli.boundary import refusing
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
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
from gamedsl.solvers.analysis.puzzles import PuzzleSet
from gamedsl.solvers.memory import usable_processors
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """Seconds, the parameter to sweep as text, seed, threads (0: one per core), format, and the
    file of the report."""

    seconds: float
    sweep: str | None
    seed: int
    threads: int
    format: SheetFormat
    output: Path | None


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """Number of puzzles, seconds, seed, format, and the file of the sheet."""

    count: int
    seconds: float
    seed: int
    format: SheetFormat
    output: Path | None


def run(request: Request, options: AnalyseOptions) -> ExitCode:
    """Analyse and print."""
    game = load(request)
    with explaining(game):
        state = start(game, request)
        with ProgressLine("playing", request.quiet):
            wanted = AnalysisOptions(
                options.seconds, options.seed, options.threads or usable_processors()
            )
            if options.sweep is not None:
                if request.at or request.state is not None:
                    raise typer.BadParameter("a sweep begins at the first state", param_hint="--at")
                name, rows = _swept(game, options.sweep, wanted)
                text = _sweep_written(name, rows, options.format)
            else:
                text = _written(analysed(game, state, wanted), options.format)
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


def _written(analysis: GameAnalysis, wanted: SheetFormat) -> str:
    match wanted:
        case SheetFormat.TEXT:
            return analysis_text(analysis)
        case SheetFormat.HTML:
            return analysis_html(analysis)
        case SheetFormat.JSON:
            return json_text(analysis_data(analysis))
        case _:
            assert_never(wanted)


def _sweep_written(name: str, rows: list[tuple[str, GameAnalysis]], wanted: SheetFormat) -> str:
    match wanted:
        case SheetFormat.TEXT:
            return sweep_text(name, rows)
        case SheetFormat.HTML:
            return sweep_html(name, rows)
        case SheetFormat.JSON:
            values = {value: analysis_data(analysis) for value, analysis in rows}
            return json_text({"parameter": name, "values": values})
        case _:
            assert_never(wanted)


def run_puzzles(request: Request, options: PuzzleOptions) -> ExitCode:
    """Find puzzles and print the sheet."""
    game = load(request)
    with explaining(game):
        state = start(game, request)
        with ProgressLine("looking for puzzles", request.quiet):
            puzzles = made_puzzles(
                game, state, count=options.count, seconds=options.seconds, seed=options.seed
            )
    deliver(_sheet(game, puzzles, options.format), options.output)
    return ExitCode.DONE if puzzles.puzzles else ExitCode.NO


def _sheet(game: LoadedGame, puzzles: PuzzleSet, wanted: SheetFormat) -> str:
    match wanted:
        case SheetFormat.TEXT:
            return puzzles_text(game, puzzles)
        case SheetFormat.HTML:
            return puzzles_html(game, puzzles)
        case SheetFormat.JSON:
            return json_text(puzzles_data(game, puzzles))
        case _:
            assert_never(wanted)
