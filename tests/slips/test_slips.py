"""The slips of `slips.toml` that are quick to look at; `python -m tests.slips` goes through all."""

from __future__ import annotations

import pytest

from tests.slips.corpus import (
    UNNOTICED,
    Slip,
    is_answered,
    makes_a_difference,
    remarks,
    slips,
)
from tests.whole_texts import unclaimed_text

SLIPS = slips()
QUICK = {"lights_out", "hanoi", "nim", "hexapawn", "breakthrough", "chomp", "liars_dice",
         "tic_tac_toe", "kuhn_poker"}  # fmt: skip
"""Games in which everything is seen in a moment."""
OF_QUICK = [slip for slip in SLIPS if slip.game in QUICK]


def test_there_are_sixty_slips_in_twenty_games_and_most_are_noticed() -> None:
    assert len({(slip.game, slip.text) for slip in SLIPS}) == len(SLIPS) == 60
    assert len({slip.game for slip in SLIPS}) == 20
    assert sum(slip.code != UNNOTICED for slip in SLIPS) >= 45


@pytest.mark.parametrize("slip", OF_QUICK, ids=str)
def test_a_slip_changes_the_game_and_is_answered_as_written(slip: Slip) -> None:
    assert makes_a_difference(slip)
    assert is_answered(slip, remarks(slip.text))


@pytest.mark.parametrize("game", sorted(QUICK))
def test_without_a_slip_there_is_nothing_to_remark_on(game: str) -> None:
    assert remarks(unclaimed_text(game)) == []


def test_a_slip_that_changes_nothing_is_told_apart() -> None:
    written = Slip("nim", "another word", "n <= left[h]", "left[h] >= n", "", UNNOTICED)
    assert not makes_a_difference(written)
