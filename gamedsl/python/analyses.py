"""The designer's report of a game, and puzzles, in one call each.

`print` writes a `GameAnalysis`, a notebook draws the page, and `gamedsl.reports.analyses` has
further formats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from gamedsl.conformance.idle_rules import MOST_ACTIONS, idle_rules
from gamedsl.game import LoadedGame
from gamedsl.game.checking import checked_rules
from gamedsl.model import State, UnsupportedGameError
from gamedsl.python.coerce import GivenGame, GivenState, game_of, state_of
from gamedsl.solvers.analysis.analysis import (
    USUAL_SECONDS,
    AnalysisOptions,
    GameAnalysis,
    analyse_game,
)
from gamedsl.solvers.analysis.plays import RecordedPlay
from gamedsl.solvers.analysis.puzzles import USUAL_SECONDS as PUZZLE_SECONDS
from gamedsl.solvers.analysis.puzzles import PuzzleSet, puzzles_of
from gamedsl.solvers.analysis.usage import IdleRules, moments_of
from gamedsl.solvers.memory import usable_processors
from gamedsl.source.keywords import answering

MOST_SWEPT = 20
"""Values of a sweep, at most."""


class SweepTextError(ValueError):
    """A text that describes no sweep, with the reason."""


@answering
def analyse(
    game: GivenGame,
    state: GivenState = None,
    *,
    seconds: float = USUAL_SECONDS,
    seed: int = 1,
    threads: int = 0,
) -> GameAnalysis:
    """Measures of a game for its designer, from plays at rising strength.

    Args:
        seconds: processor time of each thread, about.
        threads: number of threads; 0: one per core.

    Raises:
        UnsupportedGameError: the game is over, or has no rules of the language.
        GameRuleError: the rules fail in play.
    """
    loaded = game_of(game)
    options = AnalysisOptions(seconds, seed, threads or usable_processors())
    return analysed(loaded, state_of(loaded, state), options)


def analysed(game: LoadedGame, state: State, options: AnalysisOptions) -> GameAnalysis:
    """The analysis of a loaded game. Raises as `analyse`."""
    _refuse_foreign(game)

    def find_idle(plays: tuple[RecordedPlay, ...], ends: float) -> IdleRules:
        moments = moments_of(plays, MOST_ACTIONS)
        removals = idle_rules(game.model, moments, rng=Random(options.seed), ends=ends)
        source = game.source
        parts = (
            (*source.position(span.start), " ".join(source.text[span.start : span.end].split()))
            for span in removals.spans
        )
        return IdleRules(tuple(parts), removals.tried, removals.parts, removals.positions)

    return analyse_game(game, game.model, state, options, find_idle=find_idle)


def sweep_of(text: str) -> tuple[str, tuple[str, ...]]:
    """The parameter and its values from `N=3..6` or `N=3,5,7`. Raises SweepTextError."""
    name, equals, values = (part.strip() for part in text.partition("="))
    if not (name and equals and values):
        raise SweepTextError(f"write NAME=3..6 or NAME=3,5,7, found `{text}`")
    low, dots, high = values.partition("..")
    if not dots:
        listed = tuple(value.strip() for value in values.split(",") if value.strip())
    else:
        try:
            listed = tuple(map(str, range(int(low), int(high) + 1)))
        except ValueError:
            raise SweepTextError(f"two whole numbers are needed around `..` in `{text}`") from None
    if not 1 <= len(listed) <= MOST_SWEPT:
        raise SweepTextError(f"1 to {MOST_SWEPT} values are swept, found {len(listed)} in `{text}`")
    return name, listed


def swept(
    game: LoadedGame, name: str, values: Sequence[str], options: AnalysisOptions
) -> Iterator[tuple[str, GameAnalysis]]:
    """The analyses for the values of a parameter, with equal shares of the time.

    Raises GameSourceError if a value does not fit.
    """
    part = replace(options, seconds=options.seconds / len(values))
    for value in values:
        settings = {**game.settings, name: value}
        rules = checked_rules(game.source.own, settings, game.model.max_rounds)
        varied = LoadedGame(rules, game.engine_name)
        yield value, analysed(varied, varied.initial_state(), part)


@answering
def puzzles(
    game: GivenGame,
    state: GivenState = None,
    *,
    count: int = 20,
    seconds: float = PUZZLE_SECONDS,
    seed: int = 1,
) -> PuzzleSet:
    """Positions of play with exactly one winning move, proved; the hardest last.

    Args:
        count: number of puzzles; fewer if the time or the game has no more.
        seconds: processor time, about.

    Raises:
        UnsupportedGameError: a winning move has no meaning, or nothing can be proved.
        GameRuleError: the rules fail in play.
    """
    loaded = game_of(game)
    return made_puzzles(loaded, state_of(loaded, state), count=count, seconds=seconds, seed=seed)


def made_puzzles(
    game: LoadedGame, state: State, *, count: int, seconds: float, seed: int
) -> PuzzleSet:
    """The puzzles of a loaded game. Raises as `puzzles`."""
    _refuse_foreign(game)
    return puzzles_of(game, game.model, state, count=count, seconds=seconds, seed=seed)


def _refuse_foreign(game: object) -> None:
    if not isinstance(game, LoadedGame):
        raise UnsupportedGameError("the parts of a game are known for games of the language alone")
