"""Generated games in native code, counted against the definition.

`python -m tests.native.generated FIRST COUNT` compares so many that native code plays, from a seed
on, or with `--seconds N` as many as there is time for; it prints what differs and what was refused.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError, GameSourceError, UnsupportedGameError
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.perft import perft
from tests.generation.games import text_to_compare
from tests.generation.seeds import seeds_asked_for

DEPTH = 3
MANY = 100_000
"""Plays, from which on no deeper ones are counted: three who choose at once have as many in a ply,
and their square in two."""

Pair = tuple[LoadedGame, CompiledEngine, KernelPerft]


def kernel_of(seed: int, folder: Path | None = None, *, native: bool = True) -> Pair | str:
    """The game of a seed by the definition, compiled, and by kernels (`native`, or as Python); a
    reason if that is not so."""
    try:
        game = gamedsl.load(text_to_compare(seed), "interpreter")
    except GameSourceError:
        return "not a valid game"
    if game.model.tree is not None:
        return "a tree"
    try:
        compiled = CompiledEngine(game.model)
        return game, compiled, KernelPerft(compiled, native=native, folder=folder)
    except CannotCompileError as error:
        return error.construct
    except UnsupportedGameError as error:
        return error.reason


def difference(seed: int, folder: Path | None = None, *, native: bool = True) -> str | None:
    """What kernels count otherwise in the game of a seed; a reason if they cannot count."""
    found = kernel_of(seed, folder, native=native)
    if isinstance(found, str):
        return found
    game, compiled, kernel = found
    for depth in range(1, DEPTH + 1):
        wanted, is_in_end = count_or_error(game, depth)
        for each in (False, True):
            counted = by_kernel(compiled, kernel, depth, each=each)
            is_unasked = is_in_end and isinstance(counted, int)
            is_later = each and isinstance(counted, str) and not isinstance(wanted, str)
            if is_later and counted == by_definition(game, depth + 1):
                continue  # `each` carries out the last ply, which the definition only counts
            if counted != wanted and not is_unasked:
                return f"perft {depth} is {wanted}, kernels say {counted} ({each=})"
        if isinstance(wanted, str) or wanted > MANY:
            break
    return None


def by_definition(game: LoadedGame, depth: int) -> int | str:
    """The count, or the code of the error that the rules meet."""
    return count_or_error(game, depth)[0]


def count_or_error(game: LoadedGame, depth: int) -> tuple[int | str, bool]:
    """The count, or the code of the error that the rules meet; and whether they meet it in `end:`,
    where kernels that count plays ask whether play is over and not for whom."""
    try:
        return perft(game, depth=depth)[depth], False
    except GameRuleError as error:
        text = game.model.source.text
        start = text.find("\nend:\n")
        is_in_end = error.span is not None and 0 <= start < error.span.start
        return error.code, is_in_end


def by_kernel(
    compiled: CompiledEngine, kernel: KernelPerft, depth: int, *, each: bool
) -> int | str:
    """The same by a kernel."""
    try:
        return kernel.count(compiled.initial_state(), depth, each=each)
    except GameRuleError as error:
        return error.code


def main(first: int, count: int, seconds: float) -> int:
    """Compare so many games, for so many seconds at most; 1 if some differ."""
    end = time.monotonic() + seconds
    compared = differing = 0
    refused: Counter[str] = Counter()
    seed = first
    while compared < count and time.monotonic() < end:
        if isinstance(reason := kernel_of(seed), str):
            refused[reason] += 1
        else:
            compared += 1
            if (found := difference(seed)) is not None:
                differing += 1
                print(f"{seed}: {found}", flush=True)
        seed += 1
    print(f"{compared} compared natively, seeds {first} to {seed - 1}, {differing} differ")
    for construct, times in refused.most_common():
        print(f"{times:6} refused: {construct}")
    return 1 if differing else 0


if __name__ == "__main__":
    chosen = seeds_asked_for(__doc__)
    sys.exit(main(chosen.first, chosen.count, chosen.seconds))
