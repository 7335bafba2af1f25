"""The guided tours of docs/ARCHITECTURE.md: the files exist, and the program passes through."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import gamedsl
from gamedsl.compiler.module import generate
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
TOURS = re.findall(r"## Tour \d: ([^\n]*)\n(.*?)(?=\n## )", PAGE, re.DOTALL)
ROW = re.compile(r"\| *\d+ \| `([^`]+)` \| ([^|]*)\|")
SLIP = """
game "Slip"
players X, O
board square: 3 x 3

state:
    cell[square]: empty | players = empty

move mark(s in square):
    require cel[s] == empty
    cell[s] = turn

end:
    if full(cell): draw
"""


def stops(name: str) -> list[tuple[str, list[str]]]:
    """The files of a tour, each with the names to read."""
    page = next(text for title, text in TOURS if name in title)
    return [(path, re.findall(r"`([\w.]+)`", names)) for path, names in ROW.findall(page)]


def files_called(work: Callable[[], object]) -> set[str]:
    """Files of the package with a function that the work calls."""
    files = set[str]()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    package = ROOT / "gamedsl"
    return {
        str(Path(name).relative_to(ROOT)) for name in files if Path(name).is_relative_to(package)
    }


def test_there_are_three_tours() -> None:
    assert len(TOURS) == 3


@pytest.mark.parametrize("title", [title for title, _ in TOURS])
def test_a_tour_has_at_most_twelve_files_and_names_what_is_there(title: str) -> None:
    tour = stops(title)
    assert 8 <= len(tour) <= 12
    for path, names in tour:
        text = (ROOT / path).read_text("utf-8")
        for name in names:
            last = name.rpartition(".")[2]
            assert re.search(rf"(def|class) {last}\b|^{last}\b", text, re.MULTILINE), (path, name)


def test_a_question_passes_through_the_files_of_its_tour() -> None:
    called = files_called(lambda: solve(gamedsl.load("tic_tac_toe"), options=SolveOptions()))
    tour = {path for path, _ in stops("a question") if "/cli/" not in path}
    assert tour <= called


def test_a_mistake_passes_through_the_files_of_its_tour(tmp_path: Path) -> None:
    path = tmp_path / "slip.game"
    path.write_text(SLIP, "utf-8")
    called = files_called(lambda: gamedsl.check(path))
    later = {"gamedsl/cli/bodies/check.py", "gamedsl/source/render.py"}
    assert {path for path, _ in stops("a mistake")} - later <= called


def test_an_expression_passes_through_the_files_of_its_tour() -> None:
    game = gamedsl.load("nim_misere")
    called = files_called(lambda: generate(game.model))
    tour = {path for path, _ in stops("an expression")}
    assert {path for path in tour if "/lowering/" in path or "/passes/" in path} <= called
