"""`gamedsl show`: a position, or the program's representation of the rules at a stage."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from gamedsl.bridges.extras import MissingExtraError
from gamedsl.bridges.printing import printed
from gamedsl.cli.boundary import CommandError, not_supported, wrong_usage
from gamedsl.cli.console import filled, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import (
    arrival,
    chance_comes_next,
    explaining,
    load,
    rendered,
    text_of,
)
from gamedsl.cli.options import PictureTheme, Stage
from gamedsl.cli.output import deliver, write_bytes
from gamedsl.cli.request import Request
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.module import generate
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.printers.dump import dump_module
from gamedsl.game import LoadedGame, read_program, state_to_json
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.boards.sheets import sheets_html
from gamedsl.reports.boards.themes import THEMES
from gamedsl.reports.dump import dump
from gamedsl.reports.json_text import json_text
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.rewording import reworded
from gamedsl.syntax.ast import Program
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program

HANGING = 8
"""Extra indentation of a wrapped node's continuation lines: two levels of the outline."""

Reading = Callable[[SourceFile], tuple[Program, tuple[Diagnostic, ...]]]


def run(request: Request, stage: Stage, theme: PictureTheme, output: Path | None) -> ExitCode:
    """Print a stage, or write the stage to the file `output`; PNG and PDF need a file."""
    match stage:
        case Stage.PNG | Stage.PDF:
            if output is None:
                raise wrong_usage(f"a {stage.upper()} needs a file: -o NAME.{stage}")
            write_bytes(output, _printed(_picture(request, Stage.SVG, theme), stage))
            return ExitCode.DONE
        case Stage.SVG | Stage.SHEETS:
            text = _picture(request, stage, theme)
        case Stage.AST:
            text = _ast(request)
        case Stage.EXPANDED:
            text = format_program(_program(request, read_program))
        case _:
            text = _later(request, stage, output is None and uses_colour(sys.stdout))
    if output is None and stage in {Stage.AST, Stage.MODEL}:
        text = filled(text, sys.stdout, hanging=HANGING)
    deliver(text, output)
    return ExitCode.DONE


def _ast(request: Request) -> str:
    program = _program(request, parse)
    return dump(program, program.source)


def _program(request: Request, reading: Reading) -> Program:
    program, diagnostics = reading(text_of(request.file))
    if any(diagnostic.is_error for diagnostic in diagnostics):
        raise CommandError(ExitCode.NO, rendered(diagnostics, sys.stderr))
    return program


def _later(request: Request, stage: Stage, has_colours: bool) -> str:
    if stage in {Stage.MODEL, Stage.IR, Stage.SOURCE}:
        game = load(replace(request, engine="interpreter"))
        with explaining(game):
            return dump(game.model, game.source) if stage is Stage.MODEL else _compiled(game, stage)
    game = load(request)
    with explaining(game):
        state, steps = arrival(game, request)
        if stage is Stage.BOARD:
            last = steps[-1] if steps else None
            return game.show(state, last=last, has_colours=has_colours)
        _ = game.model  # a state is written by its variables
    if state.pending is not None:
        raise chance_comes_next(game, state, request)
    return json_text(state_to_json(game, state))


def _picture(request: Request, stage: Stage, theme: PictureTheme) -> str:
    """A position as SVG, or the sheets for print as HTML."""
    game = load(request)
    with explaining(game):
        state, steps = arrival(game, request)
        if stage is Stage.SHEETS:
            return sheets_html(game, state)
        last = steps[-1] if steps else None
        return state_svg(game, state, last=last, theme=THEMES[theme], earlier=steps[:-1])


def _printed(svg: str, stage: Stage) -> bytes:
    with reworded(partial(CommandError, ExitCode.UNSUPPORTED), "error: {}", MissingExtraError):
        return printed(svg, "pdf" if stage is Stage.PDF else "png")


def _compiled(game: LoadedGame, stage: Stage) -> str:
    """The functions generated from the rules, as IR or as Python."""
    with reworded(not_supported, "{}", CannotCompileError):
        generated = generate(game.model)
    if stage is Stage.IR:
        return dump_module(generated.module())
    return PYTHON + "\n\n" + generated.source
