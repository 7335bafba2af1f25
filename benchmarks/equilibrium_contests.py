"""Contests in regret minimisation: rounds of CFR+ a second, on poker with hidden cards.

A round updates both players once. What is right is the exploitability, the mean of what the two
could gain by best replies: after the first run it must be as small as is known of CFR+. The tree
is there beforehand, and each run goes on where the last one ended.
"""

from __future__ import annotations

from benchmarks.contender import Contender, Contest, Ready
from benchmarks.opponents import openspiel
from benchmarks.ours import Learner, regret_learner
from benchmarks.perft_contests import NATIVE, OPEN_SPIEL, PYTHON

GAME = "leduc_poker"
MANY, FEW = (2_000, 1e-4), (100, 2e-2)
"""Rounds of CFR+ on Leduc poker, and the exploitability that they come below."""


def equilibrium_contests() -> tuple[Contest, ...]:
    """One contest."""
    contenders = (
        Contender(NATIVE, lambda: _ready(regret_learner(GAME, "native"), *MANY)),
        Contender(OPEN_SPIEL, lambda: _ready(openspiel.cfr_plus(GAME), *FEW)),
        Contender(PYTHON, lambda: _ready(regret_learner(GAME, "python"), *FEW)),
    )
    return (Contest(f"cfr_plus_{GAME}", "rounds", (OPEN_SPIEL,), contenders),)


def _ready(learner: Learner, rounds: int, bound: float) -> Ready:
    def run() -> float:
        learner.go_on(rounds)
        return rounds

    return Ready(f"{rounds} rounds", run, lambda _: learner.exploitability() < bound, float)
