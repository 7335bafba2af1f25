"""By kernels or by the contract: which way to count and to play, given an engine's name.

In: a game, a state and what is wanted. Out: the same numbers either way. `auto` begins in Python,
where nobody waits for a compiler, and goes over to native code when the work turns out large.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.engines import has_llvm
from gamedsl.game.game import LoadedGame
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.solvers.graph import Progress, actions_at
from gamedsl.solvers.kernels.assembly import native_refuses
from gamedsl.solvers.kernels.attended import attended
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts, Tally
from gamedsl.solvers.perft import divide, perft

PATIENCE = 1.0
"""Seconds of counting in Python before `auto` thinks of native code."""
MOST_MERGED = 1000
"""Plays for each position from which on merging equal positions beats machine code."""
TRIAL = 20
"""Playouts in Python by which `auto` tells how long all of them will take."""
WORTH_COMPILING = 3.0
"""Seconds of playouts in Python for which `auto` goes over to native code."""

LONGEST_SEARCH, MOST_SEARCHED = 1000, 50_000
"""Plies and positions among which an error that kernels have met is looked for again."""


def kernels_refuse(game: LoadedGame) -> str | None:
    """Why kernels cannot work on a game; None if they can."""
    if isinstance(game.engine, CompiledEngine):
        return None
    return game.fallback or "kernels work on compiled rules, and these are not"


def perft_by_engine(
    game: LoadedGame,
    state: State,
    depth: int,
    *,
    turns: bool = False,
    progress: Progress | None = None,
) -> tuple[int, ...]:
    """As `solvers.perft.perft`. Raises UnsupportedGameError, for `native` where kernels refuse."""
    if game.engine_name == "native":
        return _counted(game, state, range(depth + 1), turns)
    if game.engine_name != "auto" or not _can_count(game, turns):
        return perft(game, state, depth, turns=turns, progress=progress)
    start = perf_counter()

    def is_enough(positions: int, plays: int) -> bool:
        return perf_counter() - start > PATIENCE and plays < MOST_MERGED * positions

    counts = perft(game, state, depth, turns=turns, progress=progress, is_enough=is_enough)
    try:
        return (*counts, *_counted(game, state, range(len(counts), depth + 1), turns))
    except UnsupportedGameError:
        return perft(game, state, depth, turns=turns, progress=progress)


def _can_count(game: LoadedGame, turns: bool) -> bool:
    facts = game.facts
    is_plain = not (facts.has_chance or facts.is_simultaneous or game.model.repeats)
    return _can_be_native(game) and (is_plain or not turns)


def _can_be_native(game: LoadedGame) -> bool:
    engine = game.engine
    return has_llvm() and isinstance(engine, CompiledEngine) and native_refuses(engine) is None


def _counted(game: LoadedGame, state: State, depths: range, turns: bool) -> tuple[int, ...]:
    if not depths:
        return ()
    kernel = _native_perft(game)
    count = kernel.count_turns if turns else kernel.count
    try:
        return tuple(attended(partial(count, state, depth)) for depth in depths)
    except GameRuleError as error:
        raise _retold(game, state, error) from None


def _retold(game: LoadedGame, state: State, error: GameRuleError) -> GameRuleError:
    """An error that kernels have met, with the position and the action at which Python meets it, if
    it does so among the nearest positions."""
    try:
        perft(game, state, LONGEST_SEARCH, is_enough=lambda positions, _: positions > MOST_SEARCHED)
    except GameRuleError as found:
        if (found.code, found.span) == (error.code, error.span):
            return found
    return error


def _native_perft(game: LoadedGame) -> KernelPerft:
    reason = kernels_refuse(game)
    if reason is not None or not isinstance(game.engine, CompiledEngine):
        raise UnsupportedGameError(f"no native code: {reason}", "leave out --engine native")
    return KernelPerft(game.engine)


def divide_by_engine(
    game: LoadedGame,
    state: State,
    depth: int,
    *,
    turns: bool = False,
    progress: Progress | None = None,
) -> tuple[tuple[str, int], ...]:
    """As `solvers.perft.divide`. Raises UnsupportedGameError, for `native` where kernels refuse."""
    has_plain_root = state.pending is None and not turns
    if game.engine_name != "native" or not has_plain_root:
        return divide(game, state, depth, turns=turns, progress=progress)
    kernel = _native_perft(game)

    def count(action: Action | JointAction) -> int:
        return attended(partial(kernel.count, game.result(state, action), depth - 1))

    return tuple(
        (game.action_name(state, action), count(action)) for action in actions_at(game, state)
    )


def playouts_by_engine(
    game: LoadedGame, state: State, count: int, *, seed: int, threads: int, longest: int
) -> Tally:
    """Random playouts; every engine gives the same tally.

    Raises UnsupportedGameError where kernels refuse, and for the interpreter.
    """
    reason = kernels_refuse(game)
    engine = game.engine
    if reason is not None or not isinstance(engine, CompiledEngine):
        raise UnsupportedGameError(f"no playouts: {reason}")
    try:
        playing = _player(game, engine, state, count, seed, longest)
        used = threads if playing.is_native else 1
        return playing.run(state, count, seed=seed, threads=used, longest=longest)
    except GameRuleError as error:
        raise _retold(game, state, error) from None


def _player(
    game: LoadedGame, engine: CompiledEngine, state: State, count: int, seed: int, longest: int
) -> KernelPlayouts:
    """Native playouts where they are asked for, or where Python would take long."""
    is_native = game.engine_name == "native"
    plain = KernelPlayouts(engine, native=False)
    if game.engine_name == "auto" and _can_be_native(game):
        start = perf_counter()
        plain.run(state, min(count, TRIAL), seed=seed, longest=longest)
        is_native = (perf_counter() - start) * count / TRIAL > WORTH_COMPILING
    return KernelPlayouts(engine) if is_native else plain
