"""Comparison of two games in one call."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.conformance import lockstep
from gamedsl.conformance.lockstep import Limits, Progress
from gamedsl.python.coerce import GivenGame, game_of
from gamedsl.reports.checks.comparisons import ComparisonReport
from gamedsl.source.keywords import answering

USUAL = Limits()


@answering
def compare(
    first: GivenGame,
    second: GivenGame,
    *,
    names: Mapping[str, str] | None = None,
    positions: int = USUAL.positions,
    plays: int = USUAL.plays,
    longest: int = USUAL.plies,
    seed: int = 0,
    progress: Progress | None = None,
) -> ComparisonReport:
    """The shortest play on which two games differ: `report.is_same`, `report.difference`.

    Compared are players to move, legal actions, chances, ends, payoffs, and what players tell
    apart. Actions correspond by their names (see `gamedsl.conformance.matched_names`).

    Args:
        names: names of actions of the first game with the names in the second, where the
            correspondence is not found.
        positions: positions compared in order of distance.
        plays, longest, seed: then so many random plays of so many steps, if positions are left.
        progress: called with (compared, waiting) at intervals.

    Raises:
        GameSourceError: a text is not a valid game.
        MissingExtraError: OpenSpiel is not installed.
        ValueError: `openspiel:NAME` is no game of OpenSpiel.
    """
    limits = Limits(positions, plays, longest)
    games = game_of(first), game_of(second)
    comparison = lockstep.compare(*games, names or {}, limits, seed=seed, progress=progress)
    return ComparisonReport(comparison)
