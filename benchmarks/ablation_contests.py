"""What each part is worth: the same work without it, beside that with all.

In: shipped games. Out: a contest for each, its contenders one for each part left out. Of the
compiler, its passes and strategies: native perft, the last ply in bulk; a part without which the
same code is made has nothing to be timed. Of alpha-beta, what it orders and cuts by: the value of
the first position, from an empty table.
"""

from __future__ import annotations

from collections.abc import Callable

import gamedsl
from benchmarks import ours
from benchmarks.answers import PERFT
from benchmarks.contender import CannotRunError, Contender, Contest, Ready
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.library import shipped_game
from gamedsl.solvers.kernels.search import alpha_beta_kernel
from gamedsl.solvers.kernels.search.alpha_beta import ALL_ORDERINGS, KernelAlphaBeta

DEPTHS = {"connect_four": 8, "othello": 7, "checkers": 8, "breakthrough": 6, "teeko": 6}
SEARCHED = {
    "connect_small": {"width": 5, "height": 6},
    "mnk": {"width": 5, "height": 4, "run": 4},
}
"""Games and parameters; both are drawn."""
USES = {
    name.removeprefix("USES_").lower(): bit
    for name, bit in vars(alpha_beta_kernel).items()
    if name.startswith("USES_")
}
EVERYTHING = "everything"


def ablation_contests() -> tuple[Contest, ...]:
    """One contest a game."""
    perfts = (_contest(game, depth) for game, depth in DEPTHS.items())
    return (*perfts, *map(_searches, SEARCHED))


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


def _searches(game: str) -> Contest:
    contenders = [Contender(EVERYTHING, _searcher(game, ALL_ORDERINGS))]
    for name, bit in USES.items():
        contenders.append(Contender(f"without {name}", _searcher(game, ALL_ORDERINGS & ~bit)))
    return Contest(f"ablation_alpha_beta_{game}", "values", (EVERYTHING,), tuple(contenders))


def _searcher(game: str, uses: int) -> Callable[[], Ready]:
    def prepare() -> Ready:
        path = shipped_game(game)
        assert path is not None
        loaded = gamedsl.load(path, **SEARCHED[game])
        assert isinstance(loaded.engine, CompiledEngine)
        engine, root = loaded.engine, loaded.initial_state()
        KernelAlphaBeta(engine, uses=uses).value(root)  # machine code is made for it
        said = ", ".join(f"{name} {value}" for name, value in SEARCHED[game].items())

        def search() -> bool:
            return KernelAlphaBeta(engine, uses=uses).value(root) == (0, 0)

        return Ready(said, search, bool, lambda _: 1.0)

    return prepare
