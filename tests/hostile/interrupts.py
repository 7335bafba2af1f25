"""Commands that are told to stop, at random moments, with and without what is kept between runs.

In: numbers of trials, and a seed. Out: what came of each.
"""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.doors.signals import begin, wait_until_heard

COMMANDS = (
    "solve pocket_cube --goal all",
    "check -j1 chess --positions all",
    "check -j2 othello chess --positions all",
    "perft chess 7 --engine python",
    "playouts othello -n 10000000",
    "estimate chess --time 6",
    "trace connect_small --algorithm minimax --max-nodes 10000000",
    "best connect_four --seconds 60",
)
"""Each takes longer than `LATEST`."""
LATEST = 3.0
SOON = 1.5
STATUSES = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a command did that was told to stop.

    Attributes:
        after: seconds after its start.
        seconds: how long it went on.
        trouble: what was wrong with its end; empty if nothing.
    """

    command: str
    after: float
    seconds: float
    trouble: str


def stopped(numbers: range, seed: int) -> Iterator[Stopped]:
    """Commands that are told to stop, one for each number."""
    dice = Random(f"{seed} {numbers}")
    with tempfile.TemporaryDirectory() as warm:
        for number in numbers:
            command = COMMANDS[number % len(COMMANDS)]
            asked = dice.choice(list(STATUSES))
            after = dice.uniform(0, LATEST)
            if dice.random() < 0.5:
                yield _stopped(command, asked, after, warm)
            else:
                with tempfile.TemporaryDirectory() as cold:
                    yield _stopped(command, asked, after, cold)


def _stopped(command: str, asked: signal.Signals, after: float, kept: str) -> Stopped:
    start = time.monotonic()
    with begin("-m", "gamedsl", *command.split(), XDG_CACHE_HOME=kept) as process:
        wait_until_heard(process)  # before, it is Python that hears
        time.sleep(max(0, start + after - time.monotonic()))
        told = time.monotonic()
        process.send_signal(asked)
        _, errors = process.communicate(timeout=60)
    lines = [line for line in errors.splitlines() if line and not line.startswith("note: ")]
    status, word = STATUSES[asked]
    is_clean = process.returncode == status and [line.split(":")[0] for line in lines] == [word]
    trouble = "" if is_clean else f"status {process.returncode}\n{errors}"
    return Stopped(command, told - start, time.monotonic() - told, trouble)
