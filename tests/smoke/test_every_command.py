"""One visit a door: each command of the command line, the Python interface, the language services,
the playground, and a saved solution. A command that is added has to be visited here, too.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

import gamedsl
from gamedsl.cli.program import app
from gamedsl.playground.dispatch import answer
from tests.doors.conftest import GAMES, Run

VISITS: dict[str, tuple[tuple[str, ...], str]] = {
    "analyse": (("hexapawn", "--time", "1"), "Black wins (proved)"),
    "best": (("tic_tac_toe", "--at", "a1 b1 a2"), "mark(a3)"),
    "cache": ((), "games, "),
    "check": (("tic_tac_toe",), "ok"),
    "compare": (("nim", "nim"), "no difference: all 232 positions"),
    "count": (("tic_tac_toe",), "5,478 positions"),
    "estimate": (("tic_tac_toe", "--time", "2"), "positions"),
    "exercise": ((), "bet_on_a_coin"),
    "explain": (("nim",), "ACTIONS"),
    "fmt": (("--check", str(GAMES / "nim.game")), ""),
    "games": ((), "tic_tac_toe"),
    "import": ((str(GAMES.parent / "tests/kif/heap.kif"),), "heap: 0..5 = 5"),
    "match": (("nim", "--first", "search:plays=20", "-n", "1"), "1 pair, 2 games"),
    "ladder": (("tic_tac_toe", "-n", "1", "--highest", "2"), "level 1 to 2"),
    "tournament": (("nim", "-n", "1", "--player", "random", "--player", "level:2"), "level:2 "),
    "new": (("own",), "own.game"),
    "how": (("draw", "a", "card"), "weighted left"),
    "perft": (("tic_tac_toe", "3"), "504"),
    "play": (("tic_tac_toe", "--time", "1"), "a b c"),
    "playouts": (("nim", "-n", "50"), "50 random plays"),
    "probe": (("nim.solution",), "A wins"),
    "puzzles": (("hexapawn", "-n", "2", "--time", "1"), "exactly one move wins"),
    "rule": (("E1001",), "E1001"),
    "show": (("connect_four", "--at", "4"), "Yellow"),
    "solve": (("nim",), "A wins"),
    "sweep": (("nim", "--do", "playouts", "-n", "5"), '"playouts": 5'),
    "trace": (("aima_fig_5_2", "-a", "minimax"), "3"),
    "tree": (("aima_fig_5_2",), "a1"),
    "verify": (("nim.solution",), "verified: all 232 positions"),
}
"""What each command is given, and what its output holds."""
OF_A_SOLUTION = {"probe", "verify"}
"""Commands that are asked about a saved solution of Nim."""
SERVERS = {"engine", "lsp", "playground"}
"""Commands that serve until they are ended; `test_the_services_answer` asks what they would."""


def test_every_command_is_visited() -> None:
    assert set(typer.main.get_command(app).commands) == set(VISITS) | SERVERS  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", VISITS)
def test_a_command_does_what_it_is_for(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, words = VISITS[command]
    if command in OF_A_SOLUTION:
        assert run("solve", "nim", "--save", "nim.solution").status == 0
    done = run(command, *arguments, stdin="quit\n")
    assert (done.status, done.err[:200] if done.status else "") == (0, "")
    assert words in done.out + done.err


def test_the_python_interface_answers() -> None:
    game = gamedsl.load("tic_tac_toe")
    assert gamedsl.solve(game).outcome == "draw"
    assert gamedsl.search(game, "alpha-beta").value == 0
    state = game.result(game.initial_state(), game.legal_actions(game.initial_state())[4])
    assert len(game.legal_actions(state)) == 8


def test_the_services_answer() -> None:
    text = (GAMES / "nim.game").read_text("utf-8")
    question = {"ask": "check", "text": text.replace("require n <= left", "require m <= left")}
    assert '"E1001"' in answer(json.dumps(question))
