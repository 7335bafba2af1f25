"""The work of random plays, counted in calls."""

from __future__ import annotations

import importlib
import sys

import pytest

import gamedsl
from gamedsl.conformance.work import Work, counted

explore = importlib.import_module("gamedsl.conformance.explore")


def one() -> int:
    return 1


def test_calls_and_returns_are_counted() -> None:
    few, more = (counted(lambda n=n: sum(one() for _ in range(n)))[1] for n in (1, 11))
    assert more - few == 10 * 4  # the function and the generator, entered and left


def test_a_counted_step_stands_for_the_steps_before() -> None:
    work = Work(1_000, every=5)
    steps = 0
    while not work.is_spent:
        work.step(one)
        steps += 1
    each = counted(one)[1]
    assert steps % 5 == 0
    assert (steps - 5) * each < 1_000 <= steps * each


def test_half_of_the_work_is_spent_first() -> None:
    work = Work(2 * counted(one)[1], every=1)
    work.step(one)
    assert work.is_half_spent
    assert not work.is_spent


def test_work_without_a_limit_is_never_spent_and_never_counted() -> None:
    work = Work()
    for _ in range(100):
        assert work.step(sys.getprofile) is None
    assert not work.is_half_spent


def test_an_error_in_a_counted_step_ends_the_count() -> None:
    def fail() -> None:
        raise ValueError

    with pytest.raises(ValueError):
        Work(10, every=1).step(fail)
    assert sys.getprofile() is None


def test_dear_plays_are_fewer_and_always_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load("connect_four")
    usual = explore.explore(game, plays=100)
    monkeypatch.setattr(explore, "WORK_OF_STEPS", 100_000)
    fewer = [explore.explore(game, plays=100) for _ in range(2)]
    assert 0 < fewer[0].plays < usual.plays == 100
    assert fewer[0].plays == fewer[1].plays
    assert fewer[0].positions == usual.positions
