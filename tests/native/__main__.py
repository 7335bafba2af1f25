"""Long counts by hand: `python -m tests.native [NAME ...]`, natively, against the tables.

Prints each count with its time; ends with 1 if one of them is wrong.
"""

from __future__ import annotations

import sys
from time import perf_counter

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.solvers.kernels.perft import KernelPerft
from tests.native.tables import ROWS


def main(names: list[str]) -> int:
    """Count the rows of these games, of all if none is named."""
    wrong = 0
    for row in ROWS:
        if names and row.name not in names:
            continue
        game, state = row.load()
        assert isinstance(game.engine, CompiledEngine)
        kernel = KernelPerft(game.engine)
        count = kernel.count_turns if row.turns else kernel.count
        for depth, wanted in enumerate(row.counts, start=1):
            start = perf_counter()
            found = count(state, depth)
            seconds = perf_counter() - start
            verdict = "right" if found == wanted else f"wrong, {wanted} is right"
            wrong += found != wanted
            print(f"{row.title} {depth}: {found} {verdict} ({seconds:.2f} s)", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
