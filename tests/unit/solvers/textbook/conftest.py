"""Trees and games for the algorithms of the textbook."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from tests.generation.explicit_trees import Shape, tree_text


@pytest.fixture
def random_tree() -> Callable[..., LoadedGame]:
    """The random tree of a seed and a shape."""

    def grow(seed: int, shape: Shape) -> LoadedGame:
        return gamedsl.load(tree_text(Random(seed), shape))

    return grow


TWICE = """\
game "Twice in a row"
players MAX, MIN

tree:
    MAX:
        l -> MAX:
            a -> 1
            b -> MIN: c -> 4, d -> 2
        r -> MIN:
            e -> MIN: f -> 3, g -> 5
            h -> 4
"""


@pytest.fixture
def twice() -> LoadedGame:
    """Both players move twice in a row; the right branch is worth 3."""
    return gamedsl.load(TWICE)
