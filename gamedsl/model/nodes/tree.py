"""Nodes of an explicit game tree (`tree:`), numbered, and their information sets."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.source import Span
from gamedsl.source.records import dataclass

PLAYER_ABSENT = -1


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node: a choice of `player`, a chance event (player -1), or a leaf with payoffs.

    Attributes:
        information_set: common name of the nodes that the player cannot distinguish; a node without
            a written name has a unique name.
        labels, children: the branches, in order; children are node numbers.
        weights: probabilities of the branches of a chance event.
        payoffs: of a leaf, by player.
    """

    number: int
    span: Span
    path: tuple[str, ...]
    player: int = PLAYER_ABSENT
    information_set: str = ""
    labels: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    weights: tuple[Fraction, ...] = ()
    payoffs: tuple[Fraction, ...] = ()

    @property
    def is_leaf(self) -> bool:
        """Whether the game is over at the node."""
        return not self.children


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in order of writing, the root first; `labels` are all branch labels in order."""

    nodes: tuple[TreeNode, ...]
    labels: tuple[str, ...]
