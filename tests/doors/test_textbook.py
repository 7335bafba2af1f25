"""Every block of docs/textbook is executed: commands, their output, and the pictures they make.

`pytest --snapshot-update` writes the outputs and pictures anew; review the difference.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from .conftest import ROOT, Run

BOOK = ROOT / "docs" / "textbook"
PAGES = sorted(BOOK.glob("*.md"))
CONSOLE = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files of the book that commands read, and room for pictures."""
    for game in BOOK.glob("*.game"):
        shutil.copy(game, tmp_path)
    shutil.copytree(BOOK / "exercises", tmp_path / "exercises")
    (tmp_path / "pictures").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_page_says(
    run: Run, desk: Path, page: Path, request: pytest.FixtureRequest
) -> None:
    written = page.read_text("utf-8")
    made = CONSOLE.sub(lambda block: _executed(run, block[0]), written)
    pictures = sorted((desk / "pictures").glob("*.svg"))
    if request.config.getoption("--snapshot-update", default=False):
        page.write_text(made, "utf-8")
        for picture in pictures:
            shutil.copy(picture, BOOK / "pictures")
    assert made == page.read_text("utf-8")
    for picture in pictures:
        committed = BOOK / "pictures" / picture.name
        assert picture.read_text("utf-8") == committed.read_text("utf-8"), picture.name
        assert f"](pictures/{picture.name})" in written


def _executed(run: Run, block: str) -> str:
    """The block with what its commands print now; a message of refusal follows the output."""
    parts = []
    for line in block.splitlines():
        if line.startswith("$ "):
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "gamedsl"
            done = run(*arguments)
            printed = (done.out + done.err).rstrip()
            parts.append(line + (f"\n{printed}" if printed else ""))
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>>" in page.read_text("utf-8")], ids=lambda page: page.stem
)
def test_python_on_the_pages_prints_what_they_say(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_every_picture_is_shown_on_a_page() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    unused = [p.name for p in (BOOK / "pictures").iterdir() if f"](pictures/{p.name})" not in text]
    assert not unused


def test_every_page_is_in_the_list_of_contents() -> None:
    contents = (BOOK / "README.md").read_text("utf-8")
    missing = [page.name for page in PAGES if page.stem[0].isdigit() and page.name not in contents]
    assert not missing


def test_the_games_of_the_book_hold_what_they_claim(run: Run) -> None:
    checked = run("check", *sorted(BOOK.glob("*.game")))
    assert checked.status == 0, checked.out + checked.err


def test_the_plot_is_what_its_program_draws() -> None:
    spec = spec_from_file_location("nodes_by_depth", BOOK / "nodes_by_depth.py")
    assert spec is not None
    assert spec.loader is not None
    program = module_from_spec(spec)
    spec.loader.exec_module(program)
    best = program.leaves("alpha-beta", "best")
    depths = range(1, program.DEEPEST + 1)
    assert best == [3 ** (m // 2) + 3 ** ((m + 1) // 2) - 1 for m in depths]  # Knuth and Moore
    assert program.plot() == program.PICTURE.read_text("utf-8")


EXERCISES = sorted(path.name for path in (BOOK / "exercises" / "answers").iterdir())


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_of_an_exercise_has_the_answers(run: Run, name: str) -> None:
    answers, solution = (BOOK / "exercises" / folder / name for folder in ("answers", "solutions"))
    checked = run("check", answers, solution)
    assert checked.status == 0, checked.out
    assert run("check", "--claims", answers, solution).status == 0


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("race", "at[B] == 1", "at[B] == 2"),
        ("pursuit", "d: e, f", "d: e, f\n    f: a"),
        ("noughts_and_crosses", "line(cell, p, 3)", "line(cell, p, 2)"),
        ("chance_tree", "l -> 1", "l -> 2"),
    ],
)
def test_a_wrong_solution_is_told_without_the_answer(
    run: Run, tmp_path: Path, name: str, right: str, wrong: str
) -> None:
    text = (BOOK / "exercises" / "solutions" / f"{name}.game").read_text("utf-8")
    assert right in text
    file = tmp_path / "mine.game"
    file.write_text(text.replace(right, wrong), "utf-8")
    checked = run("check", "--claims", BOOK / "exercises" / "answers" / f"{name}.game", file)
    assert checked.status == 1
    assert "E4001" in checked.out
    assert "expect" not in checked.out
    assert "claimed" not in checked.out
