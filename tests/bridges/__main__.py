"""All shipped games before the checkers of other tools: `python -m tests.bridges [NAME ...]`.

Prints a line for each game; the exit status is 1 if a checker complains.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import gamedsl
from gamedsl.game.library import further_games, shipped_games
from tests.bridges.checkers import gymnasium_says, openspiel_says, pettingzoo_says


def main(names: list[str]) -> int:
    """Check the games of these names, or all."""
    status = 0
    for name in names or [path.stem for path in (*shipped_games(), *further_games())]:
        said = openspiel_says(name) if find_spec("pyspiel") else []
        said += pettingzoo_says(name) if find_spec("pettingzoo") else []
        if find_spec("gymnasium") and len(gamedsl.load(name).players) == 1:
            said += gymnasium_says(name)
        print(name, *(said or ["no complaint"]), sep="\n  " if said else ": ", flush=True)
        status |= bool(said)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
