"""Copies of the repository in which one file is changed, and what the tests make of that.

In: a module, a change, tests. Out: what noticed it, if anything. Nothing outside of the copy is
touched: it has a folder of its own for what is kept between runs, too.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutations.changes import Change
from tests.mutations.groups import ROOT

COPIED = (
    *("gamedsl", "grammars", "games", "docs", "examples", "tests"),
    *("pyproject.toml", "README.md"),
)
MEMORY = 6 * 2**30
"""Bytes that the tests may ask for."""
STARTED = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
OPTIONS = ("-x", "-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist")
WARM = "from gamedsl.syntax.grammar import parser; parser()"
FAILED = re.compile(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What some tests made of a change.

    Attributes:
        noticed_by: a test that failed, or what else happened; empty if nothing did.
        is_late: whether the tests were ended, since they went on for too long.
        seconds: how long they ran.
        words: the end of what they wrote.
    """

    noticed_by: str
    is_late: bool
    seconds: float
    words: str = ""


class Copy:
    """A copy of the repository."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.kept = folder / "kept"
        self.kept_first = folder / "kept_first"
        self._times = 0

    @classmethod
    def of_here(cls, folder: Path) -> Copy:
        """A copy of this repository, with its parser made."""
        made = cls(folder)
        made.root.mkdir(parents=True)
        for name in COPIED:
            path = ROOT / name
            if path.is_dir():
                shutil.copytree(
                    path, made.root / name, ignore=shutil.ignore_patterns("__pycache__")
                )
            else:
                shutil.copy2(path, made.root / name)
        made.kept_first.mkdir(mode=0o700)
        settings = made._settings() | {"XDG_CACHE_HOME": str(made.kept_first)}
        subprocess.run([sys.executable, "-c", WARM], cwd=made.root, env=settings, check=True)
        return made

    def again(self, folder: Path) -> Copy:
        """Another copy of the same."""
        made = Copy(folder)
        shutil.copytree(self.root, made.root)
        shutil.copytree(self.kept_first, made.kept_first)
        return made

    def changed(self, module: str, change: Change, tests: Sequence[str], limit: float) -> Outcome:
        """What tests make of a change to a module; afterwards it is as before."""
        path = self.root / module
        original, times = path.read_text("utf-8"), path.stat()
        self._times += 1
        try:
            path.write_text(change.apply(original), "utf-8")
            # A time of its own: what Python keeps of a module is known by time and size.
            os.utime(path, (times.st_atime, times.st_mtime + self._times))
            return self.tried(tests, limit)
        finally:
            path.write_text(original, "utf-8")
            os.utime(path, (times.st_atime, times.st_mtime))

    def tried(self, tests: Sequence[str], limit: float) -> Outcome:
        """What tests make of the copy as it is."""
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.kept_first, self.kept)
        start = time.monotonic()
        command = [sys.executable, "-c", STARTED.format(memory=MEMORY), *OPTIONS, *tests]
        with subprocess.Popen(
            command, cwd=self.root, env=self._settings(), text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            try:
                words, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return Outcome(f"no end within {limit:.0f} s", True, limit)
        seconds = time.monotonic() - start
        if process.returncode == 0:
            return Outcome("", False, seconds)
        failed = FAILED.search(words)
        other = f"the tests end with status {process.returncode}"
        return Outcome(failed[1] if failed else other, False, seconds, words[-2_000:])

    def _settings(self) -> dict[str, str]:
        """The environment: the copy before all else, and the same examples each time."""
        path = os.pathsep.join(filter(None, (str(self.root), os.environ.get("PYTHONPATH"))))
        settings = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(self.kept)}
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTEST_ADDOPTS"):
            settings.pop(name, None)
        return settings | {
            "HYPOTHESIS_PROFILE": "ci",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.root / "hypothesis"),
        }


def without_core_files() -> None:
    """What ends by a signal leaves nothing behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
