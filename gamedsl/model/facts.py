"""Facts that follow from the rules alone: what a solver or a reader asks before anything runs."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from gamedsl.source.records import dataclass


class PayoffSum(StrEnum):
    """What the players' payoffs are known to add up to."""

    ZERO = "zero"
    CONSTANT = "constant"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What the board is made of.

    Attributes:
        squares: of a grid, or the points of a graph.
        edges: pairs of squares that are neighbours.
        chains: lines of a graph as written; None for a grid.
    """

    squares: int
    edges: int
    chains: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Derived, never declared.

    Attributes:
        players: names in turn order.
        has_chance: some body, `setup` or the tree holds a chance event.
        has_secrets: some player does not see all there is (secret variables or moves,
            information sets of several nodes).
        is_simultaneous: some move is chosen by all players at once.
        payoff_sum: zero, constant or general; "general" where the sum is not proved constant,
            rewards included.
        utility_bounds: least and greatest payoff of one player, over all outcomes; rewards come
            on top.
        action_count: number of action ids; ids are 0 .. action_count - 1.
        state_bits: bits that hold one state.
        state_bound: an upper bound on the number of states (exact integer).
        endless: payoffs of play that never ends, by player, where declared.
        repeats: whether `repeat` rules make the history part of the state.
        has_evaluate: whether the file gives EVAL.
        is_tree: whether the game is given by `tree:`.
        board: what the board is made of, if there is one.
        has_rewards: whether actions or chance events pay something at once (`Game.rewards`).
        discount: what a payoff is worth after one ply more, 1 if nothing is discounted.
        pays_numbers: whether some ending is a `payoff`, other than zero for all.
    """

    players: tuple[str, ...]
    has_chance: bool
    has_secrets: bool
    is_simultaneous: bool
    payoff_sum: PayoffSum
    utility_bounds: tuple[Fraction, Fraction]
    action_count: int
    state_bits: int
    state_bound: int
    endless: tuple[Fraction, ...] | None
    repeats: bool
    has_evaluate: bool
    is_tree: bool
    board: BoardFacts | None = None
    has_rewards: bool = False
    discount: Fraction = Fraction(1)
    pays_numbers: bool = False

    @property
    def pays_at_the_end(self) -> bool:
        """Whether a play is worth what its outcome pays: no rewards, no discount."""
        return not self.has_rewards and self.discount == 1

    @property
    def has_winners(self) -> bool:
        """Whether endings are wins, losses and draws: a lone player who has a `payoff` somewhere,
        or can be paid more than 1 or less than -1, is paid a number at every end."""
        is_paid = self.pays_numbers or any(abs(bound) > 1 for bound in self.utility_bounds)
        return len(self.players) > 1 or not is_paid

    @property
    def is_zero_sum(self) -> bool:
        """Whether there are two players and one wins what the other loses."""
        return len(self.players) == 2 and self.payoff_sum is PayoffSum.ZERO
