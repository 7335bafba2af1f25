"""What a Gambit file holds, as a tree: players, nodes, information sets, payoffs.

In: nothing; these are the values that `efg` and `nfg` make and `program` reads.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class GambitNode:
    """A node.

    Attributes:
        span: where it is written; `end` is where all that is below it ends.
        player: whose choice it is, from 0; -1 for chance; None for an ending.
        information_set: the number that the file gives it, among those of the player.
        actions: the names of the branches; `weights` their probabilities, for chance.
        children: the nodes behind them.
        payoffs: what an ending pays, with what was paid on the way; one number a player.
    """

    span: Span
    player: int | None
    information_set: int = 0
    actions: tuple[str, ...] = ()
    weights: tuple[Fraction, ...] = ()
    children: tuple[GambitNode, ...] = ()
    payoffs: tuple[Fraction, ...] = ()
    end: int = 0


@dataclass(frozen=True, slots=True)
class GambitGame:
    """A whole file; `set_names` are the names of information sets by player and number."""

    title: str
    players: tuple[str, ...]
    players_span: Span
    root: GambitNode
    set_names: dict[tuple[int, int], str]
