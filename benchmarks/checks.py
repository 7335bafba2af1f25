"""What `gamedsl check` takes of the processor, for each shipped game and for all of them.

`python -m benchmarks.checks [GAME ...] [--out FILE]`: each game is checked in a process of its own,
with nothing kept (cold), with nothing kept but the parser's tables, as a new game is checked by who
has checked another one before (new), and with all that is left of that (warm); then all of them in
one process. Prints seconds of the processor, dearest first, and those over the limits that
`check` is held to; `--out` keeps what the checks wrote, to compare it with that of another version.
`--loaded N` measures nothing: each game is checked N times while as many other processes compute as
there are processors, and what these checks wrote, coverage included, is compared.
Exit status 1: a file is not ok, or two checks of one file have not written the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from gamedsl.game.library import shipped_game, shipped_games

LIMIT_OF_ONE, LIMIT_OF_ALL = 2.0, 60.0
"""Seconds of the processor, cold."""
TABLES = "parser"
"""Where the tables of the parser are, in the folder of what is kept."""


def main() -> int:
    """Check, cold and warm, and say what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checks", description=__doc__)
    parser.add_argument("games", nargs="*", help="shipped games; all of them if none is named")
    parser.add_argument("--out", type=Path, help="where what the checks write is kept")
    parser.add_argument("--loaded", type=int, metavar="N", help="checks under load, compared")
    chosen = parser.parse_args()
    paths = [path for name in chosen.games if (path := shipped_game(name))] or shipped_games()
    if chosen.loaded:
        return _compared(paths, chosen.loaded)
    with TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        for path in paths[:1]:
            _check_thrice([path])  # what is imported has been compiled once, as where installed
        return _measured(paths, chosen.out)


def _measured(paths: Sequence[Path], out: Path | None) -> int:
    """Each game, then all together; the exit status."""
    taken: list[tuple[tuple[float, ...], str]] = []
    texts: list[str] = []
    is_right = True
    for path in paths:
        seconds, text, is_same = _check_thrice([path])
        taken.append((seconds, path.stem))
        texts.append(text)
        is_right &= is_same
        print(f"{path.stem:<32} {_row(seconds)}", file=sys.stderr, flush=True)
    if out:
        out.write_text("".join(texts), "utf-8")
    _report(taken)
    if len(paths) > 1:
        seconds, _, is_same = _check_thrice(paths)
        is_right &= is_same
        print(f"{f'all {len(paths)} in one process':<32} {_row(seconds)}")
        print(f"limit: {LIMIT_OF_ALL:.0f} s cold")
    return 0 if is_right else 1


def _compared(paths: Sequence[Path], times: int) -> int:
    """Checks of each game under load; the exit status."""
    is_right = True
    load = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        for path in paths:
            with TemporaryDirectory() as folder:
                told = [_check([path], folder, "--json") for _ in range(times)]
            different = {(text, status) for _, text, status in told}
            is_right &= len(different) == 1
            took = sorted(seconds for seconds, _, _ in told)
            print(
                f"{path.stem:<32} {times} checks under load, {took[0]:.2f} to {took[-1]:.2f} s: "
                f"{'all wrote the same' if len(different) == 1 else f'{len(different)} answers'}",
                flush=True,
            )
    finally:
        for one in load:
            one.kill()
            one.wait()
    return 0 if is_right else 1


def _report(taken: Sequence[tuple[tuple[float, ...], str]]) -> None:
    print(f"{'seconds of the processor':<32} {'cold':>6} {'new':>6} {'warm':>6}")
    for seconds, name in sorted(taken, reverse=True):
        print(f"{name:<32} {_row(seconds)}{'  over' if seconds[0] > LIMIT_OF_ONE else ''}")
    for place, kind in enumerate(("cold", "new")):
        over = sum(seconds[place] > LIMIT_OF_ONE for seconds, _ in taken)
        print(f"{over} of {len(taken)} take more than {LIMIT_OF_ONE:.0f} s {kind}")


def _row(seconds: Sequence[float]) -> str:
    return " ".join(f"{one:6.2f}" for one in seconds)


def _check_thrice(paths: Sequence[Path]) -> tuple[tuple[float, ...], str, bool]:
    """Seconds of the processor cold, new and warm, what was written, and whether the files are ok
    and the same was written each time."""
    with TemporaryDirectory() as folder:
        cold, text, status = _check(paths, folder)
        for made in Path(folder, "gamedsl").glob("*"):
            if made.name != TABLES:
                shutil.rmtree(made)
        new, second, _ = _check(paths, folder)
        warm, third, _ = _check(paths, folder)
    return (cold, new, warm), text, status == 0 and text == second == third


def _check(paths: Sequence[Path], folder: str, *more: str) -> tuple[float, str, int]:
    """Seconds of the processor of one `gamedsl check`, what it wrote, and its exit status."""
    options = ["-j", "1", "--quiet", *more]
    command = [sys.executable, "-m", "gamedsl", "check", *options, *map(str, paths)]
    before = _seconds()
    done = subprocess.run(
        command, env=os.environ | {"XDG_CACHE_HOME": folder}, capture_output=True, text=True
    )
    return _seconds() - before, done.stdout, done.returncode


def _seconds() -> float:
    """The processor's seconds of all processes waited for."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
