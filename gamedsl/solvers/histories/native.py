"""Choose between machine code and Python for a kernel of numbers alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from gamedsl.game.accelerator import arithmetic
from gamedsl.game.contract import Game
from gamedsl.solvers.histories import pairs_kernel

Rows = Callable[[int], Any]
"""Makes an array of so many zeros."""
WORTH_COMPILING = 3_000
"""Steps that Python takes in less time than machine code takes to load."""


def compiled_for(game: Game, steps: int, module: ModuleType, name: str) -> Callable[..., int]:
    """A function of a kernel that takes about `steps` steps: machine code, if the steps are worth
    it and the game has machine code, else Python."""
    code = arithmetic(game, module, pairs_kernel) if steps > WORTH_COMPILING else None
    plain: Callable[..., int] = getattr(module, name)
    return plain if code is None else partial(code, name)


def short_row(count: int) -> list[int]:
    """An array for Python."""
    return [0] * count


def room_for_pairs(most: int, row: Rows) -> pairs_kernel.Pairs:
    """Arrays for so many pairs."""
    notes = pairs_kernel.PairNotes(row(len(pairs_kernel.PairNotes.FIELDS)))
    notes.mask = 63
    slots = row(1 << (4 * most + 64).bit_length())
    return pairs_kernel.Pairs(slots=slots, parts=row(2 * most), notes=notes)
