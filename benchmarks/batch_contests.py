"""Contests of plays side by side: steps a second with observations and masks, for learners.

Actions are random and legal, chosen by each subject in its own way, within the time. A play that
ends begins again. Right is a number of plays that ended, near the number by the mean length of
random plays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter

from benchmarks.contender import Contender, Contest, Ready, need
from benchmarks.opponents import openspiel, pgx
from benchmarks.perft_contests import NATIVE, OPEN_SPIEL

MEAN_LENGTHS = {"connect_four": 21.5, "othello": 60.7, "breakthrough": 60.0}
"""Plies of a random play; breakthrough on 8 by 8 squares."""
NEAR = 0.2
"""Part by which the number of ended plays may differ; the first plays are not cut off."""
SIZES = {"breakthrough": {"width": 8, "height": 8}}
OURS, PGX, ENVIRONMENTS = (1024, 600), (1024, 300), (32, 300)
"""Plays side by side, and steps of a run."""
WARM = 6
"""Seconds until all code is compiled and optimised, outside the time."""
Stepper = Callable[[int], int]


def batch_contests() -> tuple[Contest, ...]:
    """A contest for each game."""
    return tuple(
        Contest(
            f"batch_{game}",
            "steps",
            (OPEN_SPIEL,),
            (
                Contender(NATIVE, partial(_ready, game, *OURS, _stepper)),
                Contender(OPEN_SPIEL, partial(_ready, game, *ENVIRONMENTS, openspiel.stepper)),
                Contender("pgx", partial(_ready, game, *PGX, pgx.stepper)),
            ),
        )
        for game in MEAN_LENGTHS
    )


def _ready(game: str, plays: int, steps: int, make: Callable[[str, int], Stepper]) -> Ready:
    run, expected = make(game, plays), plays * steps / MEAN_LENGTHS[game]
    end = perf_counter() + WARM
    while perf_counter() < end:
        run(10)
    return Ready(
        f"{steps} steps of {plays:,} plays",
        lambda: float(run(steps)),
        lambda ended: abs(ended - expected) < NEAR * expected,
        lambda _: plays * steps,
    )


def _stepper(game: str, plays: int) -> Stepper:
    need("NumPy", "numpy")
    import gamedsl

    batch, seed = gamedsl.batch(game, plays, **SIZES.get(game, {})), 0

    def run(steps: int) -> int:
        nonlocal seed
        ended = 0
        for _ in range(steps):
            seed += 1
            batch.step(batch.random_actions(seed))
            ended += len(batch.finished)
        return ended

    return run
