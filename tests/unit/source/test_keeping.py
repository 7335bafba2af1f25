"""Files kept between runs: whole or not at all, and only where nobody else can put them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.source import keeping

CONTENT = b"what was made"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "all" / "some"


def test_what_is_kept_comes_back(folder: Path) -> None:
    keeping.keep(folder / "file", CONTENT)
    assert keeping.kept(folder / "file") == CONTENT
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_damaged_anywhere_is_none(folder: Path) -> None:
    path = folder / "file"
    keeping.keep(path, CONTENT)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert keeping.kept(path) is None
        path.write_bytes(whole[:place])
        assert keeping.kept(path) is None


@pytest.mark.parametrize("rights", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(folder: Path, rights: int) -> None:
    keeping.keep(folder / "file", CONTENT)
    for place in (folder, folder.parent):
        place.chmod(rights)
        assert keeping.kept(folder / "file") is None
        keeping.keep(folder / "other", CONTENT)
        assert not (folder / "other").exists()
        assert keeping.why_not_kept(folder) == "others could put files there"
        place.chmod(0o700)
    assert keeping.kept(folder / "file") == CONTENT


def test_a_sticky_folder_above_is_no_danger(folder: Path) -> None:
    keeping.keep(folder / "file", CONTENT)
    folder.parent.chmod(0o1777)
    assert keeping.kept(folder / "file") == CONTENT


def test_without_a_home_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nowhere = Path("~") / "gamedsl"
    keeping.keep(nowhere / "file", CONTENT)
    assert list(tmp_path.iterdir()) == []
    assert keeping.kept(nowhere / "file") is None
    assert keeping.why_not_kept(nowhere) == "this user has no home folder"


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    keeping.keep(tmp_path / "taken" / "some" / "file", CONTENT)
    assert keeping.kept(tmp_path / "taken" / "some" / "file") is None
    assert "cannot be made" in str(keeping.why_not_kept(tmp_path / "taken" / "some"))


def test_writing_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        keeping.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
