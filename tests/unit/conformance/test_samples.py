"""How much is looked at of games that are too large to be seen whole."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

import gamedsl
from gamedsl.conformance import PlayTest, explore
from gamedsl.conformance.plays import RandomPlays
from gamedsl.conformance.visits import AnyAction, Mark, Visits
from gamedsl.game import LoadedGame
from gamedsl.game.steps import steps_of
from gamedsl.model import State
from gamedsl.python.explored import graph_of
from gamedsl.solvers.graphs.graph import explore as explore_graph

MODULE = sys.modules[explore.__module__]


def visits_of(name: str) -> Visits:
    return Visits(gamedsl.load(name), lambda *_: None)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that tic-tac-toe is too large for."""
    budget = replace(MODULE.QUICK, positions=2_000, sample=500, plies=300)
    monkeypatch.setattr(MODULE, "QUICK", budget)
    monkeypatch.setattr(MODULE, "WORTH_COUNTING", 1_000)


@pytest.mark.usefixtures("small")
def test_a_large_game_is_told_the_same_however_it_is_known_to_be_large() -> None:
    game = gamedsl.load("tic_tac_toe")
    told: list[PlayTest] = [
        explore(game),
        explore(game, count=lambda *_: None),
        explore(game, count=lambda _, most, __: most + 1),
    ]
    assert told[0] == told[1] == told[2]
    assert not told[0].is_complete
    assert 0 < told[0].positions < 500


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("count", [None, lambda *_: None])
def test_a_game_that_will_be_too_large_is_not_looked_at_to_the_limit(
    count: Callable[..., None] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[int] = []
    go_back = Visits.go_back

    def noted(visits: Visits, mark: Mark) -> None:
        reached.append(visits.discovered)
        go_back(visits, mark)

    monkeypatch.setattr(Visits, "go_back", noted)
    explore(gamedsl.load("tic_tac_toe"), count=count)
    assert 500 < reached[0] < 2_000


@pytest.mark.usefixtures("small")
def test_positions_that_the_user_names_are_all_looked_for() -> None:
    found = explore(gamedsl.load("tic_tac_toe"), max_positions=3_000)
    assert found.positions + found.waiting > 3_000


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "frozen_lake", "pig"])
def test_what_is_gone_back_to_is_as_if_nothing_else_had_been_seen(name: str) -> None:
    shorter, longer = visits_of(name), visits_of(name)
    for visits in (shorter, longer):
        visits.run(10_000, None, 20)
    mark = longer.mark()
    longer.run(10_000, None, 500)
    assert longer.discovered > shorter.discovered
    longer.go_back(mark)
    for one in ("movers", "choices", "successors", "rewards", "endings", "shares"):
        assert getattr(longer, one) == getattr(shorter, one)
    assert (longer.keys, longer.number, longer.parents) == (
        shorter.keys, shorter.number, shorter.parents,
    )  # fmt: skip


class Plain(LoadedGame):
    """A game of which nobody knows that its states are words."""

    def steps(self) -> None:
        """None."""


@pytest.mark.parametrize("name", ["tic_tac_toe", "kalah", "kuhn_poker", "pig"])
def test_random_plays_on_words_are_those_of_the_engine(name: str) -> None:
    def steps(game: LoadedGame) -> list[tuple[State, AnyAction, State]]:
        seen: list[tuple[State, AnyAction, State]] = []
        plays = RandomPlays(
            game,
            random.Random(3),
            lambda *_: None,
            lambda *_: None,
            lambda *step: seen.append(step),
        )
        plays.run(5, 200)
        return seen

    game = gamedsl.load(name)
    assert steps(game) == steps(Plain(game.model, "python")) != []


def test_no_play_is_begun_once_enough_actions_were_legal() -> None:
    seen: list[AnyAction] = []
    game = gamedsl.load("tic_tac_toe")
    plays = RandomPlays(
        game, random.Random(0), lambda *_: None, lambda *_: None, lambda _, a, __: seen.append(a)
    )
    plays.run(10, 1_000, 9 + 8 + 1)
    assert plays.begun == 1
    assert len(seen) == 3


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "frozen_lake", "yahtzee_turn"])
def test_what_was_looked_at_is_the_graph_that_exploring_gives(name: str) -> None:
    game = gamedsl.load(name)
    found = explore(game)
    assert found.visits is not None
    one, other = graph_of(game, found.visits), explore_graph(game)
    for part in ("actions", "successors", "chances", "payoffs", "parents", "rewards", "opening"):
        assert getattr(one, part) == getattr(other, part)
    assert [*map(int, one.movers)] == [*map(int, other.movers)]
    assert [*one.states] == [*other.states]
    assert steps_of(game).key(one.states[0]) == found.visits.keys[0]
