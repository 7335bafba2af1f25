"""Pairs of games on all cores: every game in turn, each result appended at once as a JSON line.

In: names of games, tasks by a function, a number of processes, a time. Out: lines in a file, which
may be cut at any moment; summaries of such files. Pairs that play when time ends are left out.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.synchronize import Lock
from pathlib import Path
from typing import Any

from gamedsl.solvers.matches.elo import elo_interval, mean_interval
from gamedsl.solvers.matches.match import Pair
from gamedsl.source.records import dataclass

STAY = 2
"""Pairs by which a process may run ahead with a contest that it has loaded."""
END = 2.0
"""Seconds in which a process ends before it is killed."""

Play = Callable[[int], dict[str, Any]]
"""Plays the pair of a number, and tells its result."""
Opener = Callable[[str], Play]
"""The name of a contest -> its pairs."""


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """What a series plays.

    Attributes:
        names: of the contests.
        opener: called in a process, once for each contest that the process takes part in.
        jobs: the number of processes.
        seconds: of wall-clock time, for all.
        pairs: of each contest, at most.
        out: the file to which results are appended.
    """

    names: Sequence[str]
    opener: Opener
    jobs: int
    seconds: float
    pairs: int
    out: Path


def play_series(plan: SeriesPlan) -> None:
    """Plays pairs of all contests until the time or the number of pairs is reached."""
    ends = time.monotonic() + plan.seconds
    method = multiprocessing.get_context("fork")
    begun = method.Array("i", _played(plan))
    lock = method.Lock()
    crew = [
        method.Process(target=_work, args=(plan, begun, lock, ends), daemon=False)
        for _ in range(plan.jobs)
    ]
    for process in crew:
        process.start()
    for process in crew:
        process.join(max(0.0, ends - time.monotonic()))
    for process in crew:
        process.terminate()
        process.join(END)
        process.kill()


def _played(plan: SeriesPlan) -> list[int]:
    """The numbers from which the contests go on: above those in the file."""
    numbers = dict.fromkeys(plan.names, 0)
    for line in lines_of([plan.out]):
        if line.get("contest") in numbers:
            numbers[line["contest"]] = max(numbers[line["contest"]], line["pair"] + 1)
    return [numbers[name] for name in plan.names]


def _work(plan: SeriesPlan, begun: Any, lock: Lock, ends: float) -> None:
    """Takes the contest with the fewest pairs, again and again; a loaded contest is preferred."""
    opened: dict[str, Play] = {}
    while time.monotonic() < ends:
        with lock:
            waits = [
                (begun[place] - STAY * (name in opened), place)
                for place, name in enumerate(plan.names)
                if begun[place] < plan.pairs
            ]
            if not waits:
                return
            place = min(waits)[1]
            number, name = begun[place], plan.names[place]
            begun[place] += 1
        told: dict[str, Any] = {"contest": name, "pair": number}
        try:
            if name not in opened:
                opened[name] = plan.opener(name)
            told |= opened[name](number)
        except Exception:  # noqa: BLE001 (told, and the series goes on)
            told["error"] = traceback.format_exc()
            opened.pop(name, None)
        with lock, plan.out.open("a") as file:
            file.write(json.dumps(told) + "\n")
            file.flush()
            os.fsync(file.fileno())


def result_of(pair: Pair) -> dict[str, Any]:
    """What a line tells of a pair: the score of each game, and the number of plies."""
    return {
        "scores": [game.score for game in pair.games],
        "plies": [len(game.moves) for game in pair.games],
    }


def lines_of(files: Iterable[Path]) -> list[dict[str, Any]]:
    """The lines of files; a line that was cut is left out."""
    lines = []
    for file in filter(Path.is_file, files):
        for text in file.read_text().splitlines():
            try:
                lines.append(json.loads(text))
            except ValueError:
                continue
    return lines


def summary(lines: Sequence[dict[str, Any]]) -> str:
    """Each contest, by OpenSpiel's exploration if there are several, and all of them: games won,
    drawn and lost, Elo with intervals of 95 %, plies, processor seconds of a move on both sides;
    all contests once more with the exploration of each that did better against us; errors."""
    contests = defaultdict(list)
    for line in lines:
        contests[line["contest"], line.get("uct_c")].append(line)
    told = [
        _row(name if c is None else f"{name} c={c:g}", contests[name, c])
        for name, c in sorted(contests, key=str)
    ]
    if len(contests) > 1:
        told.append(_row("all", list(lines)))
    hardest = _hardest(contests.items())
    if any("uct_c" in line for line in lines) and len(hardest) > 1:
        told.append(_row("all, better c", [line for played in hardest for line in played]))
    errors = [line["error"].splitlines()[-1] for line in lines if "error" in line]
    return "\n".join([*told, *(f"error: {error}" for error in errors)])


def _hardest(
    contests: Iterable[tuple[tuple[str, Any], list[dict[str, Any]]]],
) -> list[list[dict[str, Any]]]:
    """The lines of each contest with the setting of the opponent that did better against us."""
    settings = defaultdict(list)
    for (name, _), lines in contests:
        scores = [score for line in lines for score in line.get("scores", ())]
        if scores:
            settings[name].append((sum(scores) / len(scores), lines))
    return [min(several, key=lambda one: one[0])[1] for several in settings.values()]


def _row(name: str, lines: Sequence[dict[str, Any]]) -> str:
    scores = [line["scores"] for line in lines if line.get("scores")]
    if not scores and not any("margin" in line for line in lines):
        return f"{name:24} no games"
    games = [score for pair in scores for score in pair]
    told = f"{name:24} +{games.count(1)} ={games.count(0.5)} -{games.count(0)}"
    if scores:
        elo = elo_interval([sum(pair) / len(pair) for pair in scores])
        plies = [number for line in lines for number in line.get("plies", ())]
        told += f"  {elo.mean:+z.0f} ({elo.low:+z.0f} to {elo.high:+z.0f})"
        told += f"  {sum(plies) / len(plies):.0f} plies"
    margins = [line["margin"] for line in lines if "margin" in line]
    if margins:
        margin = mean_interval(margins)
        told += f"  payoff {margin.mean:+z.3f} ({margin.low:+z.3f} to {margin.high:+z.3f})"
        told += " more a game"
        told += f"  {sum(line.get('unadvised', [0])[0] for line in lines)} unadvised"
    for side in ("ours", "theirs"):
        used = [line[side] for line in lines if side in line]
        if used:
            moves = max(1, sum(one["moves"] for one in used))
            told += f"  {side} {sum(one['seconds'] for one in used) / moves:.3f} s a move"
            if any(one.get("after") for one in used):
                told += f" (+{sum(one['after'] for one in used) / moves:.3f})"
            if "exact" in used[0]:
                told += f", {sum(one['exact'] for one in used) / moves:.0%} proved"
    return told
