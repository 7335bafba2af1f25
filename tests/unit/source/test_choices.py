"""A name that is none of those there are is answered with what could be meant."""

from __future__ import annotations

import pytest

import gamedsl


def test_another_name_is_answered_with_the_nearest_and_with_all() -> None:
    game = gamedsl.load("tic_tac_toe")
    said = "no algorithm `alphabeta`; did you mean `alpha-beta`\\? There are auto, minimax, alpha"
    with pytest.raises(ValueError, match=said):
        gamedsl.search(game, "alphabeta")
    with pytest.raises(ValueError, match="no solver `magic`; there are backward-induction, "):
        gamedsl.solve(game, solver="magic")
