"""Moves in UCI and SAN and positions in FEN, against python-chess."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.game.reading import read_play
from gamedsl.game.writing import is_told_in_notation
from tests.doors.conftest import Run


def test_the_notation_follows_from_the_rules_not_from_the_name() -> None:
    renamed = 'include "chess.game"\ngame "Mine"\n'
    for text, has_notation in (
        (renamed, True), ("antichess", True), ("hexapawn", False), ("aima_fig_5_2", False),
    ):  # fmt: skip
        assert (gamedsl.load(text).notation is not None) == has_notation, text


@pytest.mark.parametrize(
    "name", ["chess", "atomic", "three_check", "horde", "games/openspiel/crazyhouse.game"]
)
def test_moves_and_positions_are_those_of_python_chess(name: str) -> None:
    chess = pytest.importorskip("chess")
    pytest.importorskip("chess.variant")
    boards = {
        "chess": chess.Board,
        "atomic": chess.variant.AtomicBoard,
        "three_check": chess.variant.ThreeCheckBoard,
        "horde": chess.variant.HordeBoard,
    }
    board = boards.get(name, chess.variant.CrazyhouseBoard)()
    game, rng, sans = gamedsl.load(name, "python"), random.Random(5), []
    notation, state = game.notation, game.initial_state()
    assert notation is not None
    for ply in range(40):
        if game.is_terminal(state):
            break
        actions = notation.actions(state)
        legal = {move.uci(): move for move in board.legal_moves}
        assert actions.keys() == legal.keys()
        assert notation.state(board.fen()).cells[:128] == state.cells[:128]
        assert notation.state(notation.position(state)).cells == state.cells
        if ply % 8 == 0:
            read = {text: notation.read(state, board.san(move)) for text, move in legal.items()}
            assert read == {text: (action,) for text, action in actions.items()}
        move = rng.choice(sorted(legal))
        if name != "atomic":  # kings may touch there: python-chess has a check of its own
            signed = notation.san_with_check(state, actions[move]) or ""
            assert signed.removeprefix("P") == board.san(legal[move]), "a pawn dropped is @e4 there"
        sans.append(board.san(legal[move]))
        board.push(legal[move])
        state = game.result(state, actions[move])
    assert game.position(" ".join(sans)) == state


TWO_LEAPS = """game "Two leaps"
players White, Black
board 5 wide 5 high
state:
    at[square]: empty | players = empty
    man[square]: empty | knight | king = empty
    is_second: bool = false
setup:
    at[b1] = White
    man[b1] = knight
    at[e4] = Black
    man[e4] = king
def across(s, t) = abs(column(s) - column(t))
def up(s, t) = abs(row(s) - row(t))
def leaps(s, t) = man[s] == knight and across(s, t) * up(s, t) == 2
move leap(s in square, t in square):
    require at[s] == turn and at[t] == empty
    require leaps(s, t) or man[s] == king and max(across(s, t), up(s, t)) == 1
    at[t], man[t] = turn, man[s]
    at[s], man[s] = empty, empty
    if man[t] == knight:
        if not is_second: again
        is_second = not is_second
    else: ensure not any(leaps(k, t) for k in square)
end:
    if stuck: draw
"""


def test_the_first_of_two_moves_in_a_row_gives_no_check() -> None:
    game = gamedsl.load(TWO_LEAPS)
    signed, state = list[str | None](), game.initial_state()
    assert game.notation is not None
    for move in ("b1d2", "d2b1", "e4d4", "b1a3", "a3c2"):
        action = game.notation.actions(state)[move]
        signed.append(game.notation.san_with_check(state, action))
        state = game.result(state, action)
    assert signed == ["Nd2", "Nb1", "Kd4", "Na3", "Nc2+"]


def test_check_and_mate_are_signed_as_python_chess_signs_them() -> None:
    chess = pytest.importorskip("chess")
    game = gamedsl.load("chess")
    notation = game.notation
    assert notation is not None
    for fen in (
        "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1",  # mate on the back rank, castling
        "4k3/8/8/1b6/8/8/3PQ3/4K3 w - - 0 1",  # discovered check
        "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",  # mate and stalemate
        "3k4/2P5/8/8/8/1B6/8/4K2R w - - 0 1",  # a pawn that promotes with check
    ):
        board, state = chess.Board(fen), notation.state(fen)
        for text, action in notation.actions(state).items():
            signed = notation.san_with_check(state, action)
            assert signed == board.san(chess.Move.from_uci(text)), fen
    lazy, free = gamedsl.load("antichess"), "8/8/8/3k4/8/8/4R3/1K6 w - - 0 1"
    assert lazy.notation is not None
    state = lazy.notation.state(free)
    signed = lazy.notation.san_with_check(state, lazy.notation.actions(state)["e2d2"])
    assert signed == "Rd2", "antichess knows no check"


def test_moves_are_read_with_their_numbers_and_ambiguity_is_told() -> None:
    game = gamedsl.load("chess")
    ruy_lopez = game.position("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O")
    assert game.notation is not None
    assert game.notation.position(ruy_lopez) == (
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 1"
    )
    two_rooks = game.notation.state("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    with pytest.raises(
        gamedsl.IllegalActionError, match=r"`Rd1` could be go\(a1, d1\), go\(h1, d1\)"
    ):
        game.action_named(two_rooks, "Rd1")
    assert game.action_named(two_rooks, "Rad1") == game.action_named(two_rooks, "a1d1")


def test_a_position_is_given_in_fen_on_the_command_line(run: Run) -> None:
    mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
    assert "Black to move" not in run("show", "chess", "--state", mate).out
    assert (
        "game over: White 1, Black -1" in run("show", "chess", "--state", mate, "--at", "Ra8#").out
    )
    for fen, said in (
        ("8/8 w - - 0 1", "a board has 8 rows in FEN, not 2"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "row 1 has 9 squares"),
        ("8/8/8/8/8/8/8/7x w - - 0 1", "'x' is no sign of a man"),
        ("8/8/8/8/8/8/8/8 w X - 0 1", "rights to castle"),
        ("8/8/8/8/8/8/8/8 w - z9 0 1", "`ep` cannot be z9"),
        ("8/8/8/8/8/8/8/8 w - - 300 1", "`clock` cannot be 300"),
    ):
        done = run("show", "chess", "--state", fen)
        assert (done.status, said in " ".join(done.err.split())) == (2, True), done.err


def test_answers_are_in_the_notation_of_the_question(run: Run) -> None:
    moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6"
    asked = run("best", "chess", "--at", moves, "--time", "0.5").out
    assert "best move     Qxf7#\n" in asked
    assert "go(" not in asked
    game = gamedsl.load("chess")
    for text, is_told in (
        (moves, True), ("e4 e5 Bc4+!", True), ("e2e4 e7e5", False), ("go(e2, e4)", False),
        ("", False),
    ):  # fmt: skip
        steps, _ = read_play(game, game.initial_state(), text.rstrip("+!"))
        assert is_told_in_notation(game, steps, text) == is_told, text


def test_an_opponent_names_moves_as_the_player_does(run: Run) -> None:
    at = ("--at", "e4 e5 Bc4 Nc6 Qh5")
    played = run("play", "chess", "--as", "Black", *at, "--time", "0.1", stdin="Nf6\n")
    assert "White plays Qxf7#\n" in played.out
