"""Contests of whole processes, in seconds: from the start of Python to the first result.

Native code is made anew in an empty folder ("cold"), or found where an earlier process left it
("cached"). What Python and numba alone need is measured beside it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.answers import PERFT
from benchmarks.contender import Contender, Contest, Ready, need
from benchmarks.opponents.easyai import SOLVE_TIC_TAC_TOE

ROOT = Path(__file__).parents[1]
FIRST_DEPTH = {"tic_tac_toe": 4, "connect_four": 4, "chess": 2}
_folders: list[TemporaryDirectory[str]] = []
"""Folders that hold native code between runs; removed when the process ends."""


def process_contests() -> tuple[Contest, ...]:
    """Latency of games, and a game solved from the command line."""
    return (*(_latency(game) for game in FIRST_DEPTH), _solving())


def _latency(game: str) -> Contest:
    answer = PERFT[game][FIRST_DEPTH[game]]
    work = f"process to perft {FIRST_DEPTH[game]}"
    contenders = (
        Contender("gamedsl native, cold", lambda: _ready(work, _cold(game), answer)),
        Contender("gamedsl native, cached", lambda: _ready(work, _cached(game), answer)),
        Contender("gamedsl python", lambda: _ready(work, _count(game, "python", "."), answer)),
        Contender("import numba", lambda: _ready("process", _program("import numba", "numba"), 0)),
        Contender("Python", lambda: _ready("process", _program("pass"), 0)),
    )
    return Contest(f"latency_{game}", "", (), contenders)


def _solving() -> Contest:
    command = ["-m", "gamedsl", "solve", "tic_tac_toe", "--quiet"]
    work = "process to the value"
    contenders = (
        Contender("gamedsl", lambda: _ready(work, lambda: _is_draw(command), 1)),
        Contender("easyAI", lambda: _ready(work, _easyai(), 1)),
        Contender("Python", lambda: _ready("process", _program("pass"), 0)),
    )
    return Contest("solve_tic_tac_toe", "", (), contenders)


def _ready(work: str, run: Callable[[], int], answer: int) -> Ready:
    return Ready(work, run, lambda found: found == answer, float)


def _cold(game: str) -> Callable[[], int]:
    def run() -> int:
        with TemporaryDirectory() as folder:
            return _count(game, "native", folder)()

    need("llvmlite", "llvmlite")
    return run


def _cached(game: str) -> Callable[[], int]:
    need("llvmlite", "llvmlite")
    _folders.append(TemporaryDirectory())
    return _count(game, "native", _folders[-1].name)


def _count(game: str, engine: str, folder: str) -> Callable[[], int]:
    arguments = ["-m", "benchmarks.first_result", game, str(FIRST_DEPTH[game]), engine, folder]
    return lambda: int(_output(arguments))


def _program(text: str, package: str | None = None) -> Callable[[], int]:
    if package:
        need(package, package)
    return lambda: len(_output(["-c", text]))


def _easyai() -> Callable[[], int]:
    need("easyAI", "easyAI")
    return lambda: _is_draw(["-c", SOLVE_TIC_TAC_TOE])


def _is_draw(arguments: list[str]) -> int:
    return int("draw" in _output(arguments).lower())


def _output(arguments: list[str]) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
