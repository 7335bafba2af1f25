"""`gamedsl explain`: the formal definition of a game, with its values at a position."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.options import ExplainFormat
from gamedsl.cli.output import deliver
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.explanations.as_latex import explain_latex
from gamedsl.reports.explanations.as_markdown import explain_markdown
from gamedsl.reports.explanations.as_text import explain_text
from gamedsl.reports.explanations.definition import explain
from gamedsl.reports.explanations.sections import Explanation, StateCounts
from gamedsl.solvers.graphs.graph import OutOfBudgetError, explore

VERY_MANY = 10**9
"""States that the rules allow, beyond which none are counted."""


def run(
    request: Request, wanted: ExplainFormat, output: Path | None, max_positions: int
) -> ExitCode:
    """Count, explain, write."""
    game = load(request)
    with explaining(game):
        state = start(game, request)
        explanation = explain(game, state, _counts(game, max_positions, request.quiet))
        deliver(_written(game, explanation, wanted), output)
    return ExitCode.DONE


def _counts(game: LoadedGame, max_positions: int, quiet: bool) -> StateCounts | None:
    """The states that can be reached; None where the rules allow too many to begin with."""
    if game.facts.state_bound > VERY_MANY:
        return None
    try:
        with ProgressLine("counting", quiet) as progress:
            graph = explore(game, max_positions=max_positions, progress=progress)
    except OutOfBudgetError:
        return StateCounts(max_positions, 0, 0, False)
    return StateCounts(graph.positions, len(graph.payoffs), len(graph.chances), True)


def _written(game: LoadedGame, explanation: Explanation, wanted: ExplainFormat) -> str:
    match wanted:
        case ExplainFormat.TEXT:
            return explain_text(explanation)
        case ExplainFormat.MARKDOWN:
            return explain_markdown(explanation)
        case ExplainFormat.LATEX:
            return explain_latex(explanation)
        case ExplainFormat.HTML:
            return explain_html(explanation, game)
        case _:
            assert_never(wanted)
