"""The content of a Gambit file as a tree: players, nodes, information sets, payoffs.

`efg` and `nfg` make these values, `program` reads them.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class GambitNode:
    """A node.

    Attributes:
        span: the place of the node in the text; `end` is the end of the subtree.
        player: the player who chooses, from 0; -1 for chance; None for an ending.
        information_set: the number in the file, among the player's information sets.
        actions: the names of the branches; `weights` are the probabilities, for chance.
        children: the nodes behind the branches.
        payoffs: the payoffs of an ending, including payoffs at nodes on the way; one number per
            player.
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
