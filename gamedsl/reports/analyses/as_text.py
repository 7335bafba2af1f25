"""The designer's report as text in the reader's columns."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.reports.analyses.library import comparison_rows
from gamedsl.reports.analyses.sections import Section, sections_of
from gamedsl.reports.paragraphs import fill, labelled
from gamedsl.reports.phrases import duration, titled
from gamedsl.solvers.analysis.analysis import GameAnalysis

MARGIN = 18


def analysis_text(analysis: GameAnalysis) -> str:
    """The report."""
    title = f"{titled(analysis.game, analysis.settings)}: a designer's report"
    sections = [*sections_of(analysis), Section("Beside the library", comparison_rows(analysis))]
    parts = [fill(title), *(_section(section) for section in sections if section.rows)]
    told = f"{duration(analysis.seconds)}, seed {analysis.seed}"
    defined = "the measures are defined in docs/analysis.md"
    parts.append(fill(f"Intervals are of 95 %; {defined}. {told}."))
    return "\n\n".join(parts)


def _section(section: Section) -> str:
    lines = [section.title]
    for name, text in section.rows:
        if name:
            lines.append(labelled(f"  {name}", text, MARGIN))
        else:
            lines.append(fill(text, "  - ", "    "))
    return "\n".join(lines)


def sweep_text(name: str, swept: Sequence[tuple[str, GameAnalysis]]) -> str:
    """The reports for the values of a parameter, side by side."""
    first = swept[0][1]
    lines = [
        fill(f"{first.game}: balance over {name}, between the strongest players of each value"),
        "",
        f"  {name:>8}  {'first scores':>22}  {'draws':>6}  {'plies':>6}  {'moves':>6}  {'depth':>6}"
        f"  {'plays':>6}",
    ]
    lines += [_swept(value, analysis) for value, analysis in swept]
    return "\n".join(lines)


def _swept(value: str, analysis: GameAnalysis) -> str:
    level = analysis.strongest
    results = level.results
    score = results.first_score
    told = f"{100 * score.mean:.0f} % ({100 * score.low:.0f} to {100 * score.high:.0f})"
    if len(analysis.players) < 2:
        told = f"payoff {results.payoffs[0]:.3g}" if results.payoffs else "no end"
    draws = results.draws / max(1, results.ended)
    depth = "-" if analysis.depth is None else f"{analysis.depth:+z.0f}"
    return (
        f"  {value:>8}  {told:>22}  {draws:>6.0%}  {level.lengths.mean:>6.1f}"
        f"  {level.branching.mean:>6.1f}  {depth:>6}  {level.strength:>6,}"
    )
