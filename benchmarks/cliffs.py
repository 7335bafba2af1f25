"""`python -m benchmarks.cliffs [--only BASE ...]`: small changes of a file, and their costs.

Each probe adds a line or two to a base game, or makes a game larger, and solves the result, or
counts plays of two plies (riders, moves of their own), in a process of its own, on one thread, with
a cold and then a warm cache; the warm time of the processor counts. A row: the change, the
positions, or the plays counted, the seconds, and both as multiples of the base's. Known answers are
asserted first; exit status 1 if an answer is wrong or missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

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
        smaller: settings in place of `settings`, for changes that multiply the positions.
    """

    name: str
    settings: Mapping[str, object]
    value: tuple[str, ...]
    moved: str
    further: Mapping[str, tuple[Mapping[str, str], tuple[str, ...]]] = field(default_factory=dict)
    smaller: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


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
DROP = "    cell[s] = turn\n"
THROW, LOST = "    if die == 1:\n", "    if die == 1:\n        pot = 0\n"
"""Lines of connect four, and of pig."""
BASES = (
    Base(
        "connect_four",
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
            "a third player": (
                {
                    "Red, Yellow": "Red, Yellow, Green",
                    "p wins": "payoff q: (1 if q == p else 0)",
                    "): draw": "): payoff q: 0",
                },
                ("1", "0", "0"),
            ),
            "coin for another move": (
                {DROP: DROP + "    chance coin in {false, true}\n    if coin: again\n"},
                ("110001/524288", "-110001/524288"),
            ),
        },
        {"a third player": {"width": 4, "height": 4}},
    ),
    Base("othello", {"size": 4}, ("-1", "1"), "    passes = 0\n"),
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


RIDERS = """game "Riders"
board {size} wide {size} high
players White, Black
state:
    cell[square]: empty | players = empty
setup:
    cell[a1] = White
    cell[{corner}] = Black
move go(s in square, t in square):
    require cell[s] == turn
    require any(t in sight(cell, s, d) for d in directions) and cell[t] == empty
    cell[t] = turn
    cell[s] = empty
end:
    if stuck: draw
"""
RULES = """game "Moves of their own"
players A, B
state:
    left[0..3]: 0..60 = 60
    ply: 0..20 = 0
{moves}
end:
    if ply == 20: draw
"""
RULE = """move m{number}:
    require left[{heap}] >= 2
    left[{heap}] -= 1
    ply += 1
"""
PURSUIT = """game "Pursuit at once"
board {size} wide {size} high
players Pursuer, Evader
state:
    at[p in players]: square = a1 if p == Pursuer else c3
simultaneous go(to in square):
    require to == at[me] or to in neighbours(at[me])
    at[me] = to
end:
    if at[Pursuer] == at[Evader]: Pursuer wins
endless: Evader wins
"""


@dataclass(frozen=True)
class Probe:
    """A changed game: its file, and its value, () if any value is right.

    Attributes:
        settings: parameters of the file.
        plies: if not 0, plays of so many plies are counted instead, and `value` is their number.
    """

    base: str
    change: str
    text: str
    value: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict)
    plies: int = 0


def sizes() -> Iterator[tuple[Probe, ...]]:
    """Games in several sizes, the first of which is the base."""
    yield tuple(
        Probe(
            "riders",
            "none" if size == 10 else f"{size} wide and high",
            RIDERS.format(size=size, corner=f"{chr(96 + size)}{size}"),
            (str(plays),),
            plies=2,
        )
        for size, plays in ((10, 656), (11, 814), (15, 1616))
    )
    yield tuple(
        Probe(
            "moves of their own",
            "none" if count == 50 else f"{count} moves",
            RULES.format(moves="".join(RULE.format(number=n, heap=n % 4) for n in range(count))),
            (str(count**2),),
            plies=2,
        )
        for count in (50, 200)
    )
    yield tuple(
        Probe(
            "choices at once",
            "none" if size == 3 else f"{size} wide and high",
            PURSUIT.format(size=size),
            ("1", "-1"),
        )
        for size in (3, 4, 5)
    )


def probes(base: Base) -> Iterator[Probe]:
    """The base itself, and all its changes."""
    path = shipped_game(base.name)
    assert path is not None, "bases are shipped games"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("expect")]
    text = "\n".join(lines) + "\n"
    yield Probe(base.name, "none", text, base.value, base.settings)
    for change, (state, more) in LINES.items():
        changed = _with(text, {STATE: state, base.moved: base.moved + more})
        value = () if change in NEW_VALUES else base.value
        yield Probe(base.name, change, changed, value, base.settings)
    for change, (replaced, value) in base.further.items():
        settings = base.smaller.get(change, base.settings)
        yield Probe(base.name, change, _with(text, replaced), value, settings)


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
    families = [*(tuple(probes(base)) for base in BASES), *sizes()]
    chosen_families = (
        family for family in families if not chosen.only or family[0].base in chosen.only
    )
    is_right = True
    for family in chosen_families:
        is_right &= _measured_all(family)
    return 0 if is_right else 1


def _measured_all(family: Sequence[Probe]) -> bool:
    """Print the rows of a base and its changes; whether all answers are right."""
    is_right, first = True, (1, 1.0)
    for probe in family:
        answer, seconds = measured(probe)
        row = f"| {probe.base} | {probe.change} |"
        if answer is None or (probe.value and answer[0] != probe.value):
            said = "no answer" if answer is None else f"{answer[0]}"
            print(f"{row} {said} | | {seconds:.1f} | |", flush=True)
            is_right = False
            continue
        positions = answer[1]
        if probe.change == "none":
            first = positions, seconds
        print(
            f"{row} {positions:,} | {positions / first[0]:.2f} "
            f"| {seconds:.1f} | {seconds / first[1]:.2f} |",
            flush=True,
        )
    return is_right


def measured(probe: Probe) -> tuple[tuple[tuple[str, ...], int] | None, float]:
    """The value and the number of positions (of plays, where plays are counted) at the second time,
    and its seconds of the processor."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "probe.game"
        path.write_text(probe.text)
        settings = [part for name, n in probe.settings.items() for part in ("-D", f"{name}={n}")]
        command = [sys.executable, "-m", "gamedsl"]
        if probe.plies:
            command += ["perft", str(path), str(probe.plies), "--json"]
        else:
            command += ["solve", str(path), "--json", "--quiet", "--threads", "1"]
            command += ["--memory", MEMORY]
        answer, seconds = None, 0.0
        for _ in range(2):
            before = getrusage(RUSAGE_CHILDREN)
            try:
                done = subprocess.run(
                    [*command, *settings],
                    capture_output=True,
                    text=True,
                    timeout=LONGEST,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return None, float(LONGEST)
            after = getrusage(RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            answer = _answer(json.loads(done.stdout)) if done.returncode == 0 else None
        return answer, seconds


def _answer(said: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
    """The value and the positions; in place of both, the number of plays."""
    if "counts" in said:
        return (str(said["counts"][-1]),), int(said["counts"][-1])
    return tuple(said["value"]), int(said["positions"])


if __name__ == "__main__":
    sys.exit(main())
