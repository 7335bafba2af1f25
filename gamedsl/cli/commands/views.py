"""Commands that show and teach: positions, trees, definitions, searches, exercises."""

from __future__ import annotations

from typing import Annotated

import typer

from gamedsl.cli.asked.answers import ExerciseOptions
from gamedsl.cli.asked.trees import TraceOptions, TreeOptions
from gamedsl.cli.declare import command, game_command
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.limits import Limits, limited
from gamedsl.cli.options import (
    ExplainFormat,
    MaxPositionsOption,
    MemoryOption,
    OutputOption,
    PictureTheme,
    Stage,
    TextbookEdition,
)
from gamedsl.cli.request import Request


@game_command("Show a position, or the rules at a stage.", has_limits=True)
def show(
    request: Request,
    stage: Annotated[
        Stage,
        typer.Option(
            "--format",
            "-f",
            help="A position as text (board), picture (svg, png, pdf) or JSON (state); board and "
            "men to print and cut out, on A4 (sheets, in HTML); or the rules as "
            "parsed (ast), with included files (expanded), checked (model), compiled (ir), or as "
            "generated Python (source).",
        ),
    ] = Stage.BOARD,
    theme: Annotated[
        PictureTheme, "Colours of a picture: light, dark, or for print."
    ] = PictureTheme.LIGHT,
    output: OutputOption = None,
) -> ExitCode:
    """Show a position, or the rules at a stage between text and generated Python."""
    from gamedsl.cli.bodies.show import run

    return run(request, stage, theme, output)


@game_command("Draw the game tree.", has_limits=True)
def tree(request: Request, options: TreeOptions) -> ExitCode:
    """Draw the game tree, or the steps of an algorithm, as text, picture or page."""
    from gamedsl.cli.bodies.tree import run

    return run(request, options)


@game_command("Explain a game as a textbook would.", has_limits=True)
def explain(
    request: Request,
    output_format: Annotated[
        ExplainFormat, typer.Option("--format", "-f", help="Format of the explanation.")
    ] = ExplainFormat.TEXT,
    edition: Annotated[
        TextbookEdition, "Edition of AIMA for the names; 4: TO-MOVE and IS-TERMINAL."
    ] = TextbookEdition.THIRD,
    output: OutputOption = None,
    max_positions: MaxPositionsOption = 20_000,
) -> ExitCode:
    """Explain a game as a textbook would: S0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY."""
    from gamedsl.cli.bodies.explain import run
    from gamedsl.reports.explanations.names import Edition

    return run(request, output_format, Edition(edition), output, max_positions)


@game_command("Trace a search.", has_limits=True)
def trace(request: Request, options: TraceOptions) -> ExitCode:
    """Trace a textbook algorithm: every visit with alpha, beta and value, the cuts, and the leaves
    never visited."""
    from gamedsl.cli.bodies.trace import run

    return run(request, options)


@command("Set an exercise, and mark an answer.")
def exercise(
    name: Annotated[
        str | None,
        typer.Argument(help="An exercise, or your own .toml file; by default a list of all."),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Argument(help="The answer to mark: a file of rules, or a text."),
    ] = None,
    *,
    options: ExerciseOptions,
    memory: MemoryOption = None,
) -> ExitCode:
    """List exercises, set an exercise, or mark an answer: rules, a predicted value, pruned leaves,
    or information sets. The right answer is shown only on request."""
    from gamedsl.cli.bodies.exercise import run

    with limited(Limits(options.time, memory).with_slack()):
        return run(name, answer, options)
