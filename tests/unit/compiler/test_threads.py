"""One engine asked by several threads side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import gamedsl
from gamedsl.game.steps import steps_of
from gamedsl.model import State


@pytest.fixture(autouse=True)
def _in_turn_all_the_time() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_each_thread_is_told_the_legal_actions_of_its_own_state() -> None:
    game = gamedsl.load("connect_four", "python")
    engine = game.engine
    first = game.initial_state()
    full = game.position("1 1 1 1 1 1 2 2 2 2 2 2")
    wanted = {first: tuple(engine.legal_actions(first)), full: tuple(engine.legal_actions(full))}

    def differing(state: State) -> int:
        """How often something else was told; the state is another object each time."""
        again = [game.result(state, wanted[state][-1]) for _ in range(3000)]
        known = tuple(engine.legal_actions(again[0]))
        return sum(tuple(engine.legal_actions(one)) != known for one in again)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(differing, (first, full) * 4)) == [0] * 8


def test_each_thread_expands_its_own_state() -> None:
    game = gamedsl.load("connect_four", "python")
    steps = steps_of(game)
    keys = [steps.key(game.position(text)) for text in ("1", "1 1 1 1 1 1 2 2 2 2 2 2")]
    wanted = [steps.at(key) for key in keys]

    def differing(number: int) -> int:
        return sum(steps.at(keys[number]) != wanted[number] for _ in range(300))

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(differing, (0, 1) * 4)) == [0] * 8
