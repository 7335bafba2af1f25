"""Small explicit game trees as text, for the algorithms that search trees.

In: a generator of random numbers and the shape. Out: the text of a `tree:` game of players with
opposed interests (two), or with payoffs of their own (any number), with or without chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

NAMES = ("Ann", "Bob", "Cid")


@dataclass(frozen=True)
class Shape:
    """What a tree is made of; `payoffs` is the greatest size of a payoff."""

    players: int = 2
    has_chance: bool = False
    depth: int = 4
    branches: int = 3
    payoffs: int = 4


def tree_text(rng: Random, shape: Shape) -> str:
    """A game whose root is a player's node; players move in any order, also twice in a row."""
    head = ['game "Random tree"', f"players {', '.join(NAMES[: shape.players])}", "", "tree:"]
    body = _Tree(rng, shape).node(shape.depth, "    ", is_root=True)
    return "\n".join([*head, *body]) + "\n"


class _Tree:
    def __init__(self, rng: Random, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape

    def node(self, depth: int, margin: str, *, is_root: bool = False) -> Iterator[str]:
        """The lines of a node that is not an ending."""
        chance = self.shape.has_chance and not is_root and self.rng.random() < 0.4
        mover = "chance" if chance else self.rng.choice(NAMES[: self.shape.players])
        yield f"{margin}{mover}:"
        branches = self.rng.randint(1, self.shape.branches)
        weights = [self.rng.randint(1, 3) for _ in range(branches)]
        for i, weight in enumerate(weights):
            label = f"{weight}/{sum(weights)} o{i}" if chance else f"m{i}"
            if depth <= 1 or self.rng.random() < 0.2:
                yield f"{margin}    {label} -> {self.ending()}"
            else:
                first, *rest = self.node(depth - 1, margin + "        ")
                yield f"{margin}    {label} -> {first.strip()}"
                yield from rest

    def ending(self) -> str:
        """A payoff: a number for two players of opposed interests, else a tuple."""
        size = self.shape.payoffs
        if self.shape.players == 2:
            return str(self.rng.randint(-size, size))
        return f"({', '.join(str(self.rng.randint(0, size)) for _ in range(self.shape.players))})"
