"""Matches between searches, which decide how a game is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.model import State
from gamedsl.solvers.montecarlo import contenders
from gamedsl.solvers.montecarlo.contenders import Tournament
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.source.keeping import keep, kept_json

DRAWN = """game "Drawn"
players A, B
state:
    turns: 0..2 = 0
move pass:
    turns += 1
end:
    if turns == 2: draw
"""


class Cache:
    """In the place of an accelerator: it keeps notes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def note_file(self, name: str) -> Path:
        return self.folder / name


class Knowing:
    """A contender that knows the solution, and plays the best or the worst."""

    def __init__(self, name: str, *, is_good: bool) -> None:
        self.name, self._is_good = name, is_good
        self._game = gamedsl.load("nim", sizes=[3, 4, 5])
        self._solution = solve(self._game)
        self.asked = 0

    def start(self, state: State, *, keeps: bool = False) -> None:
        self._state = state

    def run(self, steps: int) -> int:
        return steps

    def decision(self) -> Decision:
        self.asked += 1
        mover = self._game.current_player(self._state)
        moves = self._solution.moves_at(self._state)
        chosen = (max if self._is_good else min)(moves, key=lambda move: move.value[mover])
        return Decision("knows", 0, chosen.action, (), (), 1, 1)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Time passes by the questions about it."""
    now = iter(range(10**9))
    monkeypatch.setattr(contenders.time, "thread_time", lambda: next(now) / 1000)
    return iter(())


@pytest.mark.parametrize("names", ["bad good", "good bad", "bad bad2 good"])
def test_the_winner_of_the_matches_plays_and_is_remembered(
    names: str, steady: object, tmp_path: Path
) -> None:
    game, cache = gamedsl.load("nim", sizes=[3, 4, 5]), Cache(tmp_path)
    several = [Knowing(name, is_good=name == "good") for name in names.split()]

    def winner() -> str:
        tournament = Tournament(game, Random(1), cache)  # type: ignore[arg-type]
        return tournament.stronger(list(several), game.initial_state(), 2).name

    assert winner() == "good"
    tallies = kept_json(cache.note_file(contenders.KEPT))
    assert all(sum(tally) >= 2 for tally in tallies.values())
    several[-1].asked = 0
    assert winner() == "good"
    assert several[-1].asked == 0, "what was decided is not played again"


def test_of_equals_the_first_plays(steady: object, tmp_path: Path) -> None:
    """The author's `evaluate` is taken unless it is refuted."""
    game = gamedsl.load("nim", sizes=[3, 4, 5])
    several = [Knowing(name, is_good=True) for name in ("first", "second")]
    tournament = Tournament(game, Random(1), Cache(tmp_path))  # type: ignore[arg-type]
    assert tournament.stronger(list(several), game.initial_state(), 2).name == "first"


def test_a_match_that_is_broken_off_leaves_the_first(steady: object, tmp_path: Path) -> None:
    game, cache = gamedsl.load("nim", sizes=[3, 4, 5]), Cache(tmp_path)
    several = [Knowing(name, is_good=name == "second") for name in ("first", "second")]
    looks = iter([False] * 5 + [True] * 100)
    tournament = Tournament(game, Random(1), cache, lambda: next(looks))  # type: ignore[arg-type]
    best = tournament.stronger(list(several), game.initial_state(), 9)
    assert best.name == "first"
    assert sum(contender.asked for contender in several) < 5


def test_drawn_games_count_and_end_the_matches(steady: object, tmp_path: Path) -> None:
    game, cache = gamedsl.load(DRAWN), Cache(tmp_path)
    several = [Knowing(name, is_good=True) for name in ("first", "second")]
    for contender in several:
        contender._game, contender._solution = game, solve(game)
    for _ in range(20):
        tournament = Tournament(game, Random(1), cache)  # type: ignore[arg-type]
        assert tournament.stronger(list(several), game.initial_state(), 2).name == "first"
    assert kept_json(cache.note_file(contenders.KEPT)) == {"first, second": [60, 60]}
    several[0].asked = 0
    tournament.stronger(list(several), game.initial_state(), 2)
    assert several[0].asked == 0


@pytest.mark.parametrize("kept", ["", "{", "[1]", '{"a, b": [1]}', '{"first, second": [-1, "x"]}'])
def test_damaged_results_of_matches_are_forgotten(
    kept: str, steady: object, tmp_path: Path
) -> None:
    game, cache = gamedsl.load("nim", sizes=[3, 4, 5]), Cache(tmp_path)
    keep(cache.note_file(contenders.KEPT), kept.encode())
    several = [Knowing(name, is_good=name == "second") for name in ("first", "second")]
    tournament = Tournament(game, Random(1), cache)  # type: ignore[arg-type]
    assert tournament.stronger(list(several), game.initial_state(), 2).name == "second"
