"""Checkpoints of a solver's work, so that an interrupted run can be resumed.

A checkpoint lies beside the solution's path, has the format of solutions, is written whole or not
at all, and is removed when the solution is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.rules import identity_of
from gamedsl.game.accelerator import StoredPositions
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError, is_names, refuse_odd
from gamedsl.model.state import State

EVERY = 30.0
"""Seconds between checkpoints, provided that writing takes a small part of the time."""
MOST_SHARE = 4
"""Least ratio of working time to the time spent on writing the checkpoint."""


class CheckpointFile:
    """The checkpoints of a game being solved.

    Attributes:
        path: path of the checkpoint.
        solution: path of the later solution.
    """

    def __init__(
        self,
        path: Path,
        game: LoadedGame,
        root: State,
        *,
        every: float = EVERY,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Set up checkpoints.

        Args:
            path: path of the solution.
            every: seconds between checkpoints.
            tell: called once with a message if writing fails.
        """
        self.solution = path
        self.path = place_of(path)
        self._identity = identity_of(game, root)
        self._every = every
        self._tell = tell
        self._due = perf_counter() + every

    @cached_property
    def latest(self) -> StoredPositions | None:
        """The stored work; None without a checkpoint.

        Raises OSError, and SolutionFileError if the checkpoint is damaged or of another problem.
        """
        if not self.path.exists():
            return None
        file = SolutionFile(self.path)
        if "checkpoint" not in file.facts:
            raise SolutionFileError("it is no checkpoint")
        if file.facts["checkpoint"] != self._identity:
            raise SolutionFileError("it is of other rules, parameters, moves or another gamedsl")
        refuse_odd(file.facts, {"stored": is_names})
        return StoredPositions(file.facts["stored"], file.arrays)

    def is_due(self) -> bool:
        """Whether the next checkpoint is due."""
        return perf_counter() >= self._due

    def keep(self, work: StoredPositions) -> None:
        """Replace the checkpoint by the current work. On failure the old checkpoint stays, and the
        work goes on.
        """
        started = perf_counter()
        facts: dict[str, Any] = {"checkpoint": self._identity, "stored": dict(work.facts)}
        try:
            write_solution(self.path, facts, work.arrays, level=0)
        except OSError as error:
            if self._tell is not None:
                self._tell(f"{self.path} cannot be written: {error.strerror}; the work goes on")
            self._tell = None
        now = perf_counter()
        self._due = now + max(self._every, MOST_SHARE * (now - started))

    def forget(self) -> None:
        """Ignore the latest checkpoint, as useless; the file stays until the next checkpoint."""
        self.latest = None

    def remove(self) -> None:
        """Remove the checkpoint after the work is done."""
        self.path.unlink(missing_ok=True)


def place_of(path: Path) -> Path:
    """The path of the checkpoint for a solution's path."""
    return path.with_name(path.name + ".checkpoint")
