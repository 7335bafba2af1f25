"""Plays of levels: what matches say about doublings, and levels at equal distances."""

from __future__ import annotations

from itertools import pairwise
from math import log2
from random import Random

import pytest

import gamedsl
from gamedsl.solvers.montecarlo import rates as rates_module
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
    strengths,
)


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
