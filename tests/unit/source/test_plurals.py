"""Numbers of things in messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.conformance.explore import looked_at
from gamedsl.solvers.methods import SolverName, refusal
from gamedsl.source.plurals import count

PACKAGE = Path(gamedsl.__file__).parent


def test_one_thing_is_told_in_the_singular() -> None:
    assert [count(number, "ply") for number in (0, 1, 2)] == ["0 plies", "1 ply", "2 plies"]
    assert (count(1, "position"), count(5478, "position")) == ("1 position", "5,478 positions")


def test_a_game_of_one_player_has_one_player() -> None:
    reason = refusal(gamedsl.load("monty_hall"), SolverName.SEQUENCE_FORM, returns=False)
    assert str(reason) == "Monty Hall has 1 player, and it is for two"


@pytest.mark.parametrize(
    ("positions", "waiting", "plays", "words"),
    [
        (0, 9, 500, "500 random plays"),
        (0, 9, 0, "no position"),
        (1, 9, 1, "the nearest 1 position and 1 random play"),
        (2, 9, 0, "the nearest 2 positions"),
    ],
)
def test_what_was_not_looked_at_is_not_counted(
    positions: int, waiting: int, plays: int, words: str
) -> None:
    assert looked_at(positions, waiting, is_whole=False, plays=plays) == words


def test_no_message_makes_plurals_of_its_own() -> None:
    """`'' if n == 1 else 's'` is written once."""
    own = re.compile(r"""(''|"") if .* == 1 else ('s'|"s")""")
    texts = ((path, path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py")))
    found = [str(path) for path, text in texts if own.search(text)]
    assert not found
