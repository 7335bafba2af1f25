"""Amounts of time and memory as people type them."""

from __future__ import annotations

import pytest
import typer

from gamedsl.cli.units import bytes_of, seconds_of


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("0", 0), ("2.5", 2.5), ("90s", 90), ("10m", 600), ("1h30m", 5400), ("1 h 5 min", 3900)],
)
def test_times(typed: str, seconds: float) -> None:
    assert seconds_of(typed) == seconds


@pytest.mark.parametrize(
    ("typed", "size"), [("500MB", 500 * 10**6), ("8GiB", 8 * 2**30), ("1.5 kB", 1500)]
)
def test_amounts_of_memory(typed: str, size: int) -> None:
    assert bytes_of(typed) == size


@pytest.mark.parametrize("typed", ["", "soon", "-1", "10 s m", "1m30", "inf", "9" * 50])
def test_what_is_no_time(typed: str) -> None:
    with pytest.raises(typer.BadParameter, match="such as 90s"):
        seconds_of(typed)


@pytest.mark.parametrize("typed", ["", "8G", "8", "GiB", "0GB", "-1GB", "8iB"])
def test_what_is_no_amount_of_memory(typed: str) -> None:
    with pytest.raises(typer.BadParameter, match="such as 500MB or 8GiB"):
        bytes_of(typed)
