"""Files that include others, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import GAMES, Run

OWN = """# Nim, one more.
include "nim.game"
game "Own"

end:
    if stuck: turn wins
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.game"
    path.write_text(OWN)
    return path


def test_check_says_what_was_included(run: Run, own: Path) -> None:
    shipped = str(GAMES / "nim.game")
    assert f"; includes {shipped}\n" in run("check", own).out
    (file,) = json.loads(run("check", own, "--json", "-D", "sizes=[1, 2]").out)["files"]
    assert file["includes"] == [shipped]
    (plain,) = json.loads(run("check", "nim", "--no-play", "--json").out)["files"]
    assert plain["includes"] == []


def test_the_expanded_text_is_one_file_that_means_the_same(
    run: Run, own: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "alone.game"
    alone.write_text(run("show", own, "--format", "expanded").out)
    text = alone.read_text()
    assert text.startswith('# Nim, one more.\ngame "Own"\nparam sizes = [3, 4, 5]\n')
    assert "include" not in text
    assert run("fmt", "--check", alone).status == 0
    assert run("perft", alone, "4").out == run("perft", own, "4").out


def test_fmt_sees_the_file_alone(run: Run, own: Path) -> None:
    own.write_text(OWN.replace("  if", "if"))
    assert run("fmt", own).status == 0
    assert own.read_text() == OWN


def test_an_error_in_an_included_file_names_that_file(run: Run, own: Path, tmp_path: Path) -> None:
    (tmp_path / "nim.game").write_text("players A, B\nmove take:\n    x = 1\n")
    checked = run("check", own, "--format", "concise")
    assert checked.status == 1
    assert f"{tmp_path / 'nim.game'}:3:5: error[E1001] unknown variable `x`" in checked.out


def test_what_is_not_there_is_a_matter_of_the_file(run: Run, own: Path) -> None:
    own.write_text(OWN.replace("nim", "mine"))
    checked = run("check", own)
    assert checked.status == 1
    assert "there is no file `mine.game` to include" in checked.out
    assert "looked among the shipped games" in checked.out


@pytest.mark.parametrize("base", ["nim", "kuhn_poker", "aima_fig_5_2"])
def test_a_new_variant_passes_the_check_as_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "My variant", "--from", base).out == "my_variant.game\n"
    text = (tmp_path / "my_variant.game").read_text()
    assert f'include "{base}.game"' in text
    assert max(map(len, text.splitlines())) <= 100
    assert run("check", "--no-play", "my_variant.game").status == 0
    assert run("fmt", "--check", "my_variant.game").status == 0


def test_a_variant_of_a_file_names_it_from_here(
    run: Run, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    run("new", "Second", "--from", own)
    assert 'include "../own.game"' in (tmp_path / "here" / "second.game").read_text()
    assert run("check", "--no-play", "second.game").status == 0
    assert run("new", "Third", "--from", "no_such_game").status == 2
