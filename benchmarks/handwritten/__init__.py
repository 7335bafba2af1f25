"""Games as somebody who knows numba writes them by hand, one game a module.

Each module offers two jitted functions of the same shape:

perft(depth, is_bulk): plays of exactly `depth` > 0 plies; `is_bulk` counts the last ply by a
    popcount instead of carrying it out.
playouts(count, seed, lengths, outcomes): uniform random plays; writes the plies of each into
    `lengths` and adds to `outcomes`: first player wins, draws, second player wins.

Importing this package imports numba.
"""

from __future__ import annotations

from types import ModuleType

from benchmarks.handwritten import breakthrough, connect_four, othello

GAMES: dict[str, ModuleType] = {
    "connect_four": connect_four,
    "othello": othello,
    "breakthrough": breakthrough,
}
