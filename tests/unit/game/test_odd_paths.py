"""Paths that no file has, and files without an end."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.game import load
from gamedsl.model import GameSourceError

LONG = "x" * 5_000


def codes(path_or_text: str | Path) -> list[str]:
    with pytest.raises(GameSourceError) as caught:
        load(path_or_text)
    return [found.code for found in caught.value.diagnostics if found.is_error]


def test_a_path_too_long_for_a_file_is_none(tmp_path: Path) -> None:
    assert codes(LONG) == ["E0001"]
    includes = tmp_path / "a.game"
    includes.write_text(f'include "{LONG}"\n')
    assert len(codes(includes)) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device of endless zeros")
def test_a_file_without_an_end_is_too_large() -> None:
    assert codes(Path("/dev/zero")) == ["E0003"]
