"""What is guessed of all states that can be reached from one, by plays at random and by mistakes.

In: an engine, the symmetries whose images are one entry, and a state. Out: `Guess`: invariants of
entries, which become fewer where states are added that they do not hold for.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import State
from gamedsl.solvers.kernels.keys.invariants import (
    Invariants,
    Samples,
    Words,
    invariants_from,
    shape_of,
)
from gamedsl.solvers.kernels.symmetry.orbits import Orbits

PLAYS, LONGEST = 24, 150
"""Plays at random by which the first samples are found, and the most plies of each."""


class Guess:
    """Invariants of one game.

    Attributes:
        times: how often they have turned out wrong.
    """

    def __init__(self, engine: CompiledEngine, orbits: Orbits, root: State) -> None:
        self._engine = engine
        self._orbits = orbits
        self._root = root
        self._kept: Invariants | None = None
        self.times = 0

    def invariants(self) -> Invariants:
        """Those that hold for all that has been seen, or that were kept with work."""
        return self._samples.invariants() if self._kept is None else self._kept

    def add(self, states: Iterable[Words]) -> None:
        """Entries for some of which they do not hold."""
        self._samples.add(states)
        self._kept = None
        self.times += 1

    def take_up(self, facts: Mapping[str, Any]) -> None:
        """Those of work that was kept, if it has any."""
        dense = facts.get("dense")
        if isinstance(dense, Mapping) and "contents" in dense:
            shape = shape_of(self._engine.generated.layout, has_turn=not self._orbits.swaps)
            self._kept = invariants_from(dense, shape)

    @cached_property
    def _samples(self) -> Samples:
        shape = shape_of(self._engine.generated.layout, has_turn=not self._orbits.swaps)
        samples = Samples(shape)
        states = _plays_at_random(self._engine, self._root)
        samples.add(self._orbits.least(self._engine.words_of(state)) for state in states)
        return samples


def _plays_at_random(engine: CompiledEngine, root: State) -> Iterator[State]:
    """The states of some plays from a state on, itself among them."""
    draw = random.Random(0)
    yield root
    for _ in range(PLAYS):
        state = root
        for _ in range(LONGEST):
            if engine.is_terminal(state):
                break
            state = engine.result(state, draw.choice(engine.legal_actions(state)))
            yield state
