"""The extensive form of a game: information sets, and payoffs of combinations of sequences.

The payoffs of each combination of the players' sequences of moves describe the game completely (von
Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996).
`extensive_form` builds forms.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from math import lcm

from gamedsl.game.contract import Game
from gamedsl.solvers.equilibria.history_tree import HistoryTree
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.graphs.information import History
from gamedsl.source.records import dataclass

Sequences = tuple[int, ...]
"""A sequence of each player, by number; 0 is the empty sequence."""


@dataclass(frozen=True, slots=True)
class Story:
    """How an information set is reached.

    Attributes:
        drawn, seen: names of the chance outcomes, and of the moves, common to all histories of the
            set, in order: the player can be sure of them.
        history: the first history found.
    """

    drawn: tuple[str, ...]
    seen: tuple[str, ...]
    history: History


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decision nodes that a player cannot tell apart.

    Attributes:
        actions: names of the legal actions.
        parent: the player's own sequence of moves that leads to the set.
        first: the number of the sequence that ends with the first action; the numbers for the
            remaining actions follow.
        size: number of histories in the set.
        tell: the story of the set, which may be computed on demand.
    """

    actions: tuple[str, ...]
    parent: int
    first: int
    size: int
    tell: Callable[[], Story] = field(compare=False, repr=False)

    @property
    def sequences(self) -> range:
        """The sequences that end with the set's actions, in the order of the actions."""
        return range(self.first, self.first + len(self.actions))

    @property
    def drawn(self) -> tuple[str, ...]:
        """As `Story.drawn`."""
        return self.tell().drawn

    @property
    def seen(self) -> tuple[str, ...]:
        """As `Story.seen`."""
        return self.tell().seen

    @property
    def history(self) -> History:
        """As `Story.history`."""
        return self.tell().history


@dataclass(frozen=True, slots=True)
class FormSize:
    """The size of an extensive form.

    Attributes:
        histories: nodes of the tree.
        information_sets, sequences: of each player, the empty sequence included.
        positions: states in which a player is to move or the game is over; `terminals` counts the
            endings among them; `chance_nodes` counts chance events, which are not included.
    """

    histories: int
    information_sets: tuple[int, ...]
    sequences: tuple[int, ...]
    positions: int
    terminals: int
    chance_nodes: int


class Cells:
    """The combinations of sequences that lead to endings, in whole numbers.

    Attributes:
        sequences: int64[cells, players]: the combinations.
        sums: int[cells, players]: of each combination, the sum of the endings' payoffs times their
            chance probabilities, in units of 1 / (`unit` * `share`).
        weights: int[cells]: the sum of the chance probabilities, in units of 1 / `unit`.
        players: number of players.
    """

    def __init__(
        self,
        sequences: Sequence[int],
        sums: Sequence[int],
        weights: Sequence[int],
        unit: int,
        share: int,
    ) -> None:
        self.sequences, self.sums, self.weights = sequences, sums, weights
        self.unit, self.share = unit, share
        self.players = len(sequences) // len(weights) if weights else 0

    @classmethod
    def of(
        cls, payoffs: Mapping[Sequences, Vector], chances: Mapping[Sequences, Fraction]
    ) -> Cells:
        """The cells of payoffs and probabilities, in the order of `payoffs`."""
        weights = [chances[sequences] for sequences in payoffs]
        sums = [paid for vector in payoffs.values() for paid in vector]
        unit = lcm(*{weight.denominator for weight in weights})
        whole = lcm(unit, *{paid.denominator for paid in sums})
        return cls(
            array("q", [number for sequences in payoffs for number in sequences]),
            [paid.numerator * (whole // paid.denominator) for paid in sums],
            [weight.numerator * (unit // weight.denominator) for weight in weights],
            unit,
            whole // unit,
        )

    def __len__(self) -> int:
        return len(self.weights)

    def of_player(self, player: int) -> tuple[Sequence[int], Sequence[int]]:
        """A player's sequence and sum of each cell."""
        return self.sequences[player :: self.players], self.sums[player :: self.players]

    def mirrored(self) -> Cells:
        """The cells of two players with swapped players."""
        sequences = array("q", self.sequences)
        sequences[::2], sequences[1::2] = sequences[1::2], sequences[::2]
        sums = list(self.sums)
        sums[::2], sums[1::2] = sums[1::2], sums[::2]
        return Cells(sequences, sums, self.weights, self.unit, self.share)

    @cached_property
    def _keys(self) -> list[Sequences]:
        columns = [self.of_player(player)[0] for player in range(self.players)]
        return list(zip(*columns, strict=True))

    @cached_property
    def payoffs(self) -> dict[Sequences, Vector]:
        """The sums by combination, as fractions."""
        whole = self.unit * self.share
        known = {paid: Fraction(paid, whole) for paid in set(self.sums)}
        columns = [[known[n] for n in self.of_player(p)[1]] for p in range(self.players)]
        return dict(zip(self._keys, zip(*columns, strict=True), strict=True))

    @cached_property
    def chances(self) -> dict[Sequences, Fraction]:
        """The probabilities by combination, as fractions."""
        known = {weight: Fraction(weight, self.unit) for weight in set(self.weights)}
        return {key: known[n] for key, n in zip(self._keys, self.weights, strict=True)}


@dataclass(frozen=True, slots=True)
class ExtensiveForm:
    """A finite game with perfect recall.

    Attributes:
        sets: the information sets of each player; a set comes before the sets behind it.
        cells: the combinations of sequences that lead to endings.
        outcomes: the total payoffs of plays, rewards on the way included.
        size: the size of the form.
        tree: the tree of histories, whose information sets are numbered as in `sets`; None if the
            tree was not requested.
    """

    game: Game
    sets: tuple[tuple[InformationSet, ...], ...]
    cells: Cells
    outcomes: frozenset[Vector]
    size: FormSize
    tree: HistoryTree | None = None

    @property
    def payoffs(self) -> Mapping[Sequences, Vector]:
        """For each combination of sequences that leads to endings, the sum of the endings' payoffs
        times their chance probabilities."""
        return self.cells.payoffs

    @property
    def chances(self) -> Mapping[Sequences, Fraction]:
        """For each combination of sequences that leads to endings, the sum of the chance
        probabilities."""
        return self.cells.chances
