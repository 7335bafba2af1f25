"""Looking for errors ends where each position takes long, and only there."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.conformance import explore, time_limits
from gamedsl.conformance.time_limits import Pace, TooSlowError
from gamedsl.python import checking
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.source.text import source_from_text

COUNTER = """\
game "Up"
players A, B
state:
    n: 0..2000 = 0
move up:
    n += 1
end:
    if n == 2000: A wins
expect states: 2001
"""


class Clock:
    """A clock that goes on by so much each time somebody looks."""

    def __init__(self, step: float) -> None:
        self.time, self.step = 0.0, step

    def __call__(self) -> float:
        self.time += self.step
        return self.time


def timed(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    clock = Clock(step)
    monkeypatch.setattr(time_limits, "perf_counter", clock)
    monkeypatch.setattr(time_limits, "process_time", clock)


def count(pace: Pace, positions: int) -> None:
    for _ in range(positions):
        pace.count()


def test_so_few_a_second_are_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 0.5)
    slow = Pace(seconds=8)
    with pytest.raises(TooSlowError) as ended:
        count(slow, 100)
    assert ended.value.per_second < 2


def test_time_before_the_first_position_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that take long to compile are as quick to play as cached rules."""
    timed(monkeypatch, 0.001)
    pace = Pace(seconds=8)
    time_limits.perf_counter.time = 100.0  # type: ignore[attr-defined]
    count(pace, 2_000)


def test_what_goes_on_quickly_is_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 0.001)
    count(Pace(seconds=8), 20_000)


def test_a_slow_check_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 0.5)
    found = explore(gamedsl.load(COUNTER), pace=Pace())
    assert not found.is_complete
    assert found.waiting == 1
    assert 2 < found.positions < 20
    assert found.per_second is not None
    report = check_source(source_from_text(COUNTER), {})
    assert "and no more, since each takes" in str(report)
    assert "--time N goes on" in str(report)


def test_plays_are_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 0.5)
    found = explore(gamedsl.load(COUNTER), max_positions=3, pace=Pace())
    assert found.per_second is not None
    assert found.positions == 3


def test_who_says_how_long_is_not_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 0.5)
    monkeypatch.setattr(checking, "MOST_SECONDS", 0.0)
    report = check_source(source_from_text(COUNTER), {}, CheckLimits(max_seconds=1_000))
    assert "no error in all 2,001 positions" in str(report)
    assert report.is_ok


def test_where_the_time_is_up_more_time_is_advised() -> None:
    report = check_source(source_from_text(COUNTER), {}, CheckLimits(max_seconds=0))
    assert "more found and not looked at (--time allows more)" in str(report)
