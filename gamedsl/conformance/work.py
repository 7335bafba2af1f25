"""The work of a check, counted in calls: the same on all machines, unlike seconds.

A sample of the steps is executed under a counter of calls and returns of functions, and stands for
the steps in between. Under a foreign profiler nothing is counted, and the work has no limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")


class Work:
    """An amount of work that the steps of an exploration share.

    The first steps are not counted: code that is made or read from the cache on first use would be
    counted as well.
    """

    def __init__(self, most: float = inf, every: int = 16) -> None:
        """`most`: calls and returns of functions until the work is spent; `every`: steps per
        counted step.
        """
        self._most = most
        self._every = every
        self._spent = 0
        self._steps = 0

    @property
    def is_spent(self) -> bool:
        """Whether no further step should begin."""
        return self._spent >= self._most

    @property
    def is_half_spent(self) -> bool:
        """Whether steps that may be shortened should be."""
        return self._spent >= self._most / 2

    def step(self, step: Callable[[], Result]) -> Result:
        """Execute a step; a counted step counts for all steps since the last counted step."""
        self._steps += 1
        if self._most == inf or self._steps < self._every or sys.getprofile() is not None:
            return step()
        result, calls = counted(step)
        self._spent += calls * self._steps
        self._steps = 0
        return result


def counted(step: Callable[[], Result]) -> tuple[Result, int]:
    """The result of a step, and the number of calls and returns of functions."""
    calls = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        result = step()
    finally:
        sys.setprofile(None)
    return result, calls
