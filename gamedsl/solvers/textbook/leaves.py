"""Where a search stops: TERMINAL-TEST and UTILITY, or CUTOFF-TEST and EVAL in their place.

In: a state, who moves there, and the plies made. Out: a value for MAX, or None where the search
goes on. "Modify the algorithm ... so that it will call the heuristic EVAL function when it is
appropriate to cut off the search" (AIMA 3rd ed., section 5.4.2): the algorithms are the same.
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
    """The value of a state for MAX, and whether EVAL guessed it."""

    value: Fraction
    is_estimate: bool


class Leaves(Protocol):
    """A test for leaves, with their values."""

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """The leaf that a state is for this search, if it is one."""
        ...


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
    """The same where steps pay: a play is worth what it has paid since the root, which `paid`
    gives for MAX, and its outcome. So a value is that of the whole play through a state."""

    endings: Endings
    paid: Callable[[], Fraction]

    def leaf(self, state: State, player: int, ply: int) -> Leaf | None:
        """What MAX gets in all at an ending."""
        ending = self.endings.leaf(state, player, ply)
        return None if ending is None else Leaf(self.paid() + ending.value, False)


@dataclass(frozen=True, slots=True)
class CutOffs:
    """`if CUTOFF-TEST(state, depth) then return EVAL(state)` (AIMA 3rd ed., section 5.4.2).

    CUTOFF-TEST is true of endings, whose EVAL is their utility, and of what is `limit` plies
    below the root and quiescent; chance events count as plies. Quiescence search goes at most
    `QUIESCENCE_LIMIT` plies further, so that it ends.
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
