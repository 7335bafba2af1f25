"""The base of searches by kernels with large arrays: an assembly in slices, and memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import NO_LIMITS, Refusal, SearchLimits
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.memory import NUMBER


class KernelSearch(ABC):
    """A search in one game, natively or in plain Python."""

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        limits: SearchLimits = NO_LIMITS,
        folder: Path | None = None,
    ) -> None:
        """Raises UnsupportedGameError if the rules exclude the search."""
        if (reason := self._refusal(engine)) is not None:
            raise UnsupportedGameError(str(reason))
        self._engine, self._native = engine, native
        kernels, definitions = self._code(engine)
        self._assembly = Assembly(
            engine, kernels, definitions, native=native, folder=folder, in_slices=True
        )
        self._reserve(limits)

    @abstractmethod
    def _refusal(self, engine: CompiledEngine) -> Refusal | None:
        """Why the rules alone exclude the search; None if the rules do not."""

    @abstractmethod
    def _code(self, engine: CompiledEngine) -> tuple[Kernels, Definitions]:
        """The kernels, and what they need of the game beyond the standard definitions."""

    @abstractmethod
    def _reserve(self, limits: SearchLimits) -> None:
        """Make the arrays that last."""

    def _room(self, limits: SearchLimits, numbers: int, usual: int, in_python: int) -> int:
        """How many entries of so many numbers fit into the memory of the limits, else into `usual`
        bytes; at most `in_python` in plain Python."""
        room = (usual if limits.bytes is None else limits.bytes) // (NUMBER * numbers)
        return room if self._native else min(room, in_python)
