"""Where included files are looked for, and what a game made of several files is."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.generated import origin_of

OWN = 'include "nim.game"\ngame "Own"\n\nend:\n    if stuck: turn wins\n'
BASE = (gamedsl.load("nim").source.text).replace("[3, 4, 5]", "[1, 2]")


def test_a_file_beside_comes_before_the_shipped_game(tmp_path: Path) -> None:
    own = tmp_path / "own.game"
    own.write_text(OWN)
    assert gamedsl.load(own).parameters["sizes"] == "[3, 4, 5]"
    (tmp_path / "nim.game").write_text(BASE)
    assert gamedsl.load(own).parameters["sizes"] == "[1, 2]"


def test_a_file_is_named_from_the_folder_of_the_one_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "nim.game").write_text(BASE)
    (tmp_path / "deep" / "own.game").write_text(OWN.replace("nim", "../nim"))
    (tmp_path / "last.game").write_text('include "deep/own.game"\ngame "Last"\n')
    game = gamedsl.load(tmp_path / "last.game")
    assert [Path(file.name).name for file in game.source.files] == [
        "last.game", "own.game", "nim.game",
    ]  # fmt: skip


def test_a_text_includes_shipped_games_alone() -> None:
    assert gamedsl.load(OWN).name == "Own"
    with pytest.raises(gamedsl.GameSourceError) as met:
        gamedsl.load(OWN.replace("nim", "mine"))
    (found,) = met.value.diagnostics
    assert any("this text lies in no file" in note for note in found.notes)


def test_a_missing_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    own = tmp_path / "own.game"
    (tmp_path / "mine.game").write_text(BASE)
    own.write_text(OWN.replace("nim", "mien"))
    with pytest.raises(gamedsl.GameSourceError) as met:
        gamedsl.load(own)
    (found,) = met.value.diagnostics
    assert found.position == (1, 1)
    assert str(tmp_path / "mien.game") in found.notes[0]
    assert "shipped games" in found.notes[1]
    assert found.hint == "did you mean `mine.game`?"


def test_files_that_include_each_other_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "one.game").write_text('include "two.game"\n')
    (tmp_path / "two.game").write_text(f'include "../{tmp_path.name}/one.game"\n')
    with pytest.raises(gamedsl.GameSourceError, match="includes itself"):
        gamedsl.load(tmp_path / "one.game")


def test_a_variant_is_played_counted_and_pickled_as_any_game() -> None:
    game = gamedsl.load(OWN, sizes=[2, 1])
    again = pickle.loads(pickle.dumps(game))
    assert again.parameters == game.parameters
    assert again.source == game.source
    assert again.engine_name == "auto"
    assert game.fallback is None


def test_what_code_is_kept_under_changes_with_the_included_file(tmp_path: Path) -> None:
    own, base = tmp_path / "own.game", tmp_path / "nim.game"
    own.write_text(OWN)
    base.write_text(BASE)
    before = origin_of(gamedsl.load(own).model)
    base.write_text(BASE.replace("n <= left[h]", "n == left[h]"))
    assert origin_of(gamedsl.load(own).model) != before


def test_an_error_in_an_included_file_is_shown_there(tmp_path: Path) -> None:
    own = tmp_path / "own.game"
    own.write_text('include "nim.game"\ngame "Own"\nwithout state left\n')
    (tmp_path / "nim.game").write_text(BASE)
    with pytest.raises(gamedsl.GameSourceError) as met:
        gamedsl.load(own)
    found = met.value.diagnostics[0]
    assert found.file_name == str(tmp_path / "nim.game")
    assert found.message == "unknown name `left`: `without` leaves it out"


def test_a_replaced_definition_with_other_parameters_is_asked_for_where_it_is_called() -> None:
    text = 'include "chess.game"\ngame "Odd"\n\ndef king_of(p, q) = first(s for s in square)\n'
    with pytest.raises(gamedsl.GameSourceError) as met:
        gamedsl.load(text)
    assert {Path(found.file_name).name for found in met.value.diagnostics} == {"chess.game"}
    assert all("king_of" in found.message for found in met.value.diagnostics)
