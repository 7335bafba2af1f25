"""What is kept between runs, by real processes that share it, and where nothing can be written."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from tests.doors.signals import ROOT

ASKED = ("perft", "nim", "3", "--engine", "python", "--quiet")
COUNTED = "3  810\n"
SMALL = 1_000
"""Bytes of the largest file that may be written on a disk that is all but full."""


def begin_to_count(kept: Path, most: int = resource.RLIM_INFINITY) -> subprocess.Popen[str]:
    """A process that counts plays, and may write files of so many bytes."""
    return subprocess.Popen(
        [sys.executable, "-m", "gamedsl", *ASKED],
        cwd=ROOT, env={**os.environ, "XDG_CACHE_HOME": str(kept)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )  # fmt: skip


def assert_counted(process: subprocess.Popen[str]) -> None:
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert out.endswith(COUNTED)


def test_processes_that_begin_at_once_share_what_is_kept(tmp_path: Path) -> None:
    for process in [begin_to_count(tmp_path) for _ in range(3)]:
        assert_counted(process)
    assert_counted(begin_to_count(tmp_path))
    assert not list(tmp_path.rglob("*.part"))


def test_on_a_full_disk_nothing_is_kept(tmp_path: Path) -> None:
    assert_counted(begin_to_count(tmp_path, SMALL))
    assert not list(tmp_path.rglob("*.part"))
    assert_counted(begin_to_count(tmp_path))


def test_where_no_folder_can_be_made_nothing_is_kept(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    assert_counted(begin_to_count(taken / "below"))
