"""Games of several kinds in lockstep with OpenSpiel: the first plays of `python -m tests.peers`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peers.needed import needed
from tests.peers.spiel_notes import DIFFERENCES, OUT_OF_REACH

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path.stem for path in (ROOT / "games" / "openspiel").glob("*.game"))
SHIPPED = (
    "antichess",
    "blotto_three_fields",
    "breakthrough",
    "chess",
    "connect_four",
    "dark_hex",
    "dots_and_boxes",
    "goofspiel",
    "goofspiel_by_lot",
    "hex",
    "kalah",
    "kuhn_poker",
    "kuhn_poker_several",
    "leduc_poker",
    "liars_dice",
    "matching_pennies",
    "misere_tic_tac_toe",
    "mnk",
    "nim",
    "nim_misere",
    "nine_mens_morris",
    "othello",
    "phantom_tic_tac_toe",
    "rock_paper_scissors",
    "tic_tac_toe",
)
GAMBITS = (
    "beer_quiche.efg",
    "entry.efg",
    "horse.efg",
    "shapley.nfg",
    "thirds.nfg",
    "three_matching_pennies.nfg",
)
PLAYS = 2
"""Of each game."""
LONG = {
    "antichess",
    "backgammon",
    "banqi",
    "capture_the_flag",
    "chess",
    "chinese_checkers",
    "crazy_eights",
    "crazyhouse",
    "cribbage",
    "dark_chess",
    "gin_rummy",
    "hearts",
    "lines_of_action",
    "shogi",
    "solitaire",
    "spades",
    "twenty_forty_eight_score",
    "xiangqi",
}
"""Played once."""
HISTORIES = 40
"""Of a game with hidden information, in the order of a walk through the tree."""
LARGE = {
    "dark_chess",
    "kriegspiel(board_size=8)",
    "rbc(board_size=8)",
    "tarok(players=3,rng_seed=1)",
}
"""Rows left to the command: another row plays the same file with other parameters."""
SLOW = {"dou_dizhu", "einstein", "tarok", "yacht"}
"""Left to the command: a play, or compiling the rules, takes seconds."""


@pytest.mark.parametrize("name", [*SHIPPED, *FILES, *GAMBITS])
def test_a_game_goes_as_it_does_in_openspiel(name: str) -> None:
    table = needed("pyspiel", "open_spiel", "tests.peers.spiel_table")
    lockstep = needed("pyspiel", "open_spiel", "tests.peers.spiel_lockstep")
    rows = [row for row in table.ROWS if row.file == name]
    assert rows, "a file of games/openspiel has a row"
    if name in SLOW:
        pytest.skip("a play takes long")
    for row in rows:
        if row.peer in LARGE:
            continue
        played = table.plays(row.peer, 1 if name in LONG else PLAYS)
        assert [one.difference for one in played if one.difference] == []
        if row.observed and not row.drawn:
            assert lockstep.walk(row, HISTORIES)[1] == ""


def test_each_game_of_the_table_has_a_test() -> None:
    table = needed("pyspiel", "open_spiel", "tests.peers.spiel_table")
    assert {row.file for row in table.ROWS} == {*SHIPPED, *FILES, *GAMBITS}


def test_each_game_of_openspiel_has_a_file_or_a_reason() -> None:
    table = needed("pyspiel", "open_spiel", "tests.peers.spiel_table")
    pyspiel = needed("pyspiel", "open_spiel", "pyspiel")
    files = {row.name for row in table.ROWS}
    # Tests of the bridge to OpenSpiel register games of ours in this process, in any order.
    theirs = {name for name in pyspiel.registered_names() if not name.startswith("gamedsl")}
    assert theirs == files | {*OUT_OF_REACH}
    assert not files & {*OUT_OF_REACH}
    assert {*DIFFERENCES} <= files


def test_the_page_has_a_line_for_each_row() -> None:
    table = needed("pyspiel", "open_spiel", "tests.peers.spiel_table")
    page = (ROOT / "docs" / "peers.md").read_text("utf-8")
    assert [row.peer for row in table.ROWS if f"| `{row.peer}` |" not in page] == []
