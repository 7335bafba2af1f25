"""The designer's report as a page with charts, without external resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from gamedsl.reports.analyses import charts
from gamedsl.reports.analyses.as_text import sweep_text
from gamedsl.reports.analyses.library import comparison_rows
from gamedsl.reports.analyses.sections import Section, sections_of
from gamedsl.reports.pages import page
from gamedsl.reports.phrases import duration, titled
from gamedsl.solvers.analysis.analysis import GameAnalysis

STYLE = """
body { font: 16px/1.5 Helvetica, Arial, sans-serif; max-width: 60rem; margin: 2rem auto;
       padding: 0 1rem; color: #1f2933; background: #ffffff }
h1 { font-size: 1.6rem; margin: 0 0 .2rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.short { background: #f3f6fa; border-left: 4px solid #2563a8; padding: .6rem 1rem .6rem 2rem }
.short li { margin: .25rem 0 }
table { border-collapse: collapse; width: 100% } td { padding: .25rem .6rem; vertical-align: top;
        border-top: 1px solid #dfe3e8 } td:first-child { white-space: nowrap; color: #52606d }
figure { display: inline-block; margin: .8rem 1rem .4rem 0; vertical-align: top;
         width: min(28rem, 100%) }
figcaption { font-size: .85rem; color: #52606d } figure svg { max-width: 100%; height: auto }
footer { margin-top: 2rem; font-size: .85rem; color: #52606d } pre { overflow-x: auto }
@media print { figure, tr { break-inside: avoid } h2 { break-after: avoid } }
"""
IN_SHORT = "In short"


def analysis_html(analysis: GameAnalysis) -> str:
    """The page."""
    title = titled(analysis.game, analysis.settings)
    sections = [*sections_of(analysis), Section("Beside the library", comparison_rows(analysis))]
    body = "".join(_section(section, analysis) for section in sections if section.rows)
    foot = (
        f"<footer>Intervals are of 95 %. {duration(analysis.seconds)}, seed {analysis.seed}."
        "</footer>"
    )
    return page(title, f"<h1>{escape(title)}: a designer's report</h1>\n{body}{foot}\n", STYLE)


def sweep_html(name: str, swept: Sequence[tuple[str, GameAnalysis]]) -> str:
    """The table of a sweep, and the reports for all values, as one page."""
    first = swept[0][1]
    table = f"<h1>{escape(first.game)}</h1>\n<pre>{escape(sweep_text(name, swept))}</pre>\n"
    reports = "".join(
        f"<hr><h1>{escape(name)} = {escape(value)}</h1>\n"
        + "".join(_section(section, analysis) for section in sections_of(analysis))
        for value, analysis in swept
    )
    return page(first.game, table + reports, STYLE)


def _section(section: Section, analysis: GameAnalysis) -> str:
    if section.title == IN_SHORT:
        items = "".join(f"<li>{escape(text)}</li>\n" for _, text in section.rows)
        return f'<ul class="short">\n{items}</ul>\n'
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>\n" for name, text in section.rows
    )
    figures = "".join(
        f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>\n"
        for caption, picture in _figures(section.title, analysis)
    )
    return (
        f"<section>\n<h2>{escape(section.title)}</h2>\n{figures}<table>{rows}</table>\n</section>\n"
    )


def _figures(title: str, analysis: GameAnalysis) -> Iterator[tuple[str, str]]:
    """The charts of a section, with captions."""
    level = analysis.strongest
    if title == "Results" and len(analysis.players) > 1:
        yield "results by strength of the players", charts.results_chart(analysis)
    elif title == "Length and choice":
        yield "lengths of play", charts.lengths_chart(analysis)
        if level.branching.by_ply:
            caption = "mean number of moves by ply, strongest players"
            yield caption, charts.branching_chart(level.branching.by_ply)
    elif title == "Tension" and level.tension is not None and level.tension.curve:
        caption = "mean value of the later winner, from the beginning to the end of plays"
        yield (
            caption,
            charts.curve_chart(level.tension.curve, "The winner's value", "share of the play"),
        )
    elif title == "Depth" and analysis.ladder:
        yield "strength gained by four times the search", charts.ladder_chart(analysis)
    elif title == "First moves" and (picture := charts.openings_chart(analysis)):
        yield "value of each first move for the mover, in hundredths", picture
    elif title == "Use of the rules" and (picture := charts.squares_chart(analysis)):
        yield "use of the squares; × marks a square that was never used", picture
