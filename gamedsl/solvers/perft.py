"""Perft: how many plays of a given length there are, by the fastest way that the game has.

In: a game, a state, a depth. Out: counts; what is counted is said in `merged_perft`, which merges
equal positions and works on every game. A game with native code may count by that instead: all the
time, or as soon as the levels so far let many moves be expected, and positions hardly merge.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gamedsl.game.contract import Game
from gamedsl.game.native import NativeCode, Use, native_of
from gamedsl.game.steps import actions_at
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Progress
from gamedsl.solvers.interruptible import keeping
from gamedsl.solvers.merged_perft import merged_divide, merged_perft

WORTH_COMPILING = 100_000
"""Moves to be carried out, as far as can be expected, from which on native code is made."""
MOST_MERGED = 1000
"""Plays for each position from which on merging equal positions beats machine code."""

DEEPEST = 1_000_000
"""Plies beyond which nothing is counted: there is a number for each of them."""
FEW = 1e-3
"""Positions below which a level is taken for none."""

LONGEST_SEARCH, MOST_SEARCHED = 1000, 50_000
"""Plies and positions among which an error that kernels have met is looked for again."""


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

    Depth counts plies, or, with `turns`, changes of the player to move. `max_positions` are looked
    at for what follows in them; machine code, which looks at a position as often as plays lead to
    it, counts no depth behind more plays than that.

    Raises:
        UnsupportedGameError: `turns`, but one turn can go on for ever; native code alone is asked
            for, and there is none; the depth is beyond `DEEPEST`.
        OutOfBudgetError: that takes more than `max_positions`.
        GameRuleError: the rules fail on the way.
        ValueError: the depth is negative.
        BrokenOff: it was interrupted; with the counts of the depths before.
    """
    _refuse_deeper(depth)
    root = game.initial_state() if state is None else state
    native = native_of(game)
    if native is not None and native.use is Use.ALWAYS and depth >= 0:
        return _counted(game, native, root, (), depth, turns, max_positions)
    merged = partial(
        merged_perft,
        game,
        root,
        depth,
        turns=turns,
        progress=progress,
        max_positions=max_positions,
    )
    if native is None or not _may_count(native, turns):
        return merged()
    levels: list[tuple[int, int]] = []

    def is_enough(positions: int, plays: int) -> bool:
        levels.append((positions, plays))
        return plays < MOST_MERGED * positions and is_much(levels, depth)

    counts = merged(is_enough=is_enough)
    try:
        return _counted(game, native, root, counts, depth, turns, max_positions)
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
    """For every action in `state` its name and the number of plays at `depth` that begin so.

    Where the game begins with a chance event the outcomes are listed instead, each with the
    plays at `depth` after it. The counts add up to `perft(...)[depth]`.

    Raises: as `perft`; ValueError too if the depth is 0.
    """
    _refuse_deeper(depth)
    root = game.initial_state() if state is None else state
    native = native_of(game)
    is_plain = root.pending is None and not turns and depth >= 1
    if native is None or native.use is not Use.ALWAYS or not is_plain:
        return merged_divide(game, root, depth, turns=turns, progress=progress)
    rows: list[tuple[str, int]] = []
    with keeping(rows):
        for action in actions_at(game, root):
            plays = native.perft(game.result(root, action), depth - 1)
            rows.append((game.action_name(root, action), plays))
    return tuple(rows)


def _refuse_deeper(depth: int) -> None:
    if depth > DEEPEST:
        raise UnsupportedGameError(f"plays of more than {DEEPEST:,} plies are not counted")


def is_much(levels: Sequence[tuple[int, int]], depth: int) -> bool:
    """Whether counting down to a depth takes many moves, if positions (the first of each pair) and
    plays go on growing as they have from the last level but one to the last."""
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
    """About how many plays there are a level deeper, if they go on to grow as they have."""
    return counts[-1] ** 2 / counts[-2] if len(counts) > 1 else 1


def _may_count(native: NativeCode, turns: bool) -> bool:
    is_open = native.use is Use.WHEN_LARGE and (native.counts_turns or not turns)
    return is_open and native.machine_code_refusal() is None


def _counted(
    game: Game,
    native: NativeCode,
    state: State,
    known: tuple[int, ...],
    depth: int,
    turns: bool,
    max_positions: int | None,
) -> tuple[int, ...]:
    """The counts from depth 0 on, those behind the `known` ones by machine code."""
    counts = list(known)
    try:
        with keeping(counts):
            for deep in range(len(known), depth + 1):
                is_over = bool(counts) and not counts[-1]  # no play is so long, so none is longer
                if is_over:
                    counts.append(0)
                elif counts and max_positions is not None and counts[-1] > max_positions:
                    raise OutOfBudgetError(max_positions, 0, 0)
                else:
                    expected = _next(counts)
                    counts.append(native.perft(state, deep, turns=turns, expected=expected))
        return tuple(counts)
    except GameRuleError as error:
        raise found_again(game, state, error) from None


def found_again(game: Game, state: State, error: GameRuleError) -> GameRuleError:
    """An error that kernels have met, with the position and the action at which Python meets it, if
    it does so among the nearest positions."""
    try:
        merged_perft(
            game, state, LONGEST_SEARCH, is_enough=lambda positions, _: positions > MOST_SEARCHED
        )
    except GameRuleError as found:
        if (found.code, found.span) == (error.code, error.span):
            return found
    return error
