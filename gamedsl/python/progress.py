"""The progress of a solver below a cell of a notebook, or on standard error."""

from __future__ import annotations

import sys
from importlib import import_module
from time import perf_counter
from typing import Any

from gamedsl.source.keywords import answering

PAUSE = 0.2
"""Seconds between two pictures."""
WIDTH = 30
"""Signs of the bar outside of notebooks."""


class ProgressBar:
    """A callable for `progress=`; `explored` and `waiting` are the positions last heard of."""

    def __init__(self) -> None:
        self.explored = self.waiting = 0
        self._last = perf_counter()
        self._display = _notebook_display()
        self._handle: Any = None

    def __call__(self, explored: int, waiting: int) -> None:
        """Show the positions that are explored, as a share of all positions that are known."""
        self.explored, self.waiting = explored, waiting
        if perf_counter() - self._last < PAUSE:
            return
        self._last = perf_counter()
        if self._display is None:
            sys.stderr.write(f"\r{self}")
            sys.stderr.flush()
        elif self._handle is None:
            self._handle = self._display.display(self, display_id=True)
        else:
            self._handle.update(self)

    def __str__(self) -> str:
        full = WIDTH * self.explored // max(1, self.explored + self.waiting)
        return f"[{'#' * full:<{WIDTH}}] {self._words}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        known = max(1, self.explored + self.waiting)
        return f'<progress value="{self.explored}" max="{known}"></progress> {self._words}'

    @property
    def _words(self) -> str:
        return f"{self.explored:,} positions, {self.waiting:,} waiting"


def _notebook_display() -> Any:
    """IPython's module for display where a notebook runs; else None."""
    core = sys.modules.get("IPython")
    shell = None if core is None else core.get_ipython()
    if shell is None or "IPKernelApp" not in shell.config:
        return None
    return import_module("IPython.display")


@answering
def progress_bar() -> ProgressBar:
    """A bar for the progress of `solve`: `gamedsl.solve(game, progress=gamedsl.progress_bar())`."""
    return ProgressBar()
