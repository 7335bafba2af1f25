"""`python -m benchmarks.cliffs [--only BASE ...]`: small changes of a file, and their costs.

Each probe adds a line or two to a base game and solves the result in a process of its own, on one
thread, with a cold and then a warm cache; the warm time of the processor counts. A row: the change,
the positions, the seconds, and both as multiples of the base's. Known answers are asserted first;
exit status 1 if an answer is wrong or missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from gamedsl.game.library import shipped_game

MEMORY = "3GB"
LONGEST = 120
"""Seconds of a process, by the clock."""


@dataclass(frozen=True)
class Base:
    """A game to be changed.

    Attributes:
        name: a shipped game; settings: its parameters.
        value: the payoffs of best play, as `solve` writes them in JSON.
        moved: a line of a move's body, behind which lines are added.
        further: changes of this game alone: texts in place of texts, with the value.
    """

    name: str
    settings: Mapping[str, object]
    value: tuple[str, ...]
    moved: str
    further: Mapping[str, tuple[Mapping[str, str], tuple[str, ...]]] = field(default_factory=dict)


STATE = "\nstate:\n"
COIN = STATE + "    coin: bool = false\n"
LINES: Mapping[str, tuple[str, str]] = {
    "reward of 0": (STATE, "    reward turn: 0\n"),
    "cost of a move": (STATE, "    reward turn: -1/100, opponent: 1/100\n"),
    "discount": ("\ndiscount = 99/100\n" + STATE, ""),
    "states do not come back": ("\nrepeat state 3 times: draw\n" + STATE, ""),
    "unread secret": (STATE + "    coin: bool = false secret\n", ""),
    "unread coin after the move": (COIN, "    chance coin in {false, true}\n"),
    "unread last mover": (STATE + "    last: players | none = none\n", "    last = turn\n"),
}
"""For each change, the text in place of `state:`, and lines behind a line of a move's body."""
NEW_VALUES = frozenset({"cost of a move", "discount"})
"""Changes that may change the value."""
THROW, LOST = "    if die == 1:\n", "    if die == 1:\n        pot = 0\n"
"""Lines of pig."""
BASES = (
    Base(
        "connect_small",
        {"width": 5, "height": 4},
        ("0", "0"),
        "    cell[s] = turn\n",
        {
            "payoffs of 3, 0 and 1": (
                {"p wins": "payoff q: (3 if q == p else 0)", "): draw": "): payoff q: 1"},
                ("1", "1"),
            ),
            "a number among the contents": (
                {"empty | players = empty": "empty | players | 1..1 = empty"},
                ("0", "0"),
            ),
        },
    ),
    Base("othello_small", {"size": 4}, ("-1", "1"), "    passes = 0\n"),
    Base("nim", {"sizes": "[7, 8, 8, 8]"}, ("1", "-1"), "    left[h] -= n\n"),
    Base("hexapawn", {"width": 5, "height": 5}, (), "    pawn[to] = turn\n"),
    Base(
        "pig",
        {"goal": 30},
        (),
        "    require pot > 0\n",
        {
            "reward of a throw": (
                {THROW: "    reward turn: -die/100, opponent: die/100\n" + THROW},
                (),
            ),
            "coin after a 1": (
                {LOST: LOST + "        chance coin in {false, true}\n        if coin: again\n"},
                (),
            ),
        },
    ),
)


@dataclass(frozen=True)
class Probe:
    """A changed game: its file, and its value, () if any value is right."""

    base: Base
    change: str
    text: str
    value: tuple[str, ...]


def probes(base: Base) -> Iterator[Probe]:
    """The base itself, and all its changes."""
    path = shipped_game(base.name)
    assert path is not None, "bases are shipped games"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("expect")]
    text = "\n".join(lines) + "\n"
    yield Probe(base, "none", text, base.value)
    for change, (state, more) in LINES.items():
        changed = _with(text, {STATE: state, base.moved: base.moved + more})
        yield Probe(base, change, changed, () if change in NEW_VALUES else base.value)
    for change, (replaced, value) in base.further.items():
        yield Probe(base, change, _with(text, replaced), value)


def _with(text: str, changes: Mapping[str, str]) -> str:
    for before, after in changes.items():
        assert before in text, f"there is no {before!r}"
        text = text.replace(before, after)
    return text


def main(arguments: list[str] | None = None) -> int:
    """Measure the probes; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cliffs", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="BASE", help="base games")
    chosen = parser.parse_args(arguments)
    print("| base | change | positions | | seconds | |\n|---|---|---|---|---|---|")
    is_right = True
    for base in BASES:
        if not chosen.only or base.name in chosen.only:
            is_right &= _measured_all(base)
    return 0 if is_right else 1


def _measured_all(base: Base) -> bool:
    """Print the rows of a base; whether all answers are right."""
    is_right, first = True, (1, 1.0)
    for probe in probes(base):
        answer, seconds = measured(probe)
        row = f"| {base.name} | {probe.change} |"
        if answer is None or (probe.value and answer["value"] != list(probe.value)):
            said = "no answer" if answer is None else f"{answer['value']}"
            print(f"{row} {said} | | {seconds:.1f} | |", flush=True)
            is_right = False
            continue
        positions = int(str(answer["positions"]))
        if probe.change == "none":
            first = positions, seconds
        print(
            f"{row} {positions:,} | {positions / first[0]:.2f} "
            f"| {seconds:.1f} | {seconds / first[1]:.2f} |",
            flush=True,
        )
    return is_right


def measured(probe: Probe) -> tuple[dict[str, object] | None, float]:
    """What `solve --json` says at the second time, and its seconds of the processor."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "probe.game"
        path.write_text(probe.text)
        given = probe.base.settings.items()
        settings = [part for name, n in given for part in ("-D", f"{name}={n}")]
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
