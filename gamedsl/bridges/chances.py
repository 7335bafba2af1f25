"""Random numbers of a play, the same one by one as side by side (`batch_kernel`).

In: a seed, and the number of the play. Out: chance events, drawn as by machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.game.contract import Action

SEEDS = 1 << 63
"""Seeds are taken modulo this number."""
BITS = 31
"""Random bits of a draw."""
mixed: Callable[[int, int], int] = run_source(PYTHON)["mixed"]
"""31 random bits that depend on a stream and a position, as in `gamedsl.solvers.kernels.abi`."""


class Chances:
    """The chance events of a play, and of the plays after it."""

    def __init__(self, seed: int, play: int = 0) -> None:
        """`play`: the number of the play among plays side by side."""
        seed %= SEEDS
        self._stream = mixed(seed, 2 * play) << BITS | mixed(seed, 2 * play + 1)
        self._position = 0

    def draw(self, outcomes: Iterable[tuple[Action, Fraction]]) -> Action:
        """One of the outcomes, with its probability."""
        rest = Fraction(mixed(self._stream, self._position), 1 << BITS)
        self._position += 1
        for outcome, share in outcomes:
            rest -= share
            if rest < 0:
                return outcome
        raise AssertionError("the probabilities add up to 1")
