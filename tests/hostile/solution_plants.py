"""Saved solutions in which a number or a fact is another one, under right checksums.

In: numbers of trials, and a seed. Out: what came of each: it is refused, found by `verify`, or
makes no difference; anything else is an error of ours. There is a file of each kind: by backward
induction, of positions in circles, of images of one another, of a puzzle, of a sum of games, with
chance, and of what players do by what they have seen.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import gamedsl
from gamedsl.archive.equilibria import SavedEquilibrium, verify_equilibrium
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.saved import open_solution, save_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.errors import GameRuleError
from gamedsl.solvers.planner import solve
from tests.hostile.solution_flips import CIRCLING

IMAGES = """\
game "Images"
players A, B
board 3 wide 2 high
state:
    man[square]: empty | players = empty
move put(s in square):
    require man[s] == empty
    man[s] = turn
move lift(s in square):
    require man[s] == turn and count(man[t] != empty for t in square) > 4
    man[s] = empty
end:
    if any(man[s] == opponent and man[s + N] == opponent for s in square): opponent wins
endless: draw
"""
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("hexapawn", {}),
    (CIRCLING, {}),
    (IMAGES, {}),
    ("hanoi", {"discs": "3"}),
    ("nim", {}),
    ("piglet", {"goal": "3"}),
    ("kuhn_poker", {}),
)
NUMBERS = (0, 1, -1, 2**63 - 1, -(2**63), 2**62)
FACTS: tuple[Any, ...] = (
    None, True, 0, 1, -1, 64, 2**70, 1.5, float("nan"), "", "x", "1/0", "9/2", "-1", "1e9999999",
    [], [0], [[]], [["1/0"]], {}, {"x": 1},
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plant:
    """What came of another number or fact in the solution of a game.

    Attributes:
        what: the game, the place, and what is planted there.
        seconds: how long that took to find out.
        trouble: an exception that no file may raise, in words; empty if there was none.
    """

    what: str
    seconds: float
    trouble: str


Written = tuple[str, dict[str, Any], dict[str, list[int]]]


def planted_solutions(numbers: range, seed: int) -> Iterator[Plant]:
    """Plants in solutions of all kinds in turn, one for each number."""
    dice = Random(f"{seed} {numbers}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "some.solution")
        kinds = [written(path, text, parameters) for text, parameters in GAMES]
        for number in numbers:
            name, facts, arrays = copy.deepcopy(kinds[number % len(kinds)])
            if arrays and dice.random() < 0.5:
                place = another_number(arrays, dice)
            else:
                place = another_fact(facts, dice)
            write_solution(path, facts, arrays, level=0)
            start = perf_counter()
            trouble = trouble_with(path)
            yield Plant(f"{name}: {place}", perf_counter() - start, trouble)


def written(path: Path, text: str, parameters: dict[str, str]) -> Written:
    """The name, the facts and the arrays of a solution."""
    game = gamedsl.load(text, **parameters)
    save_solution(game, solve(game), path)
    assert not trouble_with(path)
    file = SolutionFile(path)
    return game.name, file.facts, {name: list(array) for name, array in file.arrays.items()}


def another_number(arrays: dict[str, list[int]], dice: Random) -> str:
    """Plant another number in one of some arrays; where."""
    name = dice.choice(sorted(arrays))
    row = arrays[name]
    used = [place for place, number in enumerate(row) if number] or [0]
    place = dice.choice(used) if dice.random() < 0.7 else dice.randrange(len(row))
    flipped = (row[place] ^ 1 << dice.randrange(64)) % 2**64
    number = dice.choice((*NUMBERS, row[place] + 1, *[(flipped ^ 2**63) - 2**63] * 8))
    if dice.random() < 0.1:
        row[:] = dice.choice(([], row[:-1], [number] * len(row)))
        return f"{name} is {len(row)} numbers, {number} where all are the same"
    row[place] = (number + 2**63) % 2**64 - 2**63
    return f"{name}[{place}] is {row[place]}"


def another_fact(facts: dict[str, Any], dice: Random) -> str:
    """Plant another fact, or leave one out; where."""
    names, held = [], facts
    while True:
        keys = list(held) if isinstance(held, dict) else list(range(len(held)))
        names.append(dice.choice(keys))
        found = held[names[-1]]
        if not isinstance(found, dict | list) or not found or dice.random() < 0.15:
            break
        held = found
    where = ".".join(map(str, names))
    if dice.random() < 0.15:
        del held[names[-1]]
        return f"without {where}"
    near = [found + 1, found - 1, -found, 2 * found] if type(found) is int else []
    held[names[-1]] = dice.choice((*near, *FACTS))
    return f"{where} is {held[names[-1]]!r}"


def trouble_with(path: Path) -> str:
    """What goes wrong that is not said of the file; empty if nothing does."""
    try:
        _ask(path)
    except (SolutionFileError, GameRuleError):
        return ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return f"{type(error).__name__}: {error}"
    return ""


def _ask(path: Path) -> None:
    """Verify a solution, and ask it about the first position."""
    saved = open_solution(path)
    if isinstance(saved, SavedEquilibrium):
        verify_equilibrium(saved)
        saved.solution()
        return
    verify_solution(saved, most=10)
    verify_solution(saved)
    if saved.table.root not in saved:
        return
    saved.assessed(saved.table.root)
    list(saved.table.best_play(saved.table.root))
