"""The line that tells a person who waits how far it has come."""

from __future__ import annotations

from io import StringIO
from threading import Event

import pytest

from gamedsl.cli import progress
from gamedsl.cli.progress import ProgressLine


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class Drawn(list[str]):
    """What is drawn, in place of a `rich.status.Status`."""

    def __call__(self, *_: object, **__: object) -> Drawn:
        return self

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def update(self, text: object) -> None:
        self.append(str(text))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    found = Drawn()
    monkeypatch.setattr("rich.status.Status", found)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(progress, "SILENCE", 1000.0)
    return found


def test_a_stage_that_counts_nothing_leaves_no_old_count_standing(
    drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    with ProgressLine("looking", quiet=False) as line:
        monkeypatch.setattr(progress, "REDRAW", -1.0)
        line(64, 3)
        monkeypatch.setattr(progress, "REDRAW", 1000.0)
        line(65, 4)  # too soon to be drawn
        line(0, 0)
        line(0, 0)
        assert line.reached().startswith("looking, after")
    assert drawn[0].startswith("looking: 64 positions")
    assert drawn[1:] == ["looking"]


def test_what_is_proved_is_said_with_how_far_it_is() -> None:
    with ProgressLine("solving", quiet=True) as line:
        line(64, 0)
        line.prove("Red does not lose")
        assert line.reached().endswith(" a second); proved: Red does not lose")


def test_quiet_draws_nothing(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr(progress, "REDRAW", -1.0)
    with ProgressLine("looking", quiet=True) as line:
        line(64, 3)
        line(0, 0)
    assert drawn == []


class Listener(StringIO):
    """A file for standard error that says when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.is_written = Event()

    def write(self, text: str) -> int:
        self.is_written.set()
        return super().write(text)


LONG = 60.0
"""Seconds that nothing here takes."""


def test_where_nobody_calls_a_line_is_written_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard = Listener()
    monkeypatch.setattr("sys.stderr", heard)
    monkeypatch.setattr(progress, "FIRST_LINE", 0.01)
    with ProgressLine("counting", quiet=False):
        assert heard.is_written.wait(LONG)
    assert heard.getvalue().startswith("counting, after")
    size = len(heard.getvalue())
    with ProgressLine("counting", quiet=True):
        pass
    assert len(heard.getvalue()) == size


def test_where_nobody_calls_a_terminal_shows_what_goes_on(
    drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_drawn = Event()
    monkeypatch.setattr(progress, "SILENCE", 0.01)
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr(Drawn, "start", lambda _: is_drawn.set())
    with ProgressLine("counting", quiet=False) as line:
        assert is_drawn.wait(LONG)
        assert line.positions == 0
    assert drawn == ["counting"]
