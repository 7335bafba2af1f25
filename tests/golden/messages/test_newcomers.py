"""What newcomers read about their mistakes, to be reviewed as prose; one message a mistake.

`--snapshot-update` rewrites the messages.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden.messages.mistakes import MISTAKES, SOUND, Mistake
from tests.golden.messages.pages import told


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_brings_the_message_reviewed(
    mistake: Mistake, snapshot: SnapshotAssertion
) -> None:
    said = told(mistake.text)
    assert said.count("error[") == said.count("[E") == mistake.messages
    assert "warning[" not in said
    assert said == snapshot


@pytest.mark.parametrize("game", SOUND, ids=lambda game: game.split('"')[1])
def test_the_games_are_sound_without_the_mistakes(game: str) -> None:
    assert "error[" not in told(game)


def test_no_two_mistakes_have_one_name() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
