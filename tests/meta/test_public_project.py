"""The files that a public repository shows: they can be read, and what they name exists."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from gamedsl.version import __version__

ROOT = Path(__file__).resolve().parents[2]
YAML = sorted([*(ROOT / ".github").rglob("*.yml"), ROOT / "CITATION.cff"])
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_a_form_or_workflow_is_yaml(path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict)


def test_workflows_run_files_and_extras_that_exist() -> None:
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / ".github").rglob("*.yml"))
    files = re.findall(r"(?:python|bash) ([\w./]+/[\w.]+)", text)
    assert len(files) >= 3
    assert all((ROOT / file).is_file() for file in files)
    modules = re.findall(r"from (gamedsl[\w.]*) import", text)
    assert modules
    assert all(find_spec(module) for module in modules)
    extras = re.findall(r"'\.\[([\w,]+)\]'", text)
    assert extras
    assert {name for group in extras for name in group.split(",")} <= {
        *EXTRAS["optional-dependencies"]
    }


def test_the_matrix_has_every_python_that_the_package_claims() -> None:
    matrix = (ROOT / ".github/workflows/tests.yml").read_text("utf-8")
    claimed = re.findall(r"Python :: (3\.\d+)", " ".join(EXTRAS["classifiers"]))
    assert claimed
    assert all(f'"{version}"' in matrix for version in claimed)


def test_the_citation_names_the_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_links_of_the_root_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)", (ROOT / name).read_text("utf-8"))
    assert all((ROOT / link).exists() for link in links)
