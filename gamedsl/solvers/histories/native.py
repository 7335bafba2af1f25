"""Kernels of numbers alone, as machine code or as Python, and their arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import arithmetic
from gamedsl.game.contract import Game
from gamedsl.solvers.histories import pairs_kernel
from gamedsl.solvers.memory import zeros

WORTH_COMPILING = 3_000
"""Steps that Python takes in less time than machine code takes to load."""


def is_worth_compiling(steps: int) -> bool:
    """Whether a kernel that takes about so many steps gains by machine code."""
    return steps > WORTH_COMPILING


class Kernels:
    """Modules of kernels.

    Attributes:
        is_native: whether the kernels are machine code.
    """

    def __init__(self, game: Game, *modules: ModuleType, is_native: bool = True) -> None:
        """Machine code is used where wanted (`is_native`), if the game has machine code."""
        self._modules = modules
        self._code = arithmetic(game, *modules) if is_native else None
        self.is_native = self._code is not None

    def call(self, name: str, *arguments: Any) -> int:
        """The result of a function of the kernels."""
        if self._code is not None:
            return int(self._code(name, *arguments))
        module = next(module for module in self._modules if hasattr(module, name))
        return int(getattr(module, name)(*arguments))

    def row(self, count: int) -> Any:
        """An array of so many zeros."""
        return zeros(count) if self.is_native else [0] * count

    def record(self, kind: Any) -> Any:
        """A record of zeros."""
        return kind(self.row(len(kind.FIELDS)))

    def rows(self, kind: Any, count: int) -> Any:
        """An array of so many records."""
        return Rows(kind, self.row(count * len(kind.FIELDS)))

    def pairs(self, most: int) -> pairs_kernel.Pairs:
        """An empty table for so many pairs."""
        notes = self.record(pairs_kernel.PairNotes)
        notes.mask = 63
        slots = self.row(1 << (4 * most + 64).bit_length())
        return pairs_kernel.Pairs(slots=slots, parts=self.row(2 * most + 4), notes=notes)
