"""The architecture as tests: floors, and what each may import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES = 22
"""Of a folder: more are not seen at a glance."""


def test_imports_only_point_down_and_never_in_a_circle() -> None:
    checked = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()",
         "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "9 kept, 0 broken" in checked.stdout


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_module_that_the_documents_name_exists(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    named = set(re.findall(r"`(gamedsl(?:\.[a-z_]+)+)", text))
    named |= {
        path.replace("/", ".") for path in re.findall(r"`(gamedsl/[a-z_/]+)(?:\.py|`|/`)", text)
    }
    assert named
    missing = sorted(name for name in named if not _exists(name.rstrip(".")))
    assert not missing


def _exists(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_no_engine_and_no_solver_asks_how_a_game_is_drawn() -> None:
    below = ("interpreter", "compiler", "solvers", "conformance", "model/rewriting", "model/checks")
    files = [path for name in below for path in (ROOT / "gamedsl" / name).rglob("*.py")]
    assert not [
        path for path in files if re.search(r"\.looks\b|game\.pictures", path.read_text("utf-8"))
    ]


def test_nothing_that_is_shown_knows_a_shipped_game() -> None:
    """Their names of four letters and more: shorter ones are words of other uses, too."""
    names = {path.stem for path in (ROOT / "games").glob("*.game")} - {"expectiminimax"}
    known = re.compile(rf"(?<![a-z])({'|'.join(n for n in names if len(n) > 3)})(?![a-z])")
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for room in ("game", "reports")
        for path in (ROOT / "gamedsl" / room).rglob("*.py")
        for text in _said_in(ast.parse(path.read_text("utf-8")))
        if known.search(text.lower())
    }
    assert not found


def _said_in(module: ast.Module) -> Iterator[str]:
    """Texts of a module, but for its documentation, and names that it reads or defines."""
    nodes = list(ast.walk(module))
    documentation = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    for one in nodes:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield "" if id(one) in documentation else one.value
        elif isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.FunctionDef | ast.ClassDef):
            yield one.name


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "gamedsl").rglob("*.py"))
        if not path.read_text("utf-8").lstrip().startswith('"""')
    ]
    assert not silent


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    vague = {"utils", "util", "helpers", "common", "misc"}
    assert not [p for p in (ROOT / "gamedsl").rglob("*") if p.stem in vague]


def test_no_folder_holds_more_files_than_are_seen_at_a_glance() -> None:
    package = ROOT / "gamedsl"
    folders = [package, *(path for path in package.rglob("*") if path.is_dir())]
    larger = {
        path.relative_to(package).as_posix()
        for path in folders
        if len(list(path.glob("*.py"))) > MOST_FILES
    }
    assert not larger
