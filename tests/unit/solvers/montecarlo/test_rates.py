"""Plays of levels: what matches say about doublings, and levels at equal distances."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.game.accelerator import Refusal, machine_code_of
from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo import machine_uct
from gamedsl.solvers.montecarlo import rates as rates_module
from gamedsl.solvers.montecarlo.contenders import Contender
from gamedsl.solvers.montecarlo.machine_uct import MachineUct
from gamedsl.solvers.montecarlo.rates import (
    DOUBLINGS,
    HALVINGS,
    MEASURED,
    PAIRINGS,
    STEP,
    PairingResult,
    _kept,
    rates_by,
    search_of_levels,
    strengths,
)
from gamedsl.solvers.textbook.decision import Decision


def _results(gains: list[float], games: int) -> list[PairingResult]:
    """The expected points of all pairings."""
    due = [1 / (1 + 10 ** (-sum(gains[low:high]) / 400)) for low, high in PAIRINGS]
    told = zip(PAIRINGS, due, strict=True)
    return [PairingResult(*pairing, games * share, games) for pairing, share in told]


def test_many_games_tell_the_worth_of_each_doubling() -> None:
    gains = [20.0, 100.0, 200.0, 240.0, 200.0, 150.0, 100.0, 80.0, 60.0, 60.0]
    assert strengths(_results(gains, 4000)) == pytest.approx(gains, abs=5)


def test_without_games_doublings_are_as_usual_and_clean_scores_are_finite() -> None:
    assert strengths(_results([100.0] * MEASURED, 0)) == [100.0] * MEASURED
    clean = strengths([PairingResult(low, high, 24.0, 24) for low, high in PAIRINGS])
    assert 150 < min(clean) <= max(clean) < 500


@pytest.mark.parametrize("gain", [30.0, 90.0, 400.0])
def test_levels_are_equally_far_apart(gain: float) -> None:
    rates = rates_by([gain] * MEASURED, 10)
    heights = [gain * log2(rate) for rate in rates if rate <= 2**DOUBLINGS]
    steps = [high - low for low, high in pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * len(steps), abs=6)
    assert rates[0] == 2**-HALVINGS
    assert steps[0] == pytest.approx(STEP, abs=6) or rates[-1] == 4096
    assert list(rates) == sorted(rates)


@pytest.mark.parametrize("falling", [HALVINGS, 2 * HALVINGS - 1])
def test_the_first_level_is_the_weakest_of_the_least_numbers_of_plays(falling: int) -> None:
    rates = rates_by([-50.0] * falling + [100.0] * (MEASURED - falling), 10)
    assert rates[0] == 2 ** (falling - HALVINGS)
    assert list(rates) == sorted({*rates})


def test_levels_rise_where_no_number_of_plays_is_stronger() -> None:
    rates = rates_by([-50.0] * MEASURED, 10)
    assert list(rates) == sorted({*rates})


@pytest.mark.parametrize("rates", [None, 3, [1, 2], ["a", "b", "c"], [1, 0, 2]])
def test_a_damaged_note_is_no_note(rates: object) -> None:
    assert _kept(rates, 3) == ()


def test_after_levels_are_fitted_searches_draw_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates_module, "MOST_SECONDS", 0.01)
    monkeypatch.setattr(rates_module, "kept_json", lambda _: None)
    game, rng = gamedsl.load("tic_tac_toe"), Random(1)
    search = MachineUct(game, rng)
    search.for_match = 0
    search.prepare(game.initial_state(), None)
    before = rng.getstate()
    assert search.level_rates(game.initial_state(), 10)
    assert rng.getstate() == before


@pytest.mark.parametrize("is_in_a_hurry", [False, True])
def test_levels_compare_all_searches_however_slowly_they_are_compiled(
    is_in_a_hurry: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []

    def first(_game: Game, _code: object, searches: list[Contender], _root: State) -> Contender:
        compared.extend(search.name for search in searches)
        return searches[0]

    monkeypatch.setattr(machine_uct, "search_of_levels", first)
    monkeypatch.setattr(machine_uct, "rates_of", lambda *_: (1.0, 2.0))
    game = gamedsl.load(HIGHER_NUMBER + "evaluate p: told[p]\n")
    search = MachineUct(game, Random(1))
    search.for_match = 0
    if is_in_a_hurry:
        search._hurries.set()
    search.prepare(game.initial_state(), None)
    assert search.level_rates(game.initial_state(), 2)
    assert (compared[0], compared[-1]) == ("alpha-beta", "UCT")


HIGHER_NUMBER = """
game "Higher number"
players A, B
state:
    told[players]: 0..6 = 0
    times[players]: 0..2 = 0
move name(n in 1..3):
    told[turn] += n
    times[turn] += 1
end:
    if times[B] == 2 and told[A] > told[B]: A wins
    if times[B] == 2 and told[B] > told[A]: B wins
    if times[B] == 2: draw
"""


class Chooser:
    """A contender that chooses the first or the last legal action."""

    def __init__(self, name: str, place: int) -> None:
        self.name, self._place = name, place
        self.steps: set[int] = set()

    def start(self, state: State, *, keeps: bool = False) -> None:
        self._state = state

    def run(self, steps: int) -> int:
        self.steps.add(steps)
        return steps

    def decision(self) -> Decision:
        action = sorted(higher_number().legal_actions(self._state))[self._place]
        return Decision(self.name, Fraction(0), action, (), (), 1, 1)


@cache
def higher_number() -> Game:
    return gamedsl.load(HIGHER_NUMBER)


@pytest.mark.parametrize(("places", "stronger"), [((0, -1), 1), ((-1, 0), 0), ((0, 0), 0)])
def test_levels_have_the_search_that_wins_with_as_many_positions(
    places: tuple[int, int], stronger: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = higher_number()
    accelerator = machine_code_of(game)
    assert not isinstance(accelerator, Refusal)
    monkeypatch.setattr(type(accelerator), "note_file", lambda _, name: tmp_path / name)
    searches = [Chooser("alpha-beta", places[0]), Chooser("UCT", places[1])]
    for _ in range(2):
        root = game.initial_state()
        assert search_of_levels(game, accelerator, searches, root) is searches[stronger]
    assert (searches[0].steps, searches[1].steps) == ({1, 16 * 3 * 4}, {1, 16 * 3})
    for search in searches:
        search.steps.clear()
    assert search_of_levels(game, accelerator, searches, root) is searches[stronger]
    assert not searches[0].steps | searches[1].steps, "the result is kept"
