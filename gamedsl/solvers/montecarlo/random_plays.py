"""How random plays of a game end, by the code that the game has for it.

In: a game, a state, how many plays and which. Out: a `Tally`. Machine code and Python give the
same tally, so which of the two plays is a matter of time alone.
"""

from __future__ import annotations

from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.game.native import NativeCode, Tally, Use, native_of
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.perft import found_again
from gamedsl.solvers.requirements import Requirement, refuse_unless

TRIAL = 20
"""Playouts in Python by which it is told how long all of them will take."""
WORTH_COMPILING = 0.5
"""Seconds of playouts in Python for which machine code is made."""


def playouts(
    game: Game,
    state: State | None = None,
    count: int = 1000,
    *,
    seed: int = 0,
    threads: int = 1,
    longest: int = 10_000,
) -> Tally:
    """Uniform random plays from `state` (default: S0), broken off after `longest` plies.

    Raises:
        UnsupportedGameError: the game has no code to play with, and why; or more is paid than
            endings tell.
        GameRuleError: the rules fail on the way.
    """
    refuse_unless(game, frozenset({Requirement.PAID_AT_THE_END}))
    root = game.initial_state() if state is None else state
    native = native_of(game)
    reason = "the game has no code of its own" if native is None else native.refusal()
    if native is None or reason is not None:
        raise UnsupportedGameError(f"no playouts: {reason}")
    try:
        is_machine = _is_worth_machine_code(native, root, count, seed, longest)
        return native.playouts(
            root, count, seed=seed, threads=threads, longest=longest, is_machine=is_machine
        )
    except GameRuleError as error:
        raise found_again(game, root, error) from None


def _is_worth_machine_code(
    native: NativeCode, state: State, count: int, seed: int, longest: int
) -> bool:
    """Whether machine code is asked for, or Python would take long."""
    if native.use is not Use.WHEN_LARGE or native.machine_code_refusal() is not None:
        return native.use is Use.ALWAYS
    start = perf_counter()
    native.playouts(
        state, min(count, TRIAL), seed=seed, threads=1, longest=longest, is_machine=False
    )
    return (perf_counter() - start) * count / TRIAL > WORTH_COMPILING
