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


def test_a_command_waits_neither_for_the_conversion_of_texts_nor_for_other_commands() -> None:
    ask = (
        "from gamedsl.cli.program import app\n"
        "options = ['--jobs', '1', '--format', 'concise', '--time', '1m']\n"
        "try:\n    app(['check', 'matching_pennies', '-q', *options], prog_name='gamedsl')\n"
        "except SystemExit as end: assert end.code == 0\n"
        "others = ('pydantic', 'gamedsl.archive', 'gamedsl.reports.trees', 'gamedsl.services')\n"
        "assert not (loaded := [name for name in sys.modules if name in others]), loaded\n"
    )
    assert loaded_by(f"{ask}print()") == {"typer"}


def test_solving_a_small_game_loads_only_the_modules_on_its_way() -> None:
    """The second time: generated code and the program are kept."""
    ask = (
        "from gamedsl.cli.program import app\n"
        "try:\n    app(['solve', 'tic_tac_toe', '-q'], prog_name='gamedsl')\n"
        "except SystemExit as end: assert end.code == 0\n"
        "loaded = {name for name in sys.modules if name.startswith('gamedsl.')}\n"
        "others = ('lowering', 'kernels', 'interpreter', 'hints', 'gambit', 'normal_form.solve')\n"
    )
    loaded_by(ask)
    loaded_by(
        f"{ask}assert not (idle := [name for name in loaded if name.endswith(others)]), idle\n"
        "assert len(loaded) <= 300, len(loaded)"
    )
