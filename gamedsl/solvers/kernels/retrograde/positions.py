"""The result of retrograde analysis as solved positions: lookup, counts, enumeration.

In: a table, just filled or read from a file, and its stored facts. Out: `SolvedPositions`.
"""

from __future__ import annotations

from gamedsl.game.accelerator import Length, SolvedPositions, StoredPositions
from gamedsl.solvers.kernels.contents import Contents, length_of, payoffs_of
from gamedsl.solvers.kernels.images import tallies


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """The solved positions, from the table and its stored facts."""
    *payoffs, endless = payoffs_of(stored)
    bits = contents.layout.class_bits

    def length(code: int) -> Length:
        return length_of(code, bits, payoffs) if code >> bits else (endless, None)

    return tallies.positions(contents, stored, payoffs, length)
