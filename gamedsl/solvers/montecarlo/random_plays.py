"""Counts the results of random plays, by native code of the game or by the game contract alone.

In: a game, a state, the number of plays and the seed. Out: `PlayoutCounts`. Machine code and
generated Python give equal counts; the choice between the two affects only the time. A game without
native code, or with rewards, is played by the contract, with different random numbers; payoffs are
then those of the play, rewards included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from time import perf_counter

from gamedsl.game.accelerator import (
    Accelerator,
    NativeMode,
    Payoffs,
    PlayoutCounts,
    PlayoutOptions,
    Refusal,
    accelerator_of,
    native_mode,
)
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.paid import Paid
from gamedsl.game.steps import actions_at, drawn_outcome
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.interruptible import BrokenOff
from gamedsl.solvers.perft import found_again
from gamedsl.solvers.requirements import Requirement, refuse_unless

TRIAL = 16
"""Greatest number of playouts in Python that predict the time of all playouts."""
WORTH_COMPILING = 0.5
"""Seconds of playouts in Python from which compiling machine code is worthwhile."""
SURELY = 4
"""Factor of `WORTH_COMPILING` beyond which fewer playouts predict enough."""


def playouts(
    game: Game,
    state: State | None = None,
    count: int = 1000,
    *,
    seed: int = 0,
    threads: int = 1,
    longest: int = 10_000,
) -> PlayoutCounts:
    """Uniform random plays from `state` (default: S0), broken off after `longest` plies.

    Raises:
        UnsupportedGameError: payoffs are discounted.
        GameRuleError: the rules fail on the way.
    """
    refuse_unless(game, frozenset({Requirement.UNDISCOUNTED}))
    root = game.initial_state() if state is None else state
    accelerator = accelerator_of(game)
    if isinstance(accelerator, Refusal) or game.facts.has_rewards:
        return playouts_by_contract(game, root, count, seed=seed, longest=longest)
    options = PlayoutOptions(seed, longest, threads)
    try:
        is_machine = _is_worth_machine_code(game, accelerator, root, count, options)
        return accelerator.playouts(root, count, options, is_machine=is_machine)
    except GameRuleError as error:
        raise found_again(game, root, error) from None
    except UnsupportedGameError:  # rules too long for kernels, though not for the engine
        if native_mode(game) is NativeMode.ALWAYS:
            raise
        return playouts_by_contract(game, root, count, seed=seed, longest=longest)


def playouts_by_contract(
    game: Game, root: State, count: int, *, seed: int, longest: int
) -> PlayoutCounts:
    """Random plays by the game contract alone.

    The random numbers of each play depend on the seed and the number of the play.

    Raises:
        BrokenOff: the plays were interrupted; with the tally so far.
        GameRuleError: the rules fail on the way.
    """
    ends: Counter[Payoffs] = Counter()
    lengths: list[int] = []
    try:
        for number in range(count):
            payoffs, plies = _played(game, root, Random(f"{seed} {number}"), longest)
            lengths.append(plies)
            if payoffs is not None:
                ends[payoffs] += 1
    except KeyboardInterrupt as stop:
        raise BrokenOff(_tally(ends, lengths)) from stop
    return _tally(ends, lengths)


def _played(game: Game, state: State, rng: Random, longest: int) -> tuple[Payoffs | None, int]:
    """The payoffs and plies of a random play; the payoffs are None for a stopped play."""
    plies, paid = 0, Paid(game)
    while not game.is_terminal(state):
        action: Action | JointAction
        if game.current_player(state) == CHANCE:
            action = drawn_outcome(game, state, rng)
        elif plies == longest:
            return None, plies
        else:
            actions: Sequence[Action | JointAction] = actions_at(game, state)
            action = rng.choice(actions)
            plies += 1
        before, state = state, game.result(state, action)
        if game.facts.has_rewards:
            paid.add(before, action, state)
    return paid.total(tuple(game.utilities(state))), plies


def _tally(ends: Counter[Payoffs], lengths: list[int]) -> PlayoutCounts:
    count = len(lengths)
    endings = tuple(sorted(ends.items(), key=lambda end: (-end[1], end[0])))
    return PlayoutCounts(
        count, endings, count - ends.total(), sum(lengths),
        min(lengths, default=0), max(lengths, default=0),
    )  # fmt: skip


def _is_worth_machine_code(
    game: Game, accelerator: Accelerator, state: State, count: int, options: PlayoutOptions
) -> bool:
    """Whether machine code is asked for, or Python would take long."""
    mode = native_mode(game)
    if mode is not NativeMode.WHEN_LARGE or accelerator.refusal() is not None:
        return mode is NativeMode.ALWAYS
    trial = partial(accelerator.playouts, state, options=options, is_machine=False)
    trial(0)  # the generated Python is read before a clock runs
    size, predicted = 1, 0.0
    while size <= min(count, TRIAL) and predicted <= SURELY * WORTH_COMPILING:
        start = perf_counter()
        trial(size)
        predicted = (perf_counter() - start) * count / size
        size *= 2
    return predicted > WORTH_COMPILING
