"""Perft by kernels: count plays by machine code, on one thread, without a table.

In: a game with a compiled engine, a state, a depth in plies or turns. Out: the counts of
`solvers.perft`, which merges equal positions instead and may be faster if many positions are equal.
"""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import Refusal
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.kernels import perft_kernel
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.functions.standard import row_size
from gamedsl.source.plurals import count

FEW_PLAYS = 10_000_000
"""Number of plays up to which a fast compilation is preferred to fast code."""
PLIES_A_TURN = 64
"""Room for plies per turn, on average."""


KERNELS = (perft_kernel.perft, perft_kernel.goes_on, perft_kernel.leaves)
"""`walk`, of the game, calls the last two."""


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude counting turns; None if the rules do not."""
    facts = engine.model.facts
    if not (facts.has_chance or facts.is_simultaneous or facts.repeats):
        return None
    return Refusal("kernels count turns in games without chance, repetition and choices at once")


class KernelPerft:
    """Perft of one game. Raises UnsupportedGameError if kernels do not support the game."""

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        self._engine = engine
        self._native = native
        self._folder = folder
        self._assembly = cache(self._assembled)
        self._assembly(KERNELS, is_bulk=True, are_few=False)

    def _assembled(self, kernels: Kernels, *, is_bulk: bool = False, are_few: bool) -> Assembly:
        return Assembly(
            self._engine,
            kernels,
            Definitions({"IS_BULK": is_bulk}),
            native=self._native,
            folder=self._folder,
            in_slices=are_few,
        )

    def count(self, state: State, depth: int, *, each: bool = False, expected: float = inf) -> int:
        """Number of plays of `depth` plies from a state; `each`: apply the last ply as well;
        `expected`: the approximate result.

        Raises GameRuleError if a rule fails on the way.
        """
        assembly = self._assembly(KERNELS, is_bulk=not each, are_few=expected <= FEW_PLAYS)
        actions = assembly.row((depth + 1) * row_size(self._engine))
        past = assembly.past(state, depth + 1)
        return int(assembly.call("perft", assembly.words(state), depth, actions, *past))

    def count_turns(self, state: State, depth: int, *, expected: float = inf) -> int:
        """Number of plays of `depth` turns from a state; `expected` as for `count`.

        Raises UnsupportedGameError if turns are long or may be endless, and for games whose turns
        the kernels do not count.
        """
        if (reason := refusal(self._engine)) is not None:
            raise UnsupportedGameError(str(reason))
        assembly = self._assembly((perft_kernel.perft_turns,), are_few=expected <= FEW_PLAYS)
        size = row_size(self._engine)
        actions = assembly.row((depth * PLIES_A_TURN + 1) * size)
        plays = int(assembly.call("perft_turns", assembly.words(state), depth, actions, size, 0))
        if plays < 0:
            name = self._engine.model.title
            raise UnsupportedGameError(
                f"{count(depth, 'turn')} of {name} can take more than {depth * PLIES_A_TURN} "
                "plies, which machine code has no room for, or go on for ever",
                "count plies instead, or leave out --engine native",
            )
        return plays
