"""Chess and its variants in lockstep with python-chess.

The games are the first ones that `python -m tests.peers chess` plays.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from gamedsl.game.library import shipped_games
from tests.peers.needed import needed

NAMES = (
    "antichess",
    "atomic",
    "chess",
    "horde",
    "king_of_the_hill",
    "racing_kings",
    "three_check",
)
UNKNOWN = ("knightmate",)
"""Shipped variants that python-chess does not know."""
GAMES = 4
"""Of each variant."""
KNIGHTS = "g8f6 g1f3 f6g8 f3g1"
REPETITIONS = [
    ("chess", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
    # Nobody can take in passing, so that the right to do so makes no difference (FIDE 9.2.2).
    ("chess", "", f"e2e4 {KNIGHTS} {KNIGHTS}"),
    # Black can; the position before he moves is another one.
    ("chess", "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", f"e2e4 {KNIGHTS} {KNIGHTS} g8f6"),
    # Black stands there to take, but must not leave his king.
    ("chess", "3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1", f"e2e4 {KNIGHTS} {KNIGHTS}"),
    # A rook that has moved may castle no more.
    ("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8d8 g1h1 d8e8 " * 3),
    # A king without a rook to castle with may move and come back.
    (
        "chess",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "h1g1 e8d8 e1f1 d8e8 f1e1 e8d8 e1f1 d8e8 f1e1 e8d8",
    ),
    ("chess", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "h1g1 e8d8 g1h1 d8e8 " * 2),
    # A check that has been given counts.
    (
        "three_check",
        "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1",
        "a1a8 e8e7 a8a1 e7e8 " + "a1b1 e8d8 b1a1 d8e8 " * 2,
    ),
]
"""Variant, first position, moves; in some position of each the third repetition is reached."""


@pytest.fixture(scope="module")
def lockstep() -> ModuleType:
    return needed("chess", "chess", "tests.peers.chess_lockstep")


def test_every_shipped_variant_of_chess_has_its_peer(lockstep: ModuleType) -> None:
    variants = {
        path.stem for path in shipped_games() if 'include "chess.game"' in path.read_text("utf-8")
    }
    assert {*lockstep.VARIANTS} == {*NAMES}
    assert {*NAMES, *UNKNOWN} == {"chess", *variants}


@pytest.mark.parametrize("name", NAMES)
def test_a_game_goes_as_it_does_in_python_chess(name: str, lockstep: ModuleType) -> None:
    played = [lockstep.play(name, number) for number in range(GAMES)]
    assert [one.difference for one in played if one.difference] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_third_repetition_ends_a_game(name: str, lockstep: ModuleType) -> None:
    """In games whose moves are taken back where that is possible."""
    numbers = range(lockstep.STYLES.index(lockstep.back), 12, len(lockstep.STYLES))
    played = [lockstep.play(name, number) for number in numbers]
    assert lockstep.REPETITION in {one.reason for one in played}
    assert [one.difference for one in played if one.difference] == []


@pytest.mark.parametrize(("name", "fen", "moves"), REPETITIONS)
def test_a_position_is_repeated_if_the_possible_moves_are_the_same(
    name: str, fen: str, moves: str, lockstep: ModuleType
) -> None:
    for where, ours, theirs in lockstep.endings(name, fen, moves.split()):
        assert ours == theirs, where
