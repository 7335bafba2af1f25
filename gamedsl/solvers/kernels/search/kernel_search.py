"""The base of searches by kernels with large arrays: an assembly in slices, and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.memory import NUMBER, zeros


class KernelSearch:
    """A search in one game, natively or in plain Python."""

    def __init__(
        self,
        engine: CompiledEngine,
        kernels: Kernels,
        definitions: Definitions,
        *,
        native: bool,
        folder: Path | None,
    ) -> None:
        self._engine, self._native = engine, native
        self._assembly = Assembly(
            engine, kernels, definitions, native=native, folder=folder, in_slices=True
        )

    def _zeros(self, count: int) -> Any:
        """A large array: the operating system provides its memory at the first use."""
        return zeros(count) if self._native else self._assembly.row(count)

    def _room(self, limits: SearchLimits, numbers: int, usual: int, in_python: int) -> int:
        """How many entries of so many numbers fit into the memory of the limits, else into `usual`
        bytes; at most `in_python` in plain Python."""
        room = (usual if limits.bytes is None else limits.bytes) // (NUMBER * numbers)
        return room if self._native else min(room, in_python)
