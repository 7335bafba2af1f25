"""Perft by kernels: plays counted by machine code, one thread, nothing remembered.

In: a game whose engine is compiled, a state, a depth in plies or turns. Out: the counts of
`solvers.perft`, which merges equal positions instead and may be faster where there are many.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.kernels import general_kernel, perft_kernel
from gamedsl.solvers.kernels.assembly import Assembly, repeat_times
from gamedsl.solvers.kernels.glue import is_general

PLIES_A_TURN = 64
"""There is room for so many plies in each turn, on average."""


GENERAL = (
    general_kernel.occurred,
    general_kernel.repeated_rule,
    general_kernel.noted,
    general_kernel.keeps_rules,
    general_kernel.legal_now,
    general_kernel.together,
    general_kernel.perft_general,
)


class KernelPerft:
    """Perft of one game. Raises UnsupportedGameError where kernels cannot work on it."""

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        self._engine = engine
        self._has_chance = bool(engine.generated.events)
        self._times = repeat_times(engine.model)
        kernels: list[Callable[..., Any]] = [perft_kernel.times_seen, perft_kernel.perft_turns]
        inner = [perft_kernel.goes_on, perft_kernel.leaves]
        self._is_general = is_general(engine)
        if self._is_general:
            kernels = [*GENERAL]
        elif self._has_chance:
            kernels = [perft_kernel.perft_chance]
        elif self._times:
            kernels.append(perft_kernel.perft_repeat)
        elif engine.generated.can_walk:
            kernels.append(perft_kernel.perft_walk)
        else:
            kernels += [perft_kernel.plays_from, perft_kernel.perft, perft_kernel.perft_each]
        self._assembly = Assembly(
            engine, tuple(kernels), tuple(inner), native=native, folder=folder
        )
        self._size = engine.model.facts.action_count + 1

    def count(self, state: State, depth: int, *, each: bool = False) -> int:
        """Plays of `depth` plies from a state; `each`: the last ply carried out as well.

        Raises GameRuleError where a rule fails on the way.
        """
        assembly = self._assembly
        words, actions = assembly.words(state), assembly.row((depth + 1) * self._size)
        with assembly.explaining():
            if self._is_general:
                return self._count_generally(state, depth)
            if self._has_chance:
                return int(assembly.kernel("perft_chance")(words, depth, actions, self._size))
            if self._times:
                past, length = assembly.past(state, depth + 1)
                kernel = assembly.kernel("perft_repeat")
                return int(kernel(words, depth, actions, self._size, past, length))
            if depth == 0:
                return 1
            if self._engine.generated.can_walk:
                return int(assembly.kernel("perft_walk")(words, depth, not each, actions))
            kernel = assembly.kernel("perft_each" if each else "perft")
            return int(kernel(words, depth, actions, self._size))

    def _count_generally(self, state: State, depth: int) -> int:
        assembly, players = self._assembly, len(self._engine.players)
        row = (players + 1) * self._size
        past, length = assembly.occurrences(state, depth + 1)
        kernel = assembly.kernel("perft_general")
        actions, sizes = assembly.row((depth + 1) * row), assembly.row((depth + 1) * players)
        words = assembly.words(state)
        return int(kernel(words, depth, actions, row, sizes, past, length))

    def count_turns(self, state: State, depth: int) -> int:
        """Plays of `depth` turns from a state.

        Raises UnsupportedGameError where turns are long or may go on for ever, and for games whose
        turns kernels do not count.
        """
        if self._is_general or self._has_chance or self._times:
            raise UnsupportedGameError(
                "kernels count turns in games without chance, repetition and choices at once"
            )
        assembly = self._assembly
        actions = assembly.row((depth * PLIES_A_TURN + 1) * self._size)
        with assembly.explaining():
            found = int(
                assembly.kernel("perft_turns")(assembly.words(state), depth, actions, self._size, 0)
            )
        if found < 0:
            name = self._engine.model.title
            raise UnsupportedGameError(
                f"{depth} turns of {name} can take more than {depth * PLIES_A_TURN} plies, which "
                "machine code has no room for, or go on for ever",
                "count plies instead, or leave out --engine native",
            )
        return found
