"""What retrograde analysis has found, by numbers in a table: looked up, counted, gone through.

In: a table, just filled or read from a file, and the facts beside it. Out: `SolvedPositions`.
"""

from __future__ import annotations

from gamedsl.game.native import Length, SolvedPositions, StoredPositions
from gamedsl.solvers.kernels.contents import Contents, length_of, payoffs_of
from gamedsl.solvers.kernels.images import tallies


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """What has been found, from the table and what is stored with it."""
    *payoffs, endless = payoffs_of(stored)
    bits = contents.layout.class_bits

    def length(code: int) -> Length:
        return length_of(code, bits, payoffs) if code >> bits else (endless, None)

    return tallies.positions(contents, stored, payoffs, length)
