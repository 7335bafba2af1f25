"""Files in GDL in lockstep with clingo, an independent reasoner.

The files of the collection are played where they lie beside a checkout.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.peers.needed import needed

FILES = sorted((Path(__file__).resolve().parents[1] / "kif").glob("*.kif"))
COLLECTION = ("blocks", "connectFour", "maze", "switches", "ticTacToe")
"""Puzzles, turns, and fluents without a form."""


@pytest.fixture(scope="module")
def lockstep() -> ModuleType:
    return needed("clingo", "clingo", "tests.peers.kif_lockstep")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_file_goes_as_clingo_says(path: Path, lockstep: ModuleType) -> None:
    both = lockstep.Lockstep(path)
    played = [both.play(number) for number in range(3)]
    assert [(one.reason, one.difference) for one in played] == [("the end", "")] * 3


@pytest.mark.parametrize("name", COLLECTION)
def test_a_file_of_the_collection_goes_as_clingo_says(name: str, lockstep: ModuleType) -> None:
    if name not in lockstep.VARIANTS:
        pytest.skip("the collection is not here")
    played = lockstep.plays(name, 2)
    assert [one.difference for one in played if one.difference] == []
