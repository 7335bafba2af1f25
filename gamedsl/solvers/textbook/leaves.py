"""Leaf tests of searches: TERMINAL-TEST and UTILITY, or CUTOFF-TEST and EVAL.

In: a state, the player to move, and the plies made. Out: a value for MAX, or None where the search
continues. "Modify the algorithm ... so that it will call the heuristic EVAL function when it is
appropriate to cut off the search" (AIMA 3rd ed., section 5.4.2): the algorithms are unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from gamedsl.game.contract import Game
from gamedsl.model.state import TERMINAL, State
from gamedsl.source.records import dataclass

QUIESCENCE_LIMIT = 8
"""Plies below the depth limit at which a state is evaluated, quiescent or not."""

Evaluation = Callable[[State], Fraction]
"""EVAL(s) for MAX, strictly between the worst and the best payoff."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The value of a state for MAX, and whether the value is an estimate by EVAL."""

    value: Fraction
    is_estimate: bool


class Leaves(Protocol):
    """A test for leaves, with their values."""

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """The leaf value of a state; None if the state is no leaf."""


@dataclass(frozen=True, slots=True)
class Endings:
    """`if TERMINAL-TEST(state) then return UTILITY(state)`; `maximizer` is MAX."""

    game: Game
    maximizer: int

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """The payoff of MAX at an ending."""
        if player == TERMINAL:
            return Leaf(self.game.utility(state, self.maximizer), False)
        return None


@dataclass(frozen=True, slots=True)
class PaidEndings:
    """Endings where steps pay: a play's value is the outcome plus the payments since the root.

    `paid` gives the payments to MAX. A state's value is the value of the whole play through the
    state.
    """

    endings: Endings
    paid: Callable[[], Fraction]

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """MAX's total payoff at an ending."""
        ending = self.endings.leaf(state, player, ply)
        return None if ending is None else Leaf(self.paid() + ending.value, False)


@dataclass(frozen=True, slots=True)
class CutOffs:
    """`if CUTOFF-TEST(state, depth) then return EVAL(state)` (AIMA 3rd ed., section 5.4.2).

    CUTOFF-TEST is true of endings, with utility as EVAL, and of quiescent states at least `limit`
    plies below the root; chance events count as plies. Quiescence search goes at most
    `QUIESCENCE_LIMIT` plies further, to terminate.
    """

    endings: Endings
    limit: int
    evaluation: Evaluation
    is_quiescent: Callable[[State], bool]

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """The payoff of MAX at an ending, or the estimate at the limit."""
        ending = self.endings.leaf(state, player, ply)
        if ending is not None or ply < self.limit:
            return ending
        if ply < self.limit + QUIESCENCE_LIMIT and not self.is_quiescent(state):
            return None
        return Leaf(self.evaluation(state), True)
