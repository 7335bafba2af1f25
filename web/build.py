"""Build the playground: `python web/build.py` makes the folder `web/dist`, which any server serves.

It takes the packages of `package-lock.json` by npm, and Lark and platformdirs by pip; nothing else
is fetched. What it makes holds everything: the page asks nobody for anything when it runs. With
`--notebooks` it puts the notebooks beside the page (`notebooks.py`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gamedsl.model.model import Model

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
WORK = WEB / "build"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARIES = ("lark", "platformdirs")
"""What the library needs in a browser; the command line's packages stay away."""
FIRST = "tic_tac_toe"
"""The game that a first visit begins with."""
WORTH_KEEPING = 100_000
"""Characters of a game's generated module from which the page holds the module."""
PAGES = ("index.html", "frame.html", "style.css", "icon.svg")


def build(folder: Path) -> None:
    """Make the folder; what it held before is gone."""
    install_packages()
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    WORK.mkdir()
    (folder / "pyodide").mkdir(parents=True)
    write_colours()
    copy_pyodide(folder / "pyodide")
    write_answers(folder / "answers", WORK / "modules")
    compile_library(folder / "library.zip", folder / "pyodide" / "python_stdlib.zip")
    for name in PAGES:
        shutil.copy(WEB / "src" / name, folder)
    version = hashlib.sha256(folder.joinpath("library.zip").read_bytes()).hexdigest()[:16]
    write_pictures(folder / "pictures")
    bundle(folder, "main.js", "worker.js", FIRST=json.dumps(FIRST), BUILD=json.dumps(version))
    write_service_worker(folder)


def install_packages() -> None:
    """What the lock file names, unless it is there already."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")


def write_colours() -> None:
    """The words of the language by their colours, for the editor."""
    sys.path.insert(0, str(ROOT))
    from gamedsl.services.colours import rules

    WORK.joinpath("colours.json").write_text(json.dumps(rules()), encoding="utf-8")


def compile_library(target: Path, standard: Path) -> None:
    """gamedsl and what it needs, as wheels, and compiled, with the modules of some shipped games;
    and the part of Python's own library that is used, compiled."""
    wheels = WORK / "wheels"
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-deps", "--wheel-dir", str(wheels), str(ROOT), *LIBRARIES)
    run("node", "compile.mjs", str(wheels), str(target), str(standard), str(WORK / "modules"))


class Answers:
    """What the page asks before Python runs in it, with the answers."""

    def __init__(self) -> None:
        self._pairs: list[tuple[str, Any]] = []

    def ask(self, question: str, **fields: object) -> Any:
        """The answer to a question; both are remembered."""
        from gamedsl.playground.dispatch import answer

        request = json.dumps(
            {"ask": question, **fields}, ensure_ascii=False, separators=(",", ":")
        )  # as the page writes it
        answered = json.loads(answer(request))["answer"]
        self._pairs.append((request, answered))
        return answered

    def write(self, path: Path, made: dict[str, str] | None = None) -> None:
        """All questions and answers as JSON, with the game's generated module, if given."""
        record = {"answers": self._pairs, "made": made}
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")


def write_answers(folder: Path, modules: Path) -> None:
    """A file of answers for the start of each shipped game (of the first game for each first move
    too), and one for the catalogue; and the generated modules that are worth keeping: of games on
    the last shelf beside their answers, of all others in the library."""
    from gamedsl.playground.reading import load_text
    from gamedsl.playground.resources import FURTHER

    folder.mkdir()
    modules.mkdir()
    catalogue = Answers()
    examples = catalogue.ask("examples")
    catalogue.ask("starts")
    catalogue.write(folder / "catalogue.json")
    for example in examples:
        name, answers = example["name"], Answers()
        text = answers.ask("example", name=name)
        game = answers.ask("findings", text=text)["game"]
        viewer = 0 if game["has_secrets"] else None
        begin = answers.ask("position", text=text, moves=[], viewer=viewer)
        for action in begin["choices"][0]["actions"] if name == FIRST else ():
            answers.ask("position", text=text, moves=[action["name"]], viewer=viewer)
        made, is_further = module_of(load_text(text).model), example["kind"] == FURTHER
        answers.write(folder / f"{name}.json", made if is_further else None)
        if made is not None and not is_further:
            (modules / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")


def module_of(model: Model) -> dict[str, str] | None:
    """The generated module of a game, if worth keeping."""
    from gamedsl.compiler.kept import content_of, generated_once

    if model.tree is not None or len((made := generated_once(model)).source) < WORTH_KEEPING:
        return None
    content = content_of(made, model)
    return None if content is None else {"origin": made.origin, "content": content.decode()}


def write_pictures(folder: Path) -> None:
    """The pictures of the gallery, and pictures of the further games, drawn in the same way."""
    gallery = ROOT / "docs" / "gallery"
    shutil.copytree(gallery, folder, ignore=shutil.ignore_patterns("*.md", "*.py", "*.txt"))
    sys.path.insert(0, str(gallery))
    from make import draw, positions

    from gamedsl.game import further_games

    for path in further_games():
        draw(path, positions().get(path.stem), folder)


def copy_pyodide(folder: Path) -> None:
    """Python itself but for its library, with a list of packages that is empty: none is ever
    loaded."""
    package = WEB / "node_modules" / "pyodide"
    for name in PYODIDE:
        shutil.copy(package / name, folder)
    lock = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = {}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def bundle(folder: Path, *scripts: str, **defined: str) -> None:
    """The scripts, each in one file with what it imports."""
    run(
        str(WEB / "node_modules" / ".bin" / "esbuild"),
        *(f"src/{script}" for script in scripts),
        "--bundle", "--splitting", "--minify", "--format=esm", "--target=es2022",
        "--log-level=warning", "--legal-comments=linked",
        "--external:./pyodide/pyodide.mjs", f"--outdir={folder}",
        *(f"--define:{name}={value}" for name, value in defined.items()),
    )  # fmt: skip


def write_service_worker(folder: Path) -> None:
    """The list of the files that every visit keeps, and a version that tells one build from
    another."""
    from gamedsl.game import further_games

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    version = hashlib.sha256(b"".join(map(Path.read_bytes, files))).hexdigest()[:16]
    later = {folder / "answers" / f"{path.stem}.json" for path in further_games()}
    names = ["./", *(path.relative_to(folder).as_posix() for path in files if path not in later)]
    bundle(folder, "service_worker.js", FILES=json.dumps(names), VERSION=json.dumps(version))


def run(*command: str) -> None:
    """Run a program in this folder; what it prints is seen."""
    program = shutil.which(command[0])
    if program is None:
        sys.exit(f"the playground is built by {command[0]}, which is not installed")
    environment = os.environ | {"GAMEDSL_WITHOUT_PAGE": "1"}  # read by hatch_build.py
    done = subprocess.run([program, *command[1:]], cwd=WEB, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} has failed; nothing is built")


def build_notebooks(folder: Path) -> None:
    """JupyterLite with the notebooks, in the folder that has just been made."""
    import notebooks

    (wheel,) = (WORK / "wheels").glob("gamedsl-*.whl")
    notebooks.build(folder / "lab", WORK / "lab", WEB / "node_modules" / "pyodide", wheel)


def main() -> None:
    """Read the options and build."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=WEB / "dist", help="what is made")
    parser.add_argument("--notebooks", action="store_true", help="with the notebooks, to be run")
    options = parser.parse_args()
    folder = options.folder.resolve()
    build(folder)
    if options.notebooks:
        build_notebooks(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB; `gamedsl playground` shows it")


if __name__ == "__main__":
    main()
