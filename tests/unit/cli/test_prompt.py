"""What Tab completes to."""

from __future__ import annotations

from gamedsl.cli.prompt import completions

MOVES = ["go(g1, e2)", "go(g1, f3)", "g1e2", "g1f3", "g1,e2", "g1,f3"]


def test_a_move_is_proposed_in_one_spelling_the_one_that_was_begun() -> None:
    assert completions("g1", MOVES) == ["g1e2", "g1f3"]
    assert completions("g1,", MOVES) == ["g1,e2", "g1,f3"]
    assert completions("go(g1,e", MOVES) == ["go(g1, e2)"]


def test_what_would_run_together_to_one_keeps_its_commas() -> None:
    assert completions("1", ["1,11", "11,1"]) == ["1,11", "11,1"]
