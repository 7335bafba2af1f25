"""`gamedsl explain`: the formal definition of a game, with its values at a position."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import opened
from gamedsl.cli.options import ExplainFormat
from gamedsl.cli.output import deliver
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.request import Request
from gamedsl.game import LoadedGame
from gamedsl.python.views import explain
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.explanations.as_json import explain_data
from gamedsl.reports.explanations.as_latex import explain_latex
from gamedsl.reports.explanations.as_markdown import explain_markdown
from gamedsl.reports.explanations.as_text import explain_text
from gamedsl.reports.explanations.names import Edition
from gamedsl.reports.explanations.sections import Explanation
from gamedsl.reports.json_text import json_text


def run(
    request: Request,
    wanted: ExplainFormat,
    edition: Edition,
    output: Path | None,
    max_positions: int,
) -> ExitCode:
    """Count states, explain, write."""
    with opened(request) as (game, state):
        with ProgressLine("counting", request.quiet) as progress:
            explanation = explain(
                game, state, edition=edition, max_positions=max_positions, progress=progress
            )
        deliver(_written(game, explanation, wanted), output)
    return ExitCode.DONE


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
        case ExplainFormat.JSON:
            return json_text(explain_data(explanation))
        case _:
            assert_never(wanted)
