"""Running the command line inside a test: what goes in, and the status and both streams out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from typer import testing

from gamedsl.cli.program import app

# Typer builds its commands anew for each call; a process of a user builds them once.
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]
ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: `run("solve", "nim", stdin="...")`."""
    for name in ("FORCE_COLOR", "NO_COLOR", "GAMEDSL_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def command(*arguments: str | Path, stdin: str | bytes = "") -> Ran:
        words = [str(argument) for argument in arguments]
        done = testing.CliRunner().invoke(app, words, stdin, prog_name="gamedsl")
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(done.exit_code, done.stdout, done.stderr)

    return command


@pytest.fixture
def run_apart() -> Run:
    """Run a command in a process of its own, where signals and pipes are real."""

    def command(*arguments: str | Path, stdin: str = "", **settings: str) -> Ran:
        import os

        done = subprocess.run(
            [sys.executable, "-m", "gamedsl", *(str(a) for a in arguments)],
            cwd=ROOT,
            env={**os.environ, **settings},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return command


@pytest.fixture
def game_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a game to a file and give its path."""

    def write(text: str, name: str = "a.game") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


PILE = """\
# Take one or two; who takes the last wins.
game "Pile"
param n = 5
players Ann, Bob

state:
    left: 0..n = n

move take(k in 1..2):
    require k <= left
    left -= k

end:
    if left == 0: opponent wins

expect value: Ann wins
expect best: take(2)
"""


@pytest.fixture
def pile(game_file: Callable[..., Path]) -> Path:
    """A small valid game in a file."""
    return game_file(PILE, "pile.game")
