"""Perft: counts the plays of a given length by the fastest method available for the game.

In: a game, a state, a depth. Out: counts; `merged_perft` defines the counts, merges equal positions
and works on every game. A game with native code may count in native code instead: always, or once
the levels so far predict many moves and few merges of positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gamedsl.game.accelerator import (
    Accelerator,
    Capability,
    NativeMode,
    Refusal,
    accelerator_of,
    machine_code_of,
    native_mode,
)
from gamedsl.game.contract import Game
from gamedsl.game.steps import actions_at
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress
from gamedsl.solvers.interruptible import keeping
from gamedsl.solvers.merged_perft import merged_divide, merged_perft

WORTH_COMPILING = 100_000
"""Expected number of moves from which compiling native code is worthwhile."""
MOST_MERGED = 1000
"""Plays per position from which merging equal positions is faster than machine code."""

DEEPEST = 1_000_000
"""Greatest depth, in plies; the result has one number per depth."""
FEW = 1e-3
"""Expected number of positions below which a level counts as empty."""

LONGEST_SEARCH, MOST_SEARCHED = 1000, 50_000
"""Plies and positions searched to reproduce an error met by kernels."""


def perft(
    game: Game,
    state: State | None = None,
    depth: int = 1,
    *,
    turns: bool = False,
    progress: Progress | None = None,
    max_positions: int | None = None,
) -> tuple[int, ...]:
    """The number of plays at each depth from 0 to `depth`, from `state` (default: S0).

    Depth counts plies, or, with `turns`, changes of the player to move. At most `max_positions` are
    expanded; machine code expands a position once per play, and counts no depth after more than
    `max_positions` plays.

    Raises:
        UnsupportedGameError: `turns`, but one turn can go on for ever; only native code is allowed,
            but not available; the depth exceeds `DEEPEST`.
        OutOfBudgetError: counting needs more than `max_positions`.
        GameRuleError: the rules fail on the way.
        ValueError: the depth is negative.
        BrokenOff: counting was interrupted; with the counts of the smaller depths.
    """
    _refuse_deeper(depth)
    root = game.initial_state() if state is None else state
    if native_mode(game) is NativeMode.ALWAYS and depth >= 0:
        return _counted(game, _requested(game), root, (), depth, turns, max_positions)
    merged = partial(
        merged_perft,
        game,
        root,
        depth,
        turns=turns,
        progress=progress,
        max_positions=max_positions,
    )
    levels: list[tuple[int, int]] = []

    def is_enough(positions: int, plays: int) -> bool:
        levels.append((positions, plays))
        return plays < MOST_MERGED * positions and is_much(levels, depth)

    counts = merged(is_enough=is_enough)
    if len(counts) > depth:
        return counts
    accelerator = machine_code_of(game, Capability.TURN_COUNTS if turns else Capability.ANY)
    if isinstance(accelerator, Refusal):
        return merged()
    try:
        return _counted(game, accelerator, root, counts, depth, turns, max_positions)
    except UnsupportedGameError:
        return merged()


def divide(
    game: Game,
    state: State | None = None,
    depth: int = 1,
    *,
    turns: bool = False,
    progress: Progress | None = None,
) -> tuple[tuple[str, int], ...]:
    """For every action in `state` the name and the number of plays at `depth` beginning with the
    action.

    Where the game begins with a chance event the outcomes are listed instead, each with the plays
    at `depth` after the outcome. The counts add up to `perft(...)[depth]`.

    Raises: as `perft`; ValueError also if the depth is 0.
    """
    _refuse_deeper(depth)
    root = game.initial_state() if state is None else state
    is_plain = root.pending is None and not turns and depth >= 1
    if native_mode(game) is not NativeMode.ALWAYS or not is_plain:
        return merged_divide(game, root, depth, turns=turns, progress=progress)
    accelerator = _requested(game)
    rows: list[tuple[str, int]] = []
    with keeping(rows):
        for action in actions_at(game, root):
            plays = accelerator.perft(game.result(root, action), depth - 1)
            rows.append((game.action_name(root, action), plays))
    return tuple(rows)


def _refuse_deeper(depth: int) -> None:
    if depth > DEEPEST:
        raise UnsupportedGameError(f"plays of more than {DEEPEST:,} plies are not counted")


def is_much(levels: Sequence[tuple[int, int]], depth: int) -> bool:
    """Whether counting to a depth takes many moves, if numbers grow as between the last two levels.

    Each level is a pair of the number of positions and the number of plays.
    """
    if len(levels) < 2:
        return False
    (before, plays_before), (positions, plays) = levels[-2:]
    moves, level = 0.0, float(positions)
    for _ in range(len(levels) - 1, depth):
        moves += level * plays / plays_before
        level *= positions / before
        if moves > WORTH_COMPILING or level < FEW:
            break
    return moves > WORTH_COMPILING


def _next(counts: Sequence[int]) -> float:
    """Estimated number of plays one level deeper, extrapolated from the growth so far."""
    return counts[-1] ** 2 / counts[-2] if len(counts) > 1 else 1


def _requested(game: Game) -> Accelerator:
    """The accelerator of a game whose mode always requests native code."""
    accelerator = accelerator_of(game)
    if isinstance(accelerator, Refusal):
        raise UnsupportedGameError(f"no native code: {accelerator}", "leave out --engine native")
    return accelerator


def _counted(
    game: Game,
    accelerator: Accelerator,
    state: State,
    known: tuple[int, ...],
    depth: int,
    turns: bool,
    max_positions: int | None,
) -> tuple[int, ...]:
    """The counts from depth 0 on; the counts after the `known` counts come from machine code."""
    counts = list(known)
    try:
        with keeping(counts):
            for deep in range(len(known), depth + 1):
                is_over = bool(counts) and not counts[-1]  # no plays here, none longer
                if is_over:
                    counts.append(0)
                elif counts and max_positions is not None and counts[-1] > max_positions:
                    raise OutOfBudgetError(max_positions, 0, 0)
                else:
                    expected = _next(counts)
                    counts.append(accelerator.perft(state, deep, turns=turns, expected=expected))
        return tuple(counts)
    except GameRuleError as error:
        raise found_again(game, state, error) from None


def found_again(game: Game, state: State, error: GameRuleError) -> GameRuleError:
    """An error met by kernels, with the position and the action if Python reproduces the error
    among the nearest positions."""
    try:
        merged_perft(
            game, state, LONGEST_SEARCH, is_enough=lambda positions, _: positions > MOST_SEARCHED
        )
    except GameRuleError as reproduced:
        if (reproduced.code, reproduced.span) == (error.code, error.span):
            return reproduced
    return error
