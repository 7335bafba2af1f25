"""Generated Python that is kept between runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler import python_code
from gamedsl.compiler.python_code import run_source

LONG = "value = 1\n" + "# a remark\n" * 10_000


def refuse(source: str) -> None:
    raise AssertionError(f"{len(source)} letters are read again")


def test_a_long_text_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_source(LONG, tmp_path)["value"] == 1
    monkeypatch.setattr(python_code, "_read", refuse)
    assert run_source(LONG, tmp_path)["value"] == 1
    with pytest.raises(AssertionError, match="again"):
        run_source(LONG.replace("1", "2"), tmp_path)


def test_a_short_text_is_not_kept(tmp_path: Path) -> None:
    assert run_source("value = 1\n", tmp_path)["value"] == 1
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_not_trusted(tmp_path: Path) -> None:
    run_source(LONG, tmp_path)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:32] + b"x" + whole[33:], b"x" + whole):
        path.write_bytes(damaged)
        assert run_source(LONG, tmp_path)["value"] == 1
        assert path.read_bytes() == whole
