"""Commands carried out on cases, each within limits, so that one that fails does not stop the rest.

In: cases. Out: what every command did. Each case has a process of its own, a copy of this one.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from gamedsl.cli.program import app
from tests.hostile.cases import Case, games

STATUSES = {0, 1, 2, 3, 4}
SECONDS = 20
MEMORY = 1_500 * 2**20
"""Bytes that a process may hold."""
ADDRESSES = 4 * 2**30
"""Bytes that a process may ask for: beyond that it is ended, to protect the others."""
LATE = 600
"""Seconds after which a process that does nothing is ended."""

FEW = ("--max-positions", "2000")
COMMANDS = (
    ("check", "{}", "--positions", "500", *FEW),
    ("solve", "{}", *FEW),
    ("perft", "{}", "2"),
    ("fmt", "--diff", "{}"),
    ("explain", "{}", *FEW),
    ("tree", "{}", "--depth", "2"),
)
EXPLAIN_FORMATS = ("text", "markdown", "latex", "html")
TREE_FORMATS = ("text", "svg", "html", "dot", "latex", "json")


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did with a case.

    Attributes:
        trouble: what was wrong with that; empty if nothing.
        seconds: of processor time.
    """

    case: Case
    command: str
    status: int
    seconds: float
    trouble: str


def carried_out(cases: Iterable[Case]) -> Iterator[Done]:
    """All commands on all cases."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.game"
        path.write_text(games()["kitchen"])
        for number in range(len(TREE_FORMATS)):
            for words in _commands(path, number):
                assert not _run(words)[1], words  # whatever is imported is known to all copies
        for number, case in enumerate(cases):
            path.write_bytes(case.text.encode("utf-8", "surrogatepass"))
            yield from _apart(case, _commands(path, number))


def _commands(path: Path, number: int) -> list[list[str]]:
    """The commands for the case of a number, with formats taken in turn."""
    formats = {
        "explain": EXPLAIN_FORMATS[number % len(EXPLAIN_FORMATS)],
        "tree": TREE_FORMATS[number % len(TREE_FORMATS)],
    }
    found = []
    for command in COMMANDS:
        chosen = formats.get(command[0])
        words = [word.format(path) for word in command]
        found.append([*words, "--format", chosen] if chosen else words)
    return found


def _apart(case: Case, commands: list[list[str]]) -> Iterator[Done]:
    """The commands on a case, in a process of its own."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        _work(commands, mouth)
    os.close(mouth)
    with os.fdopen(ear, "rb") as lines:
        told = [json.loads(line) for line in lines]
    _, ended, usage = os.wait4(child, 0)
    is_large = usage.ru_maxrss * 1024 > MEMORY
    for words, (status, seconds, trouble) in zip(commands, told, strict=False):
        yield Done(case, " ".join(words), status, seconds, trouble)
    if ended or is_large:
        words = commands[min(len(told), len(commands) - 1)] if ended else []
        name = signal.Signals(os.WTERMSIG(ended)).name if os.WIFSIGNALED(ended) else str(ended)
        trouble = f"ended by {name}" if ended else f"held {usage.ru_maxrss // 1024} MB"
        yield Done(case, " ".join(words) or "all", -1, usage.ru_utime, trouble)


def _work(commands: list[list[str]], mouth: int) -> None:
    """Carry commands out and tell of each; the end of this process."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(LATE)
    for words in commands:
        start = _processor_time()
        most = int(start) + SECONDS + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        status, trouble = _run(words)
        told = (status, _processor_time() - start, trouble)
        os.write(mouth, json.dumps(told).encode() + b"\n")
    os._exit(0)


def _run(words: list[str]) -> tuple[int, str]:
    """The status of a command, and what was wrong with what it did."""
    done = CliRunner().invoke(app, words, prog_name="gamedsl")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return done.exit_code, "".join(traceback.format_exception(done.exception))
    if done.exit_code not in STATUSES or "Traceback (most recent" in done.output:
        return done.exit_code, done.output[-2_000:]
    return done.exit_code, ""


def _processor_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
