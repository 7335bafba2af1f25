"""The line that tells a person who waits how far it has come."""

from __future__ import annotations

from io import StringIO

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
