"""The notebooks in JupyterLite: JupyterLab with its Python in the browser, as plain files.

In: `docs/notebooks`, Pyodide from npm, gamedsl as a wheel, and what IPython needs from PyPI, in the
versions that this Pyodide names. Out: a folder that any server serves; nothing is fetched from
elsewhere when it runs. It takes `pip install 'gamedsl[notebooks]'`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
NEEDED = ("micropip", "packaging", "comm", "ipython", "jedi", "lark", "platformdirs")
"""What the kernel and gamedsl import; what these need in turn is in the list of Pyodide."""
OF_THE_KERNEL = ("ipykernel", "pyodide_kernel")
"""Wheels that come with the extension."""
LOADED = ("ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "gamedsl")
EXTENSION = "@jupyterlite/pyodide-kernel-extension"
Packages = dict[str, dict[str, Any]]


def build(folder: Path, work: Path, pyodide: Path, gamedsl: Path) -> None:
    """Make the folder. `work` is for what lies on the way, `pyodide` the package of npm, `gamedsl`
    the wheel."""
    if importlib.util.find_spec("jupyterlite_pyodide_kernel") is None:
        sys.exit("the notebooks are built by JupyterLite: pip install 'gamedsl[notebooks]'")
    shutil.rmtree(work, ignore_errors=True)
    python = work / "static" / "pyodide"
    python.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        shutil.copy(pyodide / name, python)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    fetch_wheels(python, lock["packages"], lock["info"]["python"])
    for wheel in (gamedsl, *wheels_of_the_kernel()):
        shutil.copy(wheel, python)
    lock["packages"] = dict(entries(python, lock["packages"]))
    (python / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    (work / "jupyter-lite.json").write_text(json.dumps(settings()), encoding="utf-8")
    contents = work / "contents"
    contents.mkdir()
    for path in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(path, contents)
    run(
        work, "jupyterlite_core.app", "build", "--lite-dir", str(work), "--output-dir", str(folder),
        "--contents", str(contents), "--apps", "lab", "--apps", "notebooks", "--apps", "tree",
        "--no-sourcemaps", "--no-unused-shared-packages",
    )  # fmt: skip


def fetch_wheels(folder: Path, known: Packages, version: str) -> None:
    """What is needed, by pip, for the Python of the browser, which has this version."""
    wanted, missing = {}, list(NEEDED)
    while missing:
        name = missing.pop()
        if name not in wanted:
            wanted[name] = f"{name}=={known[name]['version']}" if name in known else name
            missing += map(plain, known.get(name, {}).get("depends", ()))
    run(
        folder, "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--only-binary=:all:", "--platform=any", "--python-version", version,
        "--dest", str(folder), *wanted.values(),
    )  # fmt: skip


def wheels_of_the_kernel() -> Iterator[Path]:
    """The kernel's own Python, which its extension for JupyterLab brings."""
    place = Path(sys.prefix, "share", "jupyter", "labextensions", EXTENSION, "static", "pypi")
    for name in OF_THE_KERNEL:
        yield next(place.glob(f"{name}-*.whl"))


def entries(folder: Path, known: Packages) -> Iterator[tuple[str, dict[str, Any]]]:
    """The wheels of a folder as Pyodide lists packages."""
    for path in sorted(folder.glob("*.whl")):
        part, version, *_ = path.name.split("-")
        name = plain(part)
        of_pyodide = known.get(name, {})
        needs = ["lark", "platformdirs"] if name == "gamedsl" else of_pyodide.get("depends", [])
        yield name, {
            "name": name, "version": version, "file_name": path.name, "depends": needs,
            "imports": of_pyodide.get("imports", [part]), "install_dir": "site",
            "package_type": "package", "unvendored_tests": False,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }  # fmt: skip


def plain(name: str) -> str:
    """The one form of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def settings() -> dict[str, Any]:
    """What JupyterLite is told: nobody else is asked, and all is kept for when there is no
    network."""
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": LOADED}}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "gamedsl notebooks",
            "enableServiceWorkerCache": True,
            "litePluginSettings": {f"{EXTENSION}:kernel": kernel},
        },
    }


def run(cwd: Path, module: str, *arguments: str) -> None:
    """Run a module of this Python in a folder; what it prints is shown where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}{module} has failed; the notebooks are not built")
