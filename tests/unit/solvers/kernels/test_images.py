"""Positions that are images of one another have one least image; others have others."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.python_code import run_source
from gamedsl.solvers.kernels.symmetry.permutations import least_image, permutations
from tests.unit.model.rewriting.evaluating import edges

DIGITS = """game "Digits"
players A, B
board 4 wide 2 high
state:
    seen[square]: 0..9 = 0
    low: 0..5 = 0
move see(s in square):
    require seen[s] < 9
    seen[s] = seen[s] + 1
    low = 1
end:
    if seen[a1] == 9 and seen[d1] == 9: draw
"""


def engine_of(text: str, **settings: str) -> CompiledEngine:
    engine = gamedsl.load(text, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    return engine


def least(engine: CompiledEngine) -> object:
    known = Definitions(functions=(least_image(engine, permutations(engine)),))
    return run_source(print_module(known.module))["least_image"]


def classes(engine: CompiledEngine) -> list[int]:
    """How many positions of play there are at each of the first plies, images as one."""
    image = least(engine)
    assert callable(image)
    found, layer = [], {image(*engine.words_of(engine.initial_state())): engine.initial_state()}
    for _ in range(4):
        found.append(len(layer))
        after = (
            engine.result(state, action)
            for state in layer.values()
            if not engine.is_terminal(state)
            for action in engine.legal_actions(state)
        )
        layer = {image(*engine.words_of(state)): state for state in after}
    return found


def test_openings_of_tic_tac_toe_are_counted_without_their_images() -> None:
    """Of 1, 9, 72 and 252 positions."""
    assert classes(engine_of("tic_tac_toe")) == [1, 3, 12, 38]


def test_openings_of_connect_four_are_half_of_all_and_the_middle() -> None:
    assert classes(engine_of("connect_four")) == [1, 4, 25, 121]


@pytest.mark.parametrize("text", ["connect_four", "teeko", DIGITS])
def test_an_image_is_least_and_its_own(text: str) -> None:
    engine = engine_of(text)
    image = least(engine)
    assert callable(image)
    assert permutations(engine)
    moved = 0
    for state, _, _ in edges(engine, 2, 30):
        words = engine.words_of(state)
        found = image(*words)
        assert found <= words
        assert image(*found) == found
        moved += found != words
    assert moved


@pytest.mark.parametrize("name", ["chomp", "pig", "pocket_cube"])
def test_where_no_symmetry_is_proved_a_state_is_its_own_image(name: str) -> None:
    assert permutations(engine_of(name)) == ()
