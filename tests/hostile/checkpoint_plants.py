"""Checkpoints in which a number or a fact is another one, under right checksums.

In: numbers of trials, and a seed. Out: what came of each: `solve --resume` refuses it, or what it
writes is held against the rules position by position. Anything else is an error of ours: a signal,
an internal error, work that never ends, a table that is wrong. Each is done by a process of its
own, within limits of time and memory. There are checkpoints of each algorithm, from several
moments.
"""

from __future__ import annotations

import copy
import os
import resource
import signal
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from unittest.mock import patch

from typer.testing import CliRunner

import gamedsl
from gamedsl.archive.checkpoints import CheckpointFile, place_of
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.cli.program import app
from gamedsl.game.accelerator import Refusal, StoredPositions, accelerator_of
from gamedsl.solvers.kernels import transposition_table
from tests.hostile.solution_flips import CIRCLING
from tests.hostile.solution_plants import IMAGES, Plant, another_fact, another_number

SMALL_CIRCLE = CIRCLING.replace("199", "59").replace("200", "60").replace("198", "58")
GAMES: tuple[tuple[str, dict[str, str], bool], ...] = (
    ("hexapawn", {}, False),
    ("nim", {"sizes": "[2, 3, 3]"}, False),
    (SMALL_CIRCLE, {}, True),
    (IMAGES, {}, True),
    ("pig", {"goal": "4"}, False),
)
"""Rules, parameters, and whether play returns."""
SLICE = 10
MOMENTS = (1, 4, 9, 16)
"""Which slices of work are followed by a checkpoint, where there are so many."""
SECONDS = 30
"""Of processor time; what is solved takes much less."""
ADDRESSES = 4 * 2**30
REFUSED = {1, 3}
"""Exit statuses: it cannot be used; there is no room for it."""

Kept = tuple[str, list[str], dict[str, Any], dict[str, list[int]]]
"""The name of a game, the words of a command, the facts and the arrays of a checkpoint."""


class CutError(Exception):
    """The process has been killed."""


class Cut(CheckpointFile):
    """Checkpoints at every slice, and an end after so many."""

    left = 0

    def is_due(self) -> bool:
        """As `CheckpointFile.is_due`."""
        return True

    def keep(self, work: StoredPositions) -> None:
        """As `CheckpointFile.keep`."""
        self.left -= 1
        if self.left == 0:
            super().keep(work)
            raise CutError


def planted_checkpoints(numbers: range, seed: int) -> Iterator[Plant]:
    """Plants in checkpoints of all kinds in turn, one for each number."""
    dice = Random(f"{seed} {numbers}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = [list(_kept(folder, number)) for number in range(len(GAMES))]
        for moments in kinds:
            for kept in moments:
                _write(folder, kept)
                trouble = _apart(folder, kept)  # which also compiles what all need
                assert not trouble, f"nothing is planted in {kept[0]}: {trouble}"
        for number in numbers:
            kept = copy.deepcopy(dice.choice(kinds[number % len(kinds)]))
            title, _, facts, arrays = kept
            if dice.random() < 0.6:
                place = _another_code(arrays, dice) or another_number(arrays, dice)
            else:
                place = another_fact(facts["stored"], dice)
            _write(folder, kept)
            start = perf_counter()
            trouble = _apart(folder, kept)
            yield Plant(f"{title}, step {_step(facts)}: {place}", perf_counter() - start, trouble)


def _kept(folder: Path, number: int) -> Iterator[Kept]:
    """Checkpoints of a game from several moments."""
    text, parameters, returns = GAMES[number]
    given = text
    if "\n" in text:
        given = str(folder / f"{number}.game")
        Path(given).write_text(text)
    game = gamedsl.load(given, **parameters)
    accelerator, root = accelerator_of(game), game.initial_state()
    assert not isinstance(accelerator, Refusal)
    settings = [word for name, value in parameters.items() for word in ("-D", f"{name}={value}")]
    words = ["solve", given, *settings, "--engine", "native", "--save", str(folder / "out")]
    with patch.object(transposition_table, "SLICE", SLICE):
        for moment in MOMENTS:
            checkpoints = Cut(folder / "out", game, root)
            checkpoints.left = moment
            try:
                accelerator.solve(root, returns=returns, checkpoints=checkpoints)
            except CutError:
                file = SolutionFile(checkpoints.path)
                arrays = {name: [*numbers] for name, numbers in file.arrays.items()}
                yield game.name, [*words, "--resume"], file.facts, arrays
                checkpoints.remove()


def _write(folder: Path, kept: Kept) -> None:
    (folder / "out").unlink(missing_ok=True)
    write_solution(place_of(folder / "out"), kept[2], kept[3], level=0)


def _another_code(arrays: dict[str, list[int]], dice: Random) -> str:
    """Give an entry in use what another has above its key; what is said then is wrong alone."""
    table = arrays.get("table", [])
    used = [place for place, number in enumerate(table) if number]
    if not used or dice.random() < 0.7:
        return ""
    place, other, shift = dice.choice(used), dice.choice(used), dice.randrange(64)
    table[place] = table[place] & (1 << shift) - 1 | table[other] >> shift << shift
    return f"table[{place}] is {table[place]}, from bit {shift} on as table[{other}]"


def _step(facts: dict[str, Any]) -> object:
    stored = facts.get("stored")
    return stored.get("step") if isinstance(stored, dict) else None


def _apart(folder: Path, kept: Kept) -> str:
    """What goes wrong when it is gone on with, in a process of its own; empty if nothing does."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        _work(folder, kept[1], mouth)
    os.close(mouth)
    with os.fdopen(ear, "rb") as told:
        trouble = told.read().decode()
    _, ended = os.waitpid(child, 0)
    if os.WIFSIGNALED(ended):
        return f"ended by {signal.Signals(os.WTERMSIG(ended)).name}"
    return trouble or (f"status {ended}" if ended else "")


def _work(folder: Path, words: list[str], mouth: int) -> None:
    """Go on with a checkpoint, and tell what is wrong with that; the end of this process."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    signal.alarm(20 * SECONDS)
    try:
        trouble = _trouble(folder, words)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
        trouble = "".join(traceback.format_exception(error))
    os.write(mouth, trouble.encode()[:4000])
    os._exit(0)


def _trouble(folder: Path, words: list[str]) -> str:
    done = CliRunner().invoke(app, words, prog_name="gamedsl")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return "".join(traceback.format_exception(done.exception))
    if done.exit_code in REFUSED:
        return "" if (folder / "out.checkpoint").exists() else "refused, and the checkpoint is gone"
    if done.exit_code != 0:
        return f"status {done.exit_code}: {done.output[-500:]}"
    saved = open_solution(folder / "out")
    assert isinstance(saved, SavedSolution)
    return verify_solution(saved).fault or ""
