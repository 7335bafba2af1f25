"""A process that loads a game and counts its plays: `python -m benchmarks.first_result`.

Arguments: game, depth, engine, and the folder for native code. Prints the count.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.ours import Ours


def main(arguments: list[str]) -> None:
    """Load, count, print."""
    game, depth, engine, folder = arguments
    print(Ours(game, engine, Path(folder)).perft(int(depth), is_bulk=True))


if __name__ == "__main__":
    main(sys.argv[1:])
