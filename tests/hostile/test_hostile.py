"""A few of the cases, flips and plants; `python -m tests.hostile --all` tries all of them.

Each runs in processes of its own, which copies of this one would not be.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.doors.signals import ROOT


@pytest.mark.parametrize(
    "arguments", ["cases 8", "flips 11", "plants 20", "checkpoints 4", "layers 16"]
)
def test_nothing_goes_wrong(arguments: str) -> None:
    command = [sys.executable, "-m", "tests.hostile", *arguments.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
