"""What each pass and strategy of the compiler is worth: perft without it, beside perft with all.

In: shipped games. Out: a contest for each, its contenders one for each part left out; a part
without which the same code is made has nothing to be timed. Native perft, the last ply in bulk.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import ours
from benchmarks.answers import PERFT
from benchmarks.contender import CannotRunError, Contender, Contest, Ready

DEPTHS = {"connect_four": 8, "othello": 7, "checkers": 8, "breakthrough": 6, "teeko": 6}
EVERYTHING = "everything"


def ablation_contests() -> tuple[Contest, ...]:
    """One contest a game."""
    return tuple(_contest(game, depth) for game, depth in DEPTHS.items())


def _contest(game: str, depth: int) -> Contest:
    contenders = [Contender(EVERYTHING, _maker(game, depth, None))]
    contenders += [Contender(f"without {part}", _maker(game, depth, part)) for part in ours.PARTS]
    return Contest(f"ablation_{game}", "leaves", (EVERYTHING,), tuple(contenders))


def _maker(game: str, depth: int, left_out: str | None) -> Callable[[], Ready]:
    def prepare() -> Ready:
        own = ours.Ours(game, "native", without=left_out)
        if left_out is not None and own.source == ours.Ours(game, "native").source:
            raise CannotRunError("the same code")
        right = PERFT[game][depth]

        def count() -> int:
            return own.perft(depth, is_bulk=True)

        return Ready(f"depth {depth}", count, lambda found: found == right, float)

    return prepare
