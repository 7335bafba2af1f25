"""Whether random plays of two subjects are alike: z-scores of mean length and of each outcome.

A z-score is a difference in units of its standard error if the two draw from one distribution;
beyond 4 in either direction happens by chance once in 16,000 comparisons. Where one subject tells
only its mean length, the other's variance stands for both, as it may if they are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt

from benchmarks import samples
from benchmarks.contender import CannotRunError, NotInstalledError
from benchmarks.samples import Sample, Sampler

LARGEST = 4.0
Made = Callable[[], Sampler]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One comparison; `reason` says why there is none."""

    game: str
    subject: str
    reference: str
    playouts: tuple[int, int] = (0, 0)
    means: tuple[float, float] = (0.0, 0.0)
    z_length: float = 0.0
    z_outcomes: tuple[float, ...] = ()
    reason: str | None = None

    @property
    def is_alike(self) -> bool:
        """Whether no score is too large; True where nothing could be compared."""
        return all(abs(z) <= LARGEST for z in (self.z_length, *self.z_outcomes))

    def data(self) -> dict[str, object]:
        """For JSON."""
        alike = self.is_alike if self.reason is None else None
        return {"benchmark": f"agreement_{self.game}", **asdict(self), "alike": alike}


REFERENCES: dict[str, tuple[str, Made, int]] = {
    "connect_four": (
        "OpenSpiel",
        lambda: samples.openspiel_sampler_in_our_plies("connect_four"),
        60_000,
    ),
    "breakthrough": (
        "OpenSpiel",
        lambda: samples.openspiel_sampler_in_our_plies("breakthrough"),
        20_000,
    ),
    "othello": (
        "OpenSpiel",
        lambda: samples.openspiel_sampler_in_our_plies("othello"),
        20_000,
    ),
    "chess": ("python-chess", samples.python_chess_sampler, 600),
}
OURS = {"connect_four": 400_000, "breakthrough": 200_000, "othello": 200_000, "chess": 5_000}
SEED = 20_260_101


def agreements(game: str) -> list[Agreement]:
    """Ours and the hand-written code against the game's reference."""
    reference, make_reference, count = REFERENCES[game]
    subjects: dict[str, Made] = {
        "gamedsl native": lambda: samples.ours_sampler(game, "native"),
    }
    if game != "chess":
        subjects["hand-written numba"] = lambda: samples.handwritten_sampler(game)
    try:
        expected = make_reference()(count, SEED)
    except NotInstalledError as reason:
        return [Agreement(game, name, reference, reason=str(reason)) for name in subjects]
    return [_compared(game, name, make, reference, expected) for name, make in subjects.items()]


def _compared(game: str, subject: str, make: Made, reference: str, expected: Sample) -> Agreement:
    try:
        found = make()(OURS[game], SEED)
    except (NotInstalledError, CannotRunError) as reason:
        return Agreement(game, subject, reference, reason=str(reason))
    return Agreement(
        game,
        subject,
        reference,
        (found.count, expected.count),
        (found.mean, expected.mean),
        z_of_means(found, expected),
        tuple(
            z_of_shares(n, found.count, m, expected.count)
            for n, m in zip(found.outcomes, expected.outcomes, strict=True)
        ),
    )


def z_of_means(a: Sample, b: Sample) -> float:
    """The difference of mean lengths, a's minus b's, in standard errors."""
    known = [variance for variance in (a.variance, b.variance) if variance is not None]
    of_a = known[0] if a.variance is None else a.variance
    of_b = known[0] if b.variance is None else b.variance
    return (a.mean - b.mean) / sqrt(of_a / a.count + of_b / b.count)


def z_of_shares(a: int, of_a: int, b: int, of_b: int) -> float:
    """The difference of two shares, a's minus b's, in standard errors."""
    pooled = (a + b) / (of_a + of_b)
    error = sqrt(pooled * (1 - pooled) * (1 / of_a + 1 / of_b))
    return (a / of_a - b / of_b) / error if error else 0.0
