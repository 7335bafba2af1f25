"""What all tests share: Hypothesis profiles, and marks by folder.

Profiles: `dev` (other examples each time), `ci` (the same ones each time) and `deep` (to look for
mistakes for an hour); `HYPOTHESIS_PROFILE=ci` picks one. Marks: `pytest -m "not slow"` is the quick
loop, a few minutes of processor time; without `-m` everything runs, as in CI.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.turns import family_of, of_this_turn, turn

TESTS = Path(__file__).resolve().parent
MARKS = {
    "native": ("native", "slow"),
    "facts": ("facts", "slow"),
    "differential": ("slow",),
    "laws": ("slow",),
    "fuzz": ("slow",),
    "hostile": ("slow",),
    "mutations": ("slow",),
    "peers": ("slow",),
    "browser": ("slow",),
    "doors": ("slow",),
    "unit/solvers/kernels": ("slow",),
    "unit/model/test_limits.py": ("slow",),
}
"""Folder or file below `tests` -> the marks of all tests in it, which `pyproject.toml` explains."""

settings.register_profile(
    "dev", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci",
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a failure is told at once; shrink it at home
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


gc.disable()  # while tests are collected


def pytest_configure() -> None:
    """A folder that was renamed must not become part of the quick loop unseen."""
    missing = [name for name in MARKS if not (TESTS / name).exists()]
    if missing:
        raise pytest.UsageError(f"tests/conftest.py marks what is not there: {', '.join(missing)}")


def pytest_collection_finish() -> None:
    """Collected tests live to the end: the garbage collector leaves them alone."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by where they stand, and leave out the cases whose turn it is not."""
    marks: dict[Path, list[str]] = {}
    for item in items:
        path = item.path
        if path not in marks:
            names = [name for name in MARKS if path.is_relative_to(TESTS / name)]
            marks[path] = [mark for name in names for mark in MARKS[name]]
        for mark in marks[path]:
            item.add_marker(mark)
        if family_of(item.nodeid) is not None:
            item.add_marker("in_turn")
    if (number := turn()) is not None:
        _leave_out(config, items, number)


def _leave_out(config: pytest.Config, items: list[pytest.Item], number: int) -> None:
    """Leave out the cases that do not run in a turn."""
    runs_now = of_this_turn([item.nodeid for item in items], number)
    pairs = [*zip(items, runs_now, strict=True)]
    config.hook.pytest_deselected(items=[item for item, runs in pairs if not runs])
    items[:] = [item for item, runs in pairs if runs]
