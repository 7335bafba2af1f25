"""Work under way, kept in a file from time to time, so that what is cut off can be gone on with.

In: a game, the state that is being solved, and the place of the solution to be. Out: a file beside
it in the format of solutions, written whole or not at all, and in a later run what it holds. It is
gone when the solution is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.rules import identity_of
from gamedsl.game.game import LoadedGame
from gamedsl.game.native import StoredPositions
from gamedsl.game.stored_facts import SolutionFileError, is_names, refuse_odd
from gamedsl.model.state import State

EVERY = 30.0
"""Seconds between two checkpoints, as long as they are written in a small part of that."""
MOST_SHARE = 4
"""Work goes on for at least so many times as long as it took to keep it."""


class CheckpointFile:
    """The checkpoints of one game being solved.

    Attributes:
        path: where they lie; solution: where that of the work is to lie.
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
        """`path`: of the solution; `every`: seconds; `tell`: is told what goes wrong, once."""
        self.solution = path
        self.path = place_of(path)
        self._own = identity_of(game, root)
        self._every = every
        self._tell = tell
        self._due = perf_counter() + every

    @cached_property
    def found(self) -> StoredPositions | None:
        """The work that was kept; None if there is none. Raises OSError, and SolutionFileError
        where it is damaged, or not about this."""
        if not self.path.exists():
            return None
        file = SolutionFile(self.path)
        if "checkpoint" not in file.facts:
            raise SolutionFileError("it is no checkpoint")
        if file.facts["checkpoint"] != self._own:
            raise SolutionFileError("it is of other rules, parameters, moves or another gamedsl")
        refuse_odd(file.facts, {"stored": is_names})
        return StoredPositions(file.facts["stored"], file.arrays)

    def is_due(self) -> bool:
        """Whether it is time to keep the work again."""
        return perf_counter() >= self._due

    def keep(self, work: StoredPositions) -> None:
        """Write the work in place of what was kept before. Where that fails the work goes on, and
        what was kept before stays."""
        started = perf_counter()
        facts: dict[str, Any] = {"checkpoint": self._own, "stored": dict(work.facts)}
        try:
            write_solution(self.path, facts, work.arrays, level=0)
        except OSError as error:
            if self._tell is not None:
                self._tell(f"{self.path} cannot be written: {error.strerror}; the work goes on")
            self._tell = None
        now = perf_counter()
        self._due = now + max(self._every, MOST_SHARE * (now - started))

    def forget(self) -> None:
        """What was found leads nowhere; it stays in the file until other work is kept."""
        self.found = None

    def remove(self) -> None:
        """Remove what was kept: the work is done."""
        self.path.unlink(missing_ok=True)


def place_of(path: Path) -> Path:
    """Where checkpoints lie of work that a solution will come of."""
    return path.with_name(path.name + ".checkpoint")
