"""Guess invariants of all states reachable from a root, from random plays and counterexamples.

In: an engine, the symmetries that merge states into entries, and a root state. Out: `Guess`:
invariants of entries. Each added counterexample removes the invariants that it violates.
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
"""Number of random plays for the first samples, and the maximal number of plies of a play."""


class Guess:
    """Guessed invariants of one game.

    Attributes:
        times: how often the guess has turned out wrong.
    """

    def __init__(self, engine: CompiledEngine, orbits: Orbits, root: State) -> None:
        self._engine = engine
        self._orbits = orbits
        self._root = root
        self._restored: Invariants | None = None
        self.times = 0

    def invariants(self) -> Invariants:
        """The invariants that hold for all samples, or the invariants restored from a
        checkpoint."""
        return self._samples.invariants() if self._restored is None else self._restored

    def add(self, states: Iterable[Words]) -> None:
        """Add entries with a counterexample to the invariants."""
        self._samples.add(states)
        self._restored = None
        self.times += 1

    def take_up(self, facts: Mapping[str, Any]) -> None:
        """Restore the invariants from the facts of a checkpoint, if the facts contain
        invariants."""
        dense = facts.get("dense")
        if isinstance(dense, Mapping) and "contents" in dense:
            shape = shape_of(self._engine.generated.layout, has_turn=not self._orbits.group.swaps)
            self._restored = invariants_from(dense, shape)

    @cached_property
    def _samples(self) -> Samples:
        shape = shape_of(self._engine.generated.layout, has_turn=not self._orbits.group.swaps)
        samples = Samples(shape)
        states = _plays_at_random(self._engine, self._root)
        samples.add(self._orbits.least(self._engine.words_of(state)) for state in states)
        return samples


def _plays_at_random(engine: CompiledEngine, root: State) -> Iterator[State]:
    """The root and the states of some random plays from the root."""
    draw = random.Random(0)
    yield root
    for _ in range(PLAYS):
        state = root
        for _ in range(LONGEST):
            if engine.is_terminal(state):
                break
            state = engine.result(state, draw.choice(engine.legal_actions(state)))
            yield state
