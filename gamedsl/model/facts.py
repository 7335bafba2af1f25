"""Facts derived from the rules alone, available before any run."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from gamedsl.source.records import dataclass


class PayoffSum(StrEnum):
    """The known sum of the players' payoffs."""

    ZERO = "zero"
    CONSTANT = "constant"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """The size of the board.

    Attributes:
        squares: squares of a grid, or points of a graph.
        edges: pairs of squares that are neighbours.
        chains: lines of a graph as written; None for a grid.
    """

    squares: int
    edges: int
    chains: int | None


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of players: partners have equal payoffs, and both sides' payoffs a constant sum.

    Attributes:
        of: the side of each player, 0 or 1; the first player is on side 0.
        total: the payoff of a player of side 0 plus the payoff of a player of side 1.
    """

    of: tuple[int, ...]
    total: Fraction


@dataclass(frozen=True, slots=True)
class Facts:
    """Derived, never declared.

    Attributes:
        players: names in turn order.
        has_chance: whether a body, `setup` or the tree has a chance event.
        has_secrets: whether a player has imperfect information (secret variables or moves,
            information sets of several nodes).
        is_simultaneous: whether a move is chosen by all players at once.
        payoff_total: the sum of the players' payoffs, rewards included; None if the sum is not
            proved constant.
        utility_bounds: least and greatest payoff of a player, over all outcomes, without rewards.
        action_count: number of action ids; ids are 0 .. action_count - 1.
        state_bits: bits that hold a state.
        state_bound: an upper bound on the number of states (exact integer), without the history
            that `repeats` adds.
        endless: payoffs of play that never ends, by player, if declared.
        repeats: whether `repeat` rules make the history part of the state.
        has_evaluate: whether the file gives EVAL.
        is_tree: whether the game is given by `tree:`.
        board: size of the board, if the game has a board.
        has_rewards: whether actions or chance events pay at once (`Game.rewards`).
        discount: factor of a payoff per ply, 1 without discounting.
        pays_numbers: whether an ending is a `payoff`, other than zero for all.
        partners: the sides of three players or more, if proved to be two; None also if players do
            not see everything or choose at once.
        mentions_mover: whether a move mentions the player to move.
        greatest: the greatest payoff of each player, over all outcomes, without rewards; () if not
            known by player.
        may_suit_all: whether an ending may pay every player the greatest payoff, as far as the
            types of its payoffs tell.
    """

    players: tuple[str, ...]
    has_chance: bool
    has_secrets: bool
    is_simultaneous: bool
    payoff_total: Fraction | None
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
    partners: Sides | None = None
    mentions_mover: bool = False
    greatest: tuple[Fraction, ...] = ()
    may_suit_all: bool = True

    @property
    def best_payoffs(self) -> tuple[Fraction, ...]:
        """A bound on the payoff of each player, over all outcomes, without rewards."""
        return self.greatest or (self.utility_bounds[1],) * len(self.players)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player; without `partners`, each player is a side."""
        return tuple(range(len(self.players))) if self.partners is None else self.partners.of

    def are_partners(self, player: int, other: int) -> bool:
        """Whether two players are on one side; every player is on the own side."""
        return player == other or self.sides[player] == self.sides[other]

    @property
    def payoff_sum(self) -> PayoffSum:
        """The kind of `payoff_total`: zero, constant, or general if no total is proved."""
        if self.payoff_total is None:
            return PayoffSum.GENERAL
        return PayoffSum.CONSTANT if self.payoff_total else PayoffSum.ZERO

    @property
    def pays_at_the_end(self) -> bool:
        """Whether the value of a play is the payoff of its outcome: no rewards, no discount."""
        return not self.has_rewards and self.discount == 1

    @property
    def has_winners(self) -> bool:
        """Whether endings are wins, losses and draws. A single player with a `payoff`, or with a
        payoff above 1 or below -1, is paid numbers instead; so are two players who cannot lose as
        much as they can win, or win as much as they can lose, and whose sum is not constant."""
        low, high = self.utility_bounds
        if len(self.players) == 1:
            return not self.pays_numbers and low >= -1 and high <= 1
        return len(self.players) > 2 or self.is_opposed or low == -high

    @property
    def is_zero_sum(self) -> bool:
        """Whether there are two players with payoffs that sum to 0."""
        return len(self.players) == 2 and self.payoff_sum is PayoffSum.ZERO

    @property
    def is_opposed(self) -> bool:
        """Whether there are two players, or two sides, with payoffs of a constant sum."""
        return self.opposed_total is not None

    @property
    def opposed_total(self) -> Fraction | None:
        """The sum of the payoffs of two players, or of two sides; None if it is not constant."""
        if self.partners is not None:
            return self.partners.total
        return self.payoff_total if len(self.players) == 2 else None

    def payoffs_from(self, first: Fraction) -> tuple[Fraction, ...]:
        """The payoffs of all players, given the first player's, in a game of one player, or of two
        players or sides with payoffs of a constant sum.

        Raises ValueError for remaining games, where the first payoff does not give the second.
        """
        if len(self.players) == 1:
            return (first,)
        if self.opposed_total is None:
            raise ValueError("the payoffs do not follow from the first player's payoff")
        return tuple(self.opposed_total - first if side else first for side in self.sides)

    @property
    def endless_line(self) -> str:
        """A line for a file without `endless`: a draw, or nothing for each of many players."""
        return "endless: draw" if len(self.players) < 3 else "endless: payoff p: 0"


UNKNOWN = Facts(
    (), False, False, False, None, (Fraction(0), Fraction(0)), 0, 0, 0, None, False,
    False, False,
)  # fmt: skip
"""The facts of a model before `gamedsl.model.elaborate.derive.with_facts`."""
