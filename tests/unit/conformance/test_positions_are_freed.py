"""The positions of an exploration are in no cycle of references."""

from __future__ import annotations

import gc
from weakref import ref

import gamedsl
from gamedsl.conformance.explore import explore
from gamedsl.source.collecting import uncollected


def test_positions_are_freed_without_a_collection_of_garbage() -> None:
    game = gamedsl.load("tic_tac_toe")
    gc.collect()
    with uncollected():
        explored = explore(game, max_positions=100, plays=3)
        visits = explored.visits
        assert visits is not None
        known = ref(visits)
        del explored, visits
        assert known() is None
