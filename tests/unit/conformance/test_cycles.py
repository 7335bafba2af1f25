"""Cycles among visited states."""

from __future__ import annotations

import pytest

from gamedsl.conformance.cycles import find_cycle


@pytest.mark.parametrize("graph", [{}, {1: [2, 3], 2: [3], 3: []}, {1: [2], 2: [9]}])
def test_without_a_way_back_there_is_no_cycle(graph: dict[int, list[int]]) -> None:
    assert find_cycle(graph) is None


def test_a_state_that_follows_itself_is_a_cycle() -> None:
    assert find_cycle({1: [2], 2: [2]}) == [2]


def test_the_cycle_is_a_shortest_one_and_begins_early() -> None:
    """Depth first would go all the way round by 3, 4 and 5."""
    graph = {1: [2], 2: [3, 6], 3: [4], 4: [5], 5: [2], 6: [2]}
    assert find_cycle(graph) == [2, 6]


def test_a_cycle_of_many_thousand_states_is_found() -> None:
    far = {number: [number + 1] for number in range(20_000)} | {20_000: [0]}
    assert find_cycle(far) == list(range(20_001))
