"""The designer's report as data, in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from gamedsl.reports.analyses.library import comparison_rows, measured
from gamedsl.reports.analyses.suggestions import suggestions
from gamedsl.reports.json_text import data_of
from gamedsl.solvers.analysis.analysis import GameAnalysis, Level
from gamedsl.solvers.analysis.measures import Results, Tension
from gamedsl.solvers.matches.elo import Interval


def analysis_data(analysis: GameAnalysis) -> dict[str, object]:
    """The report, JSON-ready; a measure that was left out is null, `left_out` has the reasons."""
    size, solution, openings = analysis.size, analysis.solution, analysis.openings
    usage = analysis.usage
    return {
        "game": analysis.game,
        "settings": dict(analysis.settings),
        "players": list(analysis.players),
        "seed": analysis.seed,
        "seconds": round(analysis.seconds, 3),
        "in_short": list(suggestions(analysis)),
        "measures": measured(analysis),
        "levels": [_level(level) for level in analysis.levels],
        "ladder": [
            data_of(rung, "weaker stronger elo pairs won_drawn_lost=tally", elo=_interval(rung.elo))
            for rung in analysis.ladder
        ],
        "openings": None if openings is None else asdict(openings),
        "usage": None if usage is None else asdict(usage),
        "idle_rules": _idle(analysis),
        "positions": {
            "exact": None if size is None else size.positions,
            "about": None if size is None or size.about is None else str(size.about),
        },
        "tree_size_log10": round(analysis.tree_size, 3),
        "value": None if solution is None else solution.outcome,
        "library": dict(comparison_rows(analysis)),
        "left_out": dict(analysis.left_out),
    }


def _level(level: Level) -> dict[str, object]:
    return data_of(
        level,
        "strength results lengths branching tension permanence",
        results=_results(level.results),
        lengths=asdict(level.lengths),
        branching=asdict(level.branching),
        tension=None if level.tension is None else _tension(level.tension),
    )


def _results(results: Results) -> dict[str, object]:
    score = _interval(results.first_score) if len(results.wins) > 1 else None
    names = "plays wins draws shared unfinished mean_payoffs=payoffs first_score"
    return data_of(results, names, first_score=score)


def _tension(tension: Tension) -> dict[str, object]:
    names = ("drama", "lead_changes", "uncertainty", "decided", "killer")
    intervals = {name: _interval(getattr(tension, name)) for name in names}
    return {**intervals, "winner_curve": [round(value, 4) for value in tension.curve]}


def _interval(interval: Interval | None) -> Mapping[str, float] | None:
    return None if interval is None else asdict(interval)


def _idle(analysis: GameAnalysis) -> dict[str, object] | None:
    idle = analysis.idle
    if idle is None:
        return None
    parts = [{"line": line, "column": column, "text": text} for line, column, text in idle.parts]
    return data_of(idle, "parts tried all positions", parts=parts)
