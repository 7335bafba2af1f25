"""Contests in hidden information: rounds of CFR+ a second, on poker with hidden cards, and the time
in which the extensive form of liar's dice is built.

A round updates both players once, one after the other. What is right is the exploitability, the
mean of what the two could gain by best replies. First the curve: after 10, 30 and 100 rounds it has
to be that of OpenSpiel, counted as there, where a plan goes into the mean before it is changed in a
round (ours goes in afterwards, which is nearer by a few hundredths). Then, after the first run, it
must be as small as is known of CFR+. The tree is there beforehand, and each run goes on where the
last one ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose

from benchmarks.answers import CFR_PLUS_CURVE
from benchmarks.contender import Contender, Contest, Ready
from benchmarks.opponents import openspiel
from benchmarks.ours import Learner, curve_counted_before, form_builder, regret_learner
from benchmarks.perft_contests import NATIVE, OPEN_SPIEL, PYTHON

GAME = "leduc_poker"
MANY, FEW = (2_000, 1e-4), (100, 2e-2)
"""Rounds of CFR+ on Leduc poker, and the exploitability that they come below."""
FORM, SIDES = "liars_dice", 5
FORM_SIZE = (2 * 5 * 2**9, 51_181)
"""Information sets and histories of liar's dice with five sides."""
NEAR = 0.02
"""Part by which curves may differ: ours is of whole numbers."""
Curve = Callable[[Sequence[int]], list[float]]


def equilibrium_contests() -> tuple[Contest, ...]:
    """One contest."""

    def ours(marks: Sequence[int]) -> list[float]:
        return curve_counted_before(GAME, marks)

    def theirs(marks: Sequence[int]) -> list[float]:
        return openspiel.cfr_plus(GAME).curve(marks)

    contenders = (
        Contender(NATIVE, lambda: _ready(regret_learner(GAME, "native"), ours, *MANY)),
        Contender(OPEN_SPIEL, lambda: _ready(openspiel.cfr_plus(GAME), theirs, *FEW)),
        Contender(PYTHON, lambda: _ready(regret_learner(GAME, "python"), ours, *FEW)),
    )
    learning = Contest(f"cfr_plus_{GAME}", "rounds", (OPEN_SPIEL,), contenders)
    builders = (
        Contender(NATIVE, lambda: _building(form_builder(FORM, SIDES, by_kernel=True))),
        Contender(OPEN_SPIEL, lambda: _building(openspiel.tree_builder(FORM, SIDES))),
        Contender(PYTHON, lambda: _building(form_builder(FORM, SIDES, by_kernel=False))),
    )
    return (learning, Contest(f"form_{FORM}", "histories", (OPEN_SPIEL,), builders))


def _building(build: Callable[[], int]) -> Ready:
    """`build` returns the number of information sets, or 0 if the number is not told."""
    sets, histories = FORM_SIZE
    return Ready(
        "a form", lambda: float(build()), lambda found: found in (0, sets), lambda _: histories
    )


def _ready(learner: Learner, curve: Curve, rounds: int, bound: float) -> Ready:
    def run() -> float:
        learner.go_on(rounds)
        return rounds

    def is_right(_: float) -> bool:
        found = curve(tuple(CFR_PLUS_CURVE))
        known = CFR_PLUS_CURVE.values()
        is_same = all(isclose(a, b, rel_tol=NEAR) for a, b in zip(found, known, strict=True))
        return is_same and learner.exploitability() < bound

    return Ready(f"{rounds} rounds", run, is_right, float)
