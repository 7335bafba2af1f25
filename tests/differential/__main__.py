"""Mass runs by hand: `python -m tests.differential FIRST COUNT` plays generated games in lockstep,
those of so many seeds, or with `--seconds N` as many as there is time for.

Prints every difference, what was not compiled and how often, how many of the games hold what is
rare, and a summary.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.model import GameSourceError
from gamedsl.source.text import source_from_text
from gamedsl.syntax.parse import parse
from tests.differential.lockstep import Lockstep
from tests.generation.constructs import RARE, constructs
from tests.generation.games import text_to_compare
from tests.generation.seeds import seeds_asked_for


def main(first: int, count: int, seconds: float) -> int:
    """Play the games of so many seeds, for so many seconds at most; 1 if some differ."""
    end, tried = time.monotonic() + seconds, 0
    refused: Counter[str] = Counter()
    held: Counter[str] = Counter()
    differing = compared = trees = 0
    for seed in range(first, first + count):
        if time.monotonic() > end:
            break
        tried += 1
        text = text_to_compare(seed)
        held.update(constructs(parse(source_from_text(text))[0]))
        try:
            game = gamedsl.load(text, "interpreter")
        except GameSourceError as error:
            print(f"{seed}: not a valid game: {error}")
            continue
        if game.model.tree is not None:
            trees += 1
            continue
        try:
            compiled = CompiledEngine(game.model)
        except CannotCompileError as error:
            refused[error.construct] += 1
            continue
        except BaseException:
            print(f"the compiler fails on the game of seed {seed}")
            raise
        compared += 1
        together = Lockstep(game.engine, compiled, random.Random(seed))
        found = next((text for text in (together.play(30) for _ in range(4)) if text), None)
        if found is not None:
            differing += 1
            print(f"{seed}: {found}")
    seeds = f"seeds {first} to {first + tried - 1}"
    print(f"{compared} compared, {seeds}, {differing} differ, {trees} trees")
    print(", ".join(f"{name} {held[name] / max(1, tried):.0%}" for name in RARE))
    for construct, times in refused.most_common():
        print(f"{times:6} not compiled: {construct}")
    return 1 if differing else 0


if __name__ == "__main__":
    chosen = seeds_asked_for(__doc__)
    sys.exit(main(chosen.first, chosen.count, chosen.seconds))
