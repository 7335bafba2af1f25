"""Who is measured and what for: values that the harness asks, times and reports.

A contender carries out a piece of work and says how much it was. Contenders of one contest do the
same kind of work, counted in the same unit, though the slow ones do less of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec


class NotInstalledError(Exception):
    """A package that a contender needs is not here; `package` is its name."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed")
        self.package = package


class CannotRunError(Exception):
    """A contender is here and cannot do this work; the message says why."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A contender ready to run.

    Attributes:
        work: what one run does, in words.
        run: one run; returns its answer.
        right: whether an answer is right; asked before anything is timed.
        amount: how much work an answer stands for, in the contest's unit.
        is_parallel: whether more than one thread works.
    """

    work: str
    run: Callable[[], float]
    right: Callable[[float], bool]
    amount: Callable[[float], float]
    is_parallel: bool = False


@dataclass(frozen=True, slots=True)
class Contender:
    """A subject and how to make it ready; `prepare` raises the two errors above."""

    subject: str
    prepare: Callable[[], Ready]


@dataclass(frozen=True, slots=True)
class Contest:
    """Contenders measured side by side.

    Attributes:
        name: what `--only` selects by.
        unit: what is counted ("leaves"); "" where seconds themselves are the result.
        references: subjects to whose rate the others' are compared.
    """

    name: str
    unit: str
    references: tuple[str, ...]
    contenders: tuple[Contender, ...]


def need(package: str, module: str) -> None:
    """Raises NotInstalledError unless a module can be imported."""
    if find_spec(module) is None:
        raise NotInstalledError(package)
