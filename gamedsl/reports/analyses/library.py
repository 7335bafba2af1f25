"""Comparison with games of the library, by a kept table.

`python -m benchmarks.analysis --write` makes the table `library.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from gamedsl.solvers.analysis.analysis import GameAnalysis

MEASURES = {
    "length": "plies",
    "branching": "moves to choose from",
    "first": "score of the first player",
    "draws": "share of draws",
    "decided": "part of the play until decided",
    "uncertainty": "uncertainty",
    "drama": "drama",
    "killer": "greatest change by a move",
    "depth": "Elo for four times the search",
}
"""The compared measures, in words."""
NEIGHBOURS = 2
FEWEST = 10
"""Plays that ended, below which results are not compared."""


def measured(analysis: GameAnalysis) -> dict[str, float]:
    """The compared measures of a game, of the strongest plays, as far as known."""
    level = analysis.strongest
    tension, results = level.tension, level.results
    values: dict[str, float | None] = {
        "length": level.lengths.mean,
        "branching": level.branching.mean,
    }
    if len(analysis.players) == 2 and results.ended >= FEWEST:
        values |= {
            "first": results.first_score.mean,
            "draws": results.draws / results.ended,
            "depth": analysis.depth,
        }
    if tension is not None:
        values |= {
            "uncertainty": tension.uncertainty.mean,
            "killer": tension.killer.mean,
            "decided": None if tension.decided is None else tension.decided.mean,
            "drama": None if tension.drama is None else tension.drama.mean,
        }
    return {name: round(value, 4) for name, value in values.items() if value is not None}


@cache
def library_table() -> Mapping[str, Mapping[str, float]]:
    """The measures of games of the library, by title."""
    path = files("gamedsl.reports.analyses") / "library.json"
    table: dict[str, dict[str, float]] = json.loads(path.read_text("utf-8"))
    return table


def comparison_rows(analysis: GameAnalysis) -> tuple[tuple[str, str], ...]:
    """For each measure the place among the games of the library, and the nearest games."""
    rows = []
    for name, value in measured(analysis).items():
        others = {
            game: row[name]
            for game, row in library_table().items()
            if name in row and not game.startswith(analysis.game)
        }
        if not others:
            continue
        below = sum(other < value for other in others.values())
        above = sum(other > value for other in others.values())
        place = f"more than {below}" if 2 * below >= len(others) else f"less than {above}"
        nearest = sorted(others, key=lambda game: abs(others[game] - value))[:NEIGHBOURS]
        near = ", ".join(f"{game} {number_words(others[game])}" for game in nearest)
        told = f"{number_words(value)} {MEASURES[name]}"
        rows.append((name, f"{told}: {place} of {len(others)} games; like {near}"))
    return tuple(rows)


def number_words(value: float) -> str:
    """A measure in three digits, without exponent."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
