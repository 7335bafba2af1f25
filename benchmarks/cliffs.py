"""`python -m benchmarks.cliffs [--only BASE ...]`: small changes of a file, and their costs.

Each probe changes one line of a base game and solves the result in a process of its own, on one
thread, with a cold and then a warm cache; the warm time of the processor counts. A row: the change,
the positions, the seconds, and both as multiples of the base's. An expected answer is asserted
first; exit status 1 if an answer is wrong or missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from gamedsl.game.library import shipped_game

MEMORY = "3GB"
LONGEST = 120
"""Seconds of a process, by the clock."""


@dataclass(frozen=True)
class Probe:
    """A change of a base game.

    Attributes:
        base: a shipped game; settings: its parameters.
        name: the change, in words; "" for the base itself.
        changes: texts of the file, each with the text in its place.
        value: the payoffs of best play, as `solve` writes them in JSON.
    """

    base: str
    name: str
    value: tuple[str, ...]
    changes: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)


SMALL = {"width": 5, "height": 4}
DRAW, HALF_WIN = ("0", "0"), ("1", "1")
MOVED = "    cell[s] = turn\n"
STATE = "\nstate:\n"
CONNECT = {
    "": (DRAW, {}),
    "reward p: 0": (DRAW, {MOVED: MOVED + "    reward turn: 0\n"}),
    "a cost of a move": (DRAW, {MOVED: MOVED + "    reward turn: -1/100, opponent: 1/100\n"}),
    "discount = 99/100": (DRAW, {STATE: "\ndiscount = 99/100\n" + STATE}),
    "payoffs of 3, 0 and 1": (
        HALF_WIN, {"p wins": "payoff q: (3 if q == p else 0)", "): draw": "): payoff q: 1"}
    ),
    "payoffs of a third": (
        DRAW, {"p wins": "payoff q: (1/3 if q == p else -1/3)"}
    ),
    "states do not come back": (DRAW, {STATE: "\nrepeat state 3 times: draw\n" + STATE}),
    "a secret that nobody reads": (DRAW, {STATE: STATE + "    coin: bool = false secret\n"}),
    "a number among the contents": (
        DRAW, {"cell[square]: empty | players": "cell[square]: empty | players | 1..1"}
    ),
    "a coin in the setup": (
        DRAW, {STATE: STATE + "    coin: bool = false\n",
               "\nmove drop": "\nsetup:\n    chance coin in {false, true}\n\nmove drop"},
    ),
    "a coin after each move": (
        DRAW, {STATE: STATE + "    coin: bool = false\n",
               MOVED: MOVED + "    chance coin in {false, true}\n"},
    ),
    "a count of the moves": (
        DRAW, {STATE: STATE + "    moves: 0..20 = 0\n", MOVED: MOVED + "    moves += 1\n"}
    ),
}  # fmt: skip
PROBES = tuple(
    Probe("connect_small", name, value, changes, SMALL)
    for name, (value, changes) in CONNECT.items()
)


def main(arguments: list[str] | None = None) -> int:
    """Measure the probes; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cliffs", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="BASE", help="base games")
    chosen = parser.parse_args(arguments)
    is_right = True
    bases: dict[str, tuple[int, float]] = {}
    print("| base | change | positions | | seconds | |\n|---|---|---|---|---|---|")
    for probe in PROBES:
        if chosen.only and probe.base not in chosen.only:
            continue
        answer, seconds = measured(probe)
        if answer is None or answer["value"] != list(probe.value):
            said = "no answer" if answer is None else answer["value"]
            print(f"| {probe.base} | {probe.name} | {said}, not {list(probe.value)} | | | |")
            is_right = False
            continue
        positions = answer["positions"]
        base = bases.setdefault(probe.base, (positions, seconds))
        print(
            f"| {probe.base} | {probe.name or 'none'} | {positions:,} | {positions / base[0]:.2f} "
            f"| {seconds:.1f} | {seconds / base[1]:.2f} |",
            flush=True,
        )
    return 0 if is_right else 1


def text_of(probe: Probe) -> str:
    """The file of a probe, without the claims of the base."""
    path = shipped_game(probe.base)
    assert path is not None, "bases are shipped games"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("expect")]
    text = "\n".join(lines) + "\n"
    for before, after in probe.changes.items():
        assert before in text, f"{probe.base} has no {before!r}"
        text = text.replace(before, after)
    return text


def measured(probe: Probe) -> tuple[dict[str, object] | None, float]:
    """What `solve --json` says at the second time, and its seconds of the processor."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "probe.game"
        path.write_text(text_of(probe))
        settings = [part for name, n in probe.settings.items() for part in ("-D", f"{name}={n}")]
        command = [sys.executable, "-m", "gamedsl", "solve", str(path), "--json", "--quiet"]
        command += ["--threads", "1", "--memory", MEMORY, *settings]
        answer, seconds = None, 0.0
        for _ in range(2):
            before = getrusage(RUSAGE_CHILDREN)
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=LONGEST, check=False
                )
            except subprocess.TimeoutExpired:
                return None, float(LONGEST)
            after = getrusage(RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            answer = json.loads(done.stdout) if done.returncode == 0 else None
        return answer, seconds


if __name__ == "__main__":
    sys.exit(main())
