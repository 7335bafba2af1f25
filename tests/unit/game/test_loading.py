"""`load`: from a path, a text, or the name of a shipped game."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl import GameSourceError

TEXT = 'game "Tree"\nplayers A\ntree:\n    A: x -> 1\n'


def codes(*arguments: object) -> list[str]:
    with pytest.raises(GameSourceError) as caught:
        gamedsl.load(*arguments)  # type: ignore[arg-type]
    return [one.code for one in caught.value.diagnostics]


def test_a_text_a_path_and_a_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "tree.game"
    path.write_text(TEXT, "utf-8")
    assert gamedsl.load(TEXT).name == "Tree"
    assert gamedsl.load(path).name == "Tree"
    assert gamedsl.load(str(path)).name == "Tree"
    assert gamedsl.load("nim").name == "Nim"


def test_what_is_no_text_is_refused_and_an_empty_text_is_a_text() -> None:
    with pytest.raises(GameSourceError, match="holds no game"):
        gamedsl.load("")
    with pytest.raises(TypeError, match="a path, a text or a name, found None"):
        gamedsl.load(None)  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_a_finding_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "tree.game").write_text(TEXT, "utf-8")
    with pytest.raises(GameSourceError) as caught:
        gamedsl.load(tmp_path / "treee.game")
    (found,) = caught.value.diagnostics
    assert found.code == "E0001"
    assert "tree.game" in (found.hint or "")
    assert codes("no_such_game_anywhere") == ["E0001"]


def test_a_file_of_bytes_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "bytes.game"
    path.write_bytes(b"\xff\x00\x12")
    assert codes(path)[0].startswith("E00")
    assert codes(tmp_path) == ["E0001"]


def test_an_engine_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="there is no engine 'warp'; the engines are auto"):
        gamedsl.load(TEXT, engine="warp")


def test_the_error_tells_the_first_messages() -> None:
    with pytest.raises(GameSourceError, match="a game needs players"):
        gamedsl.load('game "x"\nstate:\n    n: 0..1 = 0\n')


def test_a_game_is_shown_with_its_parameters() -> None:
    assert repr(gamedsl.load("nim", sizes=[1, 2])) == "<Game 'Nim', sizes=[1, 2]>"
    assert gamedsl.load(TEXT).players[0].name == "A"
    assert [int(player) for player in gamedsl.load("nim").players] == [0, 1]


def test_a_player_alone_in_an_information_set_is_told_the_play_so_far() -> None:
    """The sender knows the own strength; the receiver of a breakfast does not."""
    game = gamedsl.load("beer_and_quiche")
    assert str(game.view(game.position("strong"), viewer=0)).startswith("after strong\n")
    assert str(game.view(game.position("strong beer"), viewer=1)).startswith("in [after_beer]\n")
    assert "strong" not in str(game.view(game.position("strong"), viewer=1))
