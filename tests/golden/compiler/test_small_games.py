"""What the compiler makes of a few small games, to be read in review.

Of each the intermediate representation behind the last pass and the generated Python; of
tic-tac-toe also what the lowering hands to the first pass, where the state still has fields.
`--snapshot-update` rewrites them.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from gamedsl.compiler.printers.dump import dump_module
from tests.stages import LOWERED, Stages, shipped_stages

GAMES: dict[str, dict[str, object]] = {
    "tic_tac_toe": {},
    "connect_small": {},
    "hexapawn": {},
    "nim": {"sizes": "[1, 2]"},
}


class Representation(SingleFileSnapshotExtension):
    """A file for each module."""

    _write_mode = WriteMode.TEXT
    file_extension = "ir"


class Text(SingleFileSnapshotExtension):
    """A file for each text; not `py`, or it would be taken for a part of the tests."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


def stages(game: str) -> Stages:
    found = shipped_stages(game, **GAMES[game])
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_representation_is_the_one_reviewed(game: str, snapshot: SnapshotAssertion) -> None:
    text = dump_module(stages(game).generated.module())
    assert text == snapshot(extension_class=Representation)


def test_what_the_lowering_makes_is_what_was_reviewed(snapshot: SnapshotAssertion) -> None:
    text = dump_module(stages("tic_tac_toe").modules[LOWERED])
    assert text == snapshot(extension_class=Representation)


@pytest.mark.parametrize("game", GAMES)
def test_the_python_is_the_one_reviewed(game: str, snapshot: SnapshotAssertion) -> None:
    text = stages(game).generated.source
    assert text == snapshot(extension_class=Text)
