"""`gamedsl engine`: other programs play by JSON lines, UCI and GTP; other programs as agents."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import gamedsl
from gamedsl.bridges.protocols.client import EngineError
from tests.doors.conftest import GAMES, Run

ENGINE = (sys.executable, "-m", "gamedsl", "engine")
COIN = """\
game "Coins and guesses"
players Ann, Bob
type Side = heads | tails
state:
    points[players]: 0..3 = 0
    rounds: 0..2 = 0
move wait:
    chance c in {heads: 1/2, tails: 1/2}
    if c == heads: points[turn] += 1
    rounds += 1
end:
    if rounds == 2: payoff Ann: points[Ann], Bob: points[Bob]
"""


def answers(run: Run, game: str, *requests: object, flags: tuple[str, ...] = ()) -> list[Any]:
    """The answers to requests by JSON lines."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in requests]
    done = run("engine", game, *flags, "-q", stdin="\n".join(lines))
    assert (done.status, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_game_is_played_by_json_lines(run: Run) -> None:
    hello, begun, best, over = answers(
        run,
        "tic_tac_toe",
        {"do": "hello", "id": 7},
        {"do": "play", "moves": "a1 b1 a2 b2"},
        {"do": "best", "id": "move"},
        {"do": "play", "moves": ["a3"]},
    )
    assert (hello["id"], hello["players"]) == (7, ["X", "O"])
    assert begun["to_move"] == "X"
    assert "mark(a3)" in begun["legal"]
    assert (best["id"], best["action"], best["value"], best["proved"]) == (
        "move", "mark(a3)", ["1", "-1"], True,
    )  # fmt: skip
    assert (over["to_move"], over["payoffs"], over["legal"]) == ("terminal", ["1", "-1"], [])


def test_the_second_player_is_told_its_own_payoff(run: Run, tmp_path: Any) -> None:
    """Payoffs of 100, 50 and 0, in a game too large to solve."""
    text = (GAMES / "connect_four.game").read_text("utf-8").partition("expect")[0]
    text = text.replace("p wins", "payoff p: 100, other(p): 0").replace("draw", "payoff q: 50")
    path = tmp_path / "hundred.game"
    path.write_text(text)
    _, best = answers(run, str(path), {"do": "play", "moves": "4 1 3 1 7 1 7"}, {"do": "best"})
    assert (best["action"], best["value"]) == ("drop(1)", ["0", "100"])


def test_chance_is_named_or_drawn_and_choices_at_once_are_mixed(run: Run, tmp_path: Any) -> None:
    path = tmp_path / "coins.game"
    path.write_text(COIN)
    waiting, refused, named, drawn = answers(
        run, str(path), {"do": "play", "moves": "wait"}, {"do": "best"},
        {"do": "play", "moves": "c=heads"}, {"do": "draw"},
    )  # fmt: skip
    assert waiting["chances"] == {"c=heads": "1/2", "c=tails": "1/2"}
    assert "`draw` draws" in refused["error"]
    assert (named["to_move"], named["moves"]) == ("Bob", "wait heads")
    assert drawn["error"] == "no chance event comes next"
    (mixed,) = answers(run, "rock_paper_scissors", {"do": "best"})
    assert mixed["mixed"]["A"] == {
        f"throw({hand})": "1/3" for hand in ("rock", "paper", "scissors")
    }


def test_a_wrong_line_is_answered_and_the_next_line_too(run: Run) -> None:
    *wrong, right = answers(
        run, "nim", "nonsense", "[" * 100_000, "[1]", {"do": "bset"}, {"do": "play", "moves": 3},
        {"do": "play", "moves": "take(9, 9)"}, {"do": "best", "seconds": "soon"}, {"do": "undo"},
        {"do": "new", "state": {"turn": "Zoe"}}, {"do": "position"},
    )  # fmt: skip
    assert [answer["ok"] for answer in wrong] == [False] * 9
    assert "did you mean 'best'?" in wrong[3]["error"]
    assert "is not legal here" in wrong[5]["error"]
    assert "`turn` is one of" in wrong[8]["error"]
    assert right["ok"]


def test_a_protocol_is_refused_for_games_with_other_moves(run: Run) -> None:
    for flag, game, said in (
        ("--uci", "nim", "moves of the men of chess"),
        ("--gtp", "chess", "one point of a grid"),
        ("--gtp", "nim", "one point of a grid"),
    ):
        done = run("engine", game, flag, stdin="name\n")
        assert (done.status, said in done.err) == (4, True), done
    assert run("engine", "chess", "--uci", "--gtp").status == 2
    assert run("engine", "nim").status == 0


def uci(run: Run, game: str, *lines: str) -> list[str]:
    """The answers of an engine of chess."""
    done = run("engine", game, "--time", "0.1", stdin="\n".join(("uci", *lines)))
    assert (done.status, done.err) == (0, "")
    return done.out.partition("uciok\n")[2].splitlines()


def test_uci_answers_each_line(run: Run) -> None:
    told = uci(
        run, "chess", "isready", "nonsense", "position fen 8/8 w", "go",
        "setoption name Hash value 1",
        "position startpos moves e2e4 e2e4", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
        "go movetime 300",
    )  # fmt: skip
    assert told[:7] == [
        "readyok",
        "info string unknown command: nonsense",
        "info string no position: a board has 8 rows in FEN, not 2",
        "info string no position",
        "bestmove (none)",
        "info string there is no option Hash",
        "info string move 2, e2e4, is not legal",
    ]
    assert told[-1] == "bestmove a1a8"


def test_the_score_is_that_of_the_player_to_move(run: Run) -> None:
    for turn, better in (("w", "-"), ("b", "")):
        told = uci(
            run, "chess", f"position fen 3qk3/8/8/8/8/8/8/4K3 {turn} - - 0 1", "go movetime 60"
        )
        score = next(line for line in told if "score cp" in line).split()[5]
        assert score.startswith("-") == bool(better), told


def test_a_search_without_end_stops_at_the_end_of_the_input(run: Run) -> None:
    assert uci(run, "chess", "position startpos", "go infinite")[-1].startswith("bestmove ")


def test_uci_plays_on_where_the_file_has_ended_the_game_by_repetition(run: Run) -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 3
    told = uci(run, "chess", f"position startpos moves {shuffle}", "go movetime 50")
    assert told[-1].startswith("bestmove ")
    assert "none" not in told[-1]


@pytest.fixture
def engine() -> Iterator[Any]:
    """An engine of chess, driven by python-chess."""
    pytest.importorskip("chess")
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci([*ENGINE, "chess"]) as started:
        yield started


@pytest.mark.slow
def test_python_chess_plays_whole_games(engine: Any) -> None:
    import random

    import chess

    lost = 0
    for number in range(2):
        board, rng = chess.Board(), random.Random(number)
        while not board.is_game_over():
            if board.turn == (number % 2 == 0):
                board.push(engine.play(board, chess.engine.Limit(time=0.06)).move)
            else:
                board.push(rng.choice(list(board.legal_moves)))
        outcome = board.outcome()
        assert outcome is not None
        lost += outcome.winner is (number % 2 == 1)
    assert lost == 0, "against random moves"


def test_python_chess_stops_a_search(engine: Any) -> None:
    import chess

    with engine.analysis(chess.Board()) as analysis:
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves
    assert engine.play(chess.Board(), chess.engine.Limit(time=0.06)).move is not None


class GtpClient:
    """A small client of GTP."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*ENGINE, *arguments, "--gtp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """Wait for the end of the engine."""
        assert self.process.wait() == 0
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def __call__(self, command: str) -> str:
        """The answer to a command; RuntimeError for a refusal."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().rstrip()) or not lines:
            lines.append(line)
        if lines[0][0] == "?":
            raise RuntimeError(lines[0][1:].strip())
        return "\n".join([lines[0][1:].strip(), *lines[1:]])


def test_a_client_of_gtp_plays_go() -> None:
    say = GtpClient("go", "--time", "0.05", "-D", "size=9")
    assert (say("protocol_version"), say("known_command genmove")) == ("2", "true")
    assert [say("boardsize 9"), say("komi 5"), say("clear_board")] == [""] * 3
    assert say("play b J9") == ""  # the ninth column: GTP has no I
    assert "9 . . . . . . . . B" in say("showboard")
    for number in range(2):
        vertex = say(f"genmove {'wb'[number % 2]}")
        assert vertex == "pass" or vertex[0] in "ABCDEFGHJ"
    for wrong, said in (
        ("play b J9", "illegal move: White is to move"), ("play w J9", "illegal move"),
        ("play w I5", "invalid color or coordinate"), ("boardsize 40", "unacceptable size"),
        ("komi 6.5", "Go has no komi 6.5"), ("foo", "unknown command"),
        ("boardsize x", "boardsize"),
    ):  # fmt: skip
        with pytest.raises(RuntimeError, match=said):
            say(wrong)
    say("boardsize 3")
    with pytest.raises(RuntimeError, match="cannot score: the game is not over"):
        say("final_score")
    for move in ("b B2", "w pass", "b pass"):
        say(f"play {move}")
    assert say("final_score") == "B+4", "nine points and a komi of 5"
    say("boardsize 5")
    assert say("showboard").splitlines()[1].startswith("5 .")
    assert say("quit") == ""
    say.close()


@pytest.mark.slow
def test_a_client_of_gtp_plays_a_whole_game_of_go() -> None:
    import random

    say, rng = GtpClient("go", "--time", "0.2"), random.Random(1)
    assert [say("boardsize 5"), say("komi 7"), say("clear_board")] == [""] * 3
    points = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    last: list[str] = []
    while last[-2:] != ["pass", "pass"] and len(last) < 300:
        last.append(_random_move(say, rng.sample(points, 25) if len(last) < 24 else []))
        if last[-2:] != ["pass", "pass"]:
            last.append(say("genmove w"))
    assert 24 < len(last) < 300
    with pytest.raises(RuntimeError, match="the game is over"):
        say("genmove b")
    assert say("showboard").endswith("White 1"), "against random moves"
    assert say("quit") == ""
    say.close()


def _random_move(say: GtpClient, points: list[str]) -> str:
    """The first of some points that Black may take, or a pass."""
    for point in points:
        try:
            say(f"play b {point}")
            return point
        except RuntimeError:  # a stone stands there, or the move is forbidden
            continue
    say("play b pass")
    return "pass"


def test_another_program_is_an_agent() -> None:
    game = gamedsl.load("tic_tac_toe")
    with gamedsl.engine_agent([*ENGINE, "tic_tac_toe"], seconds=0.5) as agent:
        play = game.play([agent, gamedsl.random_agent(1)])
    assert play.payoffs is not None
    assert play.payoffs[0] >= 0
    chess = gamedsl.load("chess")
    with gamedsl.engine_agent([*ENGINE, "chess"], seconds=0.06, protocol="uci") as agent:
        assert len(chess.play([agent, agent], longest=3).names) == 3
    for command in ("", "no_such_program", f"{sys.executable} -c 'print(1)'"):
        with pytest.raises(EngineError), gamedsl.engine_agent(command) as agent:
            game.play([agent, agent])
