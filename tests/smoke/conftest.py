"""The first look at a change: `pytest tests/smoke`, one game a feature, one question a solver, one
visit a door."""

from tests.doors.conftest import run as run
