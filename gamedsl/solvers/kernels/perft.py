"""Native perft: plays counted by machine code, one thread.

In: a compiled game, a state, a depth in plies. Out: the count. A leaf is a position at exactly
that depth, as in `solvers.perft`; no position is expanded only once here.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

from gamedsl.compiler.module import Generated
from gamedsl.compiler.native import load_native, signed
from gamedsl.solvers.kernels import perft_kernel


class NativePerft:
    """Perft of one game."""

    def __init__(self, generated: Generated, action_count: int, folder: Path | None = None) -> None:
        self._actions = action_count + 1
        self._module = perft_module(generated, folder)

    def count(self, words: tuple[int, ...], depth: int, *, each: bool = False) -> int:
        """Plays of `depth` plies from a state (unsigned words); `each`: leaves carried out."""
        import numpy as np

        if depth == 0:
            return 1
        actions = np.zeros((depth + 1, self._actions), dtype=np.int64)
        kernel = self._module.perft_each if each else self._module.perft
        return int(kernel(tuple(signed(word) for word in words), depth, actions))


def perft_module(generated: Generated, folder: Path | None = None) -> ModuleType:
    """The game's module with the kernels of perft."""
    kernels = [inspect.getsource(perft_kernel.perft), inspect.getsource(perft_kernel.perft_each)]
    return load_native(generated, "\n\n".join(f"@entry\n{text}" for text in kernels), folder)
