"""Saved solutions with a bit turned over: each is refused on opening, or `verify` finds it.

In: numbers of trials, and a seed. Out: what came of each. There is a solution of each algorithm
that writes one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import gamedsl
from gamedsl.archive.saved import open_solution, save_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.planner import solve

CIRCLING = """\
players A, B
state:
    at: 0..199 = 0
move walk(n in 1..3):
    at = (at * 2 + n) % 200
move back:
    require at > 50
    at -= 7
end:
    if at == 198: turn wins
endless: draw
"""
GAMES = (("hexapawn", {}), (CIRCLING, {}), ("piglet", {"goal": "3"}))
"""Solved by backward induction, by retrograde analysis, and between bounds."""


@dataclass(frozen=True, slots=True)
class SolutionFlip:
    """What came of a bit turned over in the solution of a game."""

    game: str
    place: int
    is_found: bool


def flipped_solutions(numbers: range, seed: int) -> Iterator[SolutionFlip]:
    """Bits turned over, in solutions of all kinds in turn, one for each number."""
    dice = Random(f"{seed} {numbers}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "some.solution")
        written = [_written(path, text, parameters) for text, parameters in GAMES]
        for number in numbers:
            name, whole = written[number % len(written)]
            place = dice.randrange(len(whole))
            damaged = bytearray(whole)
            damaged[place] ^= 1 << dice.randrange(8)
            path.write_bytes(damaged)
            yield SolutionFlip(name, place, _is_found(path))


def _written(path: Path, text: str, parameters: dict[str, str]) -> tuple[str, bytes]:
    game = gamedsl.load(text, **parameters)
    save_solution(game, solve(game), path)
    content = path.read_bytes()
    assert not _is_found(path)
    return game.name, content


def _is_found(path: Path) -> bool:
    """Whether something is said to be wrong with a file."""
    try:
        return verify_solution(open_solution(path)).fault is not None
    except SolutionFileError:
        return True
