"""What importing costs: only what is needed is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("typer", "rich", "numpy", "numba", "llvmlite", "networkx")


def loaded_by(statement: str) -> set[str]:
    """The heavy packages that are loaded in a fresh interpreter after the statement."""
    code = f"import sys\n{statement}\nprint(*(set({HEAVY!r}) & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stdout.splitlines()[-1].split())


def test_importing_the_library_loads_nothing_heavy() -> None:
    assert loaded_by("import gamedsl; gamedsl.load") == set()


def test_asking_for_help_loads_neither_rich_nor_the_solvers() -> None:
    ask = (
        "from gamedsl.cli.program import app\n"
        "try:\n    app(['--help'], prog_name='gamedsl')\nexcept SystemExit: pass\n"
        "loaded = [name for name in sys.modules if name.startswith('gamedsl.solvers.')]\n"
        "assert not loaded, loaded"
    )
    assert loaded_by(ask) == {"typer"}


def test_the_heavy_packages_would_be_noticed() -> None:
    assert loaded_by("import rich") == {"rich"}
