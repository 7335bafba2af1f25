"""Plays as records in PGN: written, read back, read by python-chess; what is no record is named."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.records.pgn import RecordError
from tests.doors.conftest import Run

GAMES = (
    "chess",  # the notation of the rules
    "crazyhouse",  # men are dropped
    "nim",
    "checkers",  # a move of several jumps
    "kuhn_poker",  # chance, secrets
    "goofspiel_by_lot",  # choices at once, chance
    "craps_throws",  # a single player, rewards
    "three_player_race",
    "aima_fig_5_2",  # a tree
    "yacht",  # sets of dice in braces
)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_read_back(name: str) -> None:
    game = gamedsl.load(name)
    plays = [
        game.play([gamedsl.random_agent(seed)] * len(game.players), seed=seed, longest=50)
        for seed in range(2)
    ]
    written = [gamedsl.write_pgn(game, play, {"Event": 'a "club" \\ \n x'}) for play in plays]
    assert all(len(line) <= 80 for line in "".join(written).splitlines() if line[:1] != "[")
    records = gamedsl.read_pgn(game, "\n".join(written))
    assert [record.play for record in records] == plays
    assert records[0].headers["Event"] == 'a "club" \\ x'


def test_python_chess_reads_our_games_and_we_read_its_games() -> None:
    pytest.importorskip("chess")
    import chess.pgn

    game = gamedsl.load("chess")
    for seed in range(2):
        play = game.play([gamedsl.random_agent(seed)] * 2, longest=100)
        text = gamedsl.write_pgn(game, play, {"White": "Ann"})
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert theirs.errors == []
        assert (theirs.headers["White"], theirs.headers["Black"]) == ("Ann", "?")
        assert theirs.end().board().epd() == chess.Board(game.notation.position(play.state)).epd()
        theirs.add_variation(chess.Move.null())
        theirs.variations.pop()
        theirs.variations[0].comment = "a {remark"
        theirs.variations[0].nags.add(1)
        theirs.add_variation(chess.Move.from_uci("b1c3"), comment="aside").add_variation(
            chess.Move.from_uci("b8c6")
        )
        (record,) = gamedsl.read_pgn(game, str(theirs) + "\n")
        assert record.play.names == play.names


def test_a_game_from_another_position_has_the_position() -> None:
    text = '[FEN "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1"]\n\n1. O-O-O h6 2. Rd8+ Kh7 *\n'
    game = gamedsl.load("chess")
    (record,) = gamedsl.read_pgn(game, text)
    assert record.play.names[0].startswith("castle")
    again = gamedsl.write_pgn(game, record.play)
    assert '[FEN "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1"]' in again
    assert "1. O-O-O h6 2. Rd8+ Kh7 *" in again
    nim = gamedsl.load("nim", sizes=[1, 2])
    rest = nim.play([gamedsl.random_agent()] * 2, nim.position("take(2, 1)"))
    (record,) = gamedsl.read_pgn(nim, gamedsl.write_pgn(nim, rest))
    assert record.play == rest


def test_the_result_is_said_in_the_words_of_pgn_where_they_fit() -> None:
    assert gamedsl.write_pgn("tic_tac_toe", "a1 b1 a2 b2 a3").endswith(
        "1. a1 b1 2. a2 b2 3. a3 1-0\n\n"
    )
    assert '[Result "3:-3"]' in gamedsl.write_pgn("aima_fig_5_2", "a1 b1")
    assert gamedsl.write_pgn("nim").endswith("\n\n*\n\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4", "line 1: a record begins with tags"),
        ('[Event "x"]\n[Bad x]\n\n1. a1 *', "line 2: a tag is"),
        ('\n[Event "x"]\n\n1. a9 *', "the record of line 2: `a9` is not legal here"),
        ('[Game "Chess"]\n\n1. e4 *', "is a play of Chess, not of Tic-tac-toe"),
        ('[Game "Tic-tac-toe"]\n[Parameters "n=4"]\n\n*', "has n=4; the game was loaded with no"),
        ('[State "nonsense"]\n\n*', "the record of line 1: "),
    ],
)
def test_what_is_no_record_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        gamedsl.read_pgn("tic_tac_toe", text)


def test_play_saves_and_loads_and_a_match_writes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    done = run(
        "play", "tic_tac_toe", "--opponent", "human", "-q",
        stdin=f"a1\nb1\nsave {path}\nundo\nload {path}\nrecord\nquit\n",
    )  # fmt: skip
    assert '--at "a1 b1"' in done.out
    (record,) = gamedsl.read_pgn("tic_tac_toe", path.read_text())
    assert record.play.names == ("mark(a1)", "mark(b1)")
    games = tmp_path / "match.pgn"
    done = run("match", "tic_tac_toe", "--first", "random", "-n", "2", "--pgn", str(games), "-q")
    assert done.status == 0
    records = gamedsl.read_pgn("tic_tac_toe", games.read_text())
    assert [record.headers["Round"] for record in records] == ["1.1", "1.2", "2.1", "2.2"]
    path.write_text(games.read_text())
    done = run("play", "tic_tac_toe", "-q", stdin=f"load {path}\nquit\n")
    assert "holds 4 plays" in done.out
