"""Names of the algorithms of `solve`."""

from __future__ import annotations

from gamedsl.source.choices import Choice

IN_NATIVE_CODE = " in native code"


class SolverName(Choice):
    """The algorithms available to `solve`."""

    BACKWARD_INDUCTION = "backward induction"
    NATIVE_INDUCTION = "backward induction in native code"
    RETROGRADE = "retrograde analysis"
    NATIVE_RETROGRADE = "retrograde analysis in native code"
    VALUE_ITERATION = "value iteration"
    NATIVE_VALUE_ITERATION = "value iteration in native code"
    NATIVE_TURNS = "backward induction turn by turn in native code"
    POLICY_ITERATION = "policy iteration"
    DOMINANCE = "iterated dominance"
    DOMINANT = "dominant strategies"
    INFORMATION = "expectimax on information sets"
    STAGES = "matrix games stage by stage"
    STRATEGY_IMPROVEMENT = "strategy improvement"
    SEQUENCE_FORM = "linear program on sequences"
    REGRETS = "regret minimisation"
    CFR = "CFR"
    CFR_PLUS = "CFR+"
    LINEAR_CFR = "linear CFR"
    DISCOUNTED_CFR = "discounted CFR"
    PREDICTIVE_CFR_PLUS = "predictive CFR+"
    EXTERNAL_SAMPLING = "external-sampling MCCFR"
    NORMAL_FORM = "equilibria of the normal form"
    TEAM = "best joint plan"
    QUANTAL_RESPONSE = "quantal response"
    STATIONARY = "stationary best replies"
    NATIVE_ALPHA_BETA = "alpha-beta in native code"
    NATIVE_PROOF_NUMBERS = "proof-number search in native code"
    SHORTEST_SOLUTION = "breadth-first search"
    NATIVE_SHORTEST_SOLUTION = "breadth-first search in native code"
    NATIVE_DEEPENING = "IDA* in native code"

    @property
    def slug(self) -> str:
        """The name as written on a command line: `backward-induction`."""
        return self.lower().replace(" ", "-")

    @property
    def is_native(self) -> bool:
        """Whether the algorithm is native code, chosen by the engine of a game."""
        return self.endswith(IN_NATIVE_CODE)


LEARNING = (
    SolverName.CFR,
    SolverName.CFR_PLUS,
    SolverName.LINEAR_CFR,
    SolverName.DISCOUNTED_CFR,
    SolverName.PREDICTIVE_CFR_PLUS,
    SolverName.EXTERNAL_SAMPLING,
)
"""Rules of regret minimisation, which report their own learning curves."""

NAMED = tuple(name for name in SolverName if not name.is_native)
"""Algorithms that can be chosen by name."""


def by_slug(text: str) -> SolverName | None:
    """The algorithm named on a command line; None if the name is unknown."""
    return next((name for name in NAMED if name.slug == text.lower()), None)
