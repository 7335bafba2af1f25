"""Programs that are cached between runs."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from gamedsl.source import SourceFile, read_source
from gamedsl.source.keeping import keep, kept
from gamedsl.syntax.depth import DEEPEST_BRACKETS
from gamedsl.syntax.parse import parse
from gamedsl.syntax.parsed import parsed

GAMES = Path(__file__).resolve().parents[3] / "games"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "gamedsl" / "programs"


def source_of(path: Path) -> SourceFile:
    source = read_source(path)
    assert isinstance(source, SourceFile)
    return source


def refuse(source: SourceFile) -> None:
    raise AssertionError(f"{source.name} is parsed again")


@pytest.mark.parametrize("name", ["tic_tac_toe", "chess", "kuhn_poker"])
def test_a_file_is_parsed_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(GAMES / f"{name}.game")
    first = parsed(source)
    assert first == parse(source)
    monkeypatch.setattr("gamedsl.syntax.parse.parse", refuse)
    again = parsed(source)
    assert again == first
    assert again[0].declarations[-1].span == first[0].declarations[-1].span


def test_a_changed_file_is_parsed_again_and_has_one_program(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "own.game"
    for title in ("One", "Two"):
        path.write_text(f'game "{title}"\n')
        assert parsed(source_of(path)) == parse(source_of(path))
    assert len(list(cache.iterdir())) == 1


def test_what_is_wrong_is_told_each_time_and_texts_without_a_file_leave_none(
    tmp_path: Path, cache: Path
) -> None:
    path = tmp_path / "own.game"
    path.write_text("game One\n")
    for _ in range(2):
        assert parsed(source_of(path))[1] == parse(source_of(path))[1] != ()
    assert parsed(SourceFile("text", 'game "One"\n'))[1] == ()
    assert not cache.exists()


def test_a_damaged_program_is_made_anew(cache: Path) -> None:
    source = source_of(GAMES / "tic_tac_toe.game")
    first = parsed(source)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    for damaged in (b"", whole[:-9], b"\xff" + whole):
        path.write_bytes(damaged)
        assert parsed(source) == first
        assert path.read_bytes() == whole


def test_deep_nesting_is_no_obstacle(tmp_path: Path) -> None:
    path, depth = tmp_path / "own.game", DEEPEST_BRACKETS - 1
    path.write_text(f"def deep = {'not (' * depth}true{')' * depth}\n")
    for _ in range(2):
        assert parsed(source_of(path)) == parse(source_of(path))


def test_a_path_need_not_be_text(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.game")
    path.write_text('game "Odd"\n')
    assert parsed(source_of(path)) == parse(source_of(path))
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("content", [b"", b"\x80\x05", pickle.dumps(5), b"cgamedsl.gone\nSpan\n."])
def test_a_program_of_another_version_is_parsed_again(
    content: bytes, tmp_path: Path, cache: Path
) -> None:
    path = tmp_path / "own.game"
    path.write_text('game "One"\n')
    right = parsed(source_of(path))
    (entry,) = cache.iterdir()
    written = kept(entry)
    assert written is not None
    keep(entry, written[:64] + content)
    assert parsed(source_of(path)) == right
    assert kept(entry) == written


def test_a_gambit_file_is_read_each_time(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "own.efg"
    path.write_text('EFG 2 R "One" { "A" }\n\nt "" 1 "" { 1 }\n')
    assert parsed(source_of(path)) == parse(source_of(path))
    assert not cache.exists() or not list(cache.iterdir())
